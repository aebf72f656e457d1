//===- tcp.h - Sockets between nodes ----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_TCP_H
#define KILN_COLLECTIVE_TCP_H

#include "runtime/collective/rendezvous_socket.h"

namespace kiln::rt {

/// Listens at the address that the host's name has on this node, so that the port is not
/// visible in the node's other networks; at all addresses if the name resolves to a
/// loopback address or to another node.
Socket::Outcome listenTcp(const StoreAddress &store, Descriptor &out);
/// Tries all addresses of the name, each for up to a second.
Socket::Outcome connectTcp(const StoreAddress &store, Descriptor &out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_TCP_H
