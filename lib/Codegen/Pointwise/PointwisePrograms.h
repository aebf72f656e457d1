//===- PointwisePrograms.h - An analysed row or pointwise kernel -*- C++ -*-===//
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

/// The programs of a kernel: one for GPUs, which fusion asks too, and one for hosts,
/// built when it is first asked for. Threads may ask at the same time.
class PointwisePrograms {
public:
  /// The kernel outlives this and stays as it is.
  explicit PointwisePrograms(graph::KernelOp kernel);

  /// Returns whether `emit` will succeed; else `why` says what stands in the way.
  bool canEmit(std::string &why) const;
  /// Returns configs, best first. None where operands are transposed through scratch:
  /// those emitters have configs of their own.
  llvm::SmallVector<tile::PointwiseConfigAttr> configs(const TargetInfo &target) const;
  /// Returns configs for the first way to stage strided operands that has any, best
  /// first; none if none has.
  llvm::SmallVector<tile::StagingConfigAttr>
  stagingConfigs(const TargetInfo &target) const;
  /// Implements KernelAnalysis::operandToCopy.
  std::optional<unsigned> operandToCopy(llvm::ArrayRef<std::string> targets) const;
  /// Writes the tile program at the builder's insertion point, with the best config or
  /// the given one and with the names of `kernel`, whose fingerprint is that of the
  /// analysed one.
  mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const TargetInfo &target,
                                       mlir::OpBuilder &builder,
                                       tile::PointwiseConfigAttr config = {}) const;

private:
  /// One of the two, or neither and why.
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
