//===- Match.h - What the graph passes ask about values ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ANALYSIS_MATCH_H
#define KILN_ANALYSIS_MATCH_H

#include "dialects/Graph/Graph.h"

#include <optional>
#include <string>

namespace kiln::graph {

inline mlir::Type elementTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}
inline int64_t rankOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getRank();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The number every element of `value` equals, as far as constants, fills and
/// the views and casts of them show it.
std::optional<double> splatOf(mlir::Value value);
/// `found` is `expected` as an exporter may have written it in this element
/// type: off by a relative 1e-5, or by the rounding of a narrow type.
bool isAbout(double found, double expected, mlir::Type elementType);
/// splatOf(value) isAbout expected.
bool isSplatAbout(mlir::Value value, double expected);
/// A scalar constant of that element type, or of `dims` with every element equal.
ConstantOp makeSplat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type elementType,
                     double value, llvm::ArrayRef<int64_t> dims = {});
/// The function that the compiler evaluates: speed is no concern there.
inline bool isBake(mlir::func::FuncOp function) { return function.getName() == kBakeName; }
/// True if the value follows from weights and constants alone.
bool isCompileTime(mlir::Value value);
/// Whether the result of `op` is known at compile time if all its operands are. False for
/// kernels, collectives, ops that read dims, and results of dynamic shape.
bool keepsCompileTime(mlir::Operation *op);
/// The ops that `value` is computed by, in the order of their block.
llvm::SmallVector<mlir::Operation *> collectTree(mlir::Value value);

/// Moves `value` and the ops that compute it, all known at compile time, before `op`.
void moveTreeBefore(mlir::Value value, mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The op if it is a unary or binary of that kind, else null.
UnaryOp asUnary(mlir::Value value, UnaryKind kind);
BinaryOp asBinary(mlir::Value value, BinaryKind kind);
/// The operand that is not a splat and the number of the one that is, for a
/// commutative op; the splat must not change the shape.
struct ScalarOperand {
  mlir::Value value;
  double scalar;
};
std::optional<ScalarOperand> splitScalar(BinaryOp op);
/// mul and div by a splat, as a factor: x * 2 and x / 0.5 both give {x, 2}.
std::optional<ScalarOperand> asScaled(mlir::Value value);
/// A cast of a float type to another one.
CastOp asFloatCast(mlir::Value value);
bool isWidening(CastOp cast);
/// The cast if it makes f32 of floats of 16 bits that are known at compile time, or of
/// bytes that kernels widen (kInKernelAttr); else null.
CastOp asWidenedWeight(mlir::Value value);
/// The permutation leaves every dim but swaps the last two.
bool swapsLastTwo(llvm::ArrayRef<int64_t> permutation);

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// A reshape of `value` to those dims; the value itself if it has them already.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                      llvm::ArrayRef<SymbolicExpr> dims);
/// `value` broadcast to the type; the value itself if it has it already.
mlir::Value broadcastTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        mlir::Type type);
/// A scalar of this type (null: i64) that is an expression of dims.
mlir::Value makeSize(mlir::OpBuilder &builder, mlir::Location loc,
                     const SymbolicExpr &size, mlir::Type elementType = {});
/// A transpose of the last two dims, composed with one that is already there.
mlir::Value swapLastTwo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
/// Replaces the only result of `op` by `value` and erases what nobody uses any
/// more, from `op` on through its operands.
void replaceAndErase(mlir::Operation *op, mlir::Value value);
/// Erases `op` if nobody uses it, and then what only it used.
void eraseDead(mlir::Operation *op);

/// Remarks of the pass `pass`, named `name`: remarkMissed(...) << "text". The
/// category is the pass's flag, for --remarks-filter-{missed,passed}.
void remarkMissed(mlir::Operation *op, llvm::StringRef pass, llvm::StringRef name,
                  const std::string &why);
void remarkPassed(mlir::Operation *op, llvm::StringRef pass, llvm::StringRef name,
                  const std::string &what);

} // namespace kiln::graph

#endif // KILN_ANALYSIS_MATCH_H
