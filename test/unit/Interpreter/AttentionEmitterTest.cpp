//===- AttentionEmitterTest.cpp - Attention kernels as tile programs ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitterFixture.h"

using namespace kiln;
using namespace kiln::interpreter;

namespace {
/// The tests with many masks take longest: they are separate for each element type, so
/// that test tiers can select them.
struct MaskedAttention : Emitters, testing::WithParamInterface<std::string> {};
} // namespace

TEST_F(Emitters, Attention) {
  std::string q = "tensor<2x4x?x8xf32, #graph.shape<[n] -> [2, 4, n, 8]>>";
  std::string k = "tensor<2x2x?x8xf32, #graph.shape<[m] -> [2, 2, m, 8]>>";
  std::string mask = "tensor<2x1x1x?xf32, #graph.shape<[m] -> [2, 1, 1, m]>>";
  std::string types = "(" + q + ", " + k + ", " + k;
  for (const Symbols &sizes : kSizes) {
    check(mainOf({q, k, k}, q,
                 "%r = graph.attention %a, %b, %c {scale = 0.35 : f64} : " + types +
                     ") -> " + q),
          sizes);
    check(mainOf({q, k, k, mask}, q,
                 "%r = graph.attention %a, %b, %c mask %d {scale = 0.35 : f64} : " +
                     types + ", " + mask + ") -> " + q),
          sizes);
  }
  // Causal attention with equal numbers of queries and keys.
  std::string s = "tensor<2x2x?x8xf32, #graph.shape<[n] -> [2, 2, n, 8]>>";
  for (const Symbols &sizes : kSizes)
    check(mainOf({s, s, s}, s,
                 "%r = graph.attention %a, %b, %c {causal, scale = 0.35 : f64} : (" + s +
                     ", " + s + ", " + s + ") -> " + s),
          sizes);
}

/// Infinities and NaN in keys and values reach the queries that see them and no others; a
/// query that sees no key gives NaN, or 0.
TEST_P(MaskedAttention, WhatIsSeen) {
  std::string element = GetParam();
  std::string q = "tensor<2x4x?x8x" + element + ", #graph.shape<[n] -> [2, 4, n, 8]>>";
  std::string k = "tensor<2x2x?x8x" + element + ", #graph.shape<[n] -> [2, 2, n, 8]>>";
  std::string m = "tensor<2x1x1x?xf32, #graph.shape<[n] -> [2, 1, 1, n]>>";
  std::string perQuery = "tensor<4x?x?xf32, #graph.shape<[n] -> [4, n, n]>>";
  std::string types = " : (" + q + ", " + k + ", " + k;
  double tolerance = element == "f32" ? 2e-5 : 1.6e-2;
  auto attention = [&](const std::string &operands, const std::string &attributes) {
    return "%r = graph.attention %a, %b, %c" + operands + " {" + attributes +
           ", scale = 0.35 : f64}" + types;
  };
  for (const Symbols &sizes : {kSizes[2], kSizes[4]}) {
    check(mainOf({q, k, k}, q, attention("", "causal") + ") -> " + q), sizes, tolerance,
          Flavour::NonFinite);
    check(mainOf({q, k, k, m}, q,
                 attention(" mask %d", "causal, masked_zero") + ", " + m + ") -> " + q),
          sizes, tolerance, Flavour::NonFinite);
    // Keys that the mask hides are not visible; its other values are added to the scores.
    for (std::string attributes : {"mask_hides", "mask_hides, masked_zero",
                                   "causal, mask_hides", "mask_hides, nan_zero"})
      for (const std::string &mask : {m, perQuery})
        check(mainOf({q, k, k, mask}, q,
                     attention(" mask %d", attributes) + ", " + mask + ") -> " + q),
              sizes, tolerance, Flavour::NonFinite);
    check(mainOf({q, k, k, "tensor<2xi64>"}, q,
                 attention(" lengths %d", "causal, masked_zero") +
                     ", tensor<2xi64>) -> " + q),
          sizes, tolerance, Flavour::NonFinite);
  }
}

/// Softcapped scores, with NaN, infinities and empty rows that count as 0.
TEST_P(MaskedAttention, CappedScores) {
  std::string element = GetParam();
  std::string q = "tensor<2x4x?x8x" + element + ", #graph.shape<[n] -> [2, 4, n, 8]>>";
  std::string k = "tensor<2x2x?x8x" + element + ", #graph.shape<[n] -> [2, 2, n, 8]>>";
  std::string m = "tensor<2x1x1x?xf32, #graph.shape<[n] -> [2, 1, 1, n]>>";
  std::string types = " : (" + q + ", " + k + ", " + k;
  double tolerance = element == "f32" ? 2e-5 : 1.6e-2;
  for (const Symbols &sizes : {kSizes[2], kSizes[4]}) {
    check(mainOf({q, k, k}, q,
                 "%r = graph.attention %a, %b, %c {causal, nan_zero, scale = 0.35 : f64, "
                 "softcap = 0.5 : f64}" +
                     types + ") -> " + q),
          sizes, tolerance);
    for (std::string attributes : {"nan_zero, scale = 0.35 : f64, softcap = 0.5 : f64",
                                   "nan_zero, scale = 0.35 : f64"})
      check(mainOf({q, k, k, m}, q,
                   "%r = graph.attention %a, %b, %c mask %d {" + attributes + "}" +
                       types + ", " + m + ") -> " + q),
            sizes, tolerance, Flavour::NonFinite);
  }
}

/// Keys and values beyond a sequence's length are cut off from memory: an access to them
/// is reported.
TEST_F(Emitters, AttentionReadsToTheLength) {
  std::string q = "tensor<1x1x?x8xf32, #graph.shape<[n] -> [1, 1, n, 8]>>";
  std::string k = "tensor<1x1x?x8xf32, #graph.shape<[m] -> [1, 1, m, 8]>>";
  bytesOfKeys = 8 * sizeof(float); // inputs are generated: the length is 1
  check(mainOf({q, k, k, "tensor<1xi32>"}, q,
               "%r = graph.attention %a, %b, %c lengths %d {masked_zero, scale = 0.35 : "
               "f64} : (" +
                   q + ", " + k + ", " + k + ", tensor<1xi32>) -> " + q),
        {{"n", 5}, {"m", 40}});
}

INSTANTIATE_TEST_SUITE_P(Elements, MaskedAttention, testing::Values("f32", "bf16"),
                         [](const auto &info) { return info.param; });
