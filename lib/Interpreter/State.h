//===- State.h - State of a running tile program ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values, memories and arrival counters that the ops of a kernel read and write. Internal
// to lib/Interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_INTERPRETER_STATE_H
#define KILN_LIB_INTERPRETER_STATE_H

#include "Async.h"
#include "Memory.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Support/Error.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"

#include <variant>

namespace kiln::interpreter {

/// A fragment or a staged tile, row-major; rank 1 is one row.
struct Fragment {
  int64_t rows = 1, columns = 0;
  std::vector<Scalar> elements;

  Fragment() = default;
  Fragment(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), elements(rows * columns) {}
  Scalar &at(int64_t row, int64_t column) { return elements[row * columns + column]; }
  const Scalar &at(int64_t row, int64_t column) const {
    return elements[row * columns + column];
  }
};

/// Accumulators of a group of MMAs; group 0: nothing is in flight.
struct InFlight {
  Fragment value;
  int64_t group = 0;
};

using Value = std::variant<Scalar, Fragment, BufferRef, View, BufferHandle, BarrierHandle,
                           StageHandle, InFlight>;

using Values = llvm::SmallVector<Value>;

struct State {
  void bind(mlir::Value name, Value value) { values[name] = std::move(value); }

  const Value &get(mlir::Value name) const;
  Scalar scalar(mlir::Value name) const { return std::get<Scalar>(get(name)); }
  int64_t index(mlir::Value name) const { return scalar(name).i; }
  llvm::SmallVector<int64_t> indices(mlir::ValueRange names) const;
  const Fragment &fragment(mlir::Value name) const {
    return std::get<Fragment>(get(name));
  }
  const View &view(mlir::Value name) const { return std::get<View>(get(name)); }
  Values getAll(mlir::ValueRange names) const;

  /// Records the first error; always fails.
  mlir::LogicalResult fail(mlir::Operation *op, ErrorCode::ID code, std::string what);
  /// Fails if there is an access error.
  mlir::LogicalResult check(mlir::Operation *op, AccessError what);

  llvm::DenseMap<mlir::Value, Value> values;
  Memory *scratch = nullptr, *workspace = nullptr;
  std::vector<int64_t> tickets; ///< common to all tasks
  int64_t task = 0, blocks = 1;
  CopyState copies;
  AsyncState *async = nullptr; ///< in a tile.warp_specialize
  Diagnosis error;
};

/// Rank, extents and element type of a fragment or scalar type.
struct FragmentShape {
  explicit FragmentShape(mlir::Type type);
  int64_t rank = 0, rows = 1, columns = 1;
  mlir::Type elementType;
};

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_STATE_H
