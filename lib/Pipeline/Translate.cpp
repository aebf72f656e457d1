//===- Translate.cpp - Kernels of a module as text ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Translate.h"
#include "dialects/Graph/Reports.h"
#include "dialects/Tile/Tile.h"
#include "dialects/Tile/TileHints.h"
#include "kiln/Codegen/KernelAnalyses.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Pipeline/Phases.h"
#include "kiln/Pipeline/Resume.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Host.h"
#include "kiln/Target/Kernels.h"
#include "kiln/Target/NVPTX.h"
#include "kiln/Transforms/Graph/CompileRecord.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

#include <mutex>

using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// Kernels of one target, in the order of the module.
struct TargetKernels {
  TargetInfo target;
  std::vector<Operation *> kernels;
};

/// A kernel's text, with what a comment says of it.
struct NamedText {
  std::string kernel, target, text;
};
} // namespace

/// Returns the target that a module around kernels names; empty: none.
static StringRef targetNamed(ModuleOp module) {
  StringRef name = module.getName().value_or("");
  return TargetInfo::find(name) ? name : "";
}

/// Finds the target of a kernel: what its module says, or else the option, or else this
/// CPU, for which no kernel of a GPU is.
static llvm::Expected<std::string> targetOf(Operation *kernel,
                                            const TranslateOptions &options) {
  StringRef named = targetNamed(kernel->getParentOfType<ModuleOp>());
  if (!named.empty())
    return named.str();
  if (!options.target.empty())
    return options.target;
  auto program = dyn_cast<tile::KernelOp>(kernel);
  bool isGpu = program ? program.getThreads().has_value()
                       : kernel->hasAttr(tile::kSharedBytesAttr);
  if (!isGpu)
    return std::string("native");
  return makeError({ErrorCode::BadUsage, "--target",
                    "the module of a GPU's kernel does not say for which GPU it is",
                    "--target, or a module that is named like a target", "neither",
                    "write for example --target sm_90a"});
}

static bool takesTarget(const TargetInfo &target, KernelTextKind kind) {
  return kind == KernelTextKind::LLVMIR ||
         target.gpu.has_value() == (kind == KernelTextKind::PTX);
}

/// Returns all kernels, in the module and in those within.
static SmallVector<Operation *> allKernels(ModuleOp module) {
  SmallVector<Operation *> kernels = kernelsIn(module);
  module.walk([&](ModuleOp inner) {
    if (inner != module)
      llvm::append_range(kernels, kernelsIn(inner));
  });
  return kernels;
}

/// Finds the kernels that the options ask for.
static llvm::Expected<std::vector<TargetKernels>>
findKernels(ModuleOp module, const TranslateOptions &options) {
  std::string wanted; // native has another name in modules
  if (!options.target.empty()) {
    llvm::Expected<TargetInfo> target = TargetInfo::get(options.target);
    if (!target)
      return target.takeError();
    wanted = target->name;
  }
  llvm::MapVector<StringRef, TargetKernels> groups;
  for (Operation *kernel : allKernels(module)) {
    if (!options.kernel.empty() && options.kernel != SymbolTable::getSymbolName(kernel))
      continue;
    llvm::Expected<std::string> name = targetOf(kernel, options);
    if (!name)
      return name.takeError();
    llvm::Expected<TargetInfo> target = TargetInfo::get(*name);
    if (!target)
      return target.takeError();
    if (!wanted.empty() && target->name != wanted)
      continue;
    if (!takesTarget(*target, options.kind))
      continue;
    StringAttr key = StringAttr::get(module.getContext(), target->name);
    TargetKernels &group = groups[key.getValue()];
    group.target = std::move(*target);
    group.kernels.push_back(kernel);
  }
  std::vector<TargetKernels> found;
  for (auto &[name, group] : groups)
    found.push_back(std::move(group));
  return found;
}

/// Names of all kernels, for messages; the first few.
static std::string kernelNames(ModuleOp module) {
  constexpr size_t kShown = 10;
  llvm::SetVector<StringRef> names;
  for (Operation *kernel : allKernels(module))
    names.insert(SymbolTable::getSymbolName(kernel).getValue());
  std::string text = llvm::join(names.getArrayRef().take_front(kShown), ", ");
  return names.size() > kShown ? text + ", ..." : text;
}

