//===- Operand.h - A value of the ONNX graph during import ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPERAND_H
#define KILN_LIB_IMPORT_OPERAND_H

#include "lib/Import/IntTensor.h"
#include "lib/Import/Symbols.h"

#include <memory>

namespace kiln::import {

/// An MLIR value, the known content of an integer tensor, or both. A value that
/// is only used for shapes never becomes an op.
struct Operand {
  mlir::Value value;
  std::shared_ptr<const IntTensor> content;
  /// Why the content is not known though it follows from sizes alone.
  std::shared_ptr<const Undecided> undecided = nullptr;

  explicit operator bool() const { return value || content; }
  mlir::RankedTensorType type() const {
    return value ? mlir::cast<mlir::RankedTensorType>(value.getType()) : content->type();
  }
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPERAND_H
