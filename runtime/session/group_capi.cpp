//===- group_capi.cpp - The C interface of groups -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/session/api_guard.h"
#include "runtime/session/process_rank.h"
#include <set>

using namespace kiln::rt;

/// Returns the offsets of the weights that a rank reads in any program.
static std::set<uint64_t> weightsOf(const kiln_model &model, uint32_t rank) {
  std::set<uint64_t> offsets;
  for (size_t i = 0; i < model.programCount(); ++i) {
    const Plan &plan = model.program(i).plan;
    for (uint32_t buffer : plan.weightsOf(rank))
      offsets.insert(plan.buffers[buffer].offset);
  }
  return offsets;
}

extern "C" {

uint32_t kiln_model_rank_count(const kiln_model *model) {
  return model ? model->plan.ranks : 0;
}

kiln_status *kiln_model_rank(const kiln_model *model, uint32_t rank,
                             kiln_rank_info *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_rank", model, out));
    if (rank >= model->plan.ranks)
      return misuse("kiln_model_rank", "the rank is out of range");
    kiln_rank_info info = {0, 0};
    std::set<uint64_t> seen; // programs read the same weights
    std::set<uint64_t> own = weightsOf(*model, rank);
    std::set<uint64_t> shared = own;
    // All ranks of a stage read the same weights.
    for (uint32_t first = 0; first < model->plan.ranks;
         first += model->plan.ranksPerStage()) {
      std::set<uint64_t> other = weightsOf(*model, first);
      std::erase_if(shared, [&](uint64_t offset) { return !other.count(offset); });
    }
    for (size_t i = 0; i < model->programCount(); ++i) {
      const Plan &plan = model->program(i).plan;
      Envelope envelope(plan, envelopeOf(plan.symbols));
      for (uint32_t b = 0; b < plan.buffers.size(); ++b) {
        const Buffer &buffer = plan.buffers[b];
        if (plan.kindOf(b) != KILN_ARENA_WEIGHTS || !own.count(buffer.offset))
          continue;
        uint64_t bytes;
        KILN_TRY(envelope.maxBytes(buffer.size, plan.bufferName(b), bytes));
        // An empty weight has the offset of the next one.
        if (bytes == 0 || !seen.insert(buffer.offset).second)
          continue;
        info.weights_bytes += bytes;
        bool isReplicated = !buffer.rankStride && shared.count(buffer.offset);
        info.replicated_bytes += isReplicated ? bytes : 0;
      }
    }
    *out = info;
    return {};
  });
}

kiln_status *kiln_model_collective(const kiln_model *model, size_t step,
                                   const int64_t *symbol_values,
                                   kiln_collective_info *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_collective", model, out));
    const Plan &plan = model->plan;
    KILN_TRY(present("kiln_model_collective", symbol_values, plan.symbols.size()));
    if (step >= plan.steps.size())
      return misuse("kiln_model_collective", "the index is out of range");
    kiln_collective_info info = {};
    if (const auto &collective = plan.steps[step].collective) {
      Layout layout(plan);
      KILN_TRY(layout.compute(plan, {symbol_values, plan.symbols.size()}, model->path));
      info = {collectiveName(collective->kind),
              layout.size(plan, plan.steps[step].reads[0]),
              static_cast<uint64_t>(collective->axis.size),
              static_cast<uint64_t>(collective->axis.stride)};
    }
    *out = info;
    return {};
  });
}

kiln_status *kiln_group_create(kiln_model *model, const kiln_group_options *given,
                               kiln_group **out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_group_create", model, out));
    kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
    KILN_TRY(readOptions(given, options, "kiln_group_create"));
    KILN_TRY(present("kiln_group_create", options.dims, options.dim_count));
    return ThreadRanks::create(*model, options, *out);
  });
}

kiln_status *kiln_find_launcher(uint32_t *rank, uint32_t *size) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_find_launcher", rank, size));
    Launch found;
    *rank = *size = 0;
    KILN_TRY(findLaunch(found));
    *rank = found.rank;
    *size = found.size;
    return {};
  });
}

kiln_status *kiln_group_join(kiln_model *model, const kiln_group_options *given,
                             const kiln_join_options *wanted, kiln_group **out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_group_join", model, out));
    kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
    kiln_join_options join = KILN_JOIN_OPTIONS_INIT;
    KILN_TRY(readOptions(given, options, "kiln_group_join"));
    KILN_TRY(readOptions(wanted, join, "kiln_group_join"));
    KILN_TRY(present("kiln_group_join", options.dims, options.dim_count));
    return ProcessRank::join(*model, options, join, *out);
  });
}

void kiln_group_release(kiln_group *group) {
  CancellationHeld held;
  delete group;
}

uint32_t kiln_group_ranks(const kiln_group *group) { return group ? group->size() : 0; }

uint32_t kiln_group_rank(const kiln_group *group) { return group ? group->rank() : 0; }

kiln_session *kiln_group_session(const kiln_group *group, uint32_t rank) {
  return group ? group->session(rank) : nullptr;
}

kiln_status *kiln_group_output_shapes(kiln_group *group, const char *entry,
                                      const kiln_tensor *inputs, size_t input_count,
                                      kiln_shape *out, size_t count) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_group_output_shapes", group));
    KILN_TRY(present("kiln_group_output_shapes", inputs, input_count));
    KILN_TRY(present("kiln_group_output_shapes", out, count));
    return group->outputShapes(entry, {inputs, input_count}, {out, count});
  });
}

kiln_status *kiln_group_run(kiln_group *group, const char *entry,
                            const kiln_tensor *inputs, size_t input_count,
                            const kiln_tensor *outputs, size_t output_count) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_group_run", group));
    KILN_TRY(present("kiln_group_run", inputs, input_count));
    KILN_TRY(present("kiln_group_run", outputs, output_count));
    return group->run(entry, {inputs, input_count}, {outputs, output_count}, {});
  });
}

kiln_status *kiln_group_run_with(kiln_group *group, const kiln_run_options *given,
                                 const kiln_tensor *inputs, size_t input_count,
                                 const kiln_tensor *outputs, size_t output_count) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_group_run_with", group));
    KILN_TRY(present("kiln_group_run_with", inputs, input_count));
    KILN_TRY(present("kiln_group_run_with", outputs, output_count));
    kiln_run_options options = KILN_RUN_OPTIONS_INIT;
    KILN_TRY(readOptions(given, options, "kiln_group_run_with"));
    return group->run(options.entry, {inputs, input_count}, {outputs, output_count},
                      {options.deadline_ns, options.poll, options.poll_user});
  });
}

void kiln_group_cancel(kiln_group *group) {
  if (group)
    group->cancel();
}

kiln_status *kiln_group_broadcast(kiln_group *group, void *data, size_t bytes) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_group_broadcast", group));
    KILN_TRY(present("kiln_group_broadcast", data, bytes));
    return group->broadcast(data, bytes);
  });
}

kiln_status *kiln_group_reset_state(kiln_group *group) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_group_reset_state", group));
    return group->resetState();
  });
}

} // extern "C"
