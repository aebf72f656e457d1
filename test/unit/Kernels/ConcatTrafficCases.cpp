//===- ConcatTrafficCases.cpp - Traffic of concatenations -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A consumer of a concatenation reads each operand only where it is selected, also in the
// tiles of a transposed operand.
//
//===----------------------------------------------------------------------===//

#include "TrafficRows.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace kiln::test;

static const std::string kSoftmaxOfRows = "y = Softmax <axis = -1> (z)";

namespace {
/// A graph whose kernels read each input once and write y once, in one or several
/// launches.
struct Joined {
  std::string name;
  std::vector<std::string> nodes;
  Shapes inputs;
  Sizes output;
  std::vector<const char *> configs;
  Integers integers = {};
};
} // namespace

/// Returns the traffic of launches where each reads the result of the one before and the
/// first reads all inputs.
static std::vector<Traffic> chainOf(const Joined &joined, kiln_dtype dtype) {
  std::vector<Traffic> launches;
  uint64_t read = elementsOf(joined.inputs), written = countOf(joined.output);
  for (const char *config : joined.configs) {
    launches.push_back(trafficOf({read + written, read + written}, dtype, config));
    read = written;
  }
  return launches;
}

static void addJoined(KernelTable &table, const Joined &joined, kiln_dtype dtype,
                      const char *gpu) {
  KernelCase row = countedRow(prefixOf(dtype) + joined.name, joined.nodes,
                              operandsOf(joined.inputs, dtype),
                              {"y", joined.output, dtype}, gpu, joined.integers);
  row.traffic = chainOf(joined, dtype);
  table.push_back(row);
}

static std::string concatNode(const char *result, const char *sources, int axis) {
  return std::string(result) + " = Concat <axis = " + std::to_string(axis) + "> (" +
         sources + ")";
}

/// Transposes x and concatenates a token before its rows, after them, on both sides, or
/// along its columns.
static void addSelectedTiles(KernelTable &table) {
  const std::vector<const char *> staging = {"staging"};
  const Joined all[] = {{"front",
                         {kTransposedX, concatNode("y", "a, t", 1)},
                         {{"x", {2, 96, 64}}, {"a", {2, 1, 96}}},
                         {2, 65, 96},
                         staging},
                        {"behind",
                         {kTransposedX, concatNode("y", "t, a", 1)},
                         {{"x", {2, 96, 64}}, {"a", {2, 32, 96}}},
                         {2, 96, 96},
                         staging},
                        {"between",
                         {kTransposedX, concatNode("y", "a, t, b", 1)},
                         {{"x", {1, 64, 128}}, {"a", {1, 8, 64}}, {"b", {1, 3, 64}}},
                         {1, 139, 64},
                         staging},
                        {"keys",
                         {kTransposedX, concatNode("y", "t, a", 2)},
                         {{"x", {2, 64, 128}}, {"a", {2, 128, 32}}},
                         {2, 128, 96},
                         staging},
                        {"last_keys",
                         {kTransposedX, concatNode("y", "a, t", 2)},
                         {{"x", {2, 16, 64}}, {"a", {2, 64, 48}}},
                         {2, 64, 64},
                         staging},
                        {"two",
                         {kTransposedX, kTransposedV, concatNode("y", "t, u", 1)},
                         {{"x", {2, 64, 64}}, {"v", {2, 64, 128}}},
                         {2, 192, 64},
                         staging}};
  for (const Joined &joined : all)
    for (const char *gpu : kTrafficGpus)
      for (kiln_dtype dtype : kTrafficTypes)
        addJoined(table, joined, dtype, gpu);
}

/// A class token, transposed patches, positions, a norm.
static void addCountedEmbeddings(KernelTable &table) {
  const int64_t channels = 384, patches = 64, rows = patches + 1;
  const Shapes inputs = {{"x", {2, channels, patches}},
                         {"a", {2, 1, channels}},
                         {"p", {rows, channels}},
                         {"s", {channels}},
                         {"b", {channels}}};
  for (kiln_dtype dtype : kTrafficTypes) {
    KernelCase row =
        countedRow(prefixOf(dtype) + "embeddings",
                   {kTransposedX, concatNode("z", "a, t", 1), "e = Add(z, p)",
                    "y = LayerNormalization <axis = -1> (e, s, b)"},
                   operandsOf(inputs, dtype), {"y", {2, rows, channels}, dtype}, "sm_80");
    const uint64_t asked = (2 * 2 * rows + 2 * rows + 2 * 2 * rows) * channels;
    const uint64_t touched = (2 * 2 * rows + rows + 2) * channels;
    row.traffic = {trafficOf({asked, touched}, dtype, "staging")};
    table.push_back(row);
  }
}

