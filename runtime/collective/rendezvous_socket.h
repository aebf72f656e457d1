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
  FixedText<32> job;      ///< a hash of the place
  char unused[560];       ///< so that later versions have messages of the same size

  static Hello of(const Rendezvous &self);
  bool isOne() const;
};
static_assert(sizeof(Hello) == 1024);

/// From rank 0. The descriptor of the segment comes with `Share`, and the rank answers
/// with a byte as soon as it has claimed its place in it.
struct Answer {
  enum Kind : uint32_t { Refuse, Share, Go };
  char magic[8];
  Kind kind;
  FailureRecord failure; ///< Refuse

  static Answer of(Kind kind);
  bool isOne() const;
};

/// One end of a connection, or a listener: messages arrive whole or not at all. Of TCP
/// both ends know how long the next message is.
class Socket {
public:
  Socket() = default;
  explicit Socket(Descriptor fd, bool isStream = false)
      : fd(std::move(fd)), isStream(isStream) {}
  explicit operator bool() const { return bool(fd); }

  enum class Outcome { Done, Taken, NobodyThere, Failed };
  /// Taken: another process listens there.
  static Outcome listen(const Rendezvous &self, Socket &out);
  static Outcome connect(const Rendezvous &self, Socket &out);
  /// Accepts a connection at a listener; none if none is pending (errno: EAGAIN) or on
  /// failure.
  Socket accept() const;
  /// Numeric IP address of this end of a TCP connection.
  std::string ownAddress() const;
  /// Whether the other end is a process of the same user; of TCP nobody can tell.
  bool isOwnUser() const;

  /// passed: a descriptor to send along, or -1.
  bool send(const void *data, size_t size, int passed = -1) const;
  enum class Received { Message, Nothing, Ended };
  /// Nothing: none is there. A message of less than `size` bytes is `Ended`.
  Received receive(void *data, size_t size, Descriptor *passed = nullptr) const;
  /// Receives as above, but waits for the message until a deadline.
  Received receive(void *data, size_t size, Deadline until,
                   Descriptor *passed = nullptr) const;
  pollfd poll() const { return {fd.get(), POLLIN, 0}; }

private:
  bool sendAll(const uint8_t *data, size_t size) const;
  Received receivePart(void *data, size_t size) const;

  Descriptor fd;
  bool isStream = false;
  mutable std::vector<uint8_t> partial; ///< of a message of a stream
};

// Failures of a rendezvous.
Failure hasEnded(uint32_t rank, const char *when);
Failure lateFailure(const Rendezvous &self, const std::string &missing);
/// Waits for what rank 0 says; of `Refuse` the failure that it says.
Status receiveAnswer(const Socket &host, const Rendezvous &self, Answer &out,
                     Descriptor *passed = nullptr);

/// Sleeps until one of them has something to say, or the time is over.
void waitFor(std::vector<pollfd> &sockets, Deadline until);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_RENDEZVOUS_SOCKET_H
