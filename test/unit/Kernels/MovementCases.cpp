//===- MovementCases.cpp - Transposes, alone and fused --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace kiln::test;

static const kiln_dtype kHalves[] = {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16};
static const kiln_dtype kMoved[] = {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16,
                                    KILN_DTYPE_F64, KILN_DTYPE_I8,  KILN_DTYPE_BOOL,
                                    KILN_DTYPE_I64};
static const char *const kTurn = "t = Transpose <perm = [0, 2, 1]> (x)";
static const char *const kAcross = "u = Transpose <perm = [0, 2, 1]> (v)";
static const char *const kSoftmax = "y = Softmax <axis = -1> (z)";

namespace {
using Operands = std::vector<std::pair<std::string, Dims>>;

/// A few nodes of one type that compute y.
struct Moved {
  std::string name;
  std::vector<std::string> nodes;
  Operands inputs;
  Dims output;
  std::vector<std::pair<std::string, std::vector<int64_t>>> integers = {};
};
} // namespace

static KernelCase caseOf(const std::string &family, const Moved &moved, kiln_dtype dtype,
                         const std::string &gpu) {
  ModelText model;
  for (const auto &[name, dims] : moved.inputs)
    model.input(name, dtype, dims);
  for (const auto &[name, values] : moved.integers)
    model.integers(name, values);
  for (const std::string &node : moved.nodes)
    model.node(node);
  model.output("y", dtype, moved.output);
  KernelCase row{
      family, std::string(kiln_dtype_name(dtype)) + "_" + moved.name, model, {gpu}};
  row.forHost = false;
  return row;
}

static std::string alternate(size_t number) { return number % 2 ? "sm_90a" : "sm_80"; }

/// Symbolic sizes that tiles do not divide.
static void addTransposes(KernelTable &table) {
  const Moved moved = {"transpose",
                       {"y = Transpose <perm = [0, 2, 1]> (x)"},
                       {{"x", {"b", "m", "n"}}},
                       {"b", "n", "m"}};
  for (kiln_dtype dtype : kMoved) {
    KernelCase row = caseOf("movement", moved, dtype, "sm_80");
    row.forHost = true;
    row.at = {{{"b", 2}, {"m", 33}, {"n", 70}},
              {{"b", 1}, {"m", 64}, {"n", 128}},
              {{"b", 3}, {"m", 1}, {"n", 5}}};
    table.push_back(row);
  }
}

/// Multi-dimensional transpose tiles: short dims that are copied to shared memory
/// entirely.
static void addBoxes(KernelTable &table) {
  struct Box {
    std::vector<size_t> perm;
    int64_t inner;
  };
  const Box boxes[] = {
      {{0, 2, 1, 3}, 3}, {{3, 1, 2, 0}, 2}, {{2, 0, 3, 1}, 5}, {{1, 3, 0, 2}, 4}};
  for (const Box &box : boxes) {
    std::string inner = std::to_string(box.inner), perm;
    Dims shape = {"a", "b", "c", inner}, result;
    if (box.perm[0] == 1)
      shape = {"a", "b", inner, "c"};
    for (size_t d : box.perm) {
      perm += (perm.empty() ? "" : ", ") + std::to_string(d);
      result.push_back(shape[d]);
    }
    Moved moved = {"box_" + std::to_string(box.perm[0]) + std::to_string(box.perm[1]) +
                       std::to_string(box.perm[2]) + std::to_string(box.perm[3]),
                   {"y = Transpose <perm = [" + perm + "]> (x)"},
                   {{"x", shape}},
                   result};
    for (kiln_dtype dtype : kMoved) {
      KernelCase row = caseOf("movement", moved, dtype, "sm_80");
      row.gpus = {"sm_80", "sm_90a"};
      row.forHost = true;
      row.at = {{{"a", 2}, {"b", 33}, {"c", 19}},
                {{"a", 5}, {"b", 1}, {"c", 64}},
                {{"a", 64}, {"b", 3}, {"c", 7}},
                {{"a", 1}, {"b", 1}, {"c", 1}}};
      table.push_back(row);
    }
  }
}

static std::string sizes(int64_t m, int64_t n) {
  return std::to_string(m) + "x" + std::to_string(n);
}

