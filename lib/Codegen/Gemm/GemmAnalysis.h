//===- GemmAnalysis.h - An analysed GEMM kernel -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GEMMANALYSIS_H
#define KILN_LIB_CODEGEN_GEMM_GEMMANALYSIS_H

#include "kiln/Codegen/KernelAnalysis.h"
#include "lib/Codegen/Gemm/Program/Program.h"

#include <map>
#include <mutex>

namespace kiln::codegen {

/// The programs of a kernel, one per width of its tiles, each built when it is first
/// asked for and kept.
class GemmPrograms {
public:
  explicit GemmPrograms(graph::KernelOp kernel);

  /// Returns the program with panels that every target can have; null, with `why` set:
  /// the kernel is no GEMM.
  const GemmProgram *general(std::string &why) const { return find(widths, why); }
  /// Returns the program for a target. Panels of a right operand that is not packed are
  /// as wide as a line for tensor cores, unless views divide the columns more finely.
  /// Null, with `why` set: the target has no code for it.
  const GemmProgram *forTarget(const TargetInfo &target, std::string &why) const;

private:
  struct Built {
    std::string why;
    std::unique_ptr<const GemmProgram> program; ///< null: see `why`
  };
  const GemmProgram *find(GemmProgram::Lanes lanes, std::string &why) const;

  graph::KernelOp kernel;
  GemmProgram::Lanes widths;                                  ///< for every target
  mutable std::mutex mutex;                                   ///< guards `built`
  mutable std::map<std::pair<int64_t, int64_t>, Built> built; ///< by lanes
};

class GemmAnalysis final : public KernelAnalysis {
public:
  explicit GemmAnalysis(graph::KernelOp kernel)
      : context(kernel.getContext()), programs(kernel) {}

  bool canEmit(std::string &why) const override { return programs.general(why); }
  mlir::Attribute chooseConfig(const CodeRequest &request) const override;
  Explanation explain(const CodeRequest &request) const override;
  llvm::SmallVector<mlir::Attribute> variations(mlir::Attribute chosen) const override;
  ConfigProblem checkConfig(const CodeRequest &request,
                            mlir::Attribute config) const override;
  std::vector<Quantity> quantities() const override;
  /// Numbers of rows up to which launches have code of their own, by the models and the
  /// ranges of the symbols.
  llvm::SmallVector<Variant> variants(const TargetInfo &target) const override;
  mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const CodeRequest &request,
                                       mlir::OpBuilder &builder,
                                       mlir::Attribute config) const override;

  /// Returns what configs for a code depend on.
  GemmProblem problem(const CodeRequest &request) const;

private:
  mlir::MLIRContext *context;
  GemmPrograms programs;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GEMMANALYSIS_H
