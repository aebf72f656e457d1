//===- rendezvous_socket.h - Messages of a rendezvous -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_RENDEZVOUS_SOCKET_H
#define KILN_COLLECTIVE_RENDEZVOUS_SOCKET_H

#include "runtime/collective/rendezvous.h"
#include <poll.h>
#include <vector>

namespace kiln::rt {

using Deadline = std::chrono::steady_clock::time_point;

/// From a rank to rank 0. Other versions of the library read the first two members, too.
struct Hello {
  char magic[8];
  FixedText<32> version;
  uint32_t rank, ranks;
  FixedText<64> package;
  FixedText<64> optionsHash;
  FixedText<256> options; ///< for messages; may be cut
  char unused[592];       ///< so that later versions have messages of the same size

  static Hello of(const Rendezvous &self);
  bool isOne() const;
};
static_assert(sizeof(Hello) == 1024);

/// From rank 0. The descriptor of the segment comes with `Share`, and the rank answers
/// with a byte as soon as it has claimed its place in it.
struct Answer {
  enum Kind : uint32_t { Refuse, Share, Go };
  Kind kind;
  FailureRecord failure; ///< Refuse
};

/// One end of a connection, or a listener: messages arrive whole or not at all.
class Socket {
public:
  Socket() = default;
  explicit Socket(Descriptor fd) : fd(std::move(fd)) {}
  explicit operator bool() const { return bool(fd); }

  enum class Outcome { Done, Taken, NobodyThere, Failed };
  /// Taken: another process listens there.
  static Outcome listen(const std::string &place, Socket &out);
  static Outcome connect(const std::string &place, Socket &out);
  /// Of a listener; none if nobody waits (errno: EAGAIN), or if it fails.
  Socket accept() const;
  /// Whether the other end is a process of the same user.
  bool isOwnUser() const;

  /// passed: a descriptor to send along, or -1.
  bool send(const void *data, size_t size, int passed = -1) const;
  enum class Received { Message, Nothing, Ended };
  /// Nothing: none is there. A message of less than `size` bytes is `Ended`.
  Received receive(void *data, size_t size, Descriptor *passed = nullptr) const;
  /// The same, waiting for it.
  Received receive(void *data, size_t size, Deadline until,
                   Descriptor *passed = nullptr) const;
  pollfd poll() const { return {fd.get(), POLLIN, 0}; }

private:
  Descriptor fd;
};

/// Sleeps until one of them has something to say, or the time is over.
void waitFor(std::vector<pollfd> &sockets, Deadline until);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_RENDEZVOUS_SOCKET_H
