//===- KernelFamily.h - The kinds of kernels, as a table --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that the compiler asks about a kind of kernel: how fusion forms it, whether code
// can be generated, which configs it has and why, which variants, and the code itself.
// The rows stand in lib/Codegen/KernelFamilies.cpp, each provided by its family's folder;
// docs/hacking/kernel-families.md shows how to add one.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_KERNELFAMILY_H
#define KILN_CODEGEN_KERNELFAMILY_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Codegen/Explain.h"
#include "kiln/Codegen/Variant.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln::codegen {

/// Op that a kernel is built around, and what fusion may join to it.
struct Hero {
  llvm::StringLiteral name; ///< of its kernels
  /// An op that could join kernels of several heroes joins the one that is highest here.
  unsigned precedence = 0;
  /// Operands of the hero that the kernel may compute itself: all (elementwise kernels),
  /// the first one (rows), those that `computesOperand` says, or none (operands are read
  /// from memory, through views at most).
  enum class Prologue { All, First, ByCost, None } prologue = Prologue::None;
  /// Readers of the hero's result that may join: all that is computed, elementwise ops of
  /// its shape, those of them whose results are not wider than the hero's (what the hero
  /// rounds on the way is as exact as its own type, and no more), or none.
  enum class Epilogue { All, Elementwise, NotWider, None } epilogue = Epilogue::None;
  /// Transposes and reshapes behind it become part of where it writes, and elementwise
  /// ops behind those part of its epilogue.
  bool absorbsViews = false;
  /// With Prologue::ByCost: whether the kernel should compute this operand by these
  /// elementwise ops, the last of which makes it, rather than read their result.
  bool (*computesOperand)(mlir::OpOperand &operand,
                          llvm::ArrayRef<mlir::Operation *> producers) = nullptr;

  /// Whether `value`, read through views, is a part of the columns of the hero's result
  /// that its epilogue computes beside the other parts, so that ops may join that read
  /// several. Null: no part is.
  bool (*isColumnPart)(mlir::Value value, mlir::Operation *hero) = nullptr;

  bool isPlain() const { return prologue == Prologue::All && epilogue == Epilogue::All; }
};

/// One code that is asked for: of a kernel for a target, for all launches or some.
struct CodeRequest {
  graph::KernelOp kernel;
  const TargetInfo &target;
  std::optional<Variant> variant = std::nullopt;
};

/// A number that variants may bound, over the model's symbols.
struct Quantity {
  std::string name; ///< letters only: "rows"
  graph::SymbolicExpr value;
};

using ConfigProblem = std::optional<Diagnosis>;

/// A row of the table. Functions that may be null say so.
struct KernelFamily {
  llvm::StringLiteral name;
  /// Kinds of configs that can be given from outside: "gemm" is #tile.gemm_config.
  std::vector<llvm::StringLiteral> configs;

  /// The hero that an op is for this family; null: none.
  const Hero *(*heroOf)(mlir::Operation *op);
  /// Whether a kernel is this family's, by its body and not by its name. The first row
  /// that says so has it, also where it then cannot emit it.
  bool (*matches)(graph::KernelOp kernel);
  /// Whether `emit` will succeed for every target; else `why` says what stands in the
  /// way.
  bool (*canEmit)(graph::KernelOp kernel, std::string *why);
  /// An operand that should be read from a copy, see EmitKernel.h. May be null.
  std::optional<unsigned> (*operandToCopy)(graph::KernelOp kernel,
                                           llvm::ArrayRef<std::string> targets);

  /// The config of a code; null where there is no choice that could be given from
  /// outside.
  mlir::Attribute (*chooseConfig)(const CodeRequest &request);
  /// The candidates, best first, and what ranks them: costs in ns where the family has a
  /// model.
  Explanation (*explain)(const CodeRequest &request);
  /// Further configs near the chosen one that are worth measuring. May be null.
  llvm::SmallVector<mlir::Attribute> (*variations)(mlir::Attribute chosen);
  ConfigProblem (*checkConfig)(const CodeRequest &request, mlir::Attribute config);

  /// Quantities that variants of a kernel may bound; and the variants, in ascending
  /// order, that have code of their own beside that for all launches. Both may be null.
  std::vector<Quantity> (*quantities)(graph::KernelOp kernel);
  llvm::SmallVector<Variant> (*variants)(graph::KernelOp kernel,
                                         const TargetInfo &target);

  /// The tile program, at the builder's insertion point; config: null for the best one.
  mlir::FailureOr<tile::KernelOp> (*emit)(const CodeRequest &request,
                                          mlir::OpBuilder &builder,
                                          mlir::Attribute config);
};

/// Adds a row, in front of the row of that name or else behind all. Before anything is
/// compiled.
void registerKernelFamily(const KernelFamily &family, llvm::StringRef before = {});

/// The rows in order of priority: the built-in ones, and what was registered since.
llvm::ArrayRef<KernelFamily> kernelFamilies();

/// The row of a kernel. The last built-in row takes what no other does.
const KernelFamily &familyOf(graph::KernelOp kernel);

/// The hero of a kernel of this op alone.
const Hero &heroOf(mlir::Operation *op);

/// True if the kernel's body has such an op.
template <typename OpTy> bool holds(graph::KernelOp kernel) {
  return !kernel.getBlock().getOps<OpTy>().empty();
}

/// The built-in rows.
const KernelFamily &attentionFamily();
const KernelFamily &gemmFamily();
const KernelFamily &scatterFamily();
const KernelFamily &pointwiseFamily();

} // namespace kiln::codegen

#endif // KILN_CODEGEN_KERNELFAMILY_H
