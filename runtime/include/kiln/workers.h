//===- workers.h - Threads that sessions share ------------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, whose rules on ownership and threads apply.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_WORKERS_H
#define KILN_WORKERS_H

#include "kiln/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Threads that help the runs of any number of sessions, of any models, see the session
/// option `workers`. The thread that calls a run always takes part in it. A free worker
/// helps the runs in progress in rotation, with one part of a step at a time, so no run
/// waits for another. (Without the option, sessions use threads of the process, which
/// help one run at a time.) Reference counted; every session that uses them holds a
/// reference of its own. A forked child creates them again.
typedef struct kiln_workers kiln_workers;

typedef struct kiln_workers_options {
  size_t struct_size;   ///< sizeof(kiln_workers_options)
  uint32_t threads;     ///< max threads of a run, including the caller: one less are
                        ///< created. 0: as many as affinity and cgroup quota allow
  const uint32_t *cpus; ///< worker i is pinned to CPU i of the list, modulo its length;
                        ///< NULL: any
  size_t cpu_count;
  int nice;     ///< niceness of the workers, -20 to 19; 0: the caller's
  int policy;   ///< SCHED_BATCH, SCHED_FIFO ... of <sched.h>; 0: the caller's
  int priority; ///< for SCHED_FIFO and SCHED_RR
} kiln_workers_options;

#define KILN_WORKERS_OPTIONS_INIT {sizeof(kiln_workers_options), 0, NULL, 0, 0, 0, 0}

/// Creates the threads. options may be NULL. If the system refuses some, there are fewer,
/// see kiln_workers_threads. Errors: KILN-E0001 (a CPU that this process may not use, a
/// niceness or a policy that it may not set).
KILN_API kiln_status *kiln_workers_create(const kiln_workers_options *options,
                                          kiln_workers **out);
KILN_API void kiln_workers_retain(kiln_workers *workers);
KILN_API void kiln_workers_release(kiln_workers *workers);
/// Returns the max number of threads of a run, including the caller.
KILN_API uint32_t kiln_workers_threads(const kiln_workers *workers);

#ifdef __cplusplus
}
#endif

#endif // KILN_WORKERS_H
