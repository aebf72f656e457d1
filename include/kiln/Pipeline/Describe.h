//===- Describe.h - A model as a workload for estimates ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_DESCRIBE_H
#define KILN_PIPELINE_DESCRIBE_H

#include "kiln/Estimate/CostModel.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Target/TargetInfo.h"

namespace kiln {

/// Plans a model for one rank of a stage of the mesh, at the largest size of each dim
/// (except `tokens` of a decode step: 1 unless it is given). Runs every phase up to the
/// plan; external data may be missing. Targets and numbers of ranks that cannot run yet
/// are allowed. options.ranks, shard, overlap and microBatches are ignored. Errors: those
/// of `compile`.
llvm::Expected<estimate::Workload> describe(const CompileOptions &options,
                                            const estimate::MeshShape &mesh);

/// Returns the element type in which `target` multiplies matmuls of a precision, which is
/// named as for --precision.
estimate::Arithmetic arithmeticOf(llvm::StringRef precision, const TargetInfo &target);

} // namespace kiln

#endif // KILN_PIPELINE_DESCRIBE_H
