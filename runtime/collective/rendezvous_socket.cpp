//===- rendezvous_socket.cpp - Messages of a rendezvous -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/rendezvous_socket.h"
#include "runtime/base/sha256.h"
#include <cerrno>
#include <climits>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace kiln::rt;
using Clock = std::chrono::steady_clock;

static constexpr char helloMagic[8] = {'K', 'I', 'L', 'N', 'R', 'A', 'N', 'K'};

Hello Hello::of(const Rendezvous &self) {
  Hello hello = {};
  std::memcpy(hello.magic, helloMagic, sizeof hello.magic);
  hello.version = self.version;
  hello.rank = self.rank;
  hello.ranks = self.ranks;
  hello.package = self.package;
  hello.optionsHash = toHex(sha256(self.options.data(), self.options.size()));
  hello.options = self.options;
  return hello;
}

bool Hello::isOne() const { return std::memcmp(magic, helloMagic, sizeof magic) == 0; }

/// An abstract address of this user. Places may be longer than addresses.
static socklen_t addressOf(const std::string &place, sockaddr_un &out) {
  std::string hash = toHex(sha256(place.data(), place.size())).substr(0, 32);
  std::string name = "kiln-ranks-" + std::to_string(geteuid()) + "-" + hash;
  out = {};
  out.sun_family = AF_UNIX;
  std::memcpy(out.sun_path + 1, name.data(), name.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

static Descriptor makeSocket() {
  return Descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

Socket::Outcome Socket::listen(const std::string &place, Socket &out) {
  sockaddr_un address;
  socklen_t size = addressOf(place, address);
  out.fd = makeSocket();
  if (!out.fd)
    return Outcome::Failed;
  if (bind(out.fd.get(), reinterpret_cast<sockaddr *>(&address), size) != 0)
    return errno == EADDRINUSE ? Outcome::Taken : Outcome::Failed;
  return ::listen(out.fd.get(), SOMAXCONN) == 0 ? Outcome::Done : Outcome::Failed;
}

Socket::Outcome Socket::connect(const std::string &place, Socket &out) {
  sockaddr_un address;
  socklen_t size = addressOf(place, address);
  out.fd = makeSocket();
  if (!out.fd)
    return Outcome::Failed;
  if (::connect(out.fd.get(), reinterpret_cast<sockaddr *>(&address), size) == 0)
    return Outcome::Done;
  // EAGAIN: more wait to be accepted than the listener takes.
  bool isEarly = errno == ECONNREFUSED || errno == EAGAIN || errno == EINTR;
  return isEarly ? Outcome::NobodyThere : Outcome::Failed;
}

Socket Socket::accept() const {
  return Socket(
      Descriptor(accept4(fd.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)));
}

bool Socket::isOwnUser() const {
  ucred other = {};
  socklen_t size = sizeof other;
  return getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 &&
         other.uid == geteuid();
}

namespace {
/// A message with room for one descriptor.
struct Envelope {
  Envelope(void *data, size_t size) : part{data, size} {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  iovec part;
  msghdr header = {};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
};
} // namespace

bool Socket::send(const void *data, size_t size, int passed) const {
  Envelope message(const_cast<void *>(data), size);
  if (passed < 0) {
    message.header.msg_controllen = 0;
  } else {
    cmsghdr *control = CMSG_FIRSTHDR(&message.header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(control), &passed, sizeof passed);
  }
  return sendmsg(fd.get(), &message.header, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

Socket::Received Socket::receive(void *data, size_t size, Descriptor *passed) const {
  Envelope message(data, size);
  ssize_t count = recvmsg(fd.get(), &message.header, MSG_CMSG_CLOEXEC);
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return Received::Nothing;
  cmsghdr *control = count > 0 ? CMSG_FIRSTHDR(&message.header) : nullptr;
  if (control && control->cmsg_type == SCM_RIGHTS) {
    int found;
    std::memcpy(&found, CMSG_DATA(control), sizeof found);
    Descriptor received(found);
    if (passed)
      *passed = std::move(received);
  }
  return count == static_cast<ssize_t>(size) ? Received::Message : Received::Ended;
}

Socket::Received Socket::receive(void *data, size_t size, Deadline until,
                                 Descriptor *passed) const {
  for (;;) {
    Received received = receive(data, size, passed);
    if (received != Received::Nothing || Clock::now() >= until)
      return received;
    std::vector<pollfd> own = {poll()};
    waitFor(own, until);
  }
}

void kiln::rt::waitFor(std::vector<pollfd> &sockets, Deadline until) {
  auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  ::poll(sockets.data(), sockets.size(),
         static_cast<int>(std::clamp<int64_t>(left, 0, INT_MAX)));
}
