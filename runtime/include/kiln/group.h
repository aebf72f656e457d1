//===- group.h - C interface of ranks that run together ---------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package for N ranks is run by a group of N ranks. Each one has its shards of the
// weights, and they communicate by collectives. The ranks run on the CPU or on GPUs: as
// threads of this process (kiln_group_create), or as processes on one or several nodes,
// of which this one is a rank (kiln_group_join). Ownership, threads and errors are as in
// runtime.h: a group runs one request at a time. A forked child cannot use it, as it has
// none of the group's threads and is no rank.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GROUP_H
#define KILN_GROUP_H

#include "kiln/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kiln_group kiln_group;

/// Number of ranks that run the model; 1 for packages that a session runs, 0 for NULL.
KILN_API uint32_t kiln_model_rank_count(const kiln_model *model);

typedef struct kiln_rank_info {
  uint64_t weights_bytes;    ///< bytes of all weights that the rank reads
  uint64_t replicated_bytes; ///< bytes of those weights that all ranks read
} kiln_rank_info;

/// Describes a rank. Error KILN-E0001 if the rank is out of range.
KILN_API kiln_status *kiln_model_rank(const kiln_model *model, uint32_t rank,
                                      kiln_rank_info *out);

/// A step at which ranks communicate.
typedef struct kiln_collective_info {
  const char *kind; ///< "all_reduce", "all_gather", "reduce_scatter", "broadcast",
                    ///< "all_to_all", "permute"; NULL: not a collective
  uint64_t bytes;   ///< bytes of each rank's operand
  /// Subgroups of a stage: each has `group_size` ranks with numbers `group_stride` apart.
  /// group_size 0: one subgroup of all ranks of the stage.
  uint64_t group_size, group_stride;
} kiln_collective_info;

/// Describes the collective of a step. symbol_values: as in kiln_model_step_cost. Error
/// KILN-E0001 if the step is out of range.
KILN_API kiln_status *kiln_model_collective(const kiln_model *model, size_t step,
                                            const int64_t *symbol_values,
                                            kiln_collective_info *out);

/// Called on the thread of a rank before (after = 0) and after (after = 1) each of its
/// steps, with the buffers that the step reads and writes (kiln_step_observer). Threads
/// of several ranks call it concurrently.
typedef void (*kiln_rank_observer)(void *user, uint32_t rank, size_t step, int after,
                                   const kiln_buffer_view *reads, size_t read_count,
                                   const kiln_buffer_view *writes, size_t write_count);

typedef struct kiln_group_options {
  size_t struct_size;  ///< sizeof(kiln_group_options)
  uint32_t ranks;      ///< must be the number of ranks of the package; 0: that number
  const char *device;  ///< as in kiln_session_options, except that "cuda" puts rank R on
                       ///< "cuda:R"; NULL: "cpu"
  uint32_t threads;    ///< per rank on the CPU; 0: the CPUs that affinity and cgroup
                       ///< quota allow, divided by the number of ranks, but at least 1
  uint32_t timeout_ms; ///< max time that ranks wait for another one at a collective, then
                       ///< KILN-E0711; 0: 5000
  const kiln_dim_range *dims; ///< as in kiln_session_options
  size_t dim_count;
  int profile;                 ///< as in kiln_session_options
  kiln_rank_observer observer; ///< NULL: none
  void *observer_user;
  int measure_memory;    ///< as in kiln_session_options
  int no_graph;          ///< as in kiln_session_options
  uint64_t graph_memory; ///< as in kiln_session_options; graphs are created in the first
                         ///< run of their dims
} kiln_group_options;

#define KILN_GROUP_OPTIONS_INIT                                                          \
  {sizeof(kiln_group_options), 0, NULL, 0, 0, NULL, 0, 0, NULL, NULL, 0, 0, 0}

/// Creates a session for every rank, and the threads of all ranks but rank 0, which runs
/// on the caller's thread. options may be NULL. Errors: those of kiln_session_create,
/// KILN-E0621 (another number of ranks).
KILN_API kiln_status *
kiln_group_create(kiln_model *model, const kiln_group_options *options, kiln_group **out);

typedef struct kiln_join_options {
  size_t struct_size;  ///< sizeof(kiln_join_options)
  uint32_t size;       ///< number of ranks; 0: take rank and size from the variables of
                       ///< torchrun, mpirun or srun
  uint32_t rank;       ///< rank of this process
  const char *address; ///< NULL: MASTER_ADDR, or 127.0.0.1. Address and port name the
  uint32_t port;       ///< job; with several nodes rank 0 listens at port + 1. 0:
                       ///< MASTER_PORT, or the job's name from mpirun or srun
  uint32_t timeout_ms; ///< max time for all ranks to connect; 0: 30000
} kiln_join_options;

