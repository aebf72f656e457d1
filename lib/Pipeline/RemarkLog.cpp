//===- RemarkLog.cpp - Collects the remarks of a compile ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RemarkLog.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/UsageError.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Regex.h"

#include <mutex>

using namespace kiln;
using namespace mlir;

static PassRemark::Kind kindOf(llvm::remarks::Type type) {
  if (type == llvm::remarks::Type::Missed)
    return PassRemark::Missed;
  return type == llvm::remarks::Type::Analysis ? PassRemark::Analysis
                                               : PassRemark::Passed;
}

/// Returns the place of a remark. Some ops stand for no node of the model, such as those
/// that compute where the rows of a sequence begin.
static Location placeOf(const remark::detail::Remark &from) {
  Location loc = from.getLocation();
  if (!isa<UnknownLoc>(loc))
    return loc;
  return NameLoc::get(StringAttr::get(loc.getContext(), "an op of no node"));
}

static PassRemark toRemark(const remark::detail::Remark &from) {
  PassRemark result{kindOf(from.getRemarkType()),
                    from.getCategoryName().str(),
                    from.getRemarkName().str(),
                    describe(placeOf(from)),
                    {}};
  for (const auto &argument : from.getArgs())
    result.arguments.emplace_back(argument.key, argument.val);
  return result;
}

namespace {
/// Takes remarks of passes, several of which may run at a time.
class RemarkLog : public remark::detail::MLIRRemarkStreamerBase {
public:
  RemarkLog(std::optional<llvm::Regex> shown, CompileReport &report)
      : shown(std::move(shown)), report(report) {}

  void streamOptimizationRemark(const remark::detail::Remark &from) override {
    PassRemark remark = toRemark(from);
    std::lock_guard lock(mutex);
    if (shown && shown->match(remark.pass + ":" + remark.name))
      mlir::emitRemark(placeOf(from))
          << remark.pass << ": " << (remark.kind == PassRemark::Missed ? "missed " : "")
          << remark.name << ": " << remark.text();
    report.remarks.push_back(std::move(remark));
  }

private:
  std::optional<llvm::Regex> shown;
  CompileReport &report;
  std::mutex mutex;
};
} // namespace

llvm::Error kiln::logRemarks(MLIRContext &context, const CompileOptions &options,
                             CompileReport &report) {
  StringRef shown = options.remarks;
  std::optional<llvm::Regex> pattern;
  std::string why;
  if (!shown.empty() && !pattern.emplace(shown).isValid(why))
    return usageError("--remarks", "is no regular expression", "one such as kiln-shard",
                      "'" + shown + "': " + why, "mend the expression");
  bool keepsAll = options.keepRemarks || !shown.empty();
  remark::RemarkCategories passes;
  passes.passed = passes.missed = passes.analysis =
      keepsAll ? "kiln-.*" : "kiln-raise-(attention|gelu|layer-norm|rope)";
  LogicalResult enabled = remark::enableOptimizationRemarks(
      context, std::make_unique<RemarkLog>(std::move(pattern), report),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), passes);
  (void)enabled; // fails only where remarks are enabled already
  return llvm::Error::success();
}
