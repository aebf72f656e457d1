//===- abi.h - Calling convention of generated kernels ----------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between generated code and the runtime. The header includes nothing of
// either side and changes only with KILN_HOST_ABI_VERSION.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ABI_H
#define KILN_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KILN_HOST_ABI_VERSION 3

/// Runs tasks [task_begin, task_end) of a kernel.
///
/// buffers: one pointer per kernel operand, then one per result, each aligned to at
///   least the element size; buffers in arenas are aligned to 64 bytes. The plan gives
///   their sizes as formulas of the symbols.
/// symbols: values of the kernel's symbols, in the order of the plan.
/// scratch: this worker's scratch memory, 64-byte aligned, of the size in the plan;
///   its content is undefined on entry and on return.
///
/// Tasks are independent: they write disjoint bytes, so every partition of the
/// grid over threads produces the same bits. A kernel calls no function, keeps
/// no state and assumes round-to-nearest with denormals enabled.
typedef void (*kiln_host_kernel)(void *const *buffers, const int64_t *symbols,
                                 int64_t task_begin, int64_t task_end, void *scratch);

// Kernels for a GPU are PTX entries. The parameter buffer of a kernel is an
// array of 8-byte words:
//
//     word 0 ...        device addresses of the operands, then of the results,
//                       each a multiple of KILN_CUDA_BUFFER_ALIGNMENT
//     then              values of the kernel's symbols (int64), in plan order
//     then, if the kernel has a workspace in the plan:
//                       device addresses of the workspace and of the arrival counters
//
// followed, from the next multiple of 64 bytes on, by the tensor maps that the plan
// lists for the kernel, 128 bytes each, as encoded by cuTensorMapEncodeTiled.
//
// A launch has grid (tasks, 1, 1), block (threads, 1, 1) and as many bytes of
// dynamic shared memory as the plan says; a task is a block. If the kernel is
// persistent in the plan, the grid may be smaller: block b runs tasks b, b + grid,
// b + 2 grid ... If the code declares a cluster, the grid is a multiple of its size. As
// on the CPU, tasks write disjoint bytes, so blocks may run in any order and give the
// same bits; a kernel keeps no state and calls nothing outside its text. More than 48 KiB
// of shared memory must be allowed on the function first.
//
// Exceptions are the workspace, whose content is undefined before and after a launch, and
// the arrival counters: 4 bytes each, 0 before and after a launch, by which the last of
// several blocks knows that it can combine the results of all. Launches that may run
// concurrently have separate counters and workspaces.
//
// A kernel that all-reduces tensors over peer memory (Collective.kernel of the plan) has
// other parameters of 8 bytes each, where N is the number of ranks of a stage:
//
//     the operand; the abort word (4 bytes in host memory, not 0 once kernels must stop
//     waiting for peers); the result; the rank's state; its staging buffers; its flags;
//     the staging buffers of ranks 0 ... N - 1; the flags of ranks 0 ... N - 1; values
//     of the kernel's symbols
//
// There are 2 KILN_PEER_BLOCKS N staging buffers of KILN_PEER_STAGING_BYTES and
// KILN_PEER_BLOCKS N flags of 4 bytes; the state has KILN_PEER_STATE_WORDS words: an
// epoch for each block, then the rank in its stage. A block reduces
// KILN_PEER_STAGING_BYTES bytes, or N times as many in a two-shot all-reduce. Flags and
// epochs are 0 on all ranks at first, and again after an abort.
#define KILN_PEER_RANKS 8
#define KILN_PEER_BLOCKS 64
#define KILN_PEER_STAGING_BYTES 4096
#define KILN_PEER_STATE_WORDS 65
#define KILN_CUDA_BUFFER_ALIGNMENT 16
#define KILN_CUDA_MAP_BYTES 128
#define KILN_CUDA_MAP_ALIGNMENT 64

#ifdef __cplusplus
}
#endif

#endif // KILN_ABI_H
