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

/// The programs of a kernel, one per panel width, built on demand and cached.
class GemmPrograms {
public:
  explicit GemmPrograms(graph::KernelOp kernel);

  /// Returns the program with panels that suit every target; null, with `why` set, if the
  /// kernel is no GEMM.
  const GemmProgram *general(std::string &why) const { return find(widths, why); }
  /// Returns the program for a target. For tensor cores, panels of an unpacked right
  /// operand are as wide as a cache line, unless views divide the columns more finely.
  /// Null, with `why` set, if the target has no kernel for it.
  const GemmProgram *forTarget(const TargetInfo &target, std::string &why) const;

private:
  struct Built {
    std::string why;
    std::unique_ptr<const GemmProgram> program; ///< null: `why` has the reason
  };
  const GemmProgram *find(GemmProgram::Lanes lanes, std::string &why) const;

  graph::KernelOp kernel;
  GemmProgram::Lanes widths;                                  ///< panel widths that suit
                                                              ///< every target
  mutable std::mutex mutex;                                   ///< guards `built`
  mutable std::map<std::pair<int64_t, int64_t>, Built> built; ///< key: panel widths
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
  /// Returns the limits of the number of rows up to which launches have a kernel of their
  /// own, by the models and the ranges of the symbols.
  llvm::SmallVector<Variant> variants(const TargetInfo &target) const override;
  mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const CodeRequest &request,
                                       mlir::OpBuilder &builder,
                                       mlir::Attribute config) const override;

  /// Returns the parameters that configs depend on.
  GemmProblem problem(const CodeRequest &request) const;

private:
  mlir::MLIRContext *context;
  GemmPrograms programs;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GEMMANALYSIS_H
