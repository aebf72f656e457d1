//===- thread_name.h - Threads by name in debuggers -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_THREAD_NAME_H
#define KILN_BASE_THREAD_NAME_H

#include <cstdint>
#include <cstdio>
#include <pthread.h>

namespace kiln::rt {

/// Names the calling thread for top -H, perf and gdb, with at most 15 characters.
inline void nameThread(const char *prefix, uint32_t number) {
  char name[16];
  std::snprintf(name, sizeof name, "%s%u", prefix, number);
  pthread_setname_np(pthread_self(), name);
}

} // namespace kiln::rt

#endif // KILN_BASE_THREAD_NAME_H
