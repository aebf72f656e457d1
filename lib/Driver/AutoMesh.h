//===- AutoMesh.h - --shard auto --------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_AUTOMESH_H
#define KILN_LIB_DRIVER_AUTOMESH_H

#include "kiln/Estimate/Search.h"
#include "kiln/Pipeline/Compile.h"

namespace kiln::driver {

/// Replaces "auto" in options.shard by the best mesh for the topology (a profile or a
/// file), sets the number of parts of runs, and returns the ranking. Errors: KILN-E0001
/// if ranks or topology are missing, KILN-E0302 if no mesh fits, KILN-E0209 if the model
/// cannot be divided.
llvm::Expected<std::vector<estimate::Candidate>> chooseMesh(CompileOptions &options,
                                                            llvm::StringRef topology);

/// Fails with KILN-E0001 if there are more ranks than devices. place: name of the option.
llvm::Error checkDevices(llvm::StringRef place, int64_t ranks,
                         const estimate::Topology &topology);

/// Makes the error for a candidate without prediction, whose mesh cannot divide the
/// model: KILN-E0209, or the compiler's error about the model.
llvm::Error refuseMesh(estimate::Searcher &searcher, const estimate::Candidate &candidate,
                       llvm::StringRef place);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_AUTOMESH_H
