//===- weights_check.h - Comparing weights beside other work ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading all weights takes as long as memory, or the disk, needs for their bytes. So
// loading begins it, and whoever is about to compute with the weights waits for its end.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_WEIGHTS_CHECK_H
#define KILN_PACKAGE_WEIGHTS_CHECK_H

#include "runtime/base/chunk_hash.h"
#include "runtime/package/package_bytes.h"
#include <atomic>
#include <mutex>

namespace kiln::rt {

class WeightsCheck {
public:
  WeightsCheck() = default;
  ~WeightsCheck();
  WeightsCheck(const WeightsCheck &) = delete;
  WeightsCheck &operator=(const WeightsCheck &) = delete;
  /// Begins, by one thread for each CPU. The bytes must outlive this and stay where they
  /// are. Never called: the weights are trusted.
  void start(const PackageBytes &bytes);
  /// Helps to the end. For any thread, also in a child of a fork, where the threads are
  /// gone; once it has succeeded it costs one load. Errors: KILN-E0503, E0514.
  Status wait();

private:
  Status waitHere();
  Status checkAlone() const;

  const PackageBytes *bytes = nullptr;
  std::atomic<bool> good{true};
  int process = 0; ///< that has the threads
  std::mutex mutex;
  std::unique_ptr<ParallelHash> hash; ///< until somebody has waited
  bool wasRead = false;               ///< and what was found, from then on
  Sha256Digest digest;
};

} // namespace kiln::rt

#endif // KILN_PACKAGE_WEIGHTS_CHECK_H
