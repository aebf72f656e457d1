//===- engine.h - Runs enqueued work in a legal order -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work is a graph of operations: each waits for some earlier ones. In eager order the
// thread that enqueues runs what is ready; in late order nothing runs until somebody
// waits, and then only what that wait needs; in random order a coin decides, and ready
// operations are picked at random. Host functions run in a thread for each context.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_ENGINE_H
#define KILN_SIM_DRIVER_ENGINE_H

#include "runtime/sim/driver/environment.h"
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>

namespace kiln::sim::driver {

struct Context;

/// How a piece of work ended.
struct Result {
  CUresult code = CUDA_SUCCESS;
  std::string message;
  double seconds = 0; ///< modelled time that it took
};

class Op {
public:
  /// Runs without the runtime's mutex. Null: nothing to do but be an order point.
  std::function<Result()> body;
  /// Runs with the mutex once the body has ended, even if it failed or was skipped.
  std::function<void()> finish;
  std::shared_ptr<Context> context;
  bool hostFunction = false; ///< body may wait for anything: needs a thread of its own
  double end = 0;            ///< modelled seconds, valid when done

  bool done() const { return state == State::Done; }

private:
  friend class Engine;
  enum class State { Waiting, Running, Done };
  State state = State::Waiting;
  double start = 0;
  std::vector<std::shared_ptr<Op>> waits; ///< not yet done when it was enqueued
};

/// All of it needs the runtime's mutex, held through ThreadState::lock.
class Engine {
public:
  void configure(Order order, uint64_t seed);
  /// Takes the operation over. It begins no earlier than `waits` and the host's time.
  void enqueue(const std::shared_ptr<Op> &op,
               const std::vector<std::shared_ptr<Op>> &waits);
  /// As the order says: runs what is ready, now or later.
  void advance();
  /// Returns when the operation is done; null is done.
  void wait(const std::shared_ptr<Op> &op);
  /// Runs at most one operation that this one needs: for programs that poll.
  void nudge(const std::shared_ptr<Op> &op);
  /// Waits for everything that was enqueued in the context.
  void waitAll(const Context &context);

private:
  using List = std::list<std::shared_ptr<Op>>;
  static bool ready(const Op &op);
  std::shared_ptr<Op> pickAny();
  std::shared_ptr<Op> pickFor(const std::shared_ptr<Op> &target);
  std::shared_ptr<Op> pick(const std::shared_ptr<Op> &target);
  void run(const std::shared_ptr<Op> &op);
  void complete(const std::shared_ptr<Op> &op, Result result);
  void runHostFunctions(Context &context);
  uint64_t random(uint64_t bound);

  Order order = Order::Eager;
  uint64_t seed = 1;
  List pending; ///< in the order of enqueueing, without the done
  std::condition_variable changed;
};

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_ENGINE_H
