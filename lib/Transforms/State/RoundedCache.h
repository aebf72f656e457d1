//===- RoundedCache.h - Caches that are quantized on their way --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statically quantized decoder rounds its past P to one grid and past and new rows N
// together to another one, present = F(concat(G(P), N)), each by graph.quantize and
// graph.dequantize with one scale. A present becomes the next past, so a row is F(N) for
// the run that adds it and F(G(F(N))) for all later ones: rounding it again changes
// nothing. Internal to lib/Transforms/State.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_STATE_ROUNDEDCACHE_H
#define KILN_LIB_TRANSFORMS_STATE_ROUNDEDCACHE_H

#include "dialects/Graph/Graph.h"

namespace kiln::graph {

/// A present with its rounding taken in front of the concat.
struct RoundedCache {
  mlir::Value present; ///< concat(P, F(N)), which readers of F(concat(G(P), N)) read now
  mlir::Value later;   ///< F(G(F(N))), or null where that is F(N) for all values
};

/// Rewrites the readers of `present`; a null `present` where it is no rounded past with
/// new rows, or where something reads the concat without the rounding.
RoundedCache takeRounding(mlir::BlockArgument past, mlir::Value present);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_ROUNDEDCACHE_H
