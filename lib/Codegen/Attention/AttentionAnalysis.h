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
  /// Returns the limits of the number of queries up to which launches have a kernel of
  /// their own: 1, where the query heads are the rows of one tile, and 32, which is too
  /// few for warpgroups.
  llvm::SmallVector<Variant> variants(const TargetInfo &target) const override;
  mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const CodeRequest &request,
                                       mlir::OpBuilder &builder,
                                       mlir::Attribute config) const override;

  /// Returns the configs of all kinds that the target supports, the fastest kind first;
  /// none if the kernel cannot be emitted.
  llvm::SmallVector<mlir::Attribute> configs(const CodeRequest &request) const;
  /// Returns configs for warpgroups, best first; none if they cannot compute the kernel.
  llvm::SmallVector<tile::WarpgroupAttentionConfigAttr>
  warpgroupConfigs(const CodeRequest &request) const;
  /// Returns configs for blocks of threads of a GPU, best first; none if no block can
  /// compute the kernel.
  llvm::SmallVector<tile::BlockAttentionConfigAttr>
  blockConfigs(const CodeRequest &request) const;

private:
  /// Returns the program for the launches that `request` is for. The variant and the
  /// ranges of the symbols bound its number of queries. Returns nullopt if it cannot be
  /// emitted.
  std::optional<AttentionProgram> programFor(const CodeRequest &request) const;
  /// Returns the approximate shared memory of a block with this config.
  int64_t sharedBytes(tile::BlockAttentionConfigAttr config) const;
  /// Returns the modelled time in nanoseconds of the GPU's busiest multiprocessor.
  /// Reports print it; the order of the config lists does not depend on it.
  double time(const CodeRequest &request, mlir::Attribute config) const;

  mlir::MLIRContext *context;
  std::string why;
  std::unique_ptr<const AttentionProgram> program; ///< null: `why` has the reason
  std::optional<ExtentRange> queries;              ///< range of the number of queries,
                                                   ///< from the symbols' ranges
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_ATTENTIONANALYSIS_H
