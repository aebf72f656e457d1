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

/// Does this CPU have, and the system support, a feature by its LLVM name
/// ("avx2", "avx512vl")? False for names not in the table. The first question for a feature
/// of AMX asks the system to let this process use tiles.
bool hasCpuFeature(std::string_view name);

/// Returns the features of `needed` that this CPU lacks, "avx512f, avx512bw"; "" if none.
std::string missingCpuFeatures(std::span<const std::string> needed);

} // namespace kiln::rt

#endif // KILN_BASE_CPU_FEATURES_H
