//===- Annotations.cpp - Sharding annotations -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Annotations.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Import/Annotations.h"

using namespace kiln;
using namespace mlir;

static constexpr StringLiteral kOnnx = "onnx";

bool kiln::isAnnotations(StringRef shard) {
  return shard.ends_with(".json") || shard == kOnnx || shard.starts_with("onnx:");
}

static llvm::Expected<ShardAnnotations> read(const CompileOptions &options) {
  StringRef shard = options.mesh.shard;
  if (shard.ends_with(".json"))
    return ShardAnnotations::read(shard);
  return import::readAnnotations(options.input, shard.split(':').second);
}

/// Returns the text of the mesh for Mesh::parse.
static llvm::Expected<std::string> meshOf(const ShardAnnotations &annotations,
                                          int64_t ranks) {
  if (!annotations.mesh.empty())
    return annotations.mesh;
  int64_t stages = annotations.stages();
  if (ranks == 0 && stages == 1)
    return makeError({ErrorCode::BadUsage, "--shard", "the annotations are of no mesh",
                      "\"mesh\" in " + annotations.place + ", or --ranks", "neither",
                      "add --ranks 2"});
  std::string pp = "pp=" + std::to_string(stages);
  return stages == 1 ? "tp" : ranks == 0 ? pp : pp + ",tp";
}

llvm::Error kiln::readAnnotations(CompileOptions &options) {
  if (!isAnnotations(options.mesh.shard))
    return llvm::Error::success();
  llvm::Expected<ShardAnnotations> annotations = read(options);
  if (!annotations)
    return annotations.takeError();
  llvm::Expected<std::string> mesh = meshOf(*annotations, options.mesh.ranks);
  if (!mesh)
    return mesh.takeError();
  options.mesh.shard = *mesh;
  options.annotations = std::move(*annotations);
  return llvm::Error::success();
}