/// A transpose below a concatenation, with odd sizes: in front, between, along keys.
static void addChoices(KernelTable &table) {
  for (auto [m, n] : {std::pair(33, 70), {64, 31}, {3, 65}}) {
    const Moved all[] = {
        {"front_" + sizes(m, n),
         {kTurn, "y = Concat <axis = 1> (a, t)"},
         {{"x", dimsOf({2, n, m})}, {"a", dimsOf({2, 1, n})}},
         dimsOf({2, m + 1, n})},
        {"between_" + sizes(m, n),
         {kTurn, "y = Concat <axis = 1> (a, t, b)"},
         {{"x", dimsOf({1, n, m})}, {"a", dimsOf({1, 5, n})}, {"b", dimsOf({1, 3, n})}},
         dimsOf({1, m + 8, n})},
        {"keys_" + sizes(m, n),
         {kTurn, "y = Concat <axis = 2> (a, t, b)"},
         {{"x", dimsOf({1, n, m})}, {"a", dimsOf({1, m, 7})}, {"b", dimsOf({1, m, 4})}},
         dimsOf({1, m, n + 11})}};
    for (const Moved &moved : all)
      for (kiln_dtype dtype : kHalves)
        table.push_back(caseOf("choices", moved, dtype, alternate(m)));
  }
}

static const std::vector<SymbolValues> kConcatSizes = {
    {{"b", 2}, {"n", 33}, {"m", 70}, {"k", 5}},
    {{"b", 1}, {"n", 64}, {"m", 64}, {"k", 64}},
    {{"b", 3}, {"n", 2}, {"m", 5}, {"k", 1}},
    {{"b", 1}, {"n", 40}, {"m", 40}, {"k", 100}}};

static void addSymbolicChoices(KernelTable &table) {
  const Moved all[] = {{"rows",
                        {kTurn, "y = Concat <axis = 1> (a, t)"},
                        {{"x", {"b", "n", "m"}}, {"a", {"b", "k", "n"}}},
                        {"b", "r", "n"}},
                       {"columns",
                        {kTurn, "y = Concat <axis = 2> (a, t)"},
                        {{"x", {"b", "n", "m"}}, {"a", {"b", "m", "k"}}},
                        {"b", "m", "r"}}};
  for (const Moved &moved : all)
    for (kiln_dtype dtype : kHalves) {
      KernelCase row = caseOf("choices", moved, dtype, "sm_80");
      row.at = kConcatSizes;
      table.push_back(row);
    }
}

/// A class token, transposed patches, positions, a norm.
static void addEmbeddings(KernelTable &table) {
  for (int64_t patches : {33, 196})
    for (kiln_dtype dtype : kHalves) {
      Dims channels = {"100"};
      const Moved moved = {"embeddings_" + std::to_string(patches),
                           {kTurn, "z = Concat <axis = 1> (a, t)", "e = Add(z, p)",
                            "y = LayerNormalization <axis = -1> (e, s, b)"},
                           {{"x", dimsOf({2, 100, patches})},
                            {"a", dimsOf({2, 1, 100})},
                            {"p", dimsOf({patches + 1, 100})},
                            {"s", channels},
                            {"b", channels}},
                           dimsOf({2, patches + 1, 100})};
      table.push_back(caseOf("choices", moved, dtype, "sm_90a"));
    }
}

/// Nested selects: along both dims, along one dim twice, with other types.
static void addNestedChoices(KernelTable &table) {
  const std::string pad = " = Pad(t, by)";
  const std::pair<kiln_dtype, Moved> all[] = {
      {KILN_DTYPE_F32,
       {"both_sides",
        {kTurn, "c = Concat <axis = 1> (a, t)", "y = Concat <axis = 2> (c, b)"},
        {{"x", dimsOf({1, 60, 64})},
         {"a", dimsOf({1, 8, 60})},
         {"b", dimsOf({1, 72, 20})}},
        dimsOf({1, 72, 80})}},
      {KILN_DTYPE_BF16,
       {"one_side",
        {kTurn, "c = Concat <axis = 1> (a, t)", "y = Concat <axis = 1> (b, c)"},
        {{"x", dimsOf({1, 60, 64})},
         {"a", dimsOf({1, 8, 60})},
         {"b", dimsOf({1, 5, 60})}},
        dimsOf({1, 77, 60})}},
      {KILN_DTYPE_F32,
       {"pad",
        {kTurn, "y" + pad},
        {{"x", dimsOf({1, 40, 50})}},
        dimsOf({1, 57, 48}),
        {{"by", {0, 3, 5, 0, 4, 3}}}}},
      {KILN_DTYPE_F16,
       {"padded_rows",
        {kTurn, "z" + pad, kSoftmax},
        {{"x", dimsOf({1, 40, 50})}},
        dimsOf({1, 57, 40}),
        {{"by", {0, 3, 0, 0, 4, 0}}}}},
      {KILN_DTYPE_F16,
       {"padded_columns",
        {kTurn, "z" + pad, kSoftmax},
        {{"x", dimsOf({1, 40, 50})}},
        dimsOf({1, 50, 47}),
        {{"by", {0, 0, 3, 0, 0, 4}}}}},
      {KILN_DTYPE_F64,
       {"columns_behind",
        {kTurn, "y = Concat <axis = 2> (t, a)"},
        {{"x", dimsOf({2, 70, 130})}, {"a", dimsOf({2, 130, 2})}},
        dimsOf({2, 130, 72})}},
      {KILN_DTYPE_I8,
       {"rows_in_front",
        {kTurn, "y = Concat <axis = 1> (a, t)"},
        {{"x", dimsOf({2, 70, 130})}, {"a", dimsOf({2, 3, 70})}},
        dimsOf({2, 133, 70})}}};
  for (const auto &[number, one] : llvm::enumerate(all)) {
    KernelCase row = caseOf("choices", one.second, one.first, alternate(number));
    row.config = "staging_config";
    table.push_back(row);
  }
}

