//===- group.h - C interface of ranks that run together ---------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package for N ranks is run by all of them, each with its part of the weights, and
// they meet in collectives. A group is these ranks, on the CPU or GPUs: as threads of
// this process (kiln_group_create), or as processes of one or several nodes, of which
// this one is a rank (kiln_group_join). Ownership, threads and errors are as in
// runtime.h: a group runs one request at a time, and is of no use in a child of a fork,
// which has none of its threads and is no rank.
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
  const char *kind; ///< "all_reduce", "all_gather", "reduce_scatter", "broadcast",
                    ///< "all_to_all", "permute"; NULL: the ranks do not meet at this step
  uint64_t bytes;   ///< of the tensor that each rank gives
  /// Of the ranks of a stage, so many meet that are `group_stride` apart, in groups side
  /// by side; 0: all of them.
  uint64_t group_size, group_stride;
} kiln_collective_info;

/// symbol_values: as of kiln_model_step_cost. Error KILN-E0001 if the step is out of
/// range.
KILN_API kiln_status *kiln_model_collective(const kiln_model *model, size_t step,
                                            const int64_t *symbol_values,
                                            kiln_collective_info *out);

/// Called on the thread of a rank before (after = 0) and after (after = 1) each of its
/// steps, with the bytes that it reads and writes (kiln_step_observer); by several
/// threads at once.
typedef void (*kiln_rank_observer)(void *user, uint32_t rank, size_t step, int after,
                                   const kiln_buffer_view *reads, size_t read_count,
                                   const kiln_buffer_view *writes, size_t write_count);

typedef struct kiln_group_options {
  size_t struct_size;  ///< sizeof(kiln_group_options)
  uint32_t ranks;      ///< must be as the package says; 0: as it says
  const char *device;  ///< as of kiln_session_options, but for "cuda": then rank R is on
                       ///< "cuda:R"; NULL: "cpu"
  uint32_t threads;    ///< of each rank on the CPU; 0: the CPUs that affinity and
                       ///< cgroup quota allow, divided by the ranks, 1 at least
  uint32_t timeout_ms; ///< a rank that has others wait for longer at a collective is
                       ///< KILN-E0711; 0: 5000
  const kiln_dim_range *dims; ///< as of kiln_session_options
  size_t dim_count;
  int profile;                 ///< as of kiln_session_options
  kiln_rank_observer observer; ///< NULL: none
  void *observer_user;
  int measure_memory;    ///< as of kiln_session_options
  int no_graph;          ///< as of kiln_session_options
  uint64_t graph_memory; ///< the same. Graphs of ranks are made with the first run of
                         ///< their dims
} kiln_group_options;

#define KILN_GROUP_OPTIONS_INIT                                                          \
  {sizeof(kiln_group_options), 0, NULL, 0, 0, NULL, 0, 0, NULL, NULL, 0, 0, 0}

/// Creates a session for every rank, and the threads of all but rank 0, which is the
/// caller's. options may be NULL. Errors: those of kiln_session_create, KILN-E0621
/// (another number of ranks).
KILN_API kiln_status *
kiln_group_create(kiln_model *model, const kiln_group_options *options, kiln_group **out);

typedef struct kiln_join_options {
  size_t struct_size;  ///< sizeof(kiln_join_options)
  uint32_t size;       ///< how many ranks there are; 0: rank and size are those that the
                       ///< variables of torchrun, mpirun or srun say
  uint32_t rank;       ///< of this process
  const char *address; ///< NULL: MASTER_ADDR, or 127.0.0.1. With the port it names the
  uint32_t port;       ///< job; of several nodes rank 0 listens at the port
                       ///< after it. 0: MASTER_PORT, or what mpirun or
                       ///< srun calls the job
  uint32_t timeout_ms; ///< for all ranks to come; 0: 30000
} kiln_join_options;

#define KILN_JOIN_OPTIONS_INIT {sizeof(kiln_join_options), 0, 0, NULL, 0, 0}

/// What the variables of a launcher say of this process. size: 0 without any. Errors:
/// KILN-E0001 (a variable is missing or no number).
KILN_API kiln_status *kiln_find_launcher(uint32_t *rank, uint32_t *size);

/// Makes this process one rank of a group, whose ranks are processes. Those of one node
/// share memory; those of several nodes, as the launcher says, or of KILN_TRANSPORT=gloo
/// use TCP and the plugin libkiln_gloo.so (KILN-E0702 without it). Returns when all ranks
/// are ready to run. options and join_options may be NULL. Functions of the group then
/// speak of this rank, and all ranks call them with the same arguments. As soon as a rank
/// has failed or its process has ended, the group is of no use any more, on any rank.
/// Errors, on all ranks: those of kiln_group_create; KILN-E0001 (no launcher, no port);
/// KILN-E0621 (another number of ranks, one that is there twice); KILN-E0710 (a rank has
/// ended); KILN-E0711 (a rank has not come); KILN-E0712 (another package, dims or version
/// of this library).
KILN_API kiln_status *kiln_group_join(kiln_model *model,
                                      const kiln_group_options *options,
                                      const kiln_join_options *join_options,
                                      kiln_group **out);

/// Waits for a run under way.
KILN_API void kiln_group_release(kiln_group *group);

KILN_API uint32_t kiln_group_ranks(const kiln_group *group);
/// The rank of this process; 0 where ranks are threads.
KILN_API uint32_t kiln_group_rank(const kiln_group *group);
/// A rank's session, to ask for its entries, device, threads, arenas and times of steps,
/// and to read and write its states: each rank has its own part of a cache, and "lengths"
/// are to be the same on all ranks. It is part of the group: running it by itself is
/// KILN-E0001, and releasing it does nothing. NULL if out of range, or of another
/// process.
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
/// Of processes each runs its rank, and outputs are this rank's; of a rank that fails the
/// others say KILN-E0710.
KILN_API kiln_status *kiln_group_run(kiln_group *group, const char *entry,
                                     const kiln_tensor *inputs, size_t input_count,
                                     const kiln_tensor *outputs, size_t output_count);

/// Sets the states of all ranks back to zero; of processes, those of this rank.
KILN_API kiln_status *kiln_group_reset_state(kiln_group *group);

/// Gives all ranks these bytes of rank 0, so that they decide alike: the next token, or
/// whether to go on. Does nothing where ranks are threads. Errors: as kiln_group_run.
KILN_API kiln_status *kiln_group_broadcast(kiln_group *group, void *data, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif // KILN_GROUP_H