/// Rows concatenated along the row dim, processed by a few threads, a warp, a block, or
/// too long for registers.
static std::vector<Joined> joinedRows() {
  const std::vector<const char *> pointwise = {"pointwise"}, staging = {"staging"};
  const std::string ab = concatNode("z", "a, b", 2);
  return {{"short",
           {ab, kSoftmaxOfRows},
           {{"a", {2, 128, 64}}, {"b", {2, 128, 32}}},
           {2, 128, 96},
           pointwise},
          {"three",
           {concatNode("z", "a, b, c", 2), kSoftmaxOfRows},
           {{"a", {2, 64, 256}}, {"b", {2, 64, 16}}, {"c", {2, 64, 496}}},
           {2, 64, 768},
           pointwise},
          {"long",
           {ab, kSoftmaxOfRows},
           {{"a", {1, 16, 8192}}, {"b", {1, 16, 4096}}},
           {1, 16, 12288},
           pointwise},
          {"sum",
           {ab, "y = ReduceSum <keepdims = 0> (z, axes)"},
           {{"a", {2, 128, 512}}, {"b", {2, 128, 256}}},
           {2, 128},
           pointwise,
           {{"axes", {2}}}},
          {"padded",
           {"z = Pad(x, by)", kSoftmaxOfRows},
           {{"x", {2, 128, 64}}},
           {2, 128, 96},
           pointwise,
           {{"by", {0, 0, 16, 0, 0, 16}}}},
          {"in_two",
           {ab, "r = Relu(z)", concatNode("w", "c, r", 2), "y = Softmax <axis = -1> (w)"},
           {{"a", {2, 64, 64}}, {"b", {2, 64, 32}}, {"c", {2, 64, 160}}},
           {2, 64, 256},
           pointwise},
          {"transposed_front",
           {kTransposedX, concatNode("z", "t, a", 2), kSoftmaxOfRows},
           {{"x", {2, 64, 128}}, {"a", {2, 128, 32}}},
           {2, 128, 96},
           staging},
          {"transposed_behind",
           {kTransposedX, concatNode("z", "a, t", 2), kSoftmaxOfRows},
           {{"x", {2, 512, 128}}, {"a", {2, 128, 256}}},
           {2, 128, 768},
           staging},
          {"transposed_both",
           {kTransposedX, kTransposedV, concatNode("z", "t, u", 2), kSoftmaxOfRows},
           {{"x", {2, 64, 128}}, {"v", {2, 32, 128}}},
           {2, 128, 96},
           staging}};
}

/// Cases where the transpose tile loads all of an operand or none of it; a transpose
/// after a reshape; a reduction along the operand's contiguous dim, which is not the last
/// dim.
static std::vector<Joined> besideOthers() {
  const std::vector<const char *> staging = {"staging"};
  return {{"batch",
           {kTransposedX, concatNode("y", "t, b", 0)},
           {{"x", {4, 64, 96}}, {"b", {2, 96, 64}}},
           {6, 96, 64},
           staging},
          {"heads_of_keys",
           {"t = Transpose <perm = [0, 1, 3, 2]> (x)", concatNode("z", "b, t", 1),
            kSoftmaxOfRows},
           {{"x", {2, 3, 128, 64}}, {"b", {2, 1, 64, 128}}},
           {2, 4, 64, 128},
           staging},
          {"joined",
           {"r = Reshape(x, to)", "y = Transpose <perm = [1, 0]> (r)"},
           {{"x", {4, 128, 80}}},
           {80, 512},
           staging,
           {{"to", {512, 80}}}},
          {"padded_windows",
           {kTransposedX, "w = Reshape(t, to)", "y = Pad(w, by)"},
           {{"x", {16, 96, 96}}},
           {17, 98, 6, 16},
           staging,
           {{"to", {16, 96, 6, 16}}, {"by", {0, 1, 0, 0, 1, 1, 0, 0}}}},
          {"columns",
           {kTransposedX, "y = Softmax <axis = 1> (t)"},
           {{"x", {8, 64, 128}}},
           {8, 128, 64},
           {"staging", "pointwise"}}};
}

static void addAllJoined(KernelTable &table) {
  for (const std::vector<Joined> &all : {joinedRows(), besideOthers()})
    for (const auto &[number, joined] : llvm::enumerate(all))
      for (const auto &[type, dtype] : llvm::enumerate(kTrafficTypes))
        addJoined(table, joined, dtype, kTrafficGpus[(number + (type < 2)) % 2]);
}

void kiln::test::addConcatTrafficCases(KernelTable &table) {
  addSelectedTiles(table);
  addCountedEmbeddings(table);
  addAllJoined(table);
}
