//===- Topology.h - Devices, nodes and links --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks run on: a number of equal nodes with a number of equal devices each. Read
// from a JSON file (docs/guides/estimate.md), or one of the profiles that ship with Kiln.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_TOPOLOGY_H
#define KILN_ESTIMATE_TOPOLOGY_H

#include "kiln/Estimate/Workload.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>

namespace kiln::estimate {

/// A GPU, or a CPU whose cores and memory belong to one rank.
struct Device {
  std::string name, target;
  double memoryBytes = 0;
  double memoryRate = 0;                           ///< bytes per second
  std::array<double, kArithmetics> productRates{}; ///< operations per second
  double otherRate = 0;   ///< operations per second that are no products
  double stepSeconds = 0; ///< that each kernel, copy and collective takes beside its work

  double productRate(Arithmetic arithmetic) const {
    return productRates[static_cast<int>(arithmetic)];
  }
};

/// Rates are of one direction.
struct Link {
  std::string name;   ///< "NVLink"
  double rate = 0;    ///< bytes per second
  double latency = 0; ///< seconds
  /// Each device reads and writes the memory of all others at the full rate, as through a
  /// switch, so that kernels can combine what lies there (one-shot and two-shot).
  bool reachesAll = false;
};

struct Topology {
  std::string name;
  Device device;
  int64_t devicesPerNode = 1, nodes = 1;
  Link node;            ///< of each device to the others of its node
  Link network;         ///< of each network adapter of a node
  int64_t adapters = 0; ///< of a node; device d of a node uses number d % adapters

  int64_t devices() const { return devicesPerNode * nodes; }
  bool isGpu() const { return llvm::StringRef(device.target).starts_with("sm_"); }
  /// The rate at which `flows` devices of a node send to other nodes at once, each.
  double networkRate(int64_t flows) const;
};

/// The topology that JSON text describes; place: for messages. Every field that is
/// missing, of another type, out of range or unknown is an error (KILN-E0001).
llvm::Expected<Topology> parseTopology(llvm::StringRef text, llvm::StringRef place);

/// A profile by its name, or else a file.
llvm::Expected<Topology> readTopology(llvm::StringRef nameOrFile);

/// A topology that ships with Kiln, as the text of a file; lib/Estimate/Profiles.cpp
/// names the data sheets.
struct Profile {
  llvm::StringLiteral name, text;
};
llvm::ArrayRef<Profile> profiles();

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_TOPOLOGY_H
