//===- abi.h - Calling convention of generated host kernels -----*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only contract between generated host code and the runtime. It includes
// nothing of either side and changes only with KILN_HOST_ABI_VERSION.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ABI_H
#define KILN_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KILN_HOST_ABI_VERSION 1

/// Runs tasks [task_begin, task_end) of a kernel.
///
/// buffers: one pointer per kernel operand then per result, each aligned to at
///   least the element size; buffers in arenas are aligned to 64 bytes. Sizes
///   are those the plan states for the symbols at hand.
/// symbols: values of the kernel's symbols, in the order the plan lists them.
/// scratch: this worker's scratch memory, 64-byte aligned, of the size the plan
///   states; its content is undefined on entry and on return.
///
/// Tasks are independent: they write disjoint bytes, so every partition of the
/// grid over threads produces the same bits. A kernel calls no function, keeps
/// no state and assumes round-to-nearest with denormals enabled.
typedef void (*kiln_host_kernel)(void *const *buffers, const int64_t *symbols,
                                 int64_t task_begin, int64_t task_end, void *scratch);

#ifdef __cplusplus
}
#endif

#endif // KILN_ABI_H
