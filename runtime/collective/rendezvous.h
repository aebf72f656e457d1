//===- rendezvous.h - How processes become ranks ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 listens at a name of this node; the others connect and send their rank,
// version, package and options. Rank 0 sends them the shared memory, or the mismatch to
// all of them. Nothing is left to clean up: the name (an abstract address of a Unix
// socket) exists as long as rank 0 listens. Ranks on several nodes connect to a TCP port
// of rank 0 in the same way and exchange their addresses.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_RENDEZVOUS_H
#define KILN_COLLECTIVE_RENDEZVOUS_H

#include "runtime/collective/segment.h"
#include <chrono>

namespace kiln::rt {

/// Where rank 0 listens for ranks of other nodes; port 0: all ranks are on this node.
struct StoreAddress {
  std::string host; ///< empty: unknown
  uint32_t port = 0;
};

struct Rendezvous {
  uint32_t rank, ranks;
  std::string place; ///< name of the job, "127.0.0.1:29500"; equal on all ranks
  std::chrono::milliseconds timeout; ///< for all ranks to connect
  // Values that must be equal on all ranks.
  std::string version; ///< of this library
  std::string package; ///< hash of the package
  std::string options; ///< dims and all other options that results depend on
  StoreAddress store = {};
};

class Socket;

/// Exchange of memory or addresses between rank 0 and the other ranks, after all have
/// connected and been checked.
class Bootstrap {
public:
  virtual ~Bootstrap() = default;
  /// Runs on rank 0. peers: connections by rank; rank 0's own is empty.
  virtual Status asHost(std::vector<Socket> &peers) = 0;
  /// Runs on every other rank.
  virtual Status asPeer(const Socket &host) = 0;
};

/// Runs the bootstrap after the rendezvous; returns when this rank's part is done.
/// Errors: as below.
Status rendezvous(const Rendezvous &self, Bootstrap &bootstrap);

/// Returns when all ranks have mapped the segment, and this rank knows it. All ranks fail
/// with the same error: KILN-E0621 (another world size, a rank that connected twice),
/// KILN-E0710 (a rank has ended), KILN-E0711 (a rank has not connected in time),
/// KILN-E0712 (another version, package, dims), KILN-E0700.
Status rendezvous(const Rendezvous &self, Segment &out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_RENDEZVOUS_H
