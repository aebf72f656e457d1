//===- StateFallback.cpp - Decoders whose cache cannot become state -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State is a default for decoders, not a request: if a model's pasts cannot become state,
// the model is compiled or checked without state, and a warning explains the cost.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Support/Error.h"
#include "mlir/IR/Diagnostics.h"

using namespace kiln;
using namespace mlir;

static CheckReport checkAsGiven(const CompileOptions &options) {
  CompileReport compiled;
  CheckReport report;
  Compiler(options, compiled).check(report.problems);
  report.nodes = compiled.nodes;
  report.dims = compiled.dims;
  report.kernels = compiled.kernels;
  return report;
}

/// Whether pasts may remain inputs because state was not requested explicitly.
static bool mayKeepPasts(const CompileOptions &options) {
  constexpr StringRef kOfState[] = {"rows", "capacity", "tokens"};
  return options.state.enabled && options.state.pairs.empty() &&
         options.state.keptInputs.empty() &&
         llvm::none_of(options.dims, [&](const DimRange &dim) {
           return llvm::is_contained(kOfState, dim.name);
         });
}

static bool isAboutState(const Diagnosis &problem) {
  return problem.code == ErrorCode::StatePair || problem.code == ErrorCode::PastLength;
}

static CompileOptions withoutState(CompileOptions options) {
  options.state = {};
  options.state.enabled = false;
  return options;
}

static std::string lossText(const Diagnosis &why) {
  return "the decoder's cache stays inputs and outputs, as with --no-state, "
         "so that every step copies it: " +
         why.where + ": " + why.what + "; expected " + why.expected +
         (why.found.empty() ? "" : ", found " + why.found);
}

/// Returns the fix for an error about state if the model does not compile without state
/// either.
static std::string fixWithoutState(const Diagnosis &plain) {
  return "export the model in a form whose cache can become state; --no-state does not "
         "help, as then " +
         (plain.where.empty() ? "" : plain.where + ": ") + plain.what;
}

CheckReport kiln::check(const CompileOptions &options) {
  CheckReport report = checkAsGiven(options);
  if (report.problems.empty() || !mayKeepPasts(options) ||
      !llvm::all_of(report.problems, isAboutState))
    return report;
  CheckReport plain = checkAsGiven(withoutState(options));
  if (!plain.problems.empty()) {
    for (Diagnosis &problem : report.problems)
      problem.fix = fixWithoutState(plain.problems.front());
    return report;
  }
  plain.warning = lossText(report.problems.front());
  return plain;
}

llvm::Error kiln::compile(const CompileOptions &options, CompileReport &report) {
  if (options.resume || !mayKeepPasts(options))
    return Compiler(options, report).run();
  const CompileReport before = report;
  std::optional<Diagnosis> refusal;
  CompileOptions trial = options;
  trial.diagnose = [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      if (Diagnosis found = diagnosisOf(diagnostic); isAboutState(found)) {
        refusal = refusal.value_or(found);
        return;
      }
    if (options.diagnose)
      options.diagnose(diagnostic);
  };
  llvm::Error error = Compiler(trial, report).run();
  if (!error || !refusal)
    return error;
  llvm::consumeError(std::move(error));
  report = before;
  const CompileOptions plain = withoutState(options);
  const std::vector<Diagnosis> problems = checkAsGiven(plain).problems;
  if (problems.empty())
    return Compiler(plain, report).run(lossText(*refusal));
  // Compiles again to report the errors that were held back, with a fix that applies.
  const std::string fix = fixWithoutState(problems.front());
  trial.diagnose = [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        isAboutState(diagnosisOf(diagnostic)))
      replaceFix(diagnostic, fix);
    if (options.diagnose)
      options.diagnose(diagnostic);
  };
  return Compiler(trial, report).run();
}
