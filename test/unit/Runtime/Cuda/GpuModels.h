//===- GpuModels.h - Packages and a driver for GPU tests -------*- C++ -*- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_CUDA_GPUMODELS_H
#define KILN_TEST_RUNTIME_CUDA_GPUMODELS_H

#include "TestPackage.h"
#include <cstdint>
#include <functional>
#include <map>

namespace kiln::test {

/// Adds a second target, sm_80, with PTX of the kernels of scaleModel and stateModel.
package::PackageContents withGpu(package::PackageContents contents);
/// Returns scaleModel with a last kernel, row_sum, that traps on a GPU.
package::PackageContents trapModel();
/// Returns stateModel with a PTX version that no driver supports.
package::PackageContents futureModel();
/// Expressions of a plan: a new constant, and symbol `index`.
uint32_t constant(fb::PlanT &plan, int64_t value);
uint32_t symbolOf(const fb::PlanT &plan, uint32_t index);
/// Adds a variant for launches of at most `most` rows of scaleModel's first kernel, with
/// `addition` in place of w[1]. `rows`: an expression.
void addVariant(package::PackageContents &contents, uint32_t rows, int64_t most,
                const std::string &addition);
/// Replaces text in a kernel's PTX by text of the same length.
void patchPtx(package::PackageContents &contents, const std::string &from,
              const std::string &to);

/// Runs the body in a child process whose simulated driver reads this environment. A
/// failed expectation there fails this test.
void isolated(const std::map<std::string, std::string> &environment,
              const std::function<void()> &body);

/// The simulated driver that the runtime of this process uses, and its trace.
class SimDriver {
public:
  static std::string path();
  template <typename Function> Function *function(const char *name) const {
    return reinterpret_cast<Function *>(symbol(name));
  }
  SimDriver();

  void failAt(uint64_t call, int error) const;
  uint64_t freeBytes(int ordinal = 0) const;
  /// Allocates GPU memory in the primary context; lives as long as the process.
  uint64_t allocate(size_t bytes, int ordinal = 0) const;
  void *allocatePinned(size_t bytes) const;
  void copyIn(uint64_t to, const std::vector<float> &from) const;
  std::vector<float> copyOut(uint64_t from, size_t count) const;
  /// Creates a stream of the primary context.
  void *makeStream() const;

private:
  void *symbol(const char *name) const;
  void enter(int ordinal) const;
  void *library;
};

/// Reads the file of KILN_SIM_TRACE.
class Trace {
public:
  explicit Trace(std::string path) : path(std::move(path)) {}
  /// Returns the calls since the last query, counted by name.
  std::map<std::string, int> newCalls();
  /// Returns the name of the first call since the last query that failed with this error,
  /// such as "CUDA_ERROR_UNKNOWN"; "" if none.
  std::string failure(const std::string &error);

private:
  std::string newText();
  std::string path;
  size_t seen = 0;
};

kiln_session_options onGpu(const char *device = "sim", bool graph = true);

/// Runs scaleModel on x; has its outputs and returns the error code.
struct ScaleRun {
  ScaleRun(int64_t batch, int64_t seq);
  unsigned run(kiln_session *session);
  /// Whether the outputs are correct.
  bool right() const;
  FloatTensor x, y, sum;
  std::string message;
};

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_CUDA_GPUMODELS_H
