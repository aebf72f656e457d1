//===- ModelOptions.h - What is asked of a model ----------------*- C++ -*-===//
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

/// Declares the options that say what a model is compiled for: those that decide
/// whether it compiles, for `kiln compile` and `kiln check`.
void declareModelOptions(OptionTable &table, llvm::StringRef command,
                         CompileOptions &options);

/// Declares the options that change what a rank has to compute, for `kiln estimate`; not
/// those of targets and ranks, which a topology decides.
void declareEstimateOptions(OptionTable &table, CompileOptions &options);

/// In place of a mesh: the best one for a topology.
inline constexpr llvm::StringLiteral kAutoMesh = "auto";

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_MODELOPTIONS_H
