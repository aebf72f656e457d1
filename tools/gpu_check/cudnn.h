//===- cudnn.h - Attention by cuDNN -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_CUDNN_H
#define KILN_GPU_CHECK_CUDNN_H

#include "tools/gpu_check/gpu.h"
#include <vector>

namespace kiln::gpucheck {

/// Shape of queries, keys, values and results: batch x heads x length x size, contiguous.
struct AttentionShape {
  int64_t batch, heads, length, size;
};

/// cuDNN's attention as a baseline: its graph interface, without a mask, in bf16.
class Cudnn {
public:
  /// path: empty to try the file names that packages install.
  Cudnn(const Gpu &gpu, const std::string &path);
  ~Cudnn();
  Cudnn(const Cudnn &) = delete;
  /// Reason why cuDNN is not measured; empty if it is.
  const std::string &problem() const { return missing; }

private:
  friend class CudnnAttention;
  void open(const std::string &path);
  /// Throws KILN-E0706 with the library's error text unless `status` is success.
  void require(int status, const char *call) const;

  void *handle = nullptr;
  int (*destroy)(void *handle) = nullptr;
  int (*setStream)(void *handle, Stream stream) = nullptr;
  int (*createDescriptor)(int kind, void **out) = nullptr;
  int (*destroyDescriptor)(void *descriptor) = nullptr;
  int (*finalize)(void *descriptor) = nullptr;
  int (*setAttribute)(void *descriptor, int name, int type, int64_t count,
                      const void *values) = nullptr;
  int (*getAttribute)(void *descriptor, int name, int type, int64_t wanted,
                      int64_t *count, void *values) = nullptr;
  int (*execute)(void *handle, void *plan, void *pack) = nullptr;
  void (*lastError)(char *text, size_t size) = nullptr;
  std::string missing;
};

/// A prepared attention. Scores are scaled by 1 / sqrt(size).
class CudnnAttention {
public:
  /// Throws KILN-E0706 if the library has no kernel for this shape.
  CudnnAttention(Cudnn &library, const Gpu &gpu, const AttentionShape &shape);
  ~CudnnAttention();
  CudnnAttention(const CudnnAttention &) = delete;

  /// Enqueues one run.
  void run(Stream stream, Address query, Address key, Address value, Address result);

private:
  void destroyAll();
  void *make(int kind);
  template <typename T>
  void set(void *descriptor, int name, int type, const std::vector<T> &values);
  void *finish(void *descriptor);
  void *tensor(int64_t id, const AttentionShape &shape);
  void *scaleTensor();
  void *graphOf(const AttentionShape &shape);
  void choosePlan(void *graph);

  Cudnn &library;
  float scale;
  Buffer workspace;
  void *plan = nullptr;
  std::vector<void *> descriptors; ///< all created descriptors
};

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_CUDNN_H
