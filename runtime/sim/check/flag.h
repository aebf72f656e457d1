//===- flag.h - Memory locations that order threads -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A location that strong writes release into and strong reads acquire from. A reader
// acquires from a release only if the scope of each includes the other's thread.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_FLAG_H
#define KILN_SIM_CHECK_FLAG_H

#include "runtime/sim/check/view.h"

#include <map>

namespace kiln::sim::check {

class Flag {
public:
  /// Ends the release sequence: a plain write is no read-modify-write.
  void clear() {
    blocks.clear();
    clusters.clear();
    gpus.clear();
    wide = {};
    ++version;
    ++clears;
  }
  /// Returns the knowledge that threads of (block, cluster) released with this scope. A
  /// caller that adds to it must increment `version`.
  Knowledge &bucket(uint32_t block, uint32_t cluster, Reach reach) {
    Bucket &b = reach == Reach::Sys ? wide : mapOf(reach)[keyOf(block, cluster, reach)];
    b.used = true;
    return b.knowledge;
  }
  /// Returns what a reader in (block, cluster) acquires from releases of that scope;
  /// null: nothing.
  Knowledge *released(uint32_t block, uint32_t cluster, Reach reach) {
    if (reach == Reach::Sys)
      return wide.used ? &wide.knowledge : nullptr;
    auto &map = mapOf(reach);
    auto at = map.find(keyOf(block, cluster, reach));
    return at == map.end() ? nullptr : &at->second.knowledge;
  }

  uint64_t version = 0; ///< incremented by every release
  uint64_t clears = 0;  ///< how often clear() was called

private:
  struct Bucket {
    bool used = false;
    Knowledge knowledge;
  };
  using Map = std::map<uint32_t, Bucket>;
  Map &mapOf(Reach reach) {
    return reach == Reach::Cta ? blocks : reach == Reach::Cluster ? clusters : gpus;
  }
  static uint32_t keyOf(uint32_t block, uint32_t cluster, Reach reach) {
    return reach == Reach::Cta       ? block
           : reach == Reach::Cluster ? cluster
                                     : deviceOf(block);
  }
  Map blocks, clusters, gpus; ///< keyed by the releasing block, cluster or GPU
  Bucket wide;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_FLAG_H
