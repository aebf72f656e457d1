//===- AttentionAnalysis.h - An analysed attention kernel -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_ATTENTIONANALYSIS_H
#define KILN_LIB_CODEGEN_ATTENTION_ATTENTIONANALYSIS_H

#include "../ExtentRange.h"
#include "Program.h"
#include "kiln/Codegen/Attention.h"
#include "kiln/Codegen/KernelAnalysis.h"

namespace kiln::codegen {

class AttentionAnalysis final : public KernelAnalysis {
public:
  explicit AttentionAnalysis(graph::KernelOp kernel);

  bool canEmit(std::string &reason) const override;
  mlir::Attribute chooseConfig(const CodeRequest &request) const override;
  Explanation explain(const CodeRequest &request) const override;
  llvm::SmallVector<mlir::Attribute> variations(mlir::Attribute chosen) const override;
  ConfigProblem checkConfig(const CodeRequest &request,
                            mlir::Attribute config) const override;
  std::vector<Quantity> quantities() const override;
  /// Numbers of queries up to which launches have code of their own: one, whose query
  /// heads are rows of one tile, and too few for warpgroups.
  llvm::SmallVector<Variant> variants(const TargetInfo &target) const override;
  mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const CodeRequest &request,
                                       mlir::OpBuilder &builder,
                                       mlir::Attribute config) const override;

  /// Returns configs of all kinds that the target has, the better kind first; none if the
  /// kernel cannot be emitted.
  llvm::SmallVector<mlir::Attribute> configs(const CodeRequest &request) const;
  /// Returns configs for warpgroups, best first; none if they cannot compute the kernel.
  llvm::SmallVector<tile::WarpgroupAttentionConfigAttr>
  warpgroupConfigs(const CodeRequest &request) const;
  /// Returns configs for blocks of threads of a GPU, best first; none if no block can
  /// compute the kernel.
  llvm::SmallVector<tile::BlockAttentionConfigAttr>
  blockConfigs(const CodeRequest &request) const;

private:
  /// Returns the program for the launches of a code, of which there are as many queries
  /// as the variant or the ranges of the symbols allow; nullopt: it cannot be emitted.
  std::optional<AttentionProgram> programFor(const CodeRequest &request) const;
  /// Returns the shared memory that a block with this config takes, about.
  int64_t sharedBytes(tile::BlockAttentionConfigAttr config) const;
  /// Returns nanoseconds of the fullest multiprocessor of a GPU, by its model. For
  /// people: the rules that order the lists do not ask it.
  double time(const CodeRequest &request, mlir::Attribute config) const;

  mlir::MLIRContext *context;
  std::string why;
  std::unique_ptr<const AttentionProgram> program; ///< null: see `why`
  std::optional<ExtentRange> queries;              ///< by the ranges of the symbols
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONANALYSIS_H
