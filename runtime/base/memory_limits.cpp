//===- memory_limits.cpp - How much memory the machine has ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/memory_limits.h"
#include <cstdio>

/// Returns the bytes of the line of /proc/meminfo that the scanf format matches; the file
/// has KiB.
static uint64_t meminfo(const char *format) {
  uint64_t result = UINT64_MAX;
  if (std::FILE *file = std::fopen("/proc/meminfo", "re")) {
    char line[128];
    unsigned long long kib = 0;
    while (result == UINT64_MAX && std::fgets(line, sizeof line, file))
      if (std::sscanf(line, format, &kib) == 1)
        result = kib << 10;
    std::fclose(file);
  }
  return result;
}

uint64_t kiln::rt::machineMemory() { return meminfo("MemTotal: %llu kB"); }

uint64_t kiln::rt::availableMemory() { return meminfo("MemAvailable: %llu kB"); }
