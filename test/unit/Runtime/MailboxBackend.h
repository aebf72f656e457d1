//===- MailboxBackend.h - A transport only for tests ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows what a new transport needs: one subclass of HostBackend. Ranks are threads and
// post messages, a call with a copy of its operand; each rank computes its result from
// those of all ranks. Messages can be delayed or lost.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_MAILBOXBACKEND_H
#define KILN_TEST_RUNTIME_MAILBOXBACKEND_H

#include "CollectiveReference.h"
#include "runtime/collective/backend.h"
#include <condition_variable>
#include <mutex>

namespace kiln::test {

/// Memory shared by the ranks.
struct Mailbox {
  using Clock = std::chrono::steady_clock;
  struct Message {
    rt::CollectiveCall call;
    Bytes operand;
    Clock::time_point delivery; ///< earliest time at which it can be read
  };
  struct Box {
    uint32_t posted = 0; ///< number of messages of the rank
    uint32_t steps = 0;
    Message last[2]; ///< by parity: a rank is never two collectives ahead
  };

  explicit Mailbox(uint32_t ranks) : boxes(ranks) {}

  std::chrono::milliseconds delay{0}; ///< of every message
  uint32_t lossy = UINT32_MAX;        ///< the rank whose messages are lost

  std::mutex mutex; ///< guards the members below
  std::condition_variable changed;
  std::vector<Box> boxes;
  std::optional<rt::RankFailure> failure;
};

class MailboxBackend final : public rt::HostBackend {
public:
  MailboxBackend(Mailbox &mailbox, uint32_t rank, std::chrono::milliseconds timeout)
      : mailbox(mailbox), rank(rank), limit(timeout) {}

  const char *name() const override { return "mailbox"; }

  rt::Status run(const rt::CollectiveCall &given) override {
    rt::CollectiveCall call = given.resolved(size());
    std::unique_lock lock(mailbox.mutex);
    post(call);
    for (uint32_t other = 0; other < size(); ++other)
      KILN_TRY(await(lock, other, call.step));
    KILN_TRY(compare(call.step));
    std::vector<const void *> operands;
    for (Mailbox::Box &box : mailbox.boxes)
      operands.push_back(message(box).operand.data());
    writeResult(call, rank, operands, call.to);
    return {};
  }

  rt::Status health(uint32_t step) override {
    std::lock_guard lock(mailbox.mutex);
    return failed(step);
  }

  void fail(uint32_t of, const rt::Failure &what) override {
    std::lock_guard lock(mailbox.mutex);
    note(of, what);
  }

  std::optional<rt::RankFailure> firstFailure() const override {
    std::lock_guard lock(mailbox.mutex);
    return mailbox.failure;
  }

  void noteStep() override {
    std::lock_guard lock(mailbox.mutex);
    ++mailbox.boxes[rank].steps;
    mailbox.changed.notify_all();
  }

  std::chrono::milliseconds timeout() const override { return limit; }
  void setTimeout(std::chrono::milliseconds wanted) override { limit = wanted; }
  uint32_t cpusPerRank() const override { return 1; }

private:
  using Clock = Mailbox::Clock;

  uint32_t size() const { return static_cast<uint32_t>(mailbox.boxes.size()); }
  Mailbox::Message &message(Mailbox::Box &box) const { return box.last[number % 2]; }

  void post(const rt::CollectiveCall &call) {
    ++number;
    if (rank == mailbox.lossy)
      return;
    Mailbox::Box &box = mailbox.boxes[rank];
    const auto *from = static_cast<const uint8_t *>(call.from);
    size_t bytes = static_cast<size_t>(operandCount(call)) * kiln_dtype_size(call.dtype);
    message(box) = {call,
                    call.inGroup(rank) && bytes ? Bytes(from, from + bytes) : Bytes(),
                    Clock::now() + mailbox.delay};
    ++box.posted;
    mailbox.changed.notify_all();
  }

  void note(uint32_t of, const rt::Failure &what) {
    if (!mailbox.failure)
      mailbox.failure = {of, what};
    mailbox.changed.notify_all();
  }

  rt::Status failed(uint32_t step) const {
    if (!mailbox.failure)
      return {};
    const auto &[of, cause] = *mailbox.failure;
    if (cause.code == rt::Code::RankLate || cause.code == rt::Code::CollectiveMismatch)
      return rt::Failure{cause};
    return rt::Failure{rt::Code::RankFailed,
                       rt::placeText(rank, step),
                       rt::rankText(of) + " has failed",
                       "a result from every rank",
                       cause.what,
                       "see the error of " + rt::rankText(of)};
  }

  /// Waits until a rank's message for the current collective can be read.
  rt::Status await(std::unique_lock<std::mutex> &lock, uint32_t other, uint32_t step) {
    Mailbox::Box &box = mailbox.boxes[other];
    Clock::time_point deadline = Clock::now() + limit;
    for (uint32_t steps = box.steps;; steps = box.steps) {
      KILN_TRY(failed(step));
      bool isPosted = box.posted >= number;
      if (isPosted && message(box).delivery <= Clock::now())
        return {};
      if (Clock::now() >= deadline) {
        note(other, {rt::Code::RankLate, rt::placeText(rank, step),
                     rt::rankText(other) + " has not come to the collective",
                     "all ranks within " + std::to_string(limit.count()) + " ms",
                     "none of it", "wait longer"});
        continue;
      }
      mailbox.changed.wait_until(
          lock, isPosted ? std::min(deadline, message(box).delivery) : deadline);
      if (box.steps != steps)
        deadline = Clock::now() + limit;
    }
  }

  rt::Status compare(uint32_t step) {
    const rt::CollectiveCall &first = message(mailbox.boxes[0]).call;
    for (uint32_t other = 1; other < size(); ++other)
      if (const auto &call = message(mailbox.boxes[other]).call; !first.matches(call))
        note(other, {rt::Code::CollectiveMismatch, rt::rankText(other),
                     "it comes to another collective than rank 0", rt::callText(first),
                     rt::callText(call), "give all ranks the same package"});
    return failed(step);
  }

  Mailbox &mailbox;
  const uint32_t rank;
  std::chrono::milliseconds limit;
  uint32_t number = 0; ///< number of the current collective
};

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_MAILBOXBACKEND_H
