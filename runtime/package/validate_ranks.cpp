//===- validate_ranks.cpp - Do the ranks of a plan fit together? ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/abi.h"
#include "runtime/package/plan_check.h"

using namespace kiln::rt;

namespace {
class RankValidator : PlanCheck {
public:
  RankValidator(const Plan &plan, const std::string &where) : PlanCheck(plan, where) {}

  Status run() const {
    for (size_t i = 0; i < plan.steps.size(); ++i)
      KILN_TRY(checkCollective(numbered("step ", i), plan.steps[i]));
    for (uint32_t stage = 0; stage < plan.stages && plan.stages > 1; ++stage)
      KILN_TRY(checkStage(stage));
    return {};
  }

private:
  Status checkPeerKernel(const std::string &part, const Collective &c) const {
    if (c.kernel == -1 && c.splitKernel == -1)
      return {};
    auto whole = static_cast<uint32_t>(c.kernel), split = whole;
    if (c.splitKernel != -1)
      split = static_cast<uint32_t>(c.splitKernel);
    for (uint32_t kernel : {whole, split})
      KILN_TRY(index(part, "a kernel", kernel, plan.kernels.size()));
    if (plan.kernels[whole].symbols != plan.kernels[split].symbols)
      return fail(part, "its two kernels do not take the same symbols");
    if (c.kind == CollectiveKind::AllReduce && c.reduction == Reduction::Sum &&
        plan.ranksPerStage() <= KILN_PEER_RANKS && !c.axis.size)
      return {};
    return fail(part, "no kernel carries out such a collective",
                "a sum over at most " + std::to_string(KILN_PEER_RANKS) +
                    " ranks, all of a stage");
  }

  Status checkCollective(const std::string &part, const Step &s) const {
    bool isOne = s.kind == StepKind::Collective;
    if (isOne != s.collective.has_value())
      return fail(part, isOne ? "it does not say what ranks do"
                              : "it says what ranks do, but is no collective");
    if (!isOne)
      return {};
    const Collective &c = *s.collective;
    if (plan.ranks == 1)
      return fail(part, "a collective in a package of one rank", "2 ranks or more", "1");
    if (c.kind > CollectiveKind::Permute || c.reduction > Reduction::Prod)
      return fail(part, "the kind of its collective is unknown", "0 to 5, and 0 to 4",
                  std::to_string(unsigned(c.kind)) + " and " +
                      std::to_string(unsigned(c.reduction)));
    if (c.dtype >= KILN_DTYPE_COUNT || (c.reduces() && !canCombine(c.dtype, c.reduction)))
      return fail(part, "its elements cannot be combined",
                  "f32, f16, bf16, f64, or integers of 8 bits and more but for a mean",
                  kiln_dtype_name(c.dtype));
    KILN_TRY(expr(part, c.outer));
    KILN_TRY(expr(part, c.inner));
    KILN_TRY(checkPeerKernel(part, c));
    KILN_TRY(checkAxis(part, c.axis));
    if (isHandover(c.kind))
      return checkHandover(part, s);
    if (c.takers != -1)
      return fail(part, "it names a receiving stage, but does not send between stages");
    if (plan.ranksPerStage() == 1)
      return fail(part, "a collective of a stage that has one rank");
    if (plan.stages > 1 && s.stage < 0)
      return fail(part, "it is of no stage");
    // Other ranks may still read the operand, except in an all-reduce, where each rank
    // overwrites only its own chunk.
    if (c.kind != CollectiveKind::AllReduce &&
        plan.buffers[s.reads[0]].storage == plan.buffers[s.writes[0]].storage)
      return fail(part, "it writes what it reads", "another buffer",
                  plan.bufferName(s.writes[0]));
    return {};
  }

  Status checkHandover(const std::string &part, const Step &s) const {
    const Collective &c = *s.collective;
    if (c.axis.size)
      return fail(part, "it sends to another stage along an axis of the mesh of a stage",
                  "no axis");
    if (s.stage < 0 || s.reads[0] != s.writes[0])
      return fail(part, "it does not send one buffer of a stage");
    if (c.kind == CollectiveKind::Broadcast)
      return c.takers == -1 ? Status() : fail(part, "it broadcasts to one stage");
    KILN_TRY(checkStageNumber(part, c.takers));
    if (c.takers < 0 || c.takers == s.stage)
      return fail(part, "it sends to no other stage");
    return {};
  }

  /// Checks that the ranks of a stage have the buffers that they read, and all outputs.
  Status checkStage(uint32_t stage) const {
    auto isOwn = [&](int32_t of) { return of < 0 || uint32_t(of) == stage; };
    std::vector<bool> present(plan.buffers.size());
    for (uint32_t b = 0; b < plan.buffers.size(); ++b) {
      kiln_arena_kind kind = plan.kindOf(b);
      present[b] = kind == KILN_ARENA_WEIGHTS || kind == KILN_ARENA_INPUT ||
                   (kind == KILN_ARENA_STATE && isOwn(plan.buffers[b].stage) &&
                    plan.buffers[b].aliasOf < 0);
    }
    auto missing = [&](const std::string &part, uint32_t buffer) {
      return fail(part, "the ranks of stage " + std::to_string(stage) + " do not have " +
                            plan.bufferName(buffer));
    };
    for (uint32_t i = 0; i < plan.steps.size(); ++i) {
      const Step &step = plan.steps[i];
      bool isGiven = step.collective && isHandover(step.collective->kind) &&
                     step.collective->reaches(stage);
      if (!isOwn(step.stage) && !isGiven)
        continue;
      for (uint32_t read : step.reads)
        if (isOwn(step.stage) && !present[read])
          return missing(plan.stepName(i), read);
      for (uint32_t write : step.writes) {
        const Buffer &state = plan.buffers[plan.buffers[write].storage];
        if (plan.kindOf(write) == KILN_ARENA_STATE && !isOwn(state.stage))
          return missing(plan.stepName(i), write);
        present[write] = true;
      }
    }
    for (const Tensor &t : plan.outputs)
      if (!present[t.buffer])
        return missing("output \"" + t.name + "\"", t.buffer);
    return {};
  }

  static bool canCombine(kiln_dtype dtype, Reduction reduction) {
    bool isFloat = dtype <= KILN_DTYPE_F64;
    return isFloat || (dtype <= KILN_DTYPE_U64 && reduction != Reduction::Mean);
  }
};
} // namespace

Status kiln::rt::validateRanks(const Plan &plan, const std::string &where) {
  return RankValidator(plan, where).run();
}
