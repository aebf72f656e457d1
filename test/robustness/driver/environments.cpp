//===- environments.cpp - Limits, floating point, stacks, folders ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <cfenv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xmmintrin.h>

using namespace abuse;

static void limit(int resource, rlim_t value) {
  rlimit both{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

static rlim_t bytesMapped() {
  unsigned long pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// Argument PACKAGE: runs with reduced limits (setrlimit) and system resources.
void abuse::limits(const Arguments &arguments) {
  const char *path = arguments[0].c_str();
  std::string expected = once(path);
  auto trial = [&](const std::string &name, const std::function<void()> &set) {
    std::string result = inChild([&] {
      set();
      return once(path);
    });
    report(name, result == expected ? "same bits" : result);
  };
  for (rlim_t kib = 0; kib <= 4096; kib += 128)
    trial("address space, " + std::to_string(kib) + " KiB more",
          [=] { limit(RLIMIT_AS, bytesMapped() + (kib << 10)); });
  for (rlim_t files = 0; files <= 8; ++files)
    trial(std::to_string(files) + " files", [=] { limit(RLIMIT_NOFILE, files); });
  for (rlim_t kib : {64, 128, 256})
    trial("stack of " + std::to_string(kib) + " KiB",
          [=] { limit(RLIMIT_STACK, kib << 10); });
  trial("no locked memory", [] { limit(RLIMIT_MEMLOCK, 0); });
  trial("no file may grow", [] { limit(RLIMIT_FSIZE, 0); });
  trial("no core file", [] { limit(RLIMIT_CORE, 0); });
  trial("closed standard streams", [] {
    for (int file : {0, 1, 2})
      close(file);
  });
  trial("one CPU", [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
  });
  trial("lowest priority", [] { setpriority(PRIO_PROCESS, 0, 19); });
  std::vector<char> bytes = readFile(path);
  std::string result = inChild([&]() -> std::string {
    if (geteuid() == 0 && (setgroups(0, nullptr) || setresgid(65534, 65534, 65534) ||
                           setresuid(65534, 65534, 65534)))
      return "skipped: cannot become another user";
    limit(RLIMIT_NPROC, 0); // RLIMIT_NPROC does not apply to root
    return once(bytes);
  });
  report("no threads", result == expected ? "same bits" : result);
}

static std::string withFloatingPoint(const char *path, int rounding, bool flush,
                                     bool traps) {
  std::fesetround(rounding);
  if (flush)
    _mm_setcsr(_mm_getcsr() | 0x8040);
  if (traps)
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  unsigned before = _mm_getcsr() & ~0x3fu; // without the exception flags
  std::string result = once(path);
  if ((_mm_getcsr() & ~0x3fu) != before || std::fegetround() != rounding)
    return "the caller's environment is another one";
  return result;
}

static std::string onStack(const char *path, size_t bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, bytes))
    return "no such stack";
  static std::string result;
  pthread_t thread;
  auto work = [](void *file) -> void * {
    result = once(static_cast<const char *>(file));
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, work, const_cast<char *>(path)))
    return "no thread";
  pthread_join(thread, nullptr);
  return result;
}

/// Arguments PACKAGE ROOT: floating-point modes, small stacks, and a root folder that
/// contains only m.kiln.
void abuse::environments(const Arguments &arguments) {
  const char *path = arguments[0].c_str();
  std::string expected = once(path);
  auto trial = [&](const std::string &name, const std::function<std::string()> &body) {
    std::string result = inChild(body);
    report(name, result == expected ? "same bits" : result);
  };
  for (int rounding : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO})
    for (bool flush : {false, true})
      for (bool traps : {false, true})
        trial("rounding " + std::to_string(rounding) +
                  (flush ? ", denormals are zero" : "") +
                  (traps ? ", exceptions trap" : ""),
              [=] { return withFloatingPoint(path, rounding, flush, traps); });
  for (size_t kib : {16, 20, 24, 32, 48, 64})
    trial("thread with a stack of " + std::to_string(kib) + " KiB",
          [=] { return onStack(path, kib << 10); });
  for (uint32_t threads : {1, 2})
    trial("root without /proc and /sys, threads " + std::to_string(threads),
          [&]() -> std::string {
            if (geteuid() != 0)
              return "skipped: chroot needs root";
            if (chdir(arguments[1].c_str()) || chroot("."))
              return "skipped: chroot is not allowed";
            return once("m.kiln", threads);
          });
}
