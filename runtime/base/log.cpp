//===- log.cpp - Records for the caller's log -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/log.h"
#include <atomic>
#include <cstdio>
#include <cxxabi.h>
#include <new>
#include <pthread.h>
#include <utility>
#include <vector>

using namespace kiln::rt;

namespace {
struct Hook {
  kiln_log_callback callback;
  void *user;
  Hook *next; ///< next of the hooks that were replaced from within their own callback
};
} // namespace

static std::atomic<Hook *> current{nullptr};
/// Hooks that were replaced from within their own callback. The next setLog from outside
/// of a callback frees them.
static std::atomic<Hook *> replacedWithin{nullptr};
/// Number of threads that are in a callback, or about to call it.
static std::atomic<uint32_t> callers{0};
static thread_local bool isCalling = false;

bool kiln::rt::isLogged() { return current.load(std::memory_order_relaxed); }

namespace {
/// Marks this thread as being in the callback.
class Calling {
public:
  Calling() {
    isCalling = true;
    callers.fetch_add(1, std::memory_order_seq_cst);
  }
  ~Calling() {
    callers.fetch_sub(1, std::memory_order_release);
    isCalling = false;
  }
  Calling(const Calling &) = delete;
};
} // namespace

static void send(const kiln_log_record &record) {
  if (isCalling)
    return;
  Calling calling;
  if (Hook *hook = current.load(std::memory_order_seq_cst))
    hook->callback(hook->user, &record);
}

void kiln::rt::writeLog(kiln_log_severity severity, const char *event,
                        const std::string &text, std::initializer_list<LogField> fields,
                        Code::ID code) {
  if (!isLogged())
    return;
  try {
    std::vector<kiln_log_field> list;
    for (const LogField &field : fields)
      list.push_back({field.key, field.text, field.number});
    send({sizeof(kiln_log_record), severity, static_cast<unsigned>(code), event,
          text.c_str(), list.size(), list.data()});
  } catch (const abi::__forced_unwind &) { // the thread is being cancelled
    throw;
  } catch (...) { // an exception of the callback, or no memory for the record
  }
}

void kiln::rt::writeLog(const char *event, const Status &failed,
                        const std::string &path) {
  if (!isLogged() || failed.ok())
    return;
  char name[16];
  std::snprintf(name, sizeof name, "KILN-E%04u", static_cast<unsigned>(failed.code()));
  if (path.empty())
    return writeLog(KILN_LOG_ERROR, event, failed.message(), {{"error.type", name}},
                    failed.code());
  writeLog(KILN_LOG_ERROR, event, failed.message(),
           {{"error.type", name}, {"file.path", path.c_str()}}, failed.code());
}

void kiln::rt::setLog(kiln_log_callback callback, void *user) {
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, +[] { callers.store(isCalling ? 1 : 0); });
  Hook *wanted = callback ? new (std::nothrow) Hook{callback, user, nullptr} : nullptr;
  Hook *before = current.exchange(wanted, std::memory_order_seq_cst);
  if (isCalling && before) { // this thread is in the callback and cannot wait for its end
    before->next = replacedWithin.load();
    while (!replacedWithin.compare_exchange_weak(before->next, before))
      ;
  }
  if (isCalling)
    return;
  Hook *others = replacedWithin.exchange(nullptr);
  const timespec pause{0, 100'000};
  while (callers.load(std::memory_order_seq_cst))
    nanosleep(&pause, nullptr);
  delete before;
  while (others)
    delete std::exchange(others, others->next);
}
