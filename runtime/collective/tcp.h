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

/// Listens at the address that the host's name has on this node, so that other networks
/// of the node do not see the port; at all addresses if the name means a loopback address
/// or one of another node.
Socket::Outcome listenTcp(const StoreAddress &store, Descriptor &out);
/// Tries all addresses of the name for up to a second each.
Socket::Outcome connectTcp(const StoreAddress &store, Descriptor &out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_TCP_H
