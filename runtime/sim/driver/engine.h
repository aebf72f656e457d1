//===- engine.h - Runs enqueued work in a legal order -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work is a graph of operations: each waits for some earlier ones. In eager order the
// thread that enqueues runs what is ready; in late order nothing runs until a thread
// waits, and then only what that wait needs; in random order a random bit decides, and
// ready operations are picked at random. Host functions, and kernels of GPUs with peer
// access, run in one thread per context, as they may wait for each other.
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_ENGINE_H
#define KILN_SIM_DRIVER_ENGINE_H

#include "runtime/sim/driver/environment.h"
#include "runtime/sim/exec/launch.h"
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>

namespace kiln::sim::driver {

struct Context;

/// Result of an operation.
struct Result {
  CUresult code = CUDA_SUCCESS;
  std::string message;
  double seconds = 0; ///< modelled duration
  uint32_t over = 0;  ///< for a kernel: Outcome::over
};

class Op {
public:
  /// Runs without the runtime's mutex. Null: the operation only orders others.
  std::function<Result(const OverBlocks &known)> body;
  /// Runs with the mutex after the body, even if that failed or was skipped.
  std::function<void()> finish;
  std::shared_ptr<Context> context;
  bool hostFunction = false; ///< must not call the driver
  bool ownThread = false;    ///< body may wait for work of other contexts
  double end = 0;            ///< modelled seconds, valid when done
  OverBlocks known = {};     ///< blocks that happened before it, including its own once
                             ///< done

  bool done() const { return state == State::Done; }

private:
  friend class Engine;
  enum class State { Waiting, Running, Done };
  State state = State::Waiting;
  double start = 0;
  std::vector<std::shared_ptr<Op>> waits; ///< operations that were not done when it was
                                          ///< enqueued
};

/// All methods need the runtime's mutex, held through ThreadState::lock.
class Engine {
public:
  void configure(Order order, uint64_t seed);
  /// Enqueues the operation. It begins no earlier than `waits` and the host's modelled
  /// time.
  void enqueue(const std::shared_ptr<Op> &op,
               const std::vector<std::shared_ptr<Op>> &waits);
  /// Runs ready operations now or leaves them for later, as the order says.
  void advance();
  /// Returns when the operation is done; null counts as done.
  void wait(const std::shared_ptr<Op> &op);
  /// Runs at most one operation that this one needs: for programs that poll.
  void nudge(const std::shared_ptr<Op> &op);
  /// Waits for everything that was enqueued in the context.
  void waitAll(const Context &context);
  /// Records that the host knows the operation to be done, so that what any host thread
  /// enqueues from now on happens after it.
  void observe(const Op &op);

private:
  using List = std::list<std::shared_ptr<Op>>;
  static bool ready(const Op &op);
  std::shared_ptr<Op> pickAny();
  std::shared_ptr<Op> pickFor(const std::shared_ptr<Op> &target);
  std::shared_ptr<Op> pick(const std::shared_ptr<Op> &target);
  void run(const std::shared_ptr<Op> &op);
  void complete(const std::shared_ptr<Op> &op, Result result);
  Result perform(Op &op);
  void runInTurn(Context &context);
  uint64_t random(uint64_t bound);

  Order order = Order::Eager;
  uint64_t seed = 1;
  List pending; ///< in the order of enqueueing, without those done
  OverBlocks observed = {};
  std::condition_variable changed;
};

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_ENGINE_H
