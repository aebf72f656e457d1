//===- plan_check.h - What checks of a plan have in common ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_PLAN_CHECK_H
#define KILN_PACKAGE_PLAN_CHECK_H

#include "runtime/package/plan.h"

namespace kiln::rt {

class PlanCheck {
protected:
  PlanCheck(const Plan &plan, const std::string &where) : plan(plan), where(where) {}

  Failure fail(const std::string &part, std::string what, std::string expected = {},
               std::string found = {}) const {
    return {Code::PlanInvalid,   where + ": " + part, std::move(what),
            std::move(expected), std::move(found),    "compile the model again"};
  }

  static std::string numbered(const char *noun, size_t i) {
    return noun + std::to_string(i);
  }

  Status index(const std::string &part, const char *noun, uint64_t index,
               size_t count) const {
    if (index < count)
      return {};
    return fail(part, std::string("an index of ") + noun + " is out of range",
                "less than " + std::to_string(count), std::to_string(index));
  }

  Status expr(const std::string &part, uint32_t e) const {
    return index(part, "an expression", e, plan.exprs.size());
  }

  /// Checks that an axis divides the ranks of a stage into complete groups.
  Status checkAxis(const std::string &part, const RankAxis &axis) const {
    if (!axis.size && axis.stride == 1)
      return {};
    uint64_t group = uint64_t(axis.size) * axis.stride;
    if (group && plan.ranksPerStage() % group == 0)
      return {};
    return fail(part, "the ranks of a stage have no such axis",
                "a divisor of " + std::to_string(plan.ranksPerStage()),
                std::to_string(axis.size) + " ranks that are " +
                    std::to_string(axis.stride) + " apart");
  }

  Status checkStageNumber(const std::string &part, int32_t stage) const {
    if (stage == -1 || (plan.stages > 1 && stage >= 0 && uint32_t(stage) < plan.stages))
      return {};
    return fail(part, "there is no such stage",
                "-1, or one of " + std::to_string(plan.stages), std::to_string(stage));
  }

  const Plan &plan;
  const std::string &where; ///< for error messages
};

/// Checks collectives, and that the ranks of each pipeline stage have everything that
/// they read. All other indices of the plan must have been checked.
Status validateRanks(const Plan &plan, const std::string &where);

} // namespace kiln::rt

#endif // KILN_PACKAGE_PLAN_CHECK_H
