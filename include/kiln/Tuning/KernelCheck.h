//===- KernelCheck.h - Kernels against the reference ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TUNING_KERNELCHECK_H
#define KILN_TUNING_KERNELCHECK_H

#include "kiln/Pipeline/Oracle.h"
#include "kiln/runtime.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::tuning {

/// Observes a run and evaluates each step's kernel on the step's actual operands, so that
/// errors of earlier steps do not count.
class KernelCheck {
public:
  struct StepResult {
    size_t step;
    double error = 0;     ///< largest distance over its results, see Distance
    double tolerance = 0; ///< tolerance of that result's type
    bool passed = true;
  };

  /// tolerance: replaces those by type. Both model and graph must outlive the object.
  KernelCheck(kiln_model *model, const PackageGraph &graph, SymbolValues symbols,
              std::optional<double> tolerance);

  /// Fails unless graph and plan have the same kernels.
  llvm::Error checkMatch() const;
  /// Callback for kiln_session_options, with the object as user data.
  static void observe(void *self, size_t step, int after, const kiln_buffer_view *reads,
                      size_t readCount, const kiln_buffer_view *writes,
                      size_t writeCount);
  /// Returns the first error of the reference itself.
  llvm::Error takeError();
  const std::vector<StepResult> &results() const { return checked; }

  std::function<void(size_t step)> progress;
  /// If set, only steps for which it returns true are evaluated.
  std::function<bool(size_t step)> wants;

private:
  using Views = llvm::ArrayRef<kiln_buffer_view>;
  void before(Views reads, Views writes);
  void after(size_t step, Views reads, Views writes);
  llvm::Error compare(size_t step, Views reads, Views writes);

  const PackageGraph &graph;
  SymbolValues symbols;
  std::optional<double> tolerance;
  std::vector<std::optional<size_t>> kernelOf; ///< by step; nullopt for copies
  size_t kernels = 0;
  std::vector<std::vector<char>> saved; ///< copies of operands that the step may
                                        ///< overwrite
  std::vector<StepResult> checked;
  llvm::Error failure = llvm::Error::success();
};

/// Tolerance against the reference: f32 2e-5, f16 2e-3, bf16 1.6e-2, f64 1e-12, exact for
/// integers.
double kernelTolerance(kiln_dtype dtype);
/// Returns the kiln_dtype of this name; nullopt if there is none.
std::optional<kiln_dtype> dtypeOf(llvm::StringRef name);

} // namespace kiln::tuning

#endif // KILN_TUNING_KERNELCHECK_H
