//===- memory_blocks.h - Helpers of memory functions ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#ifndef KILN_SIM_DRIVER_MEMORY_BLOCKS_H
#define KILN_SIM_DRIVER_MEMORY_BLOCKS_H

#include "runtime/sim/driver/runtime.h"

namespace kiln::sim::driver {

/// Allocates memory of the context's device, or from a pool. Throws OUT_OF_MEMORY.
uint64_t allocateDevice(const std::shared_ptr<Context> &context, size_t bytes,
                        const std::shared_ptr<Pool> &pool);
/// Frees the block in stream order.
void freeAsync(Stream &stream, uint64_t address);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_MEMORY_BLOCKS_H