/// The error where no kernel is what the options ask for.
static llvm::Error refuseOptions(ModuleOp module, const TranslateOptions &options) {
  std::string names = kernelNames(module);
  if (names.empty())
    return makeError({ErrorCode::LevelViolation, "kiln-translate",
                      "the module has no kernels",
                      "tile.kernel, or a dump of kiln compile", "none of them",
                      "write a dump with kiln compile --compile-to=code"});
  static constexpr StringLiteral kOf[] = {"a target", "a CPU", "a GPU"};
  std::string expected = ("a kernel for " + kOf[size_t(options.kind)]).str();
  if (!options.target.empty())
    expected += " called " + options.target;
  if (!options.kernel.empty())
    expected += ", named " + options.kernel;
  return makeError({ErrorCode::BadUsage, "kiln-translate",
                    "no kernel is what the options say", expected, names,
                    "change --kernel, --target or the kind of text"});
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Generates code for the kernels of a target, and keeps the texts that are asked for.
static llvm::Error addTexts(TargetKernels &group, KernelTextKind kind,
                            std::vector<NamedText> &texts) {
  static constexpr StringLiteral kKinds[] = {"ll", "s", "ptx"};
  std::mutex mutex;
  llvm::StringMap<std::string> found;
  KernelTextSink sink = [&](StringRef kernel, StringRef which, StringRef text) {
    std::lock_guard lock(mutex);
    if (which == kKinds[size_t(kind)])
      found[kernel] = text.str();
    return llvm::Error::success();
  };
  HostImage image;
  std::vector<PtxKernel> compiled;
  if (llvm::Error error =
          group.target.gpu
              ? compileToPtx(group.kernels, group.target, compiled, {sink})
              : compileToHostImage(group.kernels, group.target, image, {sink}))
    return error;
  for (Operation *kernel : group.kernels) {
    StringRef name = SymbolTable::getSymbolName(kernel).getValue();
    texts.push_back({name.str(), group.target.name, found.lookup(name)});
  }
  return llvm::Error::success();
}

/// Runs the phases that a dump from before the code phase lacks.
static llvm::Error runToCode(ModuleOp module) {
  auto record = graph::getReport<CompileRecord>(module, graph::kCompileAttr);
  const Phase *last = record ? findModulePhase(record->phase) : nullptr;
  const Phase *code = findModulePhase("code");
  if (!last || last >= code)
    return llvm::Error::success();
  llvm::Expected<PhaseOptions> options = PhaseOptions::parse(record->options);
  if (!options)
    return options.takeError();
  PassManager pm(module.getContext());
  auto analyses = std::make_shared<codegen::KernelAnalyses>();
  for (const Phase &phase : llvm::make_range(last + 1, code + 1))
    phase.addTo(pm, *options, analyses);
  if (succeeded(pm.run(module)))
    return llvm::Error::success();
  return makeError({ErrorCode::LevelViolation, "kiln-translate",
                    "the module cannot be brought to code", "", "",
                    "see the errors above"});
}

llvm::Error kiln::translateKernels(ModuleOp module, const TranslateOptions &options,
                                   raw_ostream &os) {
  if (llvm::Error error = runToCode(module))
    return error;
  auto groups = findKernels(module, options);
  if (!groups)
    return groups.takeError();
  if (groups->empty())
    return refuseOptions(module, options);
  std::vector<NamedText> texts;
  for (TargetKernels &group : *groups)
    if (llvm::Error error = addTexts(group, options.kind, texts))
      return error;
  static constexpr StringLiteral kComments[] = {";", "#", "//"};
  for (const NamedText &one : texts) {
    if (texts.size() > 1)
      os << kComments[size_t(options.kind)] << " kernel " << one.kernel << " for "
         << one.target << '\n';
    os << one.text;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

llvm::Error kiln::translatePackage(const std::string &path, raw_ostream &os) {
  CompileOptions options;
  options.input = path;
  if (llvm::Error error = takeDump(options, /*phase=*/""))
    return error;
  SmallString<128> file;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("kiln", "kiln", file))
    return makeError({ErrorCode::OutputNotWritable, "a temporary file", code.message(),
                      "", "", "set TMPDIR to a folder that can be written"});
  llvm::FileRemover remover(file);
  options.output = file.str().str();
  CompileReport report;
  if (llvm::Error error = compile(options, report))
    return error;
  auto package = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
  if (!package)
    return makeError({ErrorCode::FileReadFailed, options.output,
                      "the package cannot be read back", "", package.getError().message(),
                      ""});
  os << (*package)->getBuffer();
  return llvm::Error::success();
}
