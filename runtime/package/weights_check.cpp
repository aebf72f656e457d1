//===- weights_check.cpp - Comparing weights beside other work ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/package/weights_check.h"
#include "runtime/base/cpu_limits.h"
#include "runtime/base/log.h"
#include <unistd.h>

using namespace kiln::rt;

static std::unique_ptr<ParallelHash> hashOf(const PackageBytes &bytes, uint32_t threads) {
  return std::make_unique<ParallelHash>(
      bytes.weights().size,
      [&bytes](uint64_t offset, size_t size, uint8_t *buffer) {
        return bytes.readWeights(offset, size, buffer);
      },
      threads);
}

WeightsCheck::~WeightsCheck() {
  if (process != getpid())
    static_cast<void>(hash.release()); // its threads are the parent process's
}

void WeightsCheck::start(const PackageBytes &package) {
  bytes = &package;
  process = getpid();
  hash = hashOf(package, allowedCpuCount());
  good.store(false);
}

Status WeightsCheck::wait() {
  if (good.load(std::memory_order_acquire))
    return {};
  LogTimer timer;
  Status done = process == getpid() ? waitHere() : checkAlone();
  if (!done.ok())
    writeLog("kiln.weights.check_failed", done, bytes->path());
  else if (!good.exchange(true, std::memory_order_acq_rel) && isLogged())
    writeLog(KILN_LOG_INFO, "kiln.weights.checked",
             "compared the weights of " + bytes->path() + " with their hash",
             {{"file.path", bytes->path().c_str()},
              {"kiln.weights.size", double(bytes->weights().size)},
              {"kiln.waited_ms", timer.milliseconds()}});
  return done;
}

Status WeightsCheck::waitHere() {
  std::lock_guard<std::mutex> lock(mutex);
  if (hash)
    wasRead = hash->finish(digest);
  hash.reset();
  return bytes->compareWeights(wasRead, digest);
}

/// Checks the weights in a forked child, without the mutex, which a thread of the parent
/// may have locked.
Status WeightsCheck::checkAlone() const {
  Sha256Digest found;
  bool complete = hashOf(*bytes, 0)->finish(found);
  return bytes->compareWeights(complete, found);
}
