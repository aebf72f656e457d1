//===- ShardAnnotations.h - Sharding annotations of users -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's instructions on how ranks divide single weights, from a file or from the
// ONNX model itself. The compiler decides about all other weights.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_SHARDANNOTATIONS_H
#define KILN_SUPPORT_SHARDANNOTATIONS_H

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Used as axis: every rank has the entire weight.
inline constexpr int64_t kWholeWeight = -1;

/// Rule that gives the weights it matches an axis to divide, a pipeline stage, or both.
/// The first matching rule with an axis determines a weight's axis, and the first with a
/// stage its stage.
struct ShardRule {
  /// How `names` is matched.
  enum class By {
    Weight, ///< a glob of names of initializers
    Node,   ///< a glob of names of nodes that read weights; an axis then applies to
            ///< weights of rank >= 2
    Name,   ///< the name of one initializer
  };
  By by = By::Weight;
  std::string names;
  std::optional<int64_t> axis;  ///< axis that ranks divide, from 0, or kWholeWeight
  std::optional<int64_t> stage; ///< pipeline stage, from 0
};

struct ShardAnnotations {
  std::string place; ///< for messages: the file, or "the annotations of M.onnx"
  std::string mesh;  ///< text for Mesh::parse; empty: not given
  std::vector<ShardRule> rules;

  /// Returns the number of stages, which is one more than the last that a rule names; 1
  /// if none does.
  int64_t stages() const;

  /// Parses {"mesh": "pp=2,tp=2", "weights": [{"names" | "nodes": GLOB, "axis": N |
  /// "whole", "stage": N}, ...]}. Errors: KILN-E0001.
  static llvm::Expected<ShardAnnotations> parse(llvm::StringRef json,
                                                llvm::StringRef place);
  /// Reads such a file. Errors: KILN-E0002, and those of parse().
  static llvm::Expected<ShardAnnotations> read(llvm::StringRef path);
};

} // namespace kiln

#endif // KILN_SUPPORT_SHARDANNOTATIONS_H
