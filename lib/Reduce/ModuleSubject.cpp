//===- ModuleSubject.cpp - Modules that are made smaller ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Reduce/Subject.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/OutputFiles.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::reduce;
using namespace mlir;

/// Kinds in the order in which they are tried: those that remove most come first.
static const ModuleEdit *const kKinds[] = {
    &kEraseDeclarations, &kCutPrograms,       &kDropOutputs,       &kDropArguments,
    &kDropSteps,         &kDropBuffers,       &kCutKernels,        &kEraseUnused,
    &kReplaceByOperand,  &kReplaceByArgument, &kInlineRegions,     &kReplaceByConstant,
    &kDropOperands,      &kDropArguments,     &kEraseDeclarations, &kSymbolsToOne,
    &kNarrowSymbols,     &kShrinkDims,        &kDropLocations,     &kDropAttributes,
};

namespace {
class ModuleSubject : public Subject {
public:
  ModuleSubject(std::unique_ptr<MLIRContext> context, OwningOpRef<ModuleOp> module)
      : context(std::move(context)), module(std::move(module)) {}

  size_t numKinds() const final { return std::size(kKinds); }
  llvm::StringRef nameOf(size_t kind) const final { return kKinds[kind]->name; }
  size_t countSites(size_t kind) final { return sitesOf(kind).size(); }
  bool apply(size_t kind, SiteRange range) final {
    Sites sites = sitesOf(kind);
    return kKinds[kind]->apply(
        *module, llvm::ArrayRef(sites).slice(range.begin, range.end - range.begin));
  }
  bool isValid() final { return !isVerified || succeeded(mlir::verify(*module)); }
  llvm::Error write(const std::string &path) final;
  llvm::StringRef suffix() const final { return ".mlir"; }
  std::string describeSize() final;

  /// Asks whether the module satisfies the verifier, in a process of its own: it may be
  /// the verifier that crashes.
  void checkIsVerified();

private:
  Sites sitesOf(size_t kind) {
    Sites sites;
    kKinds[kind]->collect(*module, sites);
    return sites;
  }

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  bool isVerified = false;
};
} // namespace

void ModuleSubject::checkIsVerified() {
  pid_t process = fork();
  if (process == 0) {
    for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
      std::signal(signal, SIG_DFL);
    ScopedDiagnosticHandler silent(context.get(), [](Diagnostic &) {});
    _exit(failed(mlir::verify(*module)));
  }
  int status = 1;
  waitpid(process, &status, 0);
  isVerified = WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

llvm::Error ModuleSubject::write(const std::string &path) {
  OpPrintingFlags flags;
  if (hasLocations(*module))
    flags.enableDebugInfo();
  if (!isVerified)
    flags.printGenericOpForm();
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, flags);
  os << '\n';
  if (path != "-")
    return writeAtomically(path, text);
  llvm::outs() << text;
  return llvm::Error::success();
}

std::string ModuleSubject::describeSize() {
  size_t count = 0;
  module->walk([&](Operation *op) {
    count += !isa<ModuleOp>(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
             !isa<FunctionOpInterface>(op);
  });
  return std::to_string(count) + (count == 1 ? " op" : " ops");
}

llvm::Expected<std::unique_ptr<Subject>>
reduce::readModule(llvm::StringRef path, const DialectRegistry &registry) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return makeError({ErrorCode::FileNotFound, path.str(), "cannot be opened",
                      "a file that can be read", file.getError().message(),
                      "check the path and its permissions"});
  // One thread: a process that forks must have no other.
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  std::string problem;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler first(context.get(), [&](Diagnostic &diagnostic) {
      if (problem.empty())
        problem = describe(diagnostic.getLocation()) + ": " + diagnostic.str();
    });
    module = parseSourceString<ModuleOp>(
        (*file)->getBuffer(), ParserConfig(context.get(), /*verifyAfterParse=*/false),
        path);
  }
  if (!module)
    return makeError({ErrorCode::FileReadFailed, path.str(), "is no module",
                      "MLIR of registered dialects", problem, "correct the text there"});
  auto subject = std::make_unique<ModuleSubject>(std::move(context), std::move(module));
  subject->checkIsVerified();
  return subject;
}
