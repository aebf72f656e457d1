//===- ModelOptions.h - Options of models -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_MODELOPTIONS_H
#define KILN_LIB_DRIVER_MODELOPTIONS_H

#include "kiln/Pipeline/Compile.h"
#include "lib/Driver/Support/Options.h"

namespace kiln::driver {

/// Declares the options of `kiln compile` and `kiln check` that determine whether a model
/// compiles.
void declareModelOptions(OptionTable &table, llvm::StringRef command,
                         CompileOptions &options);

/// Declares the options of `kiln estimate` that change the work of a rank, except those
/// of targets and ranks, which the topology determines.
void declareEstimateOptions(OptionTable &table, CompileOptions &options);

/// Used as mesh: the best one for a topology.
inline constexpr llvm::StringLiteral kAutoMesh = "auto";

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_MODELOPTIONS_H
