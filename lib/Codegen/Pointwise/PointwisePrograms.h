//===- PointwisePrograms.h - An analysed row or pointwise kernel *- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_POINTWISEPROGRAMS_H
#define KILN_CODEGEN_POINTWISE_POINTWISEPROGRAMS_H

#include "Horizontal.h"
#include "kiln/Codegen/Pointwise.h"

#include <mutex>

namespace kiln::codegen {

/// The programs of a kernel: one for GPUs, which fusion uses too, and one for hosts,
/// built on demand. Thread-safe.
class PointwisePrograms {
public:
  /// `kernel` must outlive this object and must not change.
  explicit PointwisePrograms(graph::KernelOp kernel);

  /// Returns whether `emit` will succeed; if not, `why` has the reason.
  bool canEmit(std::string &why) const;
  /// Returns configs, best first. None if operands are transposed through scratch, for
  /// which there are other configs.
  llvm::SmallVector<tile::PointwiseConfigAttr> configs(const TargetInfo &target) const;
  /// Returns configs, best first, for the first way to stage strided operands that has
  /// any.
  llvm::SmallVector<tile::StagingConfigAttr>
  stagingConfigs(const TargetInfo &target) const;
  /// Implements KernelAnalysis::operandToCopy.
  std::optional<unsigned> operandToCopy(llvm::ArrayRef<std::string> targets) const;
  /// Emits the tile program of `kernel` at the builder's insertion point, with the given
  /// config or the best one. The fingerprint of `kernel` must be that of the analysed
  /// kernel; names may differ.
  mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const TargetInfo &target,
                                       mlir::OpBuilder &builder,
                                       tile::PointwiseConfigAttr config = {}) const;

private:
  /// One of the two, or neither and the reason.
  struct Form {
    std::unique_ptr<const Program> program;
    std::unique_ptr<const Horizontal> parts;
    std::string why;
  };
  Form build(bool splits) const;
  const Form &formFor(const TargetInfo &target) const;
  Form buildForHosts() const;
  mlir::FailureOr<tile::KernelOp> emitForm(graph::KernelOp kernel,
                                           const TargetInfo &target,
                                           mlir::OpBuilder &builder,
                                           tile::PointwiseConfigAttr config) const;

  graph::KernelOp kernel;
  mlir::MLIRContext *context;
  Form general;
  mutable std::once_flag hasHosts;
  mutable Form hosts;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_POINTWISEPROGRAMS_H
