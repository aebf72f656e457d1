//===- Match.h - Queries about values ---------------------------*- C++ -*-===//
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

/// Returns the value that every element of `value` has, as far as constants, fills, and
/// views and casts of them show it.
std::optional<double> splatOf(mlir::Value value);
/// True if `found` is `expected` as an exporter may have written it in this element type:
/// within a relative 1e-5, or within the rounding of a narrow type.
bool isAbout(double found, double expected, mlir::Type elementType);
/// True if `value` is a splat and isAbout `expected`.
bool isSplatAbout(mlir::Value value, double expected);
/// Makes a scalar constant of that element type, or a constant of `dims` with all
/// elements equal.
ConstantOp makeSplat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type elementType,
                     double value, llvm::ArrayRef<int64_t> dims = {});
/// Whether the function is @bake, which the compiler evaluates, so that its speed does
/// not matter.
inline bool isBake(mlir::func::FuncOp function) { return function.getName() == kBakeName; }
/// True if the value depends on weights and constants alone.
bool isCompileTime(mlir::Value value);
/// Whether the result of `op` is known at compile time if all its operands are. False for
/// kernels, collectives, ops that read dims, and results of dynamic shape.
bool keepsCompileTime(mlir::Operation *op);
/// Returns the ops that compute `value`, in the order of their block.
llvm::SmallVector<mlir::Operation *> collectTree(mlir::Value value);

/// Moves `value` and the ops that compute it, all known at compile time, before `op`.
void moveTreeBefore(mlir::Value value, mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns the op if it is a unary or binary of that kind, else null.
UnaryOp asUnary(mlir::Value value, UnaryKind kind);
BinaryOp asBinary(mlir::Value value, BinaryKind kind);
/// The operand that is not a splat and the value of the one that is, for a commutative
/// op; the splat must not change the shape.
struct ScalarOperand {
  mlir::Value value;
  double scalar;
};
std::optional<ScalarOperand> splitScalar(BinaryOp op);
/// Matches mul and div by a splat as a multiplication: x * 2 and x / 0.5 both give {x,
/// 2}.
std::optional<ScalarOperand> asScaled(mlir::Value value);
/// Returns the op if it casts a float type to another one, else null.
CastOp asFloatCast(mlir::Value value);
bool isWidening(CastOp cast);
/// Returns the cast if it widens 16-bit floats known at compile time to f32, or bytes
/// that kernels widen (kInKernelAttr); else null.
CastOp asWidenedWeight(mlir::Value value);
/// True if the permutation swaps the last two dims and keeps the others.
bool swapsLastTwo(llvm::ArrayRef<int64_t> permutation);

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Returns a reshape of `value` to these dims; `value` itself if it has them already.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                      llvm::ArrayRef<SymbolicExpr> dims);
/// Returns a broadcast of `value` to the type; `value` itself if it has the type already.
mlir::Value broadcastTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        mlir::Type type);
/// Makes a scalar of this type (null: i64) whose value is an expression of dims.
mlir::Value makeSize(mlir::OpBuilder &builder, mlir::Location loc,
                     const SymbolicExpr &size, mlir::Type elementType = {});
/// Returns a transpose of the last two dims, composed with an existing transpose.
mlir::Value swapLastTwo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
/// Replaces the only result of `op` by `value` and erases `op` and those ops that only it
/// used.
void replaceAndErase(mlir::Operation *op, mlir::Value value);
/// Erases `op` if it has no uses, and then its operands' ops if they have none.
void eraseDead(mlir::Operation *op);

/// Returns @main, the model before kiln-make-programs; null if there is none with one
/// block.
mlir::func::FuncOp mainOf(mlir::ModuleOp module);

} // namespace kiln::graph

#endif // KILN_ANALYSIS_MATCH_H
