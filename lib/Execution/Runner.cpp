//===- Runner.cpp - A session or a group of ranks -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Runner.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Console.h"
#include "kiln/Support/UsageError.h"
#include "kiln/group.h"
#include "llvm/Support/Threading.h"
#include <fcntl.h>
#include <limits>
#include <numeric>
#include <unistd.h>

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

void Runner::Observing::of(uint32_t rank, size_t step, int after,
                           const kiln_buffer_view *reads, size_t readCount,
                           const kiln_buffer_view *writes, size_t writeCount) {
  std::lock_guard lock(mutex);
  call(rank, step, after != 0, ArrayRef(reads, readCount), ArrayRef(writes, writeCount));
}

Error Runner::openSession(kiln_model *model, const kiln_session_options &options) {
  kiln_session_options own = options;
  if (observing) {
    own.observer = [](void *user, size_t step, int after, auto... views) {
      static_cast<Observing *>(user)->of(0, step, after, views...);
    };
    own.observer_user = observing.get();
  }
  kiln_session *created = nullptr;
  KILN_CHECK(toError(kiln_session_create(model, &own, &created)));
  owner = {created, [](kiln_session *session) { kiln_session_release(session); }};
  sessions = {created};
  return Error::success();
}

/// Returns the number of CPUs. Ranks wait for each other, so together they should not
/// have more threads than that.
static uint32_t cpus() { return hardware_concurrency().compute_thread_count(); }

static kiln_group_options groupOptions(const SessionSettings &settings,
                                       const kiln_session_options &options) {
  kiln_group_options own = KILN_GROUP_OPTIONS_INIT;
  own.timeout_ms = static_cast<uint32_t>(settings.timeout * 1000);
  own.device = options.device;
  own.dims = options.dims;
  own.dim_count = options.dim_count;
  own.profile = options.profile;
  own.measure_memory = options.measure_memory;
  own.no_graph = options.no_graph;
  return own;
}

Error Runner::openGroup(kiln_model *model, uint32_t ranks,
                        const SessionSettings &settings,
                        const kiln_session_options &options) {
  kiln_group_options own = groupOptions(settings, options);
  own.ranks = ranks;
  if (options.threads)
    own.threads = std::max(std::min(options.threads, cpus()) / ranks, 1u);
  if (observing) {
    own.observer = [](void *user, uint32_t rank, size_t step, int after, auto... views) {
      static_cast<Observing *>(user)->of(rank, step, after, views...);
    };
    own.observer_user = observing.get();
    own.timeout_ms = std::numeric_limits<uint32_t>::max();
  }
  KILN_CHECK(toError(kiln_group_create(model, &own, &group)));
  owner = {group, [](kiln_group *group) { kiln_group_release(group); }};
  for (uint32_t rank = 0; rank < ranks; ++rank)
    sessions.push_back(kiln_group_session(group, rank));
  return Error::success();
}

/// Discards stdout of ranks other than 0, which would print the same.
static void mute() {
  setQuiet(true);
  outs().flush();
  if (int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
}

Error Runner::joinGroup(kiln_model *model, uint32_t rank, uint32_t ranks,
                        const SessionSettings &settings,
                        const kiln_session_options &options) {
  if (rank)
    mute();
  kiln_group_options own = groupOptions(settings, options);
  own.ranks = static_cast<uint32_t>(settings.ranks);
  if (options.threads) // a launcher may have bound each process to some of the CPUs
    own.threads = std::min(std::max(options.threads / ranks, 1u), cpus());
  KILN_CHECK(toError(kiln_group_join(model, &own, /*join_options=*/nullptr, &group)));
  owner = {group, [](kiln_group *group) { kiln_group_release(group); }};
  sessions = {kiln_group_session(group, rank)};
  return Error::success();
}

Expected<Runner> Runner::create(kiln_model *model, const SessionSettings &settings,
                                const kiln_session_options &options,
                                StepObserver observer) {
  uint32_t wanted = kiln_model_rank_count(model), rank = 0, launched = 0;
  auto ranks = settings.ranks ? static_cast<uint32_t>(settings.ranks) : wanted;
  Error broken = toError(kiln_find_launcher(&rank, &launched));
  if (broken && wanted > 1)
    return std::move(broken);
  consumeError(std::move(broken)); // a single rank needs no launcher
  Runner runner;
  if (observer) {
    launched = 1; // this process must run all ranks to observe them
    runner.observing = std::make_shared<Observing>();
    runner.observing->call = std::move(observer);
  }
  Error error = launched > 1 ? runner.joinGroup(model, rank, launched, settings, options)
                : ranks == 1 && wanted == 1
                    ? runner.openSession(model, options)
                    : runner.openGroup(model, ranks, settings, options);
  if (error)
    return std::move(error);
  return runner.entry(kiln_model_current_entry(model));
}

Expected<Runner> Runner::entry(const char *wanted) const {
  Runner other = *this;
  other.name = wanted;
  for (kiln_session *&session : other.sessions)
    if (Error error = toError(kiln_session_entry(session, wanted, &session)))
      return std::move(error);
  return other;
}

size_t Runner::rankCount() const { return group ? kiln_group_ranks(group) : 1; }
bool Runner::isFirst() const { return !group || kiln_group_rank(group) == 0; }

Expected<bool> Runner::agree(bool own) const {
  uint8_t decided = own;
  if (group)
    if (Error error = toError(kiln_group_broadcast(group, &decided, sizeof decided)))
      return std::move(error);
  return decided != 0;
}

uint32_t Runner::threads() const {
  auto others = static_cast<uint32_t>(rankCount() / sessions.size()); // other processes
                                                                      // have as many
                                                                      // threads
  return others * std::accumulate(sessions.begin(), sessions.end(), 0u,
                                  [](uint32_t sum, const kiln_session *session) {
                                    return sum + kiln_session_threads(session);
                                  });
}

kiln_status *Runner::run(ArrayRef<kiln_tensor> inputs,
                         ArrayRef<kiln_tensor> outputs) const {
  return group ? kiln_group_run(group, name.c_str(), inputs.data(), inputs.size(),
                                outputs.data(), outputs.size())
               : kiln_session_run(session(), inputs.data(), inputs.size(), outputs.data(),
                                  outputs.size());
}

Error Runner::resetState() const {
  return toError(group ? kiln_group_reset_state(group)
                       : kiln_session_reset_state(session()));
}
