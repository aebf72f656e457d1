//===- rendezvous.h - How processes become ranks ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 listens at a name of this node, the others connect and say what they are, and
// rank 0 hands them the memory that all share, or says to all of them what does not fit.
// Nothing is left of it: the name (an abstract address of a Unix socket) lives as long as
// rank 0 listens. Ranks of several nodes meet at a TCP port of rank 0 in the same way and
// hand each other their addresses.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_RENDEZVOUS_H
#define KILN_COLLECTIVE_RENDEZVOUS_H

#include "runtime/collective/segment.h"
#include <chrono>

namespace kiln::rt {

/// Where rank 0 listens for ranks of other nodes; no port: all are on this node.
struct StoreAddress {
  std::string host; ///< empty: unknown
  uint32_t port = 0;
};

struct Rendezvous {
  uint32_t rank, ranks;
  std::string place; ///< names the job, "127.0.0.1:29500"; the same for all ranks
  std::chrono::milliseconds timeout; ///< for all ranks to come
  // What all ranks must have in common.
  std::string version; ///< of this library
  std::string package; ///< its hash
  std::string options; ///< dims and all else that results depend on
  StoreAddress store = {};
};

class Socket;

/// Exchange of memory or addresses between rank 0 and the other ranks, after all have
/// connected and been checked.
class Bootstrap {
public:
  virtual ~Bootstrap() = default;
  /// On rank 0. peers: connections by rank; that of rank 0 is none.
  virtual Status asHost(std::vector<Socket> &peers) = 0;
  /// On any other rank.
  virtual Status asPeer(const Socket &host) = 0;
};

/// Returns when this rank's part is done. Errors: as below.
Status rendezvous(const Rendezvous &self, Bootstrap &bootstrap);

/// Returns when all ranks have the segment, and know so. Fails on all ranks, and with the
/// same error: KILN-E0621 (another number of ranks, a rank that is there twice),
/// KILN-E0710 (a rank has ended), KILN-E0711 (a rank has not come in time), KILN-E0712
/// (another version, package, dims), KILN-E0700.
Status rendezvous(const Rendezvous &self, Segment &out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_RENDEZVOUS_H
