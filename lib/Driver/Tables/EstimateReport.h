//===- EstimateReport.h - Output of kiln estimate ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_TABLES_ESTIMATEREPORT_H
#define KILN_LIB_DRIVER_TABLES_ESTIMATEREPORT_H

#include "kiln/Estimate/Search.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace kiln::driver {

/// Results of an estimate.
struct Estimate {
  std::string model;
  estimate::Topology topology;
  estimate::SearchOptions options;
  std::vector<std::pair<std::string, int64_t>> dims;
  estimate::Candidate chosen; ///< has a prediction
  /// Seconds of each program by the simulator, empty if it did not run, and the fraction
  /// of the time of collectives in which kernels ran.
  std::vector<double> simulated, hidden;
  std::vector<estimate::Candidate> ranking; ///< ranking of meshes; empty if one was given
  /// Best mesh for each number of ranks; empty if the number was given.
  std::vector<estimate::Candidate> counts;
  std::string currency;
  std::optional<double> devicePrice; ///< price per hour
};

void printEstimate(llvm::raw_ostream &os, const Estimate &estimate);
llvm::json::Object estimateJson(const Estimate &estimate);

/// Prints a table of meshes, each with memory, times and the reason why it is not the
/// best.
void printRanking(llvm::raw_ostream &os, llvm::ArrayRef<estimate::Candidate> candidates);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TABLES_ESTIMATEREPORT_H
