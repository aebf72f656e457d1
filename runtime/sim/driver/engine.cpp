//===- engine.cpp - Runs enqueued work in a legal order -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/engine.h"
#include "runtime/sim/driver/runtime.h"
#include <algorithm>
#include <thread>
#include <unordered_set>
#include <utility>

using namespace kiln::sim;
using namespace kiln::sim::driver;

void Engine::configure(Order newOrder, uint64_t newSeed) {
  order = newOrder;
  seed = newSeed;
}

/// splitmix64: the same seed gives the same order of the same program.
uint64_t Engine::random(uint64_t bound) {
  uint64_t z = seed += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z ^ (z >> 31)) % bound;
}

static void raise(OverBlocks &known, const OverBlocks &by) {
  for (size_t device = 0; device < known.size(); ++device)
    known[device] = std::max(known[device], by[device]);
}

void Engine::enqueue(const std::shared_ptr<Op> &op,
                     const std::vector<std::shared_ptr<Op>> &waits) {
  op->start = op->context->hostTime;
  op->known = observed;
  for (const std::shared_ptr<Op> &wait : waits) {
    if (!wait)
      continue;
    if (!wait->done()) {
      op->waits.push_back(wait);
      continue;
    }
    op->start = std::max(op->start, wait->end);
    raise(op->known, wait->known);
  }
  pending.push_back(op);
}

bool Engine::ready(const Op &op) {
  return op.state == Op::State::Waiting &&
         std::all_of(op.waits.begin(), op.waits.end(), [](auto &w) { return w->done(); });
}

std::shared_ptr<Op> Engine::pickAny() {
  std::vector<std::shared_ptr<Op>> choices;
  for (const std::shared_ptr<Op> &op : pending)
    if (ready(*op)) {
      choices.push_back(op);
      if (order != Order::Random)
        break;
    }
  return choices.empty() ? nullptr : choices[random(choices.size())];
}

/// Returns a ready operation among `target` and all that it waits for.
std::shared_ptr<Op> Engine::pickFor(const std::shared_ptr<Op> &target) {
  std::vector<std::shared_ptr<Op>> stack = {target};
  std::unordered_set<Op *> seen = {target.get()};
  while (!stack.empty()) {
    std::shared_ptr<Op> op = std::move(stack.back());
    stack.pop_back();
    if (ready(*op))
      return op;
    for (const std::shared_ptr<Op> &wait : op->waits)
      if (!wait->done() && seen.insert(wait.get()).second)
        stack.push_back(wait);
  }
  return nullptr;
}

std::shared_ptr<Op> Engine::pick(const std::shared_ptr<Op> &target) {
  return order == Order::Late ? pickFor(target) : pickAny();
}

void Engine::complete(const std::shared_ptr<Op> &op, Result result) {
  for (const std::shared_ptr<Op> &wait : op->waits)
    op->start = std::max(op->start, wait->end);
  op->end = op->start + result.seconds;
  uint32_t &own = op->known[size_t(op->context->device->ordinal)];
  own = std::max(own, result.over);
  raise(op->context->known, op->known);
  op->state = Op::State::Done;
  // Drop references to completed work: chains of operations get as long as the program
  // runs.
  op->waits.clear();
  op->body = nullptr;
  Context &context = *op->context;
  if (result.code != CUDA_SUCCESS && context.sticky == CUDA_SUCCESS) {
    context.sticky = result.code;
    context.stickyMessage = result.message;
    say("%s (%s)\n  Every later call in this context returns this error; destroy the "
        "context, or end the process, to go on.",
        result.message.c_str(), resultName(result.code));
  }
  if (op->finish)
    std::exchange(op->finish, nullptr)();
  auto entry = std::find(pending.begin(), pending.end(), op);
  if (entry != pending.end())
    pending.erase(entry);
  changed.notify_all();
}

void Engine::run(const std::shared_ptr<Op> &op) {
  op->state = Op::State::Running;
  for (const std::shared_ptr<Op> &wait : op->waits)
    raise(op->known, wait->known);
  bool skip = op->context->sticky != CUDA_SUCCESS;
  if (op->ownThread && !skip) {
    Context &context = *op->context;
    context.turns.push_back(op);
    if (!std::exchange(context.hasThread, true))
      std::thread([this, owner = op->context] { runInTurn(*owner); }).detach();
    return;
  }
  complete(op, op->body && !skip ? perform(*op) : Result());
}

Result Engine::perform(Op &op) {
  Unlocked unlocked;
  thisThread().inCallback = op.hostFunction;
  Result result;
  try {
    result = op.body(op.known);
  } catch (const Failure &failure) {
    result = {failure.code, failure.message, 0};
  } catch (const std::bad_alloc &) {
    result = {CUDA_ERROR_OUT_OF_MEMORY, "the host has no memory left", 0};
  } catch (const std::exception &error) {
    result = {CUDA_ERROR_UNKNOWN, error.what(), 0};
  }
  thisThread().inCallback = false;
  return result;
}

void Engine::advance() {
  if (order == Order::Late)
    return;
  while (true) {
    if (order == Order::Random && random(2))
      return;
    std::shared_ptr<Op> op = pickAny();
    if (!op)
      return;
    run(op);
  }
}

void Engine::wait(const std::shared_ptr<Op> &op) {
  while (op && !op->done()) {
    if (std::shared_ptr<Op> next = pick(op))
      run(next);
    else
      changed.wait(*thisThread().lock);
  }
  if (!op)
    return;
  op->context->hostTime = std::max(op->context->hostTime, op->end);
  observe(*op);
}

void Engine::observe(const Op &op) { raise(observed, op.known); }

void Engine::nudge(const std::shared_ptr<Op> &op) {
  if (op && !op->done())
    if (std::shared_ptr<Op> next = pick(op))
      run(next);
}

void Engine::waitAll(const Context &context) {
  while (true) {
    auto entry = std::find_if(pending.begin(), pending.end(),
                              [&](auto &op) { return op->context.get() == &context; });
    if (entry == pending.end())
      break;
    std::shared_ptr<Op> op = *entry;
    wait(op);
  }
  raise(observed, context.known);
}

/// Runs a context's host functions and peer kernels, in a thread of its own while there
/// are any: one may wait for another GPU's.
void Engine::runInTurn(Context &context) {
  std::unique_lock<std::mutex> lock(runtime().mutex);
  thisThread().lock = &lock;
  while (!context.turns.empty()) {
    std::shared_ptr<Op> op = std::move(context.turns.front());
    context.turns.pop_front();
    complete(op, perform(*op));
    // In eager order no later call might run the operations that waited for this one.
    if (order == Order::Eager)
      advance();
  }
  context.hasThread = false;
  thisThread().lock = nullptr;
}
