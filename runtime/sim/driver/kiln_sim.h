/*===- kiln_sim.h - Functions only of the simulated GPU -------------*- C -*-===
 *
 * Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For tests that run on libkiln_sim_cuda.so; look the functions up with dlsym, so
 * that the same program runs on a real driver, which has none of them.
 *
 *===----------------------------------------------------------------------===*/
#ifndef KILN_SIM_DRIVER_KILN_SIM_H
#define KILN_SIM_DRIVER_KILN_SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The `calls`-th driver call from now on, counted from 1, fails with the CUresult
 * `error`; 0 takes the order back. As KILN_SIM_FAIL, again and again in one process. */
void kilnSimFailAt(uint64_t calls, int error);

/* The devices to model, as KILN_SIM_DEVICES has them, in its place. To be called before
 * any driver call. Returns 0, or the CUresult of an invalid device if there is no such
 * profile or other devices are modelled already; the reason is printed on stderr. */
int kilnSimChooseDevices(const char *devices);

/* What the last kilnSimChooseDevices of this thread, or else cuInit, could not
 * understand: the environment variable (KILN_SIM_DEVICES for what was chosen), what is
 * wrong with it and what it may be. Returns 1; 0, and changes nothing, if all is well.
 * The texts live until the thread's next call of either. */
int kilnSimMistake(const char **variable, const char **found, const char **expected);

/* Reads KILN_SIM_SCHEDULE again, for all that is enqueued from now on: a program that
 * sets it runs the same kernels in several orders. To be called while nothing is under
 * way. Returns 0, or CUDA_ERROR_INVALID_VALUE if the value is not understood, whose
 * reason is printed on stderr; nothing is changed then. */
int kilnSimReadSchedule(void);

/* Driver calls so far that could fail. */
uint64_t kilnSimCallCount(void);

#ifdef __cplusplus
}
#endif

#endif /* KILN_SIM_DRIVER_KILN_SIM_H */
