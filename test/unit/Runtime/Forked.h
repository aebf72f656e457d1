//===- Forked.h - Ranks as child processes of a test ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_FORKED_H
#define KILN_TEST_RUNTIME_FORKED_H

#include "runtime/collective/process_group.h"
#include "runtime/collective/transports.h"
#include <functional>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::test {

/// How a child process ended.
struct Ended {
  int signal = 0;     ///< signal that ended it
  std::string result; ///< what its body returned
  std::chrono::duration<double> seconds{};

  bool says(const std::string &text) const {
    return result.find(text) != std::string::npos;
  }
};

/// Runs a body in a child process per number, and waits for them. `stops`: a child that
/// stops itself and is continued when all others have ended.
inline std::vector<Ended> inProcesses(uint32_t count,
                                      const std::function<std::string(uint32_t)> &body,
                                      uint32_t stops = UINT32_MAX) {
  struct Child {
    pid_t pid;
    int pipe;
  };
  std::vector<Child> children;
  auto begin = std::chrono::steady_clock::now();
  for (uint32_t number = 0; number < count; ++number) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
      for (const Child &other : children)
        close(other.pipe);
      close(ends[0]);
      alarm(60); // a test that hangs is killed
      std::string result = body(number);
      for (size_t done = 0; done < result.size();)
        done += static_cast<size_t>(std::max<ssize_t>(
            write(ends[1], result.data() + done, result.size() - done), 0));
      _exit(0);
    }
    close(ends[1]);
    children.push_back({pid, ends[0]});
  }
  std::vector<Ended> all(count);
  auto collect = [&](uint32_t number) {
    char part[65536];
    while (ssize_t n = read(children[number].pipe, part, sizeof part)) {
      if (n < 0)
        break;
      all[number].result.append(part, static_cast<size_t>(n));
    }
    close(children[number].pipe);
    int status = 0;
    waitpid(children[number].pid, &status, 0);
    all[number].signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    all[number].seconds = std::chrono::steady_clock::now() - begin;
  };
  for (uint32_t number = 0; number < count; ++number)
    if (number != stops)
      collect(number);
  if (stops < count) {
    kill(children[stops].pid, SIGCONT);
    collect(stops);
  }
  return all;
}

/// Returns an address for a rendezvous that no other test uses.
inline std::string newPlace() {
  static int number = 0;
  return "test " + std::to_string(getpid()) + "." + std::to_string(number++);
}

inline rt::Rendezvous rendezvousOf(const std::string &place, uint32_t rank,
                                   uint32_t ranks) {
  return {rank, ranks, place, std::chrono::seconds(20), "1.0", "package", "dims"};
}

/// Returns the table row of a transport between processes.
inline const rt::Transport &transport(std::string_view name) {
  auto all = rt::transports();
  return *std::ranges::find(all, name, &rt::Transport::name);
}

/// Returns a currently unused TCP port of the loopback interface.
inline uint16_t freePort() {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr *>(&address), size), 0);
  EXPECT_EQ(getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size), 0);
  close(listener);
  return ntohs(address.sin_port);
}

/// Runs a body on each of `ranks` ranks, each a process.
inline std::vector<Ended>
onRanks(uint32_t ranks, const std::function<std::string(rt::ProcessGroup &)> &body,
        std::chrono::milliseconds timeout = std::chrono::seconds(20),
        uint32_t stops = UINT32_MAX,
        const rt::Transport &by = transport("shared_memory")) {
  std::string place = newPlace();
  rt::StoreAddress store;
  if (by.connectsNodes)
    store = {"127.0.0.1", freePort()};
  return inProcesses(
      ranks,
      [&](uint32_t rank) -> std::string {
        std::unique_ptr<rt::HostBackend> backend;
        rt::Rendezvous self = rendezvousOf(place, rank, ranks);
        self.store = store;
        rt::Status joined = by.join(self, backend);
        if (!joined.ok())
          return joined.message();
        backend->setTimeout(timeout);
        rt::ProcessGroup group(rank, ranks, *backend);
        return body(group);
      },
      stops);
}

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_FORKED_H
