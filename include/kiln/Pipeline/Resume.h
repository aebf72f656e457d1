//===- Resume.h - Compiles that go on from a dump ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dumps are the modules that --compile-to and --save-temps write. They record the
// version, the options and the path of the model (dialects/Graph/Reports.h), whose file
// a compile that goes on reads again for the weights.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_RESUME_H
#define KILN_PIPELINE_RESUME_H

#include "kiln/Pipeline/Compile.h"

namespace kiln {

/// Returns true if a file of this name has IR: text (.mlir) or bytecode (.mlirbc).
bool isModuleFile(llvm::StringRef path);

/// Reads the dump that `options.input` names: sets the options of the compile that wrote
/// it, the model as the input, and options.resume. Leaves alone where output goes and how
/// the compile runs. `phase`: whose dump it has to be; empty: of any.
/// Errors: KILN-E0001 for a phase that is none, KILN-E0002 for files that are not there,
/// KILN-E0301 for a dump of another phase, KILN-E0304 for one of another version and
/// KILN-E0305 for what is no dump.
llvm::Error takeDump(CompileOptions &options, llvm::StringRef phase);

} // namespace kiln

#endif // KILN_PIPELINE_RESUME_H
