//===- rendezvous_socket.cpp - Messages of a rendezvous -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/rendezvous_socket.h"
#include "runtime/base/sha256.h"
#include "runtime/collective/tcp.h"
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
  hello.job = toHex(sha256(self.place.data(), self.place.size())).substr(0, 16);
  hello.rank = self.rank;
  hello.ranks = self.ranks;
  hello.package = self.package;
  hello.optionsHash = toHex(sha256(self.options.data(), self.options.size()));
  hello.options = self.options;
  return hello;
}

static constexpr char answerMagic[8] = {'K', 'I', 'L', 'N', 'H', 'O', 'S', 'T'};

Answer Answer::of(Kind kind) {
  Answer answer = {};
  std::memcpy(answer.magic, answerMagic, sizeof answer.magic);
  answer.kind = kind;
  return answer;
}

bool Answer::isOne() const {
  return std::memcmp(magic, answerMagic, sizeof magic) == 0 && kind <= Go;
}

bool Hello::isOne() const { return std::memcmp(magic, helloMagic, sizeof magic) == 0; }

/// Returns the abstract address of a name for this user. It contains a hash, as names may
/// be longer than addresses.
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

static Socket::Outcome listenUnix(const std::string &place, Descriptor &out) {
  sockaddr_un address;
  socklen_t size = addressOf(place, address);
  out = makeSocket();
  if (!out)
    return Socket::Outcome::Failed;
  if (bind(out.get(), reinterpret_cast<sockaddr *>(&address), size) != 0)
    return errno == EADDRINUSE ? Socket::Outcome::Taken : Socket::Outcome::Failed;
  return ::listen(out.get(), SOMAXCONN) == 0 ? Socket::Outcome::Done
                                             : Socket::Outcome::Failed;
}

static Socket::Outcome connectUnix(const std::string &place, Descriptor &out) {
  sockaddr_un address;
  socklen_t size = addressOf(place, address);
  out = makeSocket();
  if (!out)
    return Socket::Outcome::Failed;
  if (::connect(out.get(), reinterpret_cast<sockaddr *>(&address), size) == 0)
    return Socket::Outcome::Done;
  // EAGAIN: the listener's backlog is full.
  bool isEarly = errno == ECONNREFUSED || errno == EAGAIN || errno == EINTR;
  return isEarly ? Socket::Outcome::NobodyThere : Socket::Outcome::Failed;
}

Socket::Outcome Socket::listen(const Rendezvous &self, Socket &out) {
  out.isStream = self.store.port != 0;
  return out.isStream ? listenTcp(self.store, out.fd) : listenUnix(self.place, out.fd);
}

Socket::Outcome Socket::connect(const Rendezvous &self, Socket &out) {
  out.isStream = self.store.port != 0;
  return out.isStream ? connectTcp(self.store, out.fd) : connectUnix(self.place, out.fd);
}

Socket Socket::accept() const {
  return Socket(
      Descriptor(accept4(fd.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)),
      isStream);
}

bool Socket::isOwnUser() const {
  if (isStream)
    return bool(fd);
  ucred other = {};
  socklen_t size = sizeof other;
  return getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 &&
         other.uid == geteuid();
}

namespace {
/// A message with room for one file descriptor.
struct RankMessage {
  RankMessage(void *data, size_t size) : part{data, size} {
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

/// Max time for sending a message.
static constexpr auto sendTime = std::chrono::seconds(5);

bool Socket::sendAll(const uint8_t *data, size_t size) const {
  Deadline until = Clock::now() + sendTime;
  while (size > 0) {
    ssize_t count = ::send(fd.get(), data, size, MSG_NOSIGNAL);
    bool isFull = count < 0 && (errno == EAGAIN || errno == EINTR);
    if ((count < 0 && !isFull) || Clock::now() >= until)
      return false;
    data += std::max<ssize_t>(count, 0);
    size -= static_cast<size_t>(std::max<ssize_t>(count, 0));
    std::vector<pollfd> own = {{fd.get(), POLLOUT, 0}};
    if (isFull)
      waitFor(own, until);
  }
  return true;
}

/// Buffers received bytes until a message is complete.
Socket::Received Socket::receivePart(void *data, size_t size) const {
  size_t before = partial.size();
  if (before < size) {
    partial.resize(size);
    ssize_t count = recv(fd.get(), partial.data() + before, size - before, 0);
    bool isEmpty = count < 0 && (errno == EAGAIN || errno == EINTR);
    partial.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (!isEmpty && count <= 0)
      return Received::Ended;
  }
  if (partial.size() < size)
    return Received::Nothing;
  std::memcpy(data, partial.data(), size);
  partial.erase(partial.begin(), partial.begin() + static_cast<ptrdiff_t>(size));
  return Received::Message;
}

bool Socket::send(const void *data, size_t size, int passed) const {
  if (isStream)
    return sendAll(static_cast<const uint8_t *>(data), size);
  RankMessage message(const_cast<void *>(data), size);
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
  if (isStream)
    return receivePart(data, size);
  RankMessage message(data, size);
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
