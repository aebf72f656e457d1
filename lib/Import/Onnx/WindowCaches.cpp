//===- WindowCaches.cpp - Window-sized caches -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Onnx/WindowCaches.h"

#include <set>
#include <string>

using namespace kiln::import;

/// Inputs of GroupQueryAttention.
static constexpr int kPastKey = 3, kPastValue = 4;
/// Index of the dim of a past that counts its rows: [batch, heads, rows, head size].
static constexpr int kRows = 2, kPastRank = 4;

static bool isGroupQuery(const onnx::NodeProto &node) {
  return node.domain() == "com.microsoft" && node.op_type() == "GroupQueryAttention" &&
         node.input_size() > kPastValue;
}

static bool hasWindowCache(const onnx::NodeProto &node) {
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.name() == "sliding_window_cache")
      return attribute.i() != 0;
  return false;
}

static bool isPast(const onnx::ValueInfoProto &input,
                   const std::set<std::string> &names) {
  return names.count(input.name()) &&
         input.type().tensor_type().shape().dim_size() == kPastRank;
}

void kiln::import::nameWindowCaches(onnx::GraphProto &graph) {
  std::set<std::string> ofWindows, others;
  for (const onnx::NodeProto &node : graph.node())
    if (isGroupQuery(node))
      (hasWindowCache(node) ? ofWindows : others)
          .insert({node.input(kPastKey), node.input(kPastValue)});
  if (ofWindows.empty())
    return;
  std::string length;
  for (const onnx::ValueInfoProto &input : graph.input())
    if (length.empty() && isPast(input, others))
      length = input.type().tensor_type().shape().dim(kRows).dim_param();
  for (onnx::ValueInfoProto &input : *graph.mutable_input())
    if (isPast(input, ofWindows))
      input.mutable_type()
          ->mutable_tensor_type()
          ->mutable_shape()
          ->mutable_dim(kRows)
          ->set_dim_param(length.empty() ? "past_sequence_length" : length);
}
