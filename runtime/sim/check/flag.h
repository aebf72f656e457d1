//===- flag.h - Memory that orders threads ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A location that strong writes release into and strong reads acquire from. Who may
// learn from a release depends on its scope and on the reader's: each must include the
// other's thread.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_FLAG_H
#define KILN_SIM_CHECK_FLAG_H

#include "runtime/sim/check/view.h"

#include <map>

namespace kiln::sim::check {

class Flag {
public:
  /// A write that is no read-modify-write ends what earlier ones released.
  void clear() {
    blocks.clear();
    clusters.clear();
    gpus.clear();
    wide = {};
    ++version;
    ++clears;
  }
  /// Where releases that reach so far, by a thread of (block, cluster), are kept. Who
  /// adds something to it raises the version.
  Knowledge &bucket(uint32_t block, uint32_t cluster, Reach reach) {
    Bucket &b = reach == Reach::Sys ? wide : mapOf(reach)[keyOf(block, cluster, reach)];
    b.used = true;
    return b.knowledge;
  }
  /// Returns what a reader of (block, cluster) learns from releases of that scope; null:
  /// nothing.
  Knowledge *released(uint32_t block, uint32_t cluster, Reach reach) {
    if (reach == Reach::Sys)
      return wide.used ? &wide.knowledge : nullptr;
    auto &map = mapOf(reach);
    auto at = map.find(keyOf(block, cluster, reach));
    return at == map.end() ? nullptr : &at->second.knowledge;
  }

  uint64_t version = 0; ///< grows with every release
  uint64_t clears = 0;  ///< how often it was cleared

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
  Map blocks, clusters, gpus; ///< by releaser
  Bucket wide;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_FLAG_H
