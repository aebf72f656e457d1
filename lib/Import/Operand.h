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

struct Choice;

/// An MLIR value, the known content of an integer tensor, or both. A value that is only
/// used for shapes never becomes an op.
struct Operand {
  mlir::Value value;
  std::shared_ptr<const IntTensor> content;
  /// Reason why the content is unknown although it depends only on sizes.
  std::shared_ptr<const Undecided> undecided = nullptr;
  /// Both values of an If whose condition is computed at run time; else null.
  std::shared_ptr<const Choice> choice = nullptr;

  explicit operator bool() const { return value || content || choice; }
  mlir::RankedTensorType type() const;
};

/// One of two values. A select is built only if it must be: readers of tables gather the
/// rows that they need from both and select between these, and the tables may have
/// different numbers of rows.
struct Choice {
  mlir::Value condition; ///< of rank 0
  Operand onTrue, onFalse;
  std::shared_ptr<const Undecided> undecided; ///< why the condition is not known, if it
                                              ///< follows from sizes alone

  bool isOneType() const { return onTrue.type() == onFalse.type(); }
};

/// Returns the type of the value; if it is one of two tables, the type of the one with
/// more rows.
inline mlir::RankedTensorType Operand::type() const {
  if (!value && !content && choice) {
    mlir::RankedTensorType a = choice->onTrue.type(), b = choice->onFalse.type();
    return choice->isOneType() || a.getDimSize(0) > b.getDimSize(0) ? a : b;
  }
  return value ? mlir::cast<mlir::RankedTensorType>(value.getType()) : content->type();
}

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPERAND_H
