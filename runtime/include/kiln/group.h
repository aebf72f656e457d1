//===- group.h - C interface of ranks that run together ---------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package for N ranks is run by all of them, each with its part of the weights, and
// they meet in collectives. A group is these ranks as threads of this
// process, on the CPU. Ownership, threads and errors are as in runtime.h: a group runs
// one request at a time, and is of no use in a child of a fork, which has none of its
// threads.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GROUP_H
#define KILN_GROUP_H

#include "kiln/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_group kiln_group;

/// How many ranks run the model together; 1 of packages for a session, 0 for NULL.
KILN_API uint32_t kiln_model_rank_count(const kiln_model *model);

typedef struct kiln_rank_info {
  uint64_t weights_bytes;    ///< of all weights that the rank reads
  uint64_t replicated_bytes; ///< of those among them that all ranks read
} kiln_rank_info;

/// Error KILN-E0001 if the rank is out of range.
KILN_API kiln_status *kiln_model_rank(const kiln_model *model, uint32_t rank,
                                      kiln_rank_info *out);

/// A step at which ranks meet.
typedef struct kiln_collective_info {
  const char *kind; ///< "all_reduce", "all_gather", "reduce_scatter"; NULL: the ranks
                    ///< do not meet at this step
  uint64_t bytes;   ///< of the tensor that each rank gives
} kiln_collective_info;

/// symbol_values: as of kiln_model_step_cost. Error KILN-E0001 if the step is out of
/// range.
KILN_API kiln_status *kiln_model_collective(const kiln_model *model, size_t step,
                                            const int64_t *symbol_values,
                                            kiln_collective_info *out);

/// Called on the thread of a rank before (after = 0) and after (after = 1) each of its
/// steps, with the bytes that it reads and writes (kiln_step_observer); by several threads
/// at once.
typedef void (*kiln_rank_observer)(void *user, uint32_t rank, size_t step, int after,
                                   const kiln_buffer_view *reads, size_t read_count,
                                   const kiln_buffer_view *writes, size_t write_count);

typedef struct kiln_group_options {
  size_t struct_size;  ///< sizeof(kiln_group_options)
  uint32_t ranks;      ///< must be as the package says; 0: as it says
  const char *device;  ///< NULL or "cpu"
  uint32_t threads;    ///< of each rank; 0: the CPUs that affinity and cgroup quota
                       ///< allow, divided by the ranks, 1 at least
  uint32_t timeout_ms; ///< a rank that has others wait for longer at a collective is
                       ///< KILN-E0711; 0: 5000
  const kiln_dim_range *dims; ///< as of kiln_session_options
  size_t dim_count;
  int profile;                 ///< as of kiln_session_options
  kiln_rank_observer observer; ///< NULL: none
  void *observer_user;
  int measure_memory; ///< as of kiln_session_options
} kiln_group_options;

#define KILN_GROUP_OPTIONS_INIT                                                          \
  {sizeof(kiln_group_options), 0, NULL, 0, 0, NULL, 0, 0, NULL, NULL, 0}

/// Creates a session for every rank, and the threads of all but rank 0, which is the
/// caller's. options may be NULL. Errors: those of kiln_session_create, KILN-E0621
/// (another number of ranks).
KILN_API kiln_status *
kiln_group_create(kiln_model *model, const kiln_group_options *options, kiln_group **out);
/// Waits for a run under way.
KILN_API void kiln_group_release(kiln_group *group);

KILN_API uint32_t kiln_group_ranks(const kiln_group *group);
/// A rank's session, to ask for its entries, device, threads, arenas and times of steps,
/// and to read and write its states: each rank has its own part of a cache, and "lengths"
/// are to be the same on all ranks. It is part of the group: running it by itself is
/// KILN-E0001, and releasing it does nothing. NULL if out of range.
KILN_API kiln_session *kiln_group_session(const kiln_group *group, uint32_t rank);

/// As kiln_session_output_shapes: all ranks have outputs of the same shapes. entry: NULL
/// for the model's first.
KILN_API kiln_status *kiln_group_output_shapes(kiln_group *group, const char *entry,
                                               const kiln_tensor *inputs,
                                               size_t input_count, kiln_shape *out,
                                               size_t count);

/// Runs an entry of the model, NULL for its first, on all ranks. Every rank reads the
/// same inputs. outputs: those of rank 0, or of all ranks one after the other, ranks
/// times as many: outputs have the same bits on all ranks. Returns when no rank runs any
/// more. Allocates nothing on the heap. Errors: those of kiln_session_run; the error of
/// the first rank that failed, by name, after which every other rank has given up at its
/// next collective; KILN-E0711 (a rank is late), KILN-E0712 (ranks differ in what they
/// run). Outputs and states are then unspecified: set states back before the next run.
KILN_API kiln_status *kiln_group_run(kiln_group *group, const char *entry,
                                     const kiln_tensor *inputs, size_t input_count,
                                     const kiln_tensor *outputs, size_t output_count);

/// Sets the states of all ranks back to zero.
KILN_API kiln_status *kiln_group_reset_state(kiln_group *group);

#ifdef __cplusplus
}
#endif

#endif // KILN_GROUP_H
