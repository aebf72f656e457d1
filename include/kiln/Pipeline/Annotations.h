//===- Annotations.h - Sharding annotations ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_ANNOTATIONS_H
#define KILN_PIPELINE_ANNOTATIONS_H

#include "kiln/Pipeline/Compile.h"

namespace kiln {

/// Whether --shard names annotations instead of a mesh: "FILE.json", "onnx", "onnx:NAME".
bool isAnnotations(llvm::StringRef shard);

/// Reads the annotations that options.shard names, if any, and sets options.shard to
/// their mesh. Annotations that state no mesh have one with their stages and with
/// options.ranks / stages tensor-parallel ranks. Errors: KILN-E0001, and those of
/// ShardAnnotations and import::readAnnotations.
llvm::Error readAnnotations(CompileOptions &options);

} // namespace kiln

#endif // KILN_PIPELINE_ANNOTATIONS_H
