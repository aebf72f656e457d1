//===- dis_command.cpp - kiln-ptx dis -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/exec/code.h"
#include "runtime/sim/exec/launch.h"
#include "runtime/sim/memory/memory.h"
#include "runtime/sim/profile/profile.h"
#include "runtime/sim/ptx/print.h"
#include "runtime/sim/tool/run_options.h"
#include "runtime/sim/tool/tool.h"

#include <cstdio>
#include <iomanip>
#include <ostream>

using namespace kiln::sim;

namespace {

/// Prints an immediate; if it is the address of an operation (a branch target), the
/// operation's index.
std::string immediate(const exec::FunctionCode &function, uint64_t value) {
  auto first = reinterpret_cast<uint64_t>(function.ops.data());
  uint64_t bytes = function.ops.size() * sizeof(exec::MicroOp);
  if (value >= first && value - first < bytes)
    return "to " + std::to_string((value - first) / sizeof(exec::MicroOp));
  char text[24];
  std::snprintf(text, sizeof text, "imm 0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// Prints one line per operation: its index, the byte offsets of its operands in the
/// register file, and the line and text of its PTX instruction.
void printOps(const exec::FunctionCode &function, const ptx::Module &module,
              std::ostream &out) {
  constexpr int placeWidth = 5, fieldWidth = 7, immediateWidth = 16;
  for (size_t i = 0; i < function.ops.size(); ++i) {
    const exec::MicroOp &op = function.ops[i];
    out << std::right << std::setw(placeWidth) << i << "  " << std::left;
    for (auto [name, value] :
         {std::pair("d", op.d), {"a", op.a}, {"b", op.b}, {"c", op.c}})
      out << name << std::setw(fieldWidth) << value;
    out << std::setw(immediateWidth) << immediate(function, op.imm);
    if (op.info && op.info->source)
      out << "line " << op.info->line << ": "
          << ptx::print(*op.info->source, *function.source, module);
    out << "\n";
  }
}

void printFunction(const exec::FunctionCode &function, const ptx::Module &module,
                   std::ostream &out) {
  out << (function.source->entry ? "kernel " : "function ") << function.name << ": "
      << function.ops.size() << " operations, " << function.registerBytes
      << " bytes of registers and constants a warp, " << function.localBytes
      << " bytes of local memory a thread\n";
  printOps(function, module, out);
}

} // namespace

int tool::disCommand(const Arguments &arguments, std::ostream &out, std::ostream &err) {
  std::string device = defaultDevice();
  Arguments rest;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--device") {
      if (++i == arguments.size())
        return usage(err, "--device takes a name");
      device = arguments[i];
    } else if (arguments[i].starts_with("--")) {
      return usage(err, "dis has no option `" + arguments[i] + "`");
    } else {
      rest.push_back(arguments[i]);
    }
  }
  if (rest.empty() || rest.size() > 2)
    return usage(err, "dis takes a file and, if wanted, a kernel or function");
  const DeviceProfile *profile = findProfile(device);
  if (!profile)
    return usage(err, "there is no device `" + device + "`");
  std::string text;
  if (!readText(rest[0], text, err))
    return BadFile;
  AddressSpace memory;
  std::shared_ptr<Code> code;
  Outcome outcome = loadCode(text, 0, *profile, memory, code);
  if (!outcome.ok()) {
    err << rest[0] << ": " << outcome.message << "\n";
    return BadFile;
  }
  const auto &module = static_cast<const exec::ModuleCode &>(*code);
  bool found = false;
  for (const std::unique_ptr<exec::FunctionCode> &function : module.functions) {
    if (!function || !function->source || !function->source->defined ||
        (rest.size() == 2 && function->name != rest[1]))
      continue;
    found = true;
    printFunction(*function, *module.module, out);
  }
  if (found || rest.size() == 1)
    return Success;
  err << "kiln-ptx: " << rest[0] << " has no function `" << rest[1] << "`\n";
  return BadFile;
}
