//===- SessionOptions.h - Options of commands that run models ---*- C++ -*-===//
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
  uint64_t threads = 0; ///< over all ranks; 0: as many as CPUs are available
  uint64_t ranks = 0;   ///< 0: as many as the package is compiled for
  uint64_t timeout = 0; ///< seconds that ranks wait for each other; 0: the runtime's
                        ///< default
  static constexpr uint64_t kMaxTimeout = 86400;
  bool noGraph = false;
  bool trustWeights = false;
  std::string expect;
  std::string entry; ///< entry point; empty: the first, or all

  /// Options for loading the package. They point into this object.
  kiln_model_options modelOptions() const {
    kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
    options.trust_weights = trustWeights;
    options.expect_sha256 = expect.empty() ? nullptr : expect.c_str();
    options.guard_mapping = 1; // the process belongs to the tool
    return options;
  }
  /// Returns the ranges of dims to create a session for. A GPU session allocates for the
  /// maximum of each range, so the ranges are the inputs' dims, with the minimum for dims
  /// of other entry points. CPU memory is only touched as far as it is used, so there the
  /// ranges are complete.
  std::vector<kiln_dim_range> ranges(kiln_model *model, const InputSet &inputs) const;
  /// Returns session options with these ranges, which must outlive them.
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

/// Adds the dims of a model's other entry points that have no range yet, at their
/// minimum: a session is created for all entry points.
void addOtherEntries(kiln_model *model, std::vector<kiln_dim_range> &ranges);

} // namespace kiln::execution

#endif // KILN_EXECUTION_SESSIONSETTINGS_H
