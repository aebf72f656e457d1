//===- PackageEstimate.h - The plan of a package as numbers -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_PACKAGEESTIMATE_H
#define KILN_EXECUTION_PACKAGEESTIMATE_H

#include "kiln/Estimate/CostModel.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Target/TargetInfo.h"

namespace kiln::execution {

/// The steps of a package's programs, broadcasts of pipelines among them, and the memory
/// of the rank that has the largest part of the weights.
struct PackageWorkload {
  estimate::Workload workload;     ///< without values
  estimate::StagedWorkload staged; ///< one stage
  estimate::MeshShape mesh;        ///< that the package is compiled for
};

/// dims: sizes of symbols, of which the last of a range counts; others are at their
/// largest, and `tokens` of a decode step is 1. target: of the devices. Errors:
/// KILN-E0001, and as of loading.
llvm::Expected<PackageWorkload> describePackage(const std::string &path,
                                                const std::vector<DimRange> &dims,
                                                const TargetInfo &target);

} // namespace kiln::execution

#endif // KILN_EXECUTION_PACKAGEESTIMATE_H
