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

/// First message from a rank to rank 0. Other versions of the library also read the first
/// two members.
struct Hello {
  char magic[8];
  FixedText<32> version;
  uint32_t rank, ranks;
  FixedText<64> package;
  FixedText<64> optionsHash;
  FixedText<256> options; ///< for error messages; may be cut
  FixedText<32> job;      ///< hash of the job's name
  char unused[560];       ///< reserved: later versions have messages of this size

  static Hello of(const Rendezvous &self);
  bool isOne() const;
};
static_assert(sizeof(Hello) == 1024);

/// Message from rank 0. The segment's descriptor comes with `Share`; the rank replies
/// with one byte as soon as it has claimed its rank in the segment.
struct Answer {
  enum Kind : uint32_t { Refuse, Share, Go };
  char magic[8];
  Kind kind;
  FailureRecord failure; ///< set for Refuse

  static Answer of(Kind kind);
  bool isOne() const;
};

/// One end of a connection, or a listener. Messages arrive entirely or not at all; with
/// TCP both ends know the length of the next message.
class Socket {
public:
  Socket() = default;
  explicit Socket(Descriptor fd, bool isStream = false)
      : fd(std::move(fd)), isStream(isStream) {}
  explicit operator bool() const { return bool(fd); }

  enum class Outcome { Done, Taken, NobodyThere, Failed };
  /// Taken: another process listens at this name.
  static Outcome listen(const Rendezvous &self, Socket &out);
  static Outcome connect(const Rendezvous &self, Socket &out);
  /// Accepts a connection; empty if none is pending (errno: EAGAIN) or on failure.
  Socket accept() const;
  /// Numeric IP address of this end of a TCP connection.
  std::string ownAddress() const;
  /// Whether the other end is a process of the same user; true for TCP, where it is
  /// unknown.
  bool isOwnUser() const;

  /// passed: file descriptor to send along, or -1.
  bool send(const void *data, size_t size, int passed = -1) const;
  enum class Received { Message, Nothing, Ended };
  /// Nothing: no message is available. A message of less than `size` bytes counts as
  /// `Ended`.
  Received receive(void *data, size_t size, Descriptor *passed = nullptr) const;
  /// Waits for a message until a deadline.
  Received receive(void *data, size_t size, Deadline until,
                   Descriptor *passed = nullptr) const;
  pollfd poll() const { return {fd.get(), POLLIN, 0}; }

private:
  bool sendAll(const uint8_t *data, size_t size) const;
  Received receivePart(void *data, size_t size) const;

  Descriptor fd;
  bool isStream = false;
  mutable std::vector<uint8_t> partial; ///< received part of a message on a stream
};

// Errors of a rendezvous.
Failure hasEnded(uint32_t rank, const char *when);
Failure lateFailure(const Rendezvous &self, const std::string &missing);
/// Waits for rank 0's answer; if it is `Refuse`, returns the failure in it.
Status receiveAnswer(const Socket &host, const Rendezvous &self, Answer &out,
                     Descriptor *passed = nullptr);

/// Sleeps until a socket is ready or the deadline has passed.
void waitFor(std::vector<pollfd> &sockets, Deadline until);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_RENDEZVOUS_SOCKET_H
