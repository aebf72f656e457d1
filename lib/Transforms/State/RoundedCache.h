//===- RoundedCache.h - Quantized caches of static models -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statically quantized decoder rounds its past P to one grid, and past and new rows N
// together to another one: present = F(concat(G(P), N)), each with graph.quantize and
// graph.dequantize with one scale. A present becomes the next past, so a row is F(N) in
// the run that adds it and F(G(F(N))) in all later ones, as further rounding changes
// nothing. Internal to lib/Transforms/State.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_STATE_ROUNDEDCACHE_H
#define KILN_LIB_TRANSFORMS_STATE_ROUNDEDCACHE_H

#include "dialects/Graph/Graph.h"

namespace kiln::graph {

/// A present whose rounding was moved before the concat.
struct RoundedCache {
  mlir::Value present; ///< concat(P, F(N)), which replaces F(concat(G(P), N))
  mlir::Value later;   ///< F(G(F(N))), or null if that equals F(N) for all values
};

/// Rewrites the users of `present`; `present` is null if it is not a rounded past
/// followed by new rows, or if the concat has users that read it without rounding.
RoundedCache takeRounding(mlir::BlockArgument past, mlir::Value present);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_STATE_ROUNDEDCACHE_H
