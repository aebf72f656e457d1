//===- ReadTime.h - How fast this machine reads memory ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_READTIME_H
#define KILN_EXECUTION_READTIME_H

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::execution {

/// Median seconds in which so many threads, on a CPU each, read a buffer of so many
/// bytes, over and over: from the cache where it fits one, as a model's weights are. Of
/// one way of reading and another, the faster. Nullopt where there is no memory for it.
std::optional<double> measureReadTime(uint64_t bytes, uint32_t threads);

/// Bytes per second at which so many threads read 512 MiB: several times what most last
/// caches hold, as McCalpin's STREAM asks of the bandwidth of memory. Nullopt as above.
std::optional<double> measureMemoryBandwidth(uint32_t threads);

/// How much of the bandwidth steps have, `share` of it, in words. Reading alone is no
/// slower than a step that reads and computes, unless other programs took the cores.
std::string describeBandwidth(double share);

} // namespace kiln::execution

#endif // KILN_EXECUTION_READTIME_H
