//===- GraphBuilder.h - Building graph ops with checks ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One method per graph op. Dims that the op requires to be equal are unified. A method
// that cannot build its op reports a coded error at the node and returns a null value;
// null operands give null results without another error, so handlers can compose methods
// and check once, at the end.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_GRAPHBUILDER_H
#define KILN_LIB_IMPORT_GRAPHBUILDER_H

#include "dialects/Graph/Graph.h"
#include "kiln/Support/Error.h"
#include "lib/Import/IntTensor.h"
#include "lib/Import/Symbols.h"
#include "mlir/IR/Builders.h"

namespace kiln::import {

class GraphBuilder {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;

  GraphBuilder(mlir::OpBuilder &builder, Symbols &symbols, mlir::Location loc)
      : builder(builder), symbols(symbols), loc(loc) {}

  // Elementwise.
  Value unary(graph::UnaryKind kind, Value input);
  Value binary(graph::BinaryKind kind, Value lhs, Value rhs);
  Value compare(graph::CompareKind kind, Value lhs, Value rhs);
  Value select(Value condition, Value onTrue, Value onFalse);
  Value cast(Value input, Type elementType);

  // Constants.
  /// Builds a constant; one too large for graph.constant becomes a concat of parts.
  Value constant(mlir::DenseElementsAttr value);
  /// Builds a tensor of rank 0.
  Value scalar(Type elementType, double value);
  Value scalarLike(Value like, double value) { return scalar(elementType(like), value); }
  Value fill(llvm::ArrayRef<SymbolicExpr> dims, Type elementType, double value);
  Value iota(llvm::ArrayRef<SymbolicExpr> dims, Type elementType, int64_t axis,
             double start = 0, double step = 1);
  /// Builds the content as a tensor.
  Value integers(const IntTensor &content);

  // Movement.
  Value reshape(Value input, llvm::ArrayRef<SymbolicExpr> dims);
  Value transpose(Value input, llvm::ArrayRef<int64_t> permutation);
  Value broadcast(Value input, llvm::ArrayRef<SymbolicExpr> dims);
  Value slice(Value input, llvm::ArrayRef<SymbolicExpr> starts,
              llvm::ArrayRef<SymbolicExpr> sizes, llvm::ArrayRef<int64_t> steps);
  /// Slices elements [start, start + size) along one axis.
  Value slice(Value input, int64_t axis, SymbolicExpr start, SymbolicExpr size);
  Value concat(llvm::ArrayRef<Value> inputs, int64_t axis);
  Value gather(Value data, Value indices, int64_t axis);
  /// Builds graph.scatter: data [b, n, s], indices [b, m, s] or [b, m, 1], updates [b, m,
  /// s]; without `combine` updates replace elements.
  Value scatter(Value data, Value indices, Value updates,
                std::optional<graph::ReduceKind> combine);
  /// Inserts a dim of size 1 by a reshape.
  Value unsqueeze(Value input, int64_t axis);

  // Reductions.
  Value reduce(graph::ReduceKind kind, Value input, llvm::ArrayRef<int64_t> axes,
               bool keepDims);
  Value softmax(Value input, int64_t axis);
  Value layerNorm(Value input, Value scale, Value bias, int64_t axis, double epsilon);
  Value rmsNorm(Value input, Value scale, int64_t axis, double epsilon);

  // Contractions.
  Value matmul(Value lhs, Value rhs, bool transposeA = false, bool transposeB = false);
  /// Builds graph.attention. `codeScales` [B, Hkv, T] marks keys and values as quantized
  /// and multiplies both.
  Value attention(Value query, Value key, Value value, Value mask, double scale,
                  bool causal, Value lengths = {}, bool fromLength = false,
                  bool maskedZero = false, double softcap = 0, Value sinks = {},
                  int64_t window = 0, Value codeScales = {});
  /// Rotates the pairs of x by the angles with these cosines and sines.
  Value rope(Value x, Value cosine, Value sine, bool interleaved);

  /// Returns the value with dims in terms of the symbols that remain after unification.
  Value canonical(Value value);

  // Shapes.
  Dims dims(Value value) const;
  int64_t rank(Value value) const { return dims(value).size(); }
  static Type elementType(Value value);
  /// Broadcasts the values' dims, unifying them; nullopt after an error.
  std::optional<Dims> broadcastShape(llvm::MutableArrayRef<Value> values);
  /// Returns the broadcast of two shapes, after unification; reports no error.
  std::optional<Dims> broadcastDims(llvm::ArrayRef<SymbolicExpr> a,
                                    llvm::ArrayRef<SymbolicExpr> b);
  /// Unifies the dims, or reports `what`.
  mlir::LogicalResult unify(const SymbolicExpr &a, const SymbolicExpr &b,
                            llvm::StringRef what);
  /// Reports dims that are negative or too large.
  mlir::LogicalResult checkDims(llvm::ArrayRef<SymbolicExpr> dims);

  /// Reports an error at the node; returns `failure()`.
  mlir::LogicalResult fail(ErrorCode::ID code, const llvm::Twine &what,
                           const llvm::Twine &expected = "",
                           const llvm::Twine &found = "", const llvm::Twine &fix = "");
  /// Handles `what` that depends on sizes: narrows default ranges, which restarts the
  /// import, or reports that `what` is not the same for all sizes, with ranges for which
  /// it is.
  mlir::LogicalResult failUndecided(const llvm::Twine &what, const Undecided &undecided);
  /// Reports a form of the op that cannot be imported.
  mlir::LogicalResult unsupported(const llvm::Twine &what, const llvm::Twine &expected,
                                  const llvm::Twine &found);

  mlir::OpBuilder &builder;
  Symbols &symbols;
  mlir::Location loc;

private:
  template <typename OpT, typename... Args> Value inferred(Args &&...args);
  template <typename OpT, typename... Args>
  Value typed(mlir::RankedTensorType type, Args &&...args);
  using InferTypes = mlir::LogicalResult (*)(mlir::MLIRContext *,
                                             std::optional<mlir::Location>,
                                             mlir::ValueRange, mlir::DictionaryAttr,
                                             mlir::OpaqueProperties, mlir::RegionRange,
                                             llvm::SmallVectorImpl<Type> &);
  Value inferAndCreate(mlir::OperationState &state, InferTypes infer);
  /// Reports a reshape that changes the number of elements for some size.
  mlir::LogicalResult checkReshape(llvm::ArrayRef<SymbolicExpr> from,
                                   llvm::ArrayRef<SymbolicExpr> to);
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_GRAPHBUILDER_H
