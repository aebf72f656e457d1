//===- PackageEstimate.h - A package as a workload --------------*- C++ -*-===//
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

/// The steps of a package's programs including the broadcasts of pipelines, and the
/// memory of the rank with the most weights.
struct PackageWorkload {
  estimate::Workload workload;     ///< its `values` are empty
  estimate::StagedWorkload staged; ///< with a single stage
  estimate::MeshShape mesh;        ///< mesh that the package is compiled for
};

/// Reads the workload of a package. dims: sizes of symbols, the last one of each range;
/// other symbols have their maximum, except that `tokens` of a decode step is 1. target:
/// of the devices. Errors: KILN-E0001, and those of loading.
llvm::Expected<PackageWorkload> describePackage(const std::string &path,
                                                const std::vector<DimRange> &dims,
                                                const TargetInfo &target);

} // namespace kiln::execution

#endif // KILN_EXECUTION_PACKAGEESTIMATE_H
