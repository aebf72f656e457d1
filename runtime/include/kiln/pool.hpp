//===- pool.hpp - Sessions for any number of threads ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   kiln::rt::Pool pool(model, 4);                  // four runs at once
//   auto out = pool.run({{"ids", ids, {1, 3}}}, {50ms});
//
//===----------------------------------------------------------------------===//
#ifndef KILN_POOL_HPP
#define KILN_POOL_HPP

#include "kiln/runtime.hpp"
#include <condition_variable>
#include <deque>
#include <mutex>

namespace kiln::rt {

/// Sessions of one model. Each run uses one session; runs that find none free wait in
/// FIFO order.
class Pool {
public:
  /// size: number of sessions, which run concurrently. waiting: max number of runs that
  /// wait; a further one fails with KILN-E0623.
  Pool(const Model &model, size_t size,
       const kiln_session_options &options = KILN_SESSION_OPTIONS_INIT,
       size_t waiting = SIZE_MAX)
      : limit(waiting) {
    for (size_t i = 0; i < size; ++i)
      free.push_back(std::make_unique<Session>(model, options));
    if (free.empty())
      throw Error(1, 2, "kiln::rt::Pool", "it has no sessions", "a size from 1 on", "0",
                  "give a larger one");
  }

  /// Runs as Session::run does. The timeout covers waiting and running.
  std::vector<Array> run(const std::vector<View> &inputs,
                         const RunOptions &options = {}) {
    Clock::time_point begin = Clock::now();
    Lease lease(*this, options.timeout);
    return lease.session->run(inputs, rest(options, begin));
  }
  void run(const std::vector<View> &inputs, const std::vector<Place> &outputs,
           const RunOptions &options = {}) {
    Clock::time_point begin = Clock::now();
    Lease lease(*this, options.timeout);
    lease.session->run(inputs, outputs, rest(options, begin));
  }

  /// Refuses waiting and later runs (KILN-E0001); runs in progress continue.
  void close() {
    std::lock_guard<std::mutex> lock(mutex);
    isClosed = true;
    changed.notify_all();
  }

  /// Number of runs that wait now.
  size_t waiting() {
    std::lock_guard<std::mutex> lock(mutex);
    return queue.size();
  }

private:
  using Clock = std::chrono::steady_clock;
  using Timeout = std::optional<std::chrono::nanoseconds>;

  /// Takes a session for the duration of a run.
  struct Lease {
    Lease(Pool &from, Timeout timeout) : pool(from), session(from.take(timeout)) {}
    ~Lease() { pool.give(std::move(session)); }
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;
    Pool &pool;
    std::unique_ptr<Session> session;
  };

  static RunOptions rest(RunOptions options, Clock::time_point begin) {
    if (options.timeout)
      *options.timeout -= Clock::now() - begin;
    return options;
  }

  std::unique_ptr<Session> take(Timeout timeout) {
    std::unique_lock<std::mutex> lock(mutex);
    if (!isClosed && (free.empty() || !queue.empty()))
      await(lock, timeout);
    if (isClosed)
      throw Error(1, 2, "kiln::rt::Pool", "the pool is closed", "an open pool",
                  "a run after close()", "make another one");
    std::unique_ptr<Session> session = std::move(free.front());
    free.pop_front();
    return session;
  }

  /// Waits until the caller is first in the queue and a session is free, or the pool is
  /// closed.
  void await(std::unique_lock<std::mutex> &lock, Timeout timeout) {
    if (queue.size() >= limit)
      throw Error(623, 4, "kiln::rt::Pool", "too many runs wait for a session",
                  "at most " + std::to_string(limit), "one more",
                  "send the request elsewhere or later, or make the pool larger");
    uint64_t number = ++last;
    queue.push_back(number);
    auto mayGoOn = [&] { return isClosed || (queue.front() == number && !free.empty()); };
    bool isInTime = true;
    if (timeout)
      isInTime = changed.wait_for(lock, *timeout, mayGoOn);
    else
      changed.wait(lock, mayGoOn);
    queue.erase(std::find(queue.begin(), queue.end(), number));
    changed.notify_all(); // another waiter may be first now
    if (!isInTime)
      throw Error(714, 4, "kiln::rt::Pool", "the deadline of the run has passed",
                  "a free session before that", "none in time",
                  "give the run more time, or make the pool larger");
  }

  void give(std::unique_ptr<Session> session) {
    std::lock_guard<std::mutex> lock(mutex);
    free.push_back(std::move(session));
    changed.notify_all();
  }

  const size_t limit;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::unique_ptr<Session>> free;
  std::deque<uint64_t> queue; ///< waiting runs in FIFO order
  uint64_t last = 0;
  bool isClosed = false;
};

} // namespace kiln::rt

#endif // KILN_POOL_HPP
