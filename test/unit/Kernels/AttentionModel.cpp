//===- AttentionModel.cpp - A model with one Attention node ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionModel.h"

using namespace kiln;
using namespace kiln::test;

ModelText kiln::test::modelOf(const Attention &a, kiln_dtype dtype) {
  std::string own = std::to_string(a.heads / a.shared), depth = std::to_string(a.depth);
  std::string columns = std::to_string(a.columns ? a.columns : a.depth);
  ModelText model(a.lengths ? 24 : 23);
  model.input("q", dtype, {a.batch, std::to_string(a.heads), a.queries, depth})
      .input("k", dtype, {a.batch, own, a.keys, depth})
      .input("v", dtype, {a.batch, own, a.keys, columns});
  std::string operands = "q, k, v", results = "y";
  bool more = !a.mask.empty() || a.past >= 0 || a.lengths;
  if (!a.mask.empty())
    model.input("m", dtype, a.mask);
  if (more)
    operands += a.mask.empty() ? ", " : ", m";
  if (a.past >= 0) {
    std::string past = std::to_string(a.past),
                all = std::to_string(std::stoll(a.keys) + a.past);
    model.input("pk", dtype, {a.batch, own, past, depth})
        .input("pv", dtype, {a.batch, own, past, columns})
        .output("nk", dtype, {a.batch, own, all, depth})
        .output("nv", dtype, {a.batch, own, all, columns});
    operands += ", pk, pv";
    results = "y, nk, nv";
  } else if (a.lengths) {
    operands += ", , ";
  }
  if (a.lengths) {
    model.input("lengths", KILN_DTYPE_I64, {a.batch});
    operands += ", lengths";
  }
  model.output("y", dtype, {a.batch, std::to_string(a.heads), a.queries, columns});
  return model.node("[attention] " + results + " = Attention <is_causal = " +
                    (a.causal ? "1" : "0") + "> (" + operands + ")");
}

std::string kiln::test::nameOf(const Attention &a, kiln_dtype dtype) {
  return std::string(kiln_dtype_name(dtype)) + "_" + a.queries + "x" + a.keys + "x" +
         std::to_string(a.depth) + (a.causal ? "_causal" : "") +
         (a.past >= 0 ? "_past" + std::to_string(a.past) : "") +
         (a.lengths ? "_lengths" : "") + (a.mask.empty() ? "" : "_mask");
}
