//===- Edits.h - What makes a module smaller --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REDUCE_EDITS_H
#define KILN_LIB_REDUCE_EDITS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace kiln::reduce {

/// Place of an edit: an op, or the operand, result, argument or list entry of that
/// number, or the attribute of that name.
struct Site {
  mlir::Operation *op = nullptr;
  unsigned index = 0;
  mlir::StringAttr name = {};
};
using Sites = std::vector<Site>;

/// Kind of edits of modules.
struct ModuleEdit {
  llvm::StringLiteral name;
  /// Adds the places where it can be made, in an order that depends on the module alone.
  void (*collect)(mlir::ModuleOp module, Sites &sites);
  /// Makes the edits of some of these places; false if nothing changed. What comes out
  /// may be invalid.
  bool (*apply)(mlir::ModuleOp module, llvm::ArrayRef<Site> sites);
};

/// Ops of modules: functions, kernels, nested modules, weights, symbols that no shape
/// uses.
extern const ModuleEdit kEraseDeclarations;
/// Ops of programs: their results become inputs of the program, and their operands
/// outputs where nothing else reads them.
extern const ModuleEdit kCutPrograms;
/// Ops in graph.kernel, as kCutPrograms does.
extern const ModuleEdit kCutKernels;
/// Outputs of programs, and results of kernels that nothing reads.
extern const ModuleEdit kDropOutputs;
/// Arguments of programs and kernels that nothing reads.
extern const ModuleEdit kDropArguments;

/// Ops whose results nothing reads, and what is dead then.
extern const ModuleEdit kEraseUnused;
/// Results replaced by an operand of their type.
extern const ModuleEdit kReplaceByOperand;
/// Operands that an op can be without.
extern const ModuleEdit kDropOperands;
/// Results and arguments replaced by an argument of their type.
extern const ModuleEdit kReplaceByArgument;
/// Results and arguments of kernels replaced by a constant of their type.
extern const ModuleEdit kReplaceByConstant;
/// Loops replaced by their first iteration, conditions by a branch of them.
extern const ModuleEdit kInlineRegions;

/// Launches, copies and collectives of plans; lifetimes count those that are left.
extern const ModuleEdit kDropSteps;
/// Buffers that no step uses, and arenas without buffers.
extern const ModuleEdit kDropBuffers;

/// Attributes that an op can be without: it then has the default.
extern const ModuleEdit kDropAttributes;
/// All locations.
extern const ModuleEdit kDropLocations;

/// Symbolic dims replaced by 1.
extern const ModuleEdit kSymbolsToOne;
/// Ranges of symbolic dims replaced by their lower end.
extern const ModuleEdit kNarrowSymbols;
/// Static dims: a size divided out of all that are multiples of it, or replaced by 1.
extern const ModuleEdit kShrinkDims;

/// True if locations say more than the line of the text that was read.
bool hasLocations(mlir::ModuleOp module);

} // namespace kiln::reduce

#endif // KILN_LIB_REDUCE_EDITS_H
