//===- Annotations.h - --shard FILE.json and --shard onnx -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_ANNOTATIONS_H
#define KILN_PIPELINE_ANNOTATIONS_H

#include "kiln/Pipeline/Compile.h"

namespace kiln {

/// Whether --shard names annotations in place of a mesh: "FILE.json", "onnx",
/// "onnx:NAME".
bool isAnnotations(llvm::StringRef shard);

/// Reads the annotations that options.shard names, if it does, and makes options.shard
/// the mesh that they are of. The mesh of annotations that state none: their stages, and
/// tensor-parallel ranks with what options.ranks leaves. Errors: KILN-E0001, and those of
/// ShardAnnotations and import::readAnnotations.
llvm::Error readAnnotations(CompileOptions &options);

} // namespace kiln

#endif // KILN_PIPELINE_ANNOTATIONS_H
