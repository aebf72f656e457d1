//===- Topology.h - Devices, nodes and links --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hardware that ranks run on: equal nodes with equal devices. Read from a JSON file
// (docs/guides/estimate.md) or from one of the profiles that ship with Kiln.
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
  double otherRate = 0;   ///< operations per second outside of matmuls and attention
  double stepSeconds = 0; ///< overhead of each kernel, copy and collective

  double productRate(Arithmetic arithmetic) const {
    return productRates[static_cast<int>(arithmetic)];
  }
};

/// A link; rates are per direction.
struct Link {
  std::string name;   ///< "NVLink"
  double rate = 0;    ///< bytes per second
  double latency = 0; ///< seconds
  /// Each device accesses the memory of all others at the full rate, as through a switch,
  /// so that kernels can reduce directly from it (one-shot and two-shot).
  bool reachesAll = false;
};

struct Topology {
  std::string name;
  Device device;
  int64_t devicesPerNode = 1, nodes = 1;
  Link node;            ///< between a device and the others of its node
  Link network;         ///< per network adapter of a node
  int64_t adapters = 0; ///< per node; device d of a node uses adapter d % adapters

  int64_t devices() const { return devicesPerNode * nodes; }
  bool isGpu() const { return llvm::StringRef(device.target).starts_with("sm_"); }
  /// Rate per device at which `flows` devices of a node send to other nodes at the same
  /// time.
  double networkRate(int64_t flows) const;
};

/// Parses a topology from JSON text; `place` names it in messages. Every field that is
/// missing, of another type, out of range or unknown is an error (KILN-E0001).
llvm::Expected<Topology> parseTopology(llvm::StringRef text, llvm::StringRef place);

/// Returns the profile with this name, or else reads the file.
llvm::Expected<Topology> readTopology(llvm::StringRef nameOrFile);

/// A topology that ships with Kiln, as the text of a file; lib/Estimate/Profiles.cpp
/// cites the data sheets.
struct Profile {
  llvm::StringLiteral name, text;
};
llvm::ArrayRef<Profile> profiles();

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_TOPOLOGY_H
