//===- workers.h - Threads that sessions share ------------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, which says what holds for all functions.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_WORKERS_H
#define KILN_WORKERS_H

#include "kiln/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Threads that help the runs of any number of sessions, of any models, as the option
/// `workers` of a session says. The thread that calls a run always takes part in it. A
/// worker that is free helps the runs under way in turn, one share of a step at a time,
/// so none of them waits for another. (Without the option, sessions share threads of the
/// process that help one run at a time.) Reference counted; every session that uses them
/// holds a reference of its own. In a child of a fork they are made again.
typedef struct kiln_workers kiln_workers;

typedef struct kiln_workers_options {
  size_t struct_size; ///< sizeof(kiln_workers_options)
  uint32_t threads;   ///< of a run at most, the caller's included: one less are made. 0:
                      ///< as many as affinity and cgroup quota allow
  const uint32_t *cpus; ///< CPUs of the workers: the first runs on the first alone, and
                        ///< so on, from the start again at the end; NULL: any
  size_t cpu_count;
  int nice;     ///< niceness of the workers, -20 to 19; 0: that of the caller
  int policy;   ///< SCHED_BATCH, SCHED_FIFO ... of <sched.h>; 0: that of the caller
  int priority; ///< of SCHED_FIFO and SCHED_RR
} kiln_workers_options;

#define KILN_WORKERS_OPTIONS_INIT {sizeof(kiln_workers_options), 0, NULL, 0, 0, 0, 0}

/// Makes the threads. options may be NULL. If the system has not so many threads there
/// are fewer, see kiln_workers_threads. Errors: KILN-E0001 (a CPU that this process may
/// not use, a niceness or a policy that it may not set).
KILN_API kiln_status *kiln_workers_create(const kiln_workers_options *options,
                                          kiln_workers **out);
KILN_API void kiln_workers_retain(kiln_workers *workers);
KILN_API void kiln_workers_release(kiln_workers *workers);
/// Threads of a run at most, the caller's included.
KILN_API uint32_t kiln_workers_threads(const kiln_workers *workers);

#ifdef __cplusplus
}
#endif

#endif // KILN_WORKERS_H
