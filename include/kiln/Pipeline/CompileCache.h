//===- CompileCache.h - What compiles of a search have in common *- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_COMPILECACHE_H
#define KILN_PIPELINE_COMPILECACHE_H

#include "kiln/Support/ByteCache.h"

namespace kiln {

/// Kernels and quantized weights that compiles of one model share where they differ in
/// the precision of a few matmuls only: generating code and quantizing weights is most of
/// a compile. Lives as long as the process needs it.
struct CompileCache {
  ByteCache kernels; ///< objects of kernels for CPUs
  ByteCache weights; ///< those that are quantized, as a package stores them
};

} // namespace kiln

#endif // KILN_PIPELINE_COMPILECACHE_H
