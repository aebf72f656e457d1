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
/// Sets the maps of an op whose operands broadcast to its result.
void readBroadcast(mlir::Operation *op, IndexingMaps &maps);

/// Marks ops whose result element depends on one element of each operand.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
public:
  void getIndexingMaps(IndexingMaps &maps) { readBroadcast(this->getOperation(), maps); }
};

/// Costs of ops without an entry in GraphCost.cpp: zero.
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

/// Makes a shape attribute of these expressions.
ShapeAttr makeShape(mlir::MLIRContext *context, llvm::ArrayRef<SymbolicExpr> dims);
/// Returns the expressions of a shape attribute.
Dims getDims(ShapeAttr shape);
/// Returns one expression per dim of a ranked tensor type.
Dims getDims(mlir::Type type);
inline Dims getDims(mlir::Value value) { return getDims(value.getType()); }
/// Makes a tensor type with these dims; the encoding is set when one is not constant.
mlir::RankedTensorType makeTensorType(llvm::ArrayRef<SymbolicExpr> dims,
                                      mlir::Type elementType);
/// True of the element types that tensors of a model have: signless integers of 1, 2, 4,
/// 8, 16, 32 and 64 bits, unsigned ones of 2 bits and more, and floats of 64 to 4 bits.
bool isElementType(mlir::Type type);
/// Bytes that one tensor may have: sums of many of them do not overflow.
inline constexpr int64_t kMaxTensorBytes = int64_t(1) << 48;
/// True of ranked tensors of such elements, dense or with a #graph.shape, whose static
/// dims do not make more bytes than a tensor may have.
bool isModelTensor(mlir::Type type);
/// Product of the dims.
SymbolicExpr numElements(llvm::ArrayRef<SymbolicExpr> dims);
/// Whether the type is a float of 8, 6 or 4 bits or an integer of 4 or 2. Tensors hold
/// such elements and casts and data movement accept them; arithmetic needs wider types.
bool isNarrow(mlir::Type elementType);
/// Bytes of one element in memory; booleans and narrow types (isNarrow) take one byte.
int64_t elementBytes(mlir::Type elementType);
/// Bytes of a tensor.
SymbolicExpr byteSize(mlir::Type tensorType);
/// Returns the shape that two operands broadcast to by ONNX's rules; nullopt if a pair of
/// dims is neither equal nor has the constant 1.
std::optional<Dims> broadcastDims(llvm::ArrayRef<SymbolicExpr> lhs,
                                  llvm::ArrayRef<SymbolicExpr> rhs);
/// True if `from` broadcasts to exactly `to`.
bool broadcastsTo(llvm::ArrayRef<SymbolicExpr> from, llvm::ArrayRef<SymbolicExpr> to);
/// "[batch, seq, 384]"
std::string printDims(llvm::ArrayRef<SymbolicExpr> dims);

/// Name of the function that the compiler evaluates to prepare weights for all later
/// runs.
inline constexpr llvm::StringLiteral kBakeName = "bake";
/// Returns the functions that a package runs, in order: @main, or the entry points of a
/// model with state. They share weights, symbols and state.
llvm::SmallVector<mlir::func::FuncOp> programsOf(mlir::ModuleOp module);
/// Returns the kernels of all programs, in order.
llvm::SmallVector<KernelOp> kernelsOf(mlir::ModuleOp module);

/// Name of the attribute that holds the ONNX name of an argument or result of a
/// program.
inline constexpr llvm::StringLiteral kNameAttr = "graph.name";
/// Unit attribute of a graph.cast of weights in f8E4M3FN or of their scales in f8E8M0FNU:
/// kernels widen the elements as they read them, and the package stores the narrow type.
inline constexpr llvm::StringLiteral kInKernelAttr = "graph.in_kernel";
/// Name of the attribute with the name of a state, a tensor that outlives a run. The
/// argument and the result of a program that both have it are one tensor.
inline constexpr llvm::StringLiteral kStateAttr = "graph.state";
/// Attribute of an argument of a model that writes its cache in place, between import and
/// kiln-find-state: "cache", "past" (number of rows before the run) or "total" (number of
/// rows after it).
inline constexpr llvm::StringLiteral kCacheAttr = "graph.cache";
/// Attribute of an argument and a result of @main between kiln-find-state and
/// kiln-make-state: the name of the past. The result is the past followed by new rows.
inline constexpr llvm::StringLiteral kPastAttr = "graph.past";
/// Unit attribute of @main between import and kiln-make-state: @main is the with-past
/// branch of a merged decoder, which exporters trace for one new row per sequence.
inline constexpr llvm::StringLiteral kStepBranchAttr = "graph.step_branch";
/// Attribute of the argument with the number of valid new rows per sequence, {lengths,
/// added, capacity}: the name of the state that holds the lengths, the maximum number of
/// rows that a run adds, and the maximum length of a sequence, both as expressions.
/// {ring, window} are present where some caches are circular buffers of the last `ring`
/// rows, of which a sliding window sees `window`.
inline constexpr llvm::StringLiteral kCountsAttr = "graph.counts";
/// Returns the operand that a kernel updates in place and whose memory its result
/// `result` is: the state of a graph.kv_write that the kernel yields. Nullopt for other
/// results.
std::optional<unsigned> updatedOperand(KernelOp kernel, unsigned result);
/// Ops that change no element: reshape, transpose, broadcast, slice.
bool isView(mlir::Operation *op);
/// The dim that the elements of an operand index; nullopt if the operand holds no
/// indices.
std::optional<SymbolicExpr> indexedDim(mlir::OpOperand &operand);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_GRAPH_H
