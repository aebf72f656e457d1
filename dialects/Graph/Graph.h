//===- Graph.h - The graph dialect -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything a user of the dialect includes: ops, attributes, and the helpers
// that read and build symbolic tensor types.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_GRAPH_H
#define KILN_DIALECTS_GRAPH_GRAPH_H

#include "dialects/Graph/SymbolicExpr.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace kiln::graph {

class IndexingMaps;
/// The maps of an op whose operands broadcast to its result.
void readBroadcast(mlir::Operation *op, IndexingMaps &maps);

/// Marks ops whose result element depends on one element of each operand.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
public:
  void getIndexingMaps(IndexingMaps &maps) { readBroadcast(this->getOperation(), maps); }
};

/// Costs of ops without an entry of their own in GraphCost.cpp: none.
SymbolicExpr defaultBytes(mlir::Operation *op);
SymbolicExpr defaultFlops(mlir::Operation *op);

} // namespace kiln::graph

#include "dialects/Graph/GraphDialect.h.inc"
#include "dialects/Graph/GraphEnums.h.inc"
#include "dialects/Graph/GraphInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/GraphAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/Graph/GraphOps.h.inc"

namespace kiln::graph {

//===----------------------------------------------------------------------===//
// Symbolic types
//===----------------------------------------------------------------------===//

/// A shape attribute of these expressions.
ShapeAttr makeShape(mlir::MLIRContext *context, llvm::ArrayRef<SymbolicExpr> dims);
/// The expressions of a shape attribute.
Dims getDims(ShapeAttr shape);
/// One expression per dim of a ranked tensor type.
Dims getDims(mlir::Type type);
inline Dims getDims(mlir::Value value) { return getDims(value.getType()); }
/// The tensor type of these dims; the encoding is set when one is not constant.
mlir::RankedTensorType makeTensorType(llvm::ArrayRef<SymbolicExpr> dims,
                                      mlir::Type elementType);
/// Product of the dims.
SymbolicExpr numElements(llvm::ArrayRef<SymbolicExpr> dims);
/// Floats of 8, 6 and 4 bits and integers of 4 and 2: tensors hold them, and casts and
/// moves know them; all arithmetic is on wider types.
bool isNarrow(mlir::Type elementType);
/// Bytes of one element in memory; a boolean and a narrow number take one.
int64_t elementBytes(mlir::Type elementType);
/// Bytes of a tensor.
SymbolicExpr byteSize(mlir::Type tensorType);
/// The shape two operands broadcast to by ONNX's rules; nullopt if a pair of
/// dims is neither equal nor has the constant 1.
std::optional<Dims> broadcastDims(llvm::ArrayRef<SymbolicExpr> lhs,
                                  llvm::ArrayRef<SymbolicExpr> rhs);
/// True if `from` broadcasts to exactly `to`.
bool broadcastsTo(llvm::ArrayRef<SymbolicExpr> from, llvm::ArrayRef<SymbolicExpr> to);
/// "[batch, seq, 384]"
std::string printDims(llvm::ArrayRef<SymbolicExpr> dims);

/// The function that the compiler evaluates: what becomes of weights before a run.
inline constexpr llvm::StringLiteral kBakeName = "bake";
/// The functions that a package runs, in their order: @main, or the entries of a model
/// with state. They have weights, symbols and state in common.
llvm::SmallVector<mlir::func::FuncOp> programsOf(mlir::ModuleOp module);
/// The kernels of all programs, in order.
llvm::SmallVector<KernelOp> kernelsOf(mlir::ModuleOp module);

/// Name of the attribute that holds the ONNX name of an argument or result of a
/// program.
inline constexpr llvm::StringLiteral kNameAttr = "graph.name";
/// Unit attribute of a graph.cast of weights in f8E4M3FN, or of their scales in
/// f8E8M0FNU: kernels widen them as they read them, and the package stores bytes.
inline constexpr llvm::StringLiteral kInKernelAttr = "graph.in_kernel";
/// Name of the attribute that an argument and a result of a program have that are one
/// tensor, which outlives a run: the name of that state.
inline constexpr llvm::StringLiteral kStateAttr = "graph.state";
/// Between import and kiln-find-state, of an argument of a model that writes its cache in
/// place: "cache", "past" (rows that are there before the run) or "total" (behind it).
inline constexpr llvm::StringLiteral kCacheAttr = "graph.cache";
/// Unit attribute of @main between import and kiln-make-state where it is the branch with
/// a cache of a merged decoder, which exporters trace for one new row of each sequence.
inline constexpr llvm::StringLiteral kStepBranchAttr = "graph.step_branch";
/// Attribute of the argument that says how many of each sequence's new rows count,
/// {lengths, added, capacity}: the name of the state with the lengths that they are added
/// to, how many rows a run adds at most, and how many a sequence has room for, one
/// expression each. {ring, window} are there where some caches keep the last `ring` rows
/// alone (circular buffers), of which windows see `window`.
inline constexpr llvm::StringLiteral kCountsAttr = "graph.counts";
/// The operand that a kernel updates in place, of which its result `result` is the memory:
/// the state of a graph.kv_write that it yields. Nullopt of all other results.
std::optional<unsigned> updatedOperand(KernelOp kernel, unsigned result);
/// Ops that change no element: reshape, transpose, broadcast, slice.
bool isView(mlir::Operation *op);
/// The dim that an operand's elements are indices of; nullopt for other operands.
std::optional<SymbolicExpr> indexedDim(mlir::OpOperand &operand);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_GRAPH_H
