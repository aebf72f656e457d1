//===- ShardAnnotations.h - How users divide a model ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user says of how ranks divide single weights, in a file or in the ONNX model
// itself. Weights of which nothing is said are divided as the compiler sees fit.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_SHARDANNOTATIONS_H
#define KILN_SUPPORT_SHARDANNOTATIONS_H

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// In place of an axis: every rank has all of the weight.
inline constexpr int64_t kWholeWeight = -1;

/// Rule that gives the weights it names an axis to divide, a pipeline stage, or both. Of
/// the rules that name a weight, the first with an axis decides its axis, and the first
/// with a stage its stage.
struct ShardRule {
  /// How `names` names weights.
  enum class By {
    Weight, ///< a glob of the names of initializers
    Node,   ///< a glob of the names of nodes that read them; an axis: of rank 2 and more
    Name,   ///< the name of one initializer
  };
  By by = By::Weight;
  std::string names;
  std::optional<int64_t> axis;  ///< that ranks divide, from 0, or kWholeWeight
  std::optional<int64_t> stage; ///< of a pipeline, from 0
};

struct ShardAnnotations {
  std::string place; ///< for messages: the file, or "the annotations of M.onnx"
  std::string mesh;  ///< as in Mesh::parse; empty: not said
  std::vector<ShardRule> rules;

  /// The stages that rules name: one more than the last; 1 if they name none.
  int64_t stages() const;

  /// {"mesh": "pp=2,tp=2", "weights": [{"names" | "nodes": GLOB, "axis": N | "whole",
  /// "stage": N}, ...]}. Errors: KILN-E0001.
  static llvm::Expected<ShardAnnotations> parse(llvm::StringRef json,
                                                llvm::StringRef place);
  /// Errors: KILN-E0002, too.
  static llvm::Expected<ShardAnnotations> read(llvm::StringRef path);
};

} // namespace kiln

#endif // KILN_SUPPORT_SHARDANNOTATIONS_H
