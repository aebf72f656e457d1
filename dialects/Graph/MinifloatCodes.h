//===- MinifloatCodes.h - Codes that stand for small floats -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_MINIFLOATCODES_H
#define KILN_DIALECTS_GRAPH_MINIFLOATCODES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace kiln::graph {

/// On graph.quantize_weight with 8 bits: the codes are numbers of f6E2M3FN, in eighths,
/// and 128 above them. They are integers that graph.scaled_matmul multiplies as any other
/// ones; a scale is an eighth of that of the block.
inline constexpr llvm::StringLiteral kE2m3Attr = "e2m3";
/// The largest number, 7.5, in eighths.
inline constexpr int64_t kMaxE2m3 = 60;

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_MINIFLOATCODES_H
