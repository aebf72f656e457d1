//===- allocations.cpp - Allocations, mappings and threads that fail ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <atomic>
#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace abuse;

static std::atomic<unsigned> countedKinds{0};
static std::atomic<long> counted{0}, failing{-1};
static std::atomic<bool> hasFailed{false};

static bool fails(Kind kind) {
  if (!(countedKinds.load(std::memory_order_relaxed) & kind))
    return false;
  if (counted.fetch_add(1) != failing.load())
    return false;
  hasFailed = true;
  return true;
}

void abuse::failAt(long count, unsigned kinds) {
  counted = 0;
  failing = count;
  hasFailed = false;
  countedKinds = kinds;
}

long abuse::stopFailing(bool *failed) {
  countedKinds = 0;
  *failed = hasFailed;
  return counted;
}

// Replacements of libc's functions: the program's definitions precede those of libc, so
// the library calls these.
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static void *none() {
  errno = ENOMEM;
  return nullptr;
}
void *malloc(size_t size) { return fails(Heap) ? none() : __libc_malloc(size); }
void *calloc(size_t count, size_t size) {
  return fails(Heap) ? none() : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  return fails(Heap) ? none() : __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return fails(Heap) ? none() : __libc_memalign(alignment, size);
}
int posix_memalign(void **out, size_t alignment, size_t size) {
  if (fails(Heap))
    return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
void *mmap(void *address, size_t size, int protection, int flags, int file,
           off_t offset) {
  if (fails(Mappings)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, address, size, protection, flags, file, offset));
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*start)(void *), void *argument) {
  using Create = decltype(&pthread_create);
  static const Create create =
      reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return fails(Threads) ? EAGAIN : create(thread, attributes, start, argument);
}
}

/// Calls everything that a typical program calls; tensors have memory already.
static kiln_status *everything(const char *path, const Program &tensors) {
  kiln_model *model = nullptr;
  kiln_session *session = nullptr;
  kiln_shape shapes[4];
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 2;
  const kiln_tensor *inputs = tensors.inputs.data(), *outputs = tensors.outputs.data();
  size_t inputCount = tensors.inputs.size(), outputCount = tensors.outputs.size();
  kiln_status *status = kiln_model_load(path, nullptr, &model);
  if (!status)
    status = kiln_model_check_weights(model);
  if (!status)
    status = kiln_session_create(model, &options, &session);
  if (!status)
    status = kiln_session_output_shapes(session, inputs, inputCount, shapes, outputCount);
  if (!status)
    status = kiln_session_run(session, inputs, inputCount, outputs, outputCount);
  kiln_session_release(session);
  kiln_model_release(model);
  return status;
}

/// Runs everything in a child with allocation `count` failing, then without a failure:
/// the first pass must not have changed the result.
static std::string trial(const char *path, long count, unsigned kinds,
                         const std::string &expected) {
  return inChild([&]() -> std::string {
    Program tensors;
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    options.threads = 1; // the trial itself starts the worker threads
    kiln_status *status = tensors.load(path);
    if (!status)
      status = tensors.create(options);
    if (!status)
      status = tensors.prepare(Dims::Smallest);
    if (status)
      return "before: " + codeOf(status);
    bool failed = false;
    failAt(count, kinds);
    status = everything(path, tensors);
    stopFailing(&failed);
    std::string code = codeOf(status), after = once(path, 2, Dims::Smallest);
    if (after != expected)
      return "then " + after;
    if (!failed)
      return "unreached";
    return code.empty() ? "unharmed" : code;
  });
}

/// Arguments PACKAGE KINDS STEP: fails every STEP-th allocation, until one is not
/// reached.
void abuse::allocations(const Arguments &arguments) {
  const char *path = arguments[0].c_str();
  unsigned kinds = static_cast<unsigned>(std::stoul(arguments[1]));
  long step = std::stol(arguments[2]);
  std::string expected = once(path, 2, Dims::Smallest);
  for (long count = 0;; count += step) {
    std::string result = trial(path, count, kinds, expected);
    if (result == "unreached")
      return;
    report("allocation " + std::to_string(count), result);
    if (result.find("before: ") == 0)
      return;
  }
}
