//===- Advice.h - Workarounds for unsupported ops ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_ADVICE_H
#define KILN_LIB_IMPORT_ADVICE_H

#include "lib/Import/Onnx/Proto.h"
#include "llvm/ADT/StringRef.h"

namespace kiln::import {

/// Returns a workaround for a model with a node whose op cannot be imported.
llvm::StringRef adviceFor(const onnx::NodeProto &node);

/// Returns a phrase that names the kind of an unsupported op; "" if its name is enough.
llvm::StringRef kindOf(const onnx::NodeProto &node);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_ADVICE_H
