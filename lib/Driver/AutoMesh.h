//===- AutoMesh.h - The mesh that fits a topology best ----------*- C++ -*-===//
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

/// Puts the best mesh for the topology (a profile or a file) in place of "auto" into
/// options.shard, with the parts of its runs, and gives the ranking. Errors: KILN-E0001
/// where ranks or topology are missing, KILN-E0302 where no mesh fits, KILN-E0209 where
/// the model cannot be split.
llvm::Expected<std::vector<estimate::Candidate>> chooseMesh(CompileOptions &options,
                                                            llvm::StringRef topology);

/// KILN-E0001 if there are more ranks than devices. place: the option.
llvm::Error checkDevices(llvm::StringRef place, int64_t ranks,
                         const estimate::Topology &topology);

/// Why the model cannot be split by a candidate that has no prediction: KILN-E0209, or
/// what the compiler says of the model.
llvm::Error refuseMesh(estimate::Searcher &searcher, const estimate::Candidate &candidate,
                       llvm::StringRef place);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_AUTOMESH_H
