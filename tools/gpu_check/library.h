//===- library.h - Libraries that may be absent -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_LIBRARY_H
#define KILN_GPU_CHECK_LIBRARY_H

#include "tools/gpu_check/gpu.h"

namespace kiln::gpucheck {

/// Loads the library at `path` or, if that is empty, the first of `names` that can be
/// loaded; on failure returns null and sets `missing` to the reason. option: the option
/// that sets the path.
void *openLibrary(const std::string &path, std::vector<std::string> names,
                  const std::string &what, const std::string &option,
                  std::string &missing);

void *findAddress(void *library, const char *symbol, std::string &missing);
/// Finds a function of the library; on failure returns false and sets `missing`.
template <typename Function>
bool findSymbol(void *library, Function *&out, const char *symbol, std::string &missing) {
  out = reinterpret_cast<Function *>(findAddress(library, symbol, missing));
  return out;
}

/// NVIDIA's management library, for the SM clock.
class Nvml {
public:
  explicit Nvml(const Gpu &gpu);
  /// Returns MHz; 0 if unknown.
  uint32_t smClock() const;
  /// Reason why the clock is unknown; empty if it is known.
  const std::string &problem() const { return missing; }

private:
  void *device = nullptr;
  int (*clockInfo)(void *device, int type, unsigned *mhz) = nullptr;
  std::string missing;
};

/// cuBLAS's GEMM as a baseline.
class Cublas {
public:
  /// path: empty to try the file names that toolkits install.
  Cublas(const Gpu &gpu, const std::string &path);
  ~Cublas();
  Cublas(const Cublas &) = delete;
  /// Reason why cuBLAS is not measured; empty if it is.
  const std::string &problem() const { return missing; }

  /// Enqueues the GEMM C = A B in bf16 with f32 accumulators; all row-major, A m x k, B k
  /// x n, or n x k if transposedB.
  void multiply(Stream stream, int m, int n, int k, bool transposedB, Address a,
                Address b, Address c);

private:
  void open(const std::string &path);

  Buffer workspace;
  void *handle = nullptr;
  int (*destroy)(void *handle) = nullptr;
  int (*setStream)(void *handle, Stream stream) = nullptr;
  int (*setWorkspace)(void *handle, void *memory, size_t bytes) = nullptr;
  int (*gemmEx)(void *handle, int opA, int opB, int m, int n, int k, const void *alpha,
                const void *a, int typeA, int lda, const void *b, int typeB, int ldb,
                const void *beta, void *c, int typeC, int ldc, int computeType,
                int algorithm) = nullptr;
  std::string missing;
};

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_LIBRARY_H