/// Rows below a concatenation along the row dim, with odd boundaries.
static void addConcats(KernelTable &table) {
  const std::pair<int64_t, int64_t> parts[] = {{1, 1},    {7, 3},     {33, 31}, {129, 1},
                                               {1, 1000}, {500, 777}, {8192, 5}};
  for (auto [a, b] : parts)
    for (const auto &[number, dtype] : llvm::enumerate(kHalves))
      table.push_back(caseOf("concat",
                             {"concat_" + std::to_string(a) + "_" + std::to_string(b),
                              {"z = Concat <axis = 2> (a, b)", kSoftmax},
                              {{"a", dimsOf({2, 5, a})}, {"b", dimsOf({2, 5, b})}},
                              dimsOf({2, 5, a + b})},
                             dtype, alternate(number + a)));
  struct Transposed {
    int64_t n, k, m;
  };
  for (auto [n, k, m] : {Transposed{33, 7, 70}, {64, 1, 9}, {3, 65, 40}, {777, 30, 12}})
    for (const auto &[number, dtype] : llvm::enumerate(kHalves))
      table.push_back(
          caseOf("concat",
                 {"transposed_" + sizes(n, k) + "x" + std::to_string(m),
                  {kTurn, kAcross, "z = Concat <axis = 2> (a, t, b, u)", kSoftmax},
                  {{"a", dimsOf({2, m, 5})},
                   {"x", dimsOf({2, n, m})},
                   {"b", dimsOf({2, m, 1})},
                   {"v", dimsOf({2, k, m})}},
                  dimsOf({2, m, n + k + 6})},
                 dtype, alternate(number + n)));
}

static void addSymbolicConcats(KernelTable &table) {
  for (const auto &[number, dtype] : llvm::enumerate(kHalves)) {
    KernelCase row =
        caseOf("concat",
               {"symbolic",
                {kTurn, "z = Concat <axis = 2> (a, t, c)", kSoftmax},
                {{"a", {"b", "m", "k"}}, {"x", {"b", "n", "m"}}, {"c", {"b", "m", "3"}}},
                {"b", "m", "r"}},
               dtype, alternate(number));
    row.at = kConcatSizes;
    row.at[0]["m"] = 7;
    table.push_back(row);
  }
}

/// Concat of a transposed operand and others; transposes after a Reshape, before a Pad
/// and before a Softmax.
static void addBeside(KernelTable &table) {
  const Moved all[] = {{"batch",
                        {kTurn, "y = Concat <axis = 0> (t, b)"},
                        {{"x", dimsOf({4, 64, 96})}, {"b", dimsOf({2, 96, 64})}},
                        dimsOf({6, 96, 64})},
                       {"heads",
                        {"t = Transpose <perm = [0, 1, 3, 2]> (x)",
                         "z = Concat <axis = 1> (b, t)", kSoftmax},
                        {{"x", dimsOf({2, 3, 128, 64})}, {"b", dimsOf({2, 1, 64, 128})}},
                        dimsOf({2, 4, 64, 128})},
                       {"joined",
                        {"r = Reshape(x, to)", "y = Transpose <perm = [1, 0]> (r)"},
                        {{"x", dimsOf({4, 128, 80})}},
                        dimsOf({80, 512}),
                        {{"to", {512, 80}}}},
                       {"padded_windows",
                        {kTurn, "w = Reshape(t, to)", "y = Pad(w, by)"},
                        {{"x", dimsOf({16, 96, 96})}},
                        dimsOf({17, 98, 6, 16}),
                        {{"to", {16, 96, 6, 16}}, {"by", {0, 1, 0, 0, 1, 1, 0, 0}}}},
                       {"columns",
                        {kTurn, "y = Softmax <axis = 1> (t)"},
                        {{"x", dimsOf({8, 64, 128})}},
                        dimsOf({8, 128, 64})}};
  for (const auto &[number, moved] : llvm::enumerate(all))
    table.push_back(caseOf("concat", moved, kHalves[number % 3], alternate(number)));
}

void kiln::test::addMovementCases(KernelTable &table) {
  addTransposes(table);
  addBoxes(table);
  addChoices(table);
  addSymbolicChoices(table);
  addEmbeddings(table);
  addNestedChoices(table);
  addConcats(table);
  addSymbolicConcats(table);
  addBeside(table);
}
