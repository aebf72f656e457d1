//===- cpu_features.h - What this CPU can do --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_CPU_FEATURES_H
#define KILN_BASE_CPU_FEATURES_H

#include <span>
#include <string>
#include <string_view>

namespace kiln::rt {

/// Returns whether this CPU has, and the system supports, a feature by its LLVM name
/// ("avx2", "avx512vl"). False for unknown names, and for those that the environment
/// variable KILN_HIDE_CPU_FEATURES lists ("avx512f,avx512vl"), which is read once. The
/// first query for an AMX feature requests the system's permission to use tiles.
bool hasCpuFeature(std::string_view name);

/// Returns the features of `needed` that this CPU lacks, "avx512f, avx512bw"; "" if none.
std::string missingCpuFeatures(std::span<const std::string> needed);

} // namespace kiln::rt

#endif // KILN_BASE_CPU_FEATURES_H
