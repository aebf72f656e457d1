//===- ReadTime.h - Memory bandwidth of this machine ------------*- C++ -*-===//
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

/// Returns the median seconds in which `threads` threads, each on its own CPU, read a
/// buffer of `bytes` repeatedly: from the cache if the buffer fits into it, as a model's
/// weights do. Two ways of reading are tried and the faster one counts. nullopt if the
/// allocation fails.
std::optional<double> measureReadTime(uint64_t bytes, uint32_t threads);

/// Returns the bytes per second at which `threads` threads read 512 MiB, several times
/// the size of most last-level caches, as McCalpin's STREAM requires for memory
/// bandwidth. nullopt if the allocation fails.
std::optional<double> measureMemoryBandwidth(uint32_t threads);

/// Describes in words which fraction `share` of the bandwidth steps reach. A step that
/// reads and computes cannot exceed it unless other programs used the cores during the
/// measurement.
std::string describeBandwidth(double share);

} // namespace kiln::execution

#endif // KILN_EXECUTION_READTIME_H
