//===- CompileCache.h - Cache for the compiles of a search ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_COMPILECACHE_H
#define KILN_PIPELINE_COMPILECACHE_H

#include "kiln/Support/ByteCache.h"

namespace kiln {

/// Kernels and quantized weights for compiles of one model that differ only in the
/// precision of a few matmuls: code generation and quantization take most of a compile.
/// Lives as long as the process needs it.
struct CompileCache {
  ByteCache kernels; ///< object code of kernels for CPUs
  ByteCache weights; ///< quantized weights in the package's layout
};

} // namespace kiln

#endif // KILN_PIPELINE_COMPILECACHE_H
