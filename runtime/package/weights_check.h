//===- weights_check.h - Comparing weights beside other work ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checking the weights takes as long as reading all of their bytes from memory or disk.
// So loading starts the check in the background, and whoever is about to compute with
// the weights waits for its end.
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
  /// Starts the check, with one thread per CPU. The bytes must outlive this object and
  /// must not move. If it is never called, the weights are trusted.
  void start(const PackageBytes &bytes);
  /// Helps to finish the check. Thread-safe, also in a forked child, which lacks the
  /// threads; after success a call costs one load. Errors: KILN-E0503, E0514.
  Status wait();

private:
  Status waitHere();
  Status checkAlone() const;

  const PackageBytes *bytes = nullptr;
  std::atomic<bool> good{true};
  int process = 0; ///< process that has the threads
  std::mutex mutex;
  std::unique_ptr<ParallelHash> hash; ///< null after the first wait
  bool wasRead = false;               ///< result after the first wait, with `digest`
  Sha256Digest digest;
};

} // namespace kiln::rt

#endif // KILN_PACKAGE_WEIGHTS_CHECK_H
