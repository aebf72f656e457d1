//===- SessionOptions.h - Options of commands that run ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_SESSIONSETTINGS_H
#define KILN_EXECUTION_SESSIONSETTINGS_H

#include "kiln/Execution/Inputs.h"
#include "kiln/runtime.h"
#include <vector>

namespace kiln::execution {

struct SessionSettings {
  std::string device = "cpu";
  uint64_t threads = 0; ///< of all ranks together; 0: as many as may run
  uint64_t ranks = 0;   ///< 0: as many as the package is for
  uint64_t timeout = 0; ///< seconds that ranks wait for each other; 0: the runtime's
  static constexpr uint64_t kMaxTimeout = 86400;
  bool noGraph = false;
  bool trustWeights = false;
  std::string expect;
  std::string entry; ///< empty: the first, or all

  /// How the package is loaded. Points into this.
  kiln_model_options modelOptions() const {
    kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
    options.trust_weights = trustWeights;
    options.expect_sha256 = expect.empty() ? nullptr : expect.c_str();
    options.guard_mapping = 1; // the process is ours
    return options;
  }
  /// On a GPU a session allocates for all dims that it takes: those of the inputs are
  /// enough, and the least of other entries. Memory of the CPU is touched as far as it is
  /// used, so there it takes all.
  std::vector<kiln_dim_range> ranges(kiln_model *model, const InputSet &inputs) const;
  /// For these ranges, which must outlive it.
  kiln_session_options options(const std::vector<kiln_dim_range> &ranges) const {
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.dims = ranges.data();
    options.dim_count = ranges.size();
    options.device = device.c_str();
    options.threads = static_cast<uint32_t>(threads);
    options.no_graph = noGraph;
    return options;
  }
};

/// Adds the dims of a model's other entries that have no range yet, at their smallest: a
/// session is made for all entries.
void addOtherEntries(kiln_model *model, std::vector<kiln_dim_range> &ranges);

} // namespace kiln::execution

#endif // KILN_EXECUTION_SESSIONSETTINGS_H
