//===- AttentionModel.h - A model with one Attention node -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_ATTENTIONMODEL_H
#define KILN_TEST_UNIT_KERNELS_ATTENTIONMODEL_H

#include "ModelText.h"

namespace kiln::test {

/// An Attention node of opset 23, or 24 with lengths. Dims may be symbols.
struct Attention {
  std::string queries, keys;
  int64_t depth;
  int64_t heads = 2, shared = 1;
  int64_t columns = 0;
  std::string batch = "1";
  bool causal = false;
  int64_t past = -1; ///< keys of earlier steps; -1: no such input
  Dims mask = {};
  bool lengths = false; ///< has an input with the number of keys per sequence
};

ModelText modelOf(const Attention &attention, kiln_dtype dtype);

/// Returns "f32_70x70x64_causal".
std::string nameOf(const Attention &attention, kiln_dtype dtype);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_ATTENTIONMODEL_H