#define KILN_JOIN_OPTIONS_INIT {sizeof(kiln_join_options), 0, 0, NULL, 0, 0}

/// Reads the rank of this process and the number of ranks from the variables of a
/// launcher (torchrun, mpirun or srun). size: 0 without a launcher. Errors: KILN-E0001 (a
/// variable is missing or no number).
KILN_API kiln_status *kiln_find_launcher(uint32_t *rank, uint32_t *size);

/// Makes this process one rank of a group of processes. Processes of one node communicate
/// through shared memory. Those of several nodes (according to the launcher), or with
/// KILN_TRANSPORT=gloo, use TCP through the plugin libkiln_gloo.so (KILN-E0702 without
/// it). Returns when all ranks are ready to run. options and join_options may be NULL.
/// Functions of the group then concern this rank, and all ranks must call them with the
/// same arguments. Once a rank has failed or its process has ended, no rank can use the
/// group any more. Errors, on all ranks: those of kiln_group_create; KILN-E0001 (no
/// launcher, no port); KILN-E0621 (another number of ranks, a rank that joined twice);
/// KILN-E0710 (a rank has ended); KILN-E0711 (a rank has not joined in time); KILN-E0712
/// (another package, dims or version of this library).
KILN_API kiln_status *kiln_group_join(kiln_model *model,
                                      const kiln_group_options *options,
                                      const kiln_join_options *join_options,
                                      kiln_group **out);

/// Waits for a run in progress, then frees the group.
KILN_API void kiln_group_release(kiln_group *group);

KILN_API uint32_t kiln_group_ranks(const kiln_group *group);
/// Rank of this process; 0 if ranks are threads.
KILN_API uint32_t kiln_group_rank(const kiln_group *group);
/// Returns a rank's session, to query its entries, device, threads, arenas and step
/// times, and to read and write its states: each rank has its shard of a cache, and
/// "lengths" must be equal on all ranks. The session belongs to the group: running it
/// fails with KILN-E0001, and releasing it does nothing. NULL if the rank is out of
/// range, or is another process.
KILN_API kiln_session *kiln_group_session(const kiln_group *group, uint32_t rank);

/// Computes output shapes as kiln_session_output_shapes does; they are equal on all
/// ranks. entry: NULL for the model's first.
KILN_API kiln_status *kiln_group_output_shapes(kiln_group *group, const char *entry,
                                               const kiln_tensor *inputs,
                                               size_t input_count, kiln_shape *out,
                                               size_t count);

/// Runs an entry of the model, NULL for its first, on all ranks. All ranks read the same
/// inputs. outputs: of rank 0, or of all ranks one after the other (ranks times as many);
/// outputs have the same bits on all ranks. Returns when all ranks have ended. Allocates
/// nothing on the heap. Errors: those of kiln_session_run; the error of the first rank
/// that failed, which names it, after the other ranks have stopped at their next
/// collective; KILN-E0711 (a rank is late), KILN-E0712 (ranks run different things).
/// Outputs and states are then unspecified: reset states before the next run. If ranks
/// are processes, each call runs its own rank, and outputs are this rank's; if a rank
/// fails, the others return KILN-E0710.
KILN_API kiln_status *kiln_group_run(kiln_group *group, const char *entry,
                                     const kiln_tensor *inputs, size_t input_count,
                                     const kiln_tensor *outputs, size_t output_count);

/// Runs as kiln_group_run does, but may end early, see kiln_session_run_with: when one
/// rank stops, the others stop at their next step or collective. If ranks are threads,
/// sequences then have the rows from before the run, and the group can run again; if they
/// are processes, it cannot. Errors: as kiln_group_run, and KILN-E0713, E0714.
KILN_API kiln_status *kiln_group_run_with(kiln_group *group,
                                          const kiln_run_options *options,
                                          const kiln_tensor *inputs, size_t input_count,
                                          const kiln_tensor *outputs,
                                          size_t output_count);
/// Ends the run in progress on the group, as kiln_session_cancel does. If ranks are
/// processes, this rank returns KILN-E0713, and the others KILN-E0710.
KILN_API void kiln_group_cancel(kiln_group *group);

/// Resets the states of all ranks to zero; if ranks are processes, those of this rank.
KILN_API kiln_status *kiln_group_reset_state(kiln_group *group);

/// Sends bytes of rank 0 to all ranks, so that they take the same decision, such as the
/// next token, or whether to continue. Does nothing if ranks are threads. Errors: as
/// kiln_group_run.
KILN_API kiln_status *kiln_group_broadcast(kiln_group *group, void *data, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif // KILN_GROUP_H
