//===- Memory.h - Checked memory of a kernel --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_INTERPRETER_MEMORY_H
#define KILN_LIB_INTERPRETER_MEMORY_H

#include "Scalar.h"

#include <string>
#include <vector>

namespace kiln::interpreter {

/// A contiguous region of memory. Results record which task wrote and which read an
/// element, so that dependences between tasks are found in any order of tasks.
struct Memory {
  enum class Kind { Operand, Result, Scratch };

  std::string name;
  Kind kind = Kind::Operand;
  char *data = nullptr;
  int64_t bytes = 0;
  std::vector<int64_t> writer, reader; // task or kNobody, per element
  bool isOperandToo = false; // a result initialized with an operand's values

  static constexpr int64_t kNobody = -1, kSeveral = -2;
};

/// The start of a buffer in a memory.
struct BufferRef {
  Memory *memory = nullptr;
  int64_t offset = 0; // bytes
  bool writable = false;
};

/// A strided view: element x is element offset + sum(x[i] * strides[i]) of the buffer.
struct View {
  BufferRef buffer;
  mlir::Type elementType;
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 4> sizes, strides;

  bool contains(llvm::ArrayRef<int64_t> index) const;
};

/// Reason why an access failed; converts to false if it succeeded.
struct AccessError {
  std::string what; // empty: no error
  bool race = false; // between tasks; otherwise out of bounds

  explicit operator bool() const { return !what.empty(); }
};

/// Reads or writes an element for a task. The index must be inside the view.
AccessError readElement(const View &view, llvm::ArrayRef<int64_t> index, int64_t task,
                        Scalar &value);
AccessError writeElement(const View &view, llvm::ArrayRef<int64_t> index, int64_t task,
                         Scalar value);

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_MEMORY_H
