//===- Machine.h - The state of a running tile program ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Interpreter. Ops are evaluated in Control.cpp (kernel, loops,
// branches), Access.cpp (views, loads, stores), Async.cpp (producer and consumers) and
// Fragments.cpp (the rest of tile); single numbers in ScalarOps.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_INTERPRETER_MACHINE_H
#define KILN_LIB_INTERPRETER_MACHINE_H

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

/// Accumulators of a group of products; group 0: nothing is in flight.
struct InFlight {
  Fragment value;
  int64_t group = 0;
};

using Value = std::variant<Scalar, Fragment, BufferRef, View, BufferHandle, BarrierHandle,
                           InFlight>;

class Machine {
public:
  /// Runs one task; the kernel's other arguments are bound already.
  mlir::LogicalResult runTask(tile::KernelOp kernel, int64_t task);
  void bind(mlir::Value name, Value value) { values[name] = std::move(value); }
  void setScratch(Memory *memory) { scratch = memory; }
  /// Shared by all tasks; the counters are 0 at first.
  void setWorkspace(Memory *memory, int64_t count) {
    workspace = memory;
    tickets.assign(count, 0);
  }
  /// Of a kernel that walks over its tasks: `count` blocks do.
  void setBlocks(int64_t count) { blocks = count; }
  /// True if every ticket that a task took was taken by as many as it is for.
  bool ticketsAreZero() const {
    return llvm::all_of(tickets, [](int64_t taken) { return taken == 0; });
  }
  Diagnosis takeError() { return std::move(error); }

private:
  using Values = llvm::SmallVector<Value>;

  // Control.cpp
  mlir::LogicalResult run(mlir::Block &block, llvm::ArrayRef<Value> arguments,
                          Values *yielded);
  mlir::LogicalResult evaluate(mlir::Operation *op);
  mlir::LogicalResult evaluateFor(mlir::Operation *op);
  mlir::LogicalResult evaluateIf(mlir::Operation *op);
  mlir::LogicalResult evaluateSwitch(mlir::Operation *op);
  mlir::LogicalResult evaluateApply(mlir::Operation *op);
  mlir::LogicalResult evaluatePipeline(tile::PipelineOp op);
  mlir::LogicalResult evaluateScalar(mlir::Operation *op);

  // Access.cpp
  mlir::LogicalResult evaluate(tile::ScratchOp op);
  mlir::LogicalResult evaluate(tile::WorkspaceOp op);
  mlir::LogicalResult evaluate(tile::TicketOp op);
  mlir::LogicalResult evaluate(tile::ViewOp op);
  mlir::LogicalResult evaluate(tile::LoadOp op);
  mlir::LogicalResult evaluate(tile::StoreOp op);
  mlir::LogicalResult evaluate(tile::GatherOp op);
  mlir::LogicalResult evaluate(tile::ScatterOp op);
  mlir::LogicalResult evaluate(tile::StageOp op);

  // Fragments.cpp
  mlir::LogicalResult evaluate(tile::FillOp op);
  mlir::LogicalResult evaluate(tile::MapOp op);
  mlir::LogicalResult evaluate(tile::ReduceOp op);
  mlir::LogicalResult evaluate(tile::BroadcastOp op);
  mlir::LogicalResult evaluate(tile::ConvertOp op);
  mlir::LogicalResult evaluate(tile::IotaOp op);
  mlir::LogicalResult evaluate(tile::SelectRangeOp op);
  mlir::LogicalResult evaluate(tile::TransposeOp op);
  mlir::LogicalResult evaluate(tile::ExtractOp op);
  mlir::LogicalResult evaluate(tile::StackOp op);
  mlir::LogicalResult evaluate(tile::MmaOp op);

  // Async.cpp
  mlir::LogicalResult evaluate(tile::AllocOp op);
  mlir::LogicalResult evaluate(tile::CreateBarriersOp op);
  mlir::LogicalResult evaluate(tile::WaitBarrierOp op);
  mlir::LogicalResult evaluate(tile::ArriveBarrierOp op);
  mlir::LogicalResult evaluate(tile::ExpectBytesOp op);
  mlir::LogicalResult evaluate(tile::AsyncCopyOp op);
  mlir::LogicalResult evaluate(tile::IssueMmaOp op);
  mlir::LogicalResult evaluate(tile::WaitMmaOp op);
  mlir::LogicalResult evaluate(tile::PendingOp op);
  mlir::LogicalResult evaluate(tile::PackOperandOp op);
  mlir::LogicalResult evaluate(tile::FirstTaskOp op);
  mlir::LogicalResult evaluate(tile::TaskStrideOp op);
  mlir::LogicalResult evaluate(tile::WarpSpecializeOp op);

  // AsyncStores.cpp
  mlir::LogicalResult evaluate(tile::WriteBufferOp op);
  mlir::LogicalResult evaluate(tile::AsyncStoreOp op);
  mlir::LogicalResult evaluate(tile::WaitStoresOp op);

  Barrier *barrier(mlir::Operation *op, mlir::Value name, mlir::Value number);
  Stage *stage(mlir::Operation *op, mlir::Value name, mlir::Value number);
  mlir::LogicalResult arrive(mlir::Operation *op, Barrier &at, int64_t count);
  mlir::LogicalResult readStage(mlir::Operation *op, mlir::Value buffer,
                                mlir::Value number, Group &group, Fragment &result);
  mlir::LogicalResult completeGroups(tile::WaitMmaOp op);
  mlir::LogicalResult pairBarriers(tile::WarpSpecializeOp op);
  mlir::LogicalResult unordered(mlir::Operation *op, std::string what);

  const Value &get(mlir::Value name) const;
  Scalar scalar(mlir::Value name) const { return std::get<Scalar>(get(name)); }
  int64_t index(mlir::Value name) const { return scalar(name).i; }
  llvm::SmallVector<int64_t> indices(mlir::ValueRange names) const;
  const Fragment &fragment(mlir::Value name) const {
    return std::get<Fragment>(get(name));
  }
  const View &view(mlir::Value name) const { return std::get<View>(get(name)); }
  Values getAll(mlir::ValueRange names) const;

  /// Remembers the first error; always fails.
  mlir::LogicalResult fail(mlir::Operation *op, ErrorCode code, std::string what);
  /// Fails with an access error if there is one.
  mlir::LogicalResult check(mlir::Operation *op, AccessError what);

  llvm::DenseMap<mlir::Value, Value> values;
  Memory *scratch = nullptr, *workspace = nullptr;
  std::vector<int64_t> tickets;
  int64_t task = 0, blocks = 1;
  AsyncState *async = nullptr; ///< in a tile.warp_specialize
  Diagnosis error;
};

/// x * y + sum, rounded once to the type.
double fusedIn(mlir::Type type, double x, double y, double sum);

/// A fragment or scalar type as rows, columns and element.
struct FragmentShape {
  explicit FragmentShape(mlir::Type type);
  int64_t rank = 0, rows = 1, columns = 1;
  mlir::Type elementType;
};

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_MACHINE_H
