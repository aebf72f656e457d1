//===- load.cpp - From PTX text to code that can run -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/definedness.h"
#include "runtime/sim/exec/matrix/wgmma_check.h"
#include "runtime/sim/exec/registers.h"
#include "runtime/sim/profile/profile.h"
#include "runtime/sim/ptx/parser.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

namespace kiln::sim::exec {

namespace {
using ptx::StateSpace;

constexpr int OutOfMemory = 2, NoBinary = 209, InvalidPtx = 218, UnsupportedVersion = 222,
              NotFound = 500;
/// Alignment of the dynamic shared memory, which follows the static one.
constexpr uint32_t DynamicAlignment = 16;
/// Limits of every architecture from sm_53 on.
constexpr uint32_t WarpThreads = 32, RegistersPerBlock = 65536, RegisterUnit = 8;

uint32_t roundUp(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool isBlockShared(StateSpace space) {
  return space == StateSpace::Shared || space == StateSpace::SharedCta;
}

int codeOf(const std::vector<ptx::Diagnostic> &errors) {
  for (const ptx::Diagnostic &d : errors) {
    if (d.problem == ptx::Problem::Version)
      return UnsupportedVersion;
    if (d.problem == ptx::Problem::Target)
      return NoBinary;
  }
  return InvalidPtx;
}

Outcome failed(int cuda, std::string message) {
  Outcome outcome;
  outcome.cuda = cuda;
  outcome.message = std::move(message);
  return outcome;
}

Outcome checkTarget(const ptx::Target &target, const DeviceProfile &profile) {
  uint32_t device = profile.computeMajor * 10 + profile.computeMinor;
  bool fits = target.sm <= device;
  if (target.suffix == 'a')
    fits = target.sm == device && profile.archSpecific;
  else if (target.suffix == 'f')
    fits = target.sm <= device && target.sm / 10 == profile.computeMajor;
  if (fits)
    return {};
  std::string suffix = target.suffix ? std::string(1, target.suffix) : "";
  return failed(NoBinary, "the module is for sm_" + std::to_string(target.sm) + suffix +
                              ", the device (" + profile.id + ") is sm_" +
                              std::to_string(device) +
                              ": compile for it, or choose another with "
                              "KILN_SIM_DEVICES");
}

std::shared_ptr<Allocation> allocateVariable(ModuleCode &code, const ptx::Variable &v) {
  auto kind = v.space == StateSpace::Const ? Allocation::Kind::Constant
              : v.managed                  ? Allocation::Kind::Managed
                                           : Allocation::Kind::Module;
  // A variable of zero bytes still has an address.
  std::shared_ptr<Allocation> a = code.memory->allocate(
      kind, code.device, std::max<uint64_t>(v.size, 1), std::max<uint64_t>(v.align, 1));
  if (!a)
    return a;
  a->name = v.name;
  memset(a->bytes, 0, a->size);
  a->markWritten(0, a->size);
  return a;
}

uint64_t initialValue(const ModuleCode &code, const ptx::Initializer &init) {
  uint64_t value = init.bits;
  switch (init.kind) {
  case ptx::Initializer::Kind::Bits:
    return value;
  case ptx::Initializer::Kind::Address:
  case ptx::Initializer::Kind::GenericAddress:
    if (code.variables[init.symbol])
      value += code.variables[init.symbol]->address;
    break;
  case ptx::Initializer::Kind::FunctionAddress:
    value += FunctionWindow + init.symbol * FunctionStride;
    break;
  }
  return init.maskByte < 0 ? value : value >> (8 * init.maskByte) & 0xff;
}

void initialise(const ModuleCode &code, const ptx::Variable &v, Allocation &a) {
  for (const ptx::Initializer &init : v.init) {
    uint64_t value = initialValue(code, init);
    memcpy(a.bytes + init.offset, &value, std::min<uint32_t>(init.size, 8));
  }
}

Outcome makeVariables(ModuleCode &code) {
  for (const ptx::Variable &v : code.module->variables) {
    code.variables.push_back(nullptr);
    code.moduleShared.push_back(uint32_t(code.shared.size()));
    if (isBlockShared(v.space)) {
      code.shared.push_back(&v);
      continue;
    }
    if (v.space != StateSpace::Global && v.space != StateSpace::Const)
      continue;
    if (v.linkage == ptx::Linkage::Extern)
      return failed(NotFound, "line " + std::to_string(v.location.line) + ": `" + v.name +
                                  "` is declared .extern, and nothing defines it");
    if (!(code.variables.back() = allocateVariable(code, v)))
      return failed(OutOfMemory, "no memory for the module's variable " + v.name);
  }
  for (size_t i = 0; i < code.variables.size(); ++i)
    if (code.variables[i])
      initialise(code, code.module->variables[i], *code.variables[i]);
  return {};
}

std::unique_ptr<Instrumentation> makeDefinedness(Decoder &decoder) {
  return std::make_unique<Definedness>(decoder);
}

Outcome decodeAll(ModuleCode &code) {
  for (const ptx::Function &f : code.module->functions) {
    code.functions.push_back(std::make_unique<FunctionCode>());
    code.functions.back()->name = f.name;
    code.functions.back()->source = &f;
  }
  std::string messages;
  for (size_t i = 0; i < code.functions.size(); ++i) {
    const ptx::Function &f = code.module->functions[i];
    if (!f.defined)
      continue;
    // Callers read the signature before the body is decoded.
    Decoder decoder(code, f, *code.functions[i]);
    if (code.options.checks.initialised)
      decoder.instrument(makeDefinedness);
    if (code.options.checks.wgmma)
      decoder.instrument(matrix::makeWgmmaChecks);
    decoder.run();
    for (const std::string &message : decoder.errors())
      messages += (messages.empty() ? "" : "\n") + message;
  }
  return messages.empty() ? Outcome() : failed(InvalidPtx, messages);
}

/// Returns all functions that a kernel may call, directly or indirectly.
std::set<uint32_t> reachable(const ModuleCode &code, uint32_t entry) {
  std::set<uint32_t> seen;
  std::vector<uint32_t> work = {entry};
  while (!work.empty()) {
    uint32_t index = work.back();
    work.pop_back();
    if (!seen.insert(index).second)
      continue;
    const FunctionCode &f = *code.functions[index];
    work.insert(work.end(), f.callees.begin(), f.callees.end());
    if (f.callsIndirectly)
      for (uint32_t other = 0; other < code.functions.size(); ++other)
        if (code.functions[other]->source->defined &&
            !code.functions[other]->source->entry)
          work.push_back(other);
  }
  return seen;
}

void layoutShared(const ModuleCode &code, const std::set<uint32_t> &functions,
                  Kernel &kernel) {
  std::set<uint32_t> used;
  for (uint32_t f : functions)
    used.insert(code.functions[f]->sharedUsed.begin(),
                code.functions[f]->sharedUsed.end());
  kernel.sharedOffsets.assign(code.shared.size(), 0);
  uint32_t top = 0;
  bool dynamic = false;
  for (uint32_t index : used) {
    const ptx::Variable &v = *code.shared[index];
    if (v.unsizedArray) {
      dynamic = true;
      continue;
    }
    top = roundUp(top, std::max(v.align, 1u));
    kernel.sharedOffsets[index] = top;
    top += uint32_t(v.size);
  }
  if (dynamic) {
    uint32_t alignment = DynamicAlignment;
    for (uint32_t index : used)
      if (code.shared[index]->unsizedArray)
        alignment = std::max(alignment, code.shared[index]->align);
    top = roundUp(top, alignment);
    for (uint32_t index : used)
      if (code.shared[index]->unsizedArray)
        kernel.sharedOffsets[index] = top;
  }
  kernel.info.staticShared = top;
}

/// Bytes of local memory along the deepest call chain; a recursive cycle counts once.
uint32_t localDepth(const ModuleCode &code, uint32_t index, std::set<uint32_t> &path) {
  if (!path.insert(index).second)
    return 0;
  uint32_t deepest = 0;
  for (uint32_t callee : code.functions[index]->callees)
    deepest = std::max(deepest, localDepth(code, callee, path));
  path.erase(index);
  return code.functions[index]->localBytes + deepest;
}

void describeKernel(ModuleCode &code, uint32_t index, const DeviceProfile &profile) {
  const ptx::Function &f = code.module->functions[index];
  Kernel &kernel = code.entries[f.name];
  kernel.entry = code.functions[index].get();
  KernelInfo &info = kernel.info;
  info.name = f.name;
  for (const ptx::Variable &p : f.parameters) {
    info.parameterSizes.push_back(uint32_t(p.size));
    info.parameterOffsets.push_back(p.offset);
  }
  info.parameterBytes = f.parameterBytes;
  std::set<uint32_t> functions = reachable(code, index);
  layoutShared(code, functions, kernel);
  std::set<uint32_t> path;
  info.localBytes = localDepth(code, index, path);
  for (uint32_t other : functions)
    info.registers =
        std::max(info.registers, estimateRegisters(*code.functions[other]->source));
  const ptx::Directives &d = f.directives;
  if (d.maxnreg)
    info.registers = std::min(info.registers, d.maxnreg);
  info.requiredThreads = d.reqntid;
  info.requiredCluster = d.reqnctapercluster;
  auto product = [](const std::array<uint32_t, 3> &v) {
    return std::max(v[0], 1u) * std::max(v[1], 1u) * std::max(v[2], 1u);
  };
  if (d.maxntid[0])
    info.maxThreads = product(d.maxntid);
  if (d.reqntid[0])
    info.maxThreads = product(d.reqntid);
  // ptxas limits registers so that a block of the declared size can always be launched.
  if (d.maxntid[0] || d.reqntid[0]) {
    uint32_t warps = (info.maxThreads + WarpThreads - 1) / WarpThreads;
    uint32_t maxRegisters =
        RegistersPerBlock / (warps * WarpThreads) / RegisterUnit * RegisterUnit;
    info.registers = std::min(info.registers, maxRegisters);
  }
  info.minBlocksPerSm = d.minnctapersm;
  info.ptxVersion = code.module->version;
  info.targetSm = code.module->target.sm;
}
} // namespace

uint32_t ModuleCode::addFunctionVariable(const ptx::Variable &variable) {
  functionVariables.push_back(allocateVariable(*this, variable));
  if (functionVariables.back())
    initialise(*this, variable, *functionVariables.back());
  return uint32_t(functionVariables.size() - 1);
}

std::vector<std::string> ModuleCode::kernels() const {
  std::vector<std::string> names;
  for (const auto &[name, kernel] : entries)
    names.push_back(name);
  return names;
}

const KernelInfo *ModuleCode::kernel(std::string_view name) const {
  auto found = entries.find(name);
  return found == entries.end() ? nullptr : &found->second.info;
}

Code::Global ModuleCode::global(std::string_view name) const {
  for (size_t i = 0; i < variables.size(); ++i)
    if (variables[i] && module->variables[i].name == name)
      return {variables[i]->address, module->variables[i].size};
  return {};
}

const Kernel *ModuleCode::find(const KernelInfo *info) const {
  for (const auto &[name, kernel] : entries)
    if (&kernel.info == info)
      return &kernel;
  return nullptr;
}

const FunctionCode *ModuleCode::functionAt(uint64_t address) const {
  uint64_t offset = address - FunctionWindow, index = offset / FunctionStride;
  if (offset % FunctionStride || index >= functions.size())
    return nullptr;
  while (module->functions[index].alias >= 0)
    index = uint64_t(module->functions[index].alias);
  bool callable = module->functions[index].defined && !module->functions[index].entry;
  return callable ? functions[index].get() : nullptr;
}

ModuleCode::~ModuleCode() {
  for (const auto *list : {&variables, &functionVariables})
    for (const std::shared_ptr<Allocation> &a : *list)
      if (a)
        memory->release(a->address);
}

} // namespace kiln::sim::exec

namespace kiln::sim {

Outcome loadCode(std::string_view text, int device, const DeviceProfile &profile,
                 AddressSpace &memory, std::shared_ptr<Code> &out) {
  using namespace exec;
  ptx::ParseOptions parsing;
  parsing.newestPtx = profile.newestPtx;
  ptx::ParseResult parsed = ptx::parse(text, parsing);
  if (!parsed.ok()) {
    std::string messages;
    for (const ptx::Diagnostic &d : parsed.errors)
      messages += (messages.empty() ? "" : "\n") + ptx::format(d);
    return failed(codeOf(parsed.errors), messages);
  }
  Outcome outcome = checkTarget(parsed.module->target, profile);
  if (!outcome.ok())
    return outcome;
  auto code = std::make_shared<ModuleCode>();
  code->module = parsed.module;
  code->options = Options::fromEnvironment();
  code->device = device;
  code->profile = &profile;
  code->memory = &memory;
  outcome = makeVariables(*code);
  if (outcome.ok())
    outcome = decodeAll(*code);
  if (!outcome.ok())
    return outcome;
  for (uint32_t i = 0; i < code->functions.size(); ++i)
    if (code->module->functions[i].entry && code->module->functions[i].defined)
      describeKernel(*code, i, profile);
  out = std::move(code);
  return {};
}

} // namespace kiln::sim
