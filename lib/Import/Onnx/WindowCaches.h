//===- WindowCaches.h - Window-sized caches ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_ONNX_WINDOWCACHES_H
#define KILN_LIB_IMPORT_ONNX_WINDOWCACHES_H

#include "lib/Import/Onnx/Proto.h"

namespace kiln::import {

/// Gives the pasts of GroupQueryAttention with sliding_window_cache the symbolic length
/// of the model's other pasts, or past_sequence_length if it has none.
///
/// Dim 2 of such a past, often a constant, is the size of a buffer from which the op
/// evicts rows. As state, a cache counts the positions of its sequence, and Kiln selects
/// the number of rows that it keeps, independently of the model's buffer size.
void nameWindowCaches(onnx::GraphProto &graph);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_ONNX_WINDOWCACHES_H
