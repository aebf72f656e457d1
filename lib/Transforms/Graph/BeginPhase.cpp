//===- BeginPhase.cpp - Preconditions of phases ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Reports.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Error.h"
#include "kiln/Transforms/Graph/CompileRecord.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_BEGINPHASEPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
class BeginPhasePass : public kiln::impl::BeginPhasePassBase<BeginPhasePass> {
public:
  using BeginPhasePassBase::BeginPhasePassBase;
  void runOnOperation() override {
    if (auto record = getReport<CompileRecord>(getOperation(), kCompileAttr))
      if (failed(checkCompile(*record)) || failed(checkOrder(*record)))
        return signalPassFailure();
    setReport(getOperation(), kCompileAttr, CompileRecord{KILN_VERSION, given(), phase});
  }

private:
  /// Options of the pipeline. In braces, the text of a pipeline can hold several.
  std::string given() const {
    StringRef text = compileOptions;
    if (text.consume_front("{"))
      text.consume_back("}");
    return text.str();
  }
  LogicalResult refuse(ErrorCode::ID code, std::string what, std::string expected,
                       std::string found, std::string fix) {
    return kiln::emitError(getOperation().getLoc(),
                           {code, "phase " + phase, std::move(what), std::move(expected),
                            std::move(found), std::move(fix)});
  }
  LogicalResult checkCompile(const CompileRecord &record);
  LogicalResult checkOrder(const CompileRecord &record);
};
} // namespace

static std::string inQuotes(const std::string &text) { return "'" + text + "'"; }

std::optional<Diagnosis> CompileRecord::checkVersion(std::string where) const {
  if (version == KILN_VERSION)
    return std::nullopt;
  return Diagnosis{ErrorCode::OtherCompile,
                   std::move(where),
                   "another version of Kiln wrote the module",
                   KILN_VERSION,
                   inQuotes(version),
                   "write it again: kiln compile --save-temps"};
}

LogicalResult BeginPhasePass::checkCompile(const CompileRecord &record) {
  if (std::optional<Diagnosis> other = record.checkVersion("phase " + phase))
    return kiln::emitError(getOperation().getLoc(), *other);
  if (record.options == given())
    return success();
  return refuse(ErrorCode::OtherCompile, "the module was compiled with other options",
                inQuotes(record.options), inQuotes(given()),
                "give the pipeline the same: --kiln-" + phase +
                    "-pipeline=" + inQuotes(record.options));
}

LogicalResult BeginPhasePass::checkOrder(const CompileRecord &record) {
  if (record.phase == after)
    return success();
  std::string expected =
      after.empty() ? "a module as it was imported" : "a module behind phase " + after;
  return refuse(ErrorCode::LevelViolation,
                record.phase == phase ? "it has run on the module already"
                                      : "the module is not at its level",
                expected, "one behind phase " + record.phase,
                "run the pipelines in order, each once");
}
