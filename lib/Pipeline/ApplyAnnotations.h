//===- ApplyAnnotations.h - Annotations of weights --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_APPLYANNOTATIONS_H
#define KILN_LIB_PIPELINE_APPLYANNOTATIONS_H

#include "kiln/Support/Mesh.h"
#include "kiln/Support/ShardAnnotations.h"
#include "mlir/IR/BuiltinOps.h"

namespace kiln {

/// Sets attributes of weights of an imported model by the rules (graph.shard_axis,
/// graph.stage). Errors: KILN-E0001 for a rule that matches nothing, an axis that a
/// weight does not have, and stages or axes that the mesh does not have.
llvm::Error applyAnnotations(mlir::ModuleOp module, const ShardAnnotations &annotations,
                             const Mesh &mesh);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_APPLYANNOTATIONS_H
