//===- KernelFamily.h - The kinds of kernels, as a table --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that the compiler asks about a kind of kernel: how fusion forms it, and of a kernel
// of that kind an analysis, which has all other answers (KernelAnalysis.h). The rows
// stand in lib/Codegen/KernelFamilies.cpp, each provided by its family's folder;
// docs/hacking/kernel-families.md shows how to add one.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_KERNELFAMILY_H
#define KILN_CODEGEN_KERNELFAMILY_H

#include "kiln/Codegen/KernelAnalysis.h"

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

/// A row of the table.
class KernelFamily {
public:
  KernelFamily(llvm::StringLiteral name, std::vector<llvm::StringLiteral> configs)
      : name(name), configs(std::move(configs)) {}
  virtual ~KernelFamily() = default;

  const llvm::StringLiteral name;
  /// Kinds of configs that can be given from outside: "gemm" is #tile.gemm_config.
  const std::vector<llvm::StringLiteral> configs;

  /// Returns the hero that an op is for this family; null: none.
  virtual const Hero *heroOf(mlir::Operation *op) const = 0;
  /// Returns whether a kernel is this family's, by its body and not by its name. The
  /// first row that says so has it, also where it then cannot emit it.
  virtual bool matches(graph::KernelOp kernel) const = 0;
  /// Analyses a kernel that matches. The kernel outlives the analysis and stays as it is.
  virtual std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel) const = 0;
};

/// Adds a row, in front of the row of that name or else behind all. Before anything is
/// compiled, of which the row outlives the end.
void registerKernelFamily(const KernelFamily &family, llvm::StringRef before = {});

/// The rows in order of priority: the built-in ones, and what was registered since.
llvm::ArrayRef<const KernelFamily *> kernelFamilies();

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
