//===- DebugOptions.h - Options that show a compile at work -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_DEBUGOPTIONS_H
#define KILN_LIB_DRIVER_DEBUGOPTIONS_H

#include "kiln/Pipeline/Compile.h"
#include "lib/Driver/Support/Options.h"

namespace kiln::driver {

/// Output of `kiln compile` beside the package, other than that in CompileOptions.
struct DebugSettings {
  std::string compileFrom;  ///< phase that wrote the dump; empty: the dump says it
  std::string remarksFile;  ///< for remarks, .yaml or .json; empty: none
  bool printCounts = false; ///< of remarks by pass
};

/// Declares --compile-from, --compile-to, --save-temps, --print-pipeline, --verify,
/// --remarks and those options of mlir-opt that `kiln compile` has.
void declareDebugOptions(OptionTable &table, CompileOptions &options,
                         DebugSettings &settings);

/// Checks the files that are written. Errors: KILN-E0001, KILN-E0003.
llvm::Error checkDebugSettings(const DebugSettings &settings,
                               const CompileOptions &options);

/// Writes the file of remarks and prints their counts to stderr, as `settings` says.
llvm::Error showRemarks(const DebugSettings &settings, const CompileOptions &options,
                        const CompileReport &report);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_DEBUGOPTIONS_H
