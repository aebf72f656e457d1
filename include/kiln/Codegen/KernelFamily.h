//===- KernelFamily.h - Table of kernel families ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel family defines how fusion forms its kernels and makes their analysis, which
// answers all other questions (KernelAnalysis.h). The table is in
// lib/Codegen/KernelFamilies.cpp, with one row from each family's folder;
// docs/hacking/kernel-families.md shows how to add one.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_KERNELFAMILY_H
#define KILN_CODEGEN_KERNELFAMILY_H

#include "kiln/Codegen/KernelAnalysis.h"

#include <vector>

namespace kiln::codegen {

/// Op that a kernel is built around, with the rules of fusion for it.
struct Hero {
  llvm::StringLiteral name; ///< hero name of its kernels
  /// An op that could join kernels of several heroes joins the hero with the highest
  /// precedence.
  unsigned precedence = 0;
  /// Operands of the hero whose producers may be fused: all (elementwise kernels), the
  /// first one (rows), those for which `computesOperand` is true, or none (operands are
  /// read from memory, at most through views).
  enum class Prologue { All, First, ByCost, None } prologue = Prologue::None;
  /// Users of the hero's result that may be fused: all ops that compute, elementwise ops
  /// of its shape, only those of them whose results are no wider than the hero's (it
  /// rounds intermediate values to its own type), or none.
  enum class Epilogue { All, Elementwise, NotWider, None } epilogue = Epilogue::None;
  /// Whether transposes and reshapes of the result are fused into its stores, and
  /// elementwise ops that follow them into the epilogue.
  bool absorbsViews = false;
  /// With Prologue::ByCost: whether the kernel should compute this operand by these
  /// elementwise ops, the last of which defines it, instead of loading it.
  bool (*computesOperand)(mlir::OpOperand &operand,
                          llvm::ArrayRef<mlir::Operation *> producers) = nullptr;

  /// Whether `value`, read through views, is one of several column slices of the hero's
  /// result that the epilogue has at the same time, so that ops that read several slices
  /// may be fused. Null if there are no such slices.
  bool (*isColumnPart)(mlir::Value value, mlir::Operation *hero) = nullptr;

  bool isPlain() const { return prologue == Prologue::All && epilogue == Epilogue::All; }
};

/// A row of the table of kernel families.
class KernelFamily {
public:
  KernelFamily(llvm::StringLiteral name, std::vector<llvm::StringLiteral> configs)
      : name(name), configs(std::move(configs)) {}
  virtual ~KernelFamily() = default;

  const llvm::StringLiteral name;
  /// Names of its configs in configs files: "gemm" is #tile.gemm_config.
  const std::vector<llvm::StringLiteral> configs;

  /// Returns the hero if the op is one of this family; else null.
  virtual const Hero *heroOf(mlir::Operation *op) const = 0;
  /// Returns whether a kernel belongs to this family, judged by its body and not by its
  /// name. The first row that matches owns the kernel, even if it then cannot emit it.
  virtual bool matches(graph::KernelOp kernel) const = 0;
  /// Analyses a kernel that matches. The kernel must outlive the analysis unchanged.
  virtual std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel) const = 0;
};

/// Adds a row before the row named `before`, or at the end. Must be called before the
/// first compile; the row must outlive all compiles.
void registerKernelFamily(const KernelFamily &family, llvm::StringRef before = {});

/// Returns the rows in order of priority: the built-in ones and those registered since.
llvm::ArrayRef<const KernelFamily *> kernelFamilies();

/// Returns the row of a kernel. The last built-in row matches all remaining kernels.
const KernelFamily &familyOf(graph::KernelOp kernel);

/// Returns the hero of a kernel that consists of this op alone.
const Hero &heroOf(mlir::Operation *op);

/// True if the kernel's body contains an op of this kind.
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
