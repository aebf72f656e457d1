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

/// A row of the table of transports: a subclass of HostBackend for ranks that are
/// processes.
struct Transport {
  const char *name;   ///< in KILN_TRANSPORT and of its backend
  bool connectsNodes; ///< false: all ranks must be on one node
  /// Connects this rank with all others within self.timeout, which is also the backend's
  /// initial timeout.
  Status (*join)(const Rendezvous &self, std::unique_ptr<HostBackend> &out);
};

/// Returns the table of this library. The default of a launch is the first row that
/// supports it.
std::span<const Transport> transports();

/// Finds the transport that KILN_TRANSPORT names, or else the default of the launch.
/// Errors: KILN-E0001 (unknown name; a transport that does not connect nodes; several
/// nodes without an address and a port).
Status findTransport(const Launch &launch, std::span<const Transport> all,
                     const Transport *&out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_TRANSPORTS_H
