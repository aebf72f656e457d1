//===- transports.h - Backends of ranks that are processes ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_TRANSPORTS_H
#define KILN_COLLECTIVE_TRANSPORTS_H

#include "runtime/collective/backend.h"
#include "runtime/collective/launch.h"
#include <span>

namespace kiln::rt {

/// A row of the table: a subclass of HostBackend for ranks that are processes.
struct Transport {
  const char *name;   ///< in KILN_TRANSPORT; that of its backend
  bool connectsNodes; ///< else all ranks must be on one
  /// Connects this rank with all others, which have until self.timeout; it is the first
  /// timeout of the backend, too.
  Status (*join)(const Rendezvous &self, std::unique_ptr<HostBackend> &out);
};

/// Returns the table of this library. The first row that fits a launch is its default.
std::span<const Transport> transports();

/// Finds the transport that KILN_TRANSPORT names, or else the default of the launch.
/// Errors: KILN-E0001 (there is none of that name; it does not connect nodes; nodes
/// without an address and a port).
Status findTransport(const Launch &launch, std::span<const Transport> all,
                     const Transport *&out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_TRANSPORTS_H
