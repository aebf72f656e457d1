//===- tcp.cpp - Sockets between nodes ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/tcp.h"
#include <arpa/inet.h>
#include <cerrno>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

using namespace kiln::rt;
using Clock = std::chrono::steady_clock;

namespace {
struct FreeAddresses {
  void operator()(addrinfo *list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;
} // namespace

/// host: null for all addresses of this node.
static Addresses resolve(const char *host, uint32_t port) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_family = host ? AF_UNSPEC : AF_INET;
  hints.ai_flags = AI_NUMERICSERV | (host ? 0 : AI_PASSIVE);
  addrinfo *list = nullptr;
  int error = getaddrinfo(host, std::to_string(port).c_str(), &hints, &list);
  return Addresses(error ? nullptr : list);
}

static Descriptor makeSocket(const addrinfo &address) {
  int type = address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
  return Descriptor(socket(address.ai_family, type, address.ai_protocol));
}

static bool isLoopback(const addrinfo &address) {
  if (address.ai_family == AF_INET)
    return (ntohl(reinterpret_cast<const sockaddr_in *>(address.ai_addr)
                      ->sin_addr.s_addr) >>
            24) == 127;
  return address.ai_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(
             &reinterpret_cast<const sockaddr_in6 *>(address.ai_addr)->sin6_addr);
}

/// Returns errno of bind or listen, or 0.
static int listenAt(const addrinfo &address, Descriptor &out) {
  out = makeSocket(address);
  int on = 1;
  if (!out)
    return errno;
  setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  bool isDone = bind(out.get(), address.ai_addr, address.ai_addrlen) == 0 &&
                listen(out.get(), SOMAXCONN) == 0;
  return isDone ? 0 : errno;
}

Socket::Outcome kiln::rt::listenTcp(const StoreAddress &store, Descriptor &out) {
  // Whether to keep a loopback address: Debian's /etc/hosts gives it to a node's own
  // name.
  bool isMeant =
      store.host == "localhost" || store.host.starts_with("127.") || store.host == "::1";
  int error = EADDRNOTAVAIL;
  Addresses named = resolve(store.host.c_str(), store.port);
  if (named && (isMeant || !isLoopback(*named)))
    error = listenAt(*named, out);
  Addresses all = resolve(nullptr, store.port);
  if (error == EADDRNOTAVAIL && all)
    error = listenAt(*all, out);
  errno = error;
  return !error                ? Socket::Outcome::Done
         : error == EADDRINUSE ? Socket::Outcome::Taken
                               : Socket::Outcome::Failed;
}

static bool connectTo(const addrinfo &address, Descriptor &out) {
  out = makeSocket(address);
  if (!out)
    return false;
  int on = 1, error = 0;
  socklen_t size = sizeof error;
  setsockopt(out.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(out.get(), address.ai_addr, address.ai_addrlen) == 0)
    return true;
  if (errno != EINPROGRESS)
    return false;
  std::vector<pollfd> own = {{out.get(), POLLOUT, 0}};
  waitFor(own, Clock::now() + std::chrono::seconds(1));
  return own[0].revents &&
         getsockopt(out.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

Socket::Outcome kiln::rt::connectTcp(const StoreAddress &store, Descriptor &out) {
  Addresses list = resolve(store.host.c_str(), store.port);
  for (const addrinfo *at = list.get(); at; at = at->ai_next)
    if (connectTo(*at, out))
      return Socket::Outcome::Done;
  return Socket::Outcome::NobodyThere; // also if the name is not known yet
}

std::string Socket::ownAddress() const {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  char text[INET6_ADDRSTRLEN] = "";
  if (getsockname(fd.get(), reinterpret_cast<sockaddr *>(&address), &size) == 0)
    getnameinfo(reinterpret_cast<sockaddr *>(&address), size, text, sizeof text, nullptr,
                0, NI_NUMERICHOST);
  return text;
}
