//===- bus_guard.cpp - Mapped files that become shorter -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/bus_guard.h"
#include "runtime/base/file.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <sys/mman.h>

using namespace kiln::rt;

namespace {
/// A guarded address range. The signal handler reads it, so its members are lock-free
/// atomics.
struct Guarded {
  std::atomic<bool> taken{false};
  std::atomic<uintptr_t> begin{0}, end{0};
  std::atomic<bool> hit{false};
};
} // namespace

static constexpr int capacity = 256;
static Guarded ranges[capacity];
static struct sigaction before;
static size_t pageBytes; // cached: sysconf is not async-signal-safe
static_assert(std::atomic<uintptr_t>::is_always_lock_free);

static bool replacePage(uintptr_t address) {
  for (Guarded &range : ranges) {
    if (address < range.begin.load() || address >= range.end.load())
      continue;
    range.hit.store(true);
    void *page = reinterpret_cast<void *>(address & ~(uintptr_t(pageBytes) - 1));
    return mmap(page, pageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) != MAP_FAILED;
  }
  return false;
}

static void handle(int signal, siginfo_t *info, void *context) {
  int error = errno;
  // Handles only accesses beyond the end of the file (BUS_ADRERR), not hardware memory
  // errors.
  bool ours = info->si_code == BUS_ADRERR &&
              replacePage(reinterpret_cast<uintptr_t>(info->si_addr));
  errno = error;
  if (ours)
    return;
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(signal);
  else
    sigaction(signal, &before, nullptr); // the repeated access ends the process
}

static bool install() {
  static std::once_flag once;
  static bool installed = false;
  std::call_once(once, [] {
    pageBytes = pageSize();
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    installed = sigaction(SIGBUS, nullptr, &before) == 0 &&
                sigaction(SIGBUS, &action, nullptr) == 0;
  });
  return installed;
}

BusGuard::BusGuard(void *data, size_t size) {
  if (!install())
    return;
  for (int i = 0; i < capacity; ++i) {
    Guarded &range = ranges[i];
    if (range.taken.exchange(true))
      continue;
    auto begin = reinterpret_cast<uintptr_t>(data);
    range.hit.store(false);
    range.begin.store(begin);
    range.end.store(begin + size);
    place = i;
    return;
  }
}

BusGuard::~BusGuard() {
  if (place < 0)
    return;
  ranges[place].end.store(0);
  ranges[place].begin.store(0);
  ranges[place].taken.store(false);
}

bool BusGuard::hit() const { return place >= 0 && ranges[place].hit.load(); }
