//===- CountAllocations.cpp -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CountAllocations.h"
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KILN_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||               \
    __has_feature(memory_sanitizer)
#define KILN_SANITIZED 1
#endif
#endif

static std::atomic<long> allocations{0};

long kiln::test::countAllocations() { return allocations; }

bool kiln::test::canCountAllocations() {
#ifdef KILN_SANITIZED
  return false;
#else
  return true;
#endif
}

#ifndef KILN_SANITIZED
// Must be visible to the shared C++ library too, whose operator new calls it.
#pragma GCC visibility push(default)
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#pragma GCC visibility pop
#endif

void kiln::test::expectNoAllocations(kiln_session *session) {
  FloatTensor x("x", {4, 256}), y("y", {4, 256}), sum("sum", {4});
  int failures = 0;
  long before = countAllocations();
  for (int i = 0; i < 1000; ++i) {
    int64_t shape[] = {1 + i % 4, 1 + (i / 2) % 256};
    kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
    in.shape = shape;
    out[0].shape = out[1].shape = nullptr;
    kiln_shape shapes[2];
    failures += kiln_session_output_shapes(session, &in, 1, shapes, 2) != nullptr;
    failures += kiln_session_run(session, &in, 1, out, 2) != nullptr;
  }
  long after = countAllocations();
  EXPECT_EQ(after, before);
  EXPECT_EQ(failures, 0);
}
