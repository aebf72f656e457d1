//===- group.cpp - Ranks that run a model together ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/session/group.h"
#include "runtime/base/thread_name.h"
#include "runtime/device/find_device.h"
#include "runtime/package/format.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace kiln::rt;

static constexpr uint32_t defaultPatience = 5000;

/// Replaces condition_variable::wait, whose new version in libstdc++ (GLIBCXX_3.4.30, GCC
/// 12) would keep the library from loading with that of GCC 11.
template <typename Predicate>
static void waitFor(std::condition_variable &changed, std::unique_lock<std::mutex> &lock,
                    Predicate holds) {
  while (!changed.wait_for(lock, std::chrono::hours(1), holds)) {
  }
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

ThreadRanks::~ThreadRanks() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  begun.notify_all();
  for (auto &rank : ranks)
    if (rank->thread)
      pthread_join(*rank->thread, nullptr);
}

Status kiln_group::check(const kiln_model &model, const kiln_group_options &options,
                         uint32_t ranks) {
  if (ranks > format::maxRanks) // before anything is allocated per rank
    return Failure{
        Code::GroupRanks,           model.path,
        "there are too many ranks", "at most " + std::to_string(format::maxRanks),
        std::to_string(ranks),      "ask for as many as the package is for"};
  return {};
}

/// Returns the device of a rank: "cuda" without a number gives every rank its own GPU.
static std::string deviceOf(const kiln_group_options &options, uint32_t rank) {
  std::string device = options.device ? options.device : "cpu";
  return device == "cuda" ? device + ":" + std::to_string(rank) : device;
}

Status kiln_group::checkDevice(const kiln_group_options &options, uint32_t rank) {
  Device *device = nullptr;
  return findDevice(deviceOf(options, rank).c_str(), device);
}

std::chrono::milliseconds kiln_group::patienceOf(const kiln_group_options &options) {
  return std::chrono::milliseconds(options.timeout_ms ? options.timeout_ms
                                                      : defaultPatience);
}

/// Runs a region in a rank's own pool: the process's pool serves one region at a time.
static void runInPool(void *pool, uint32_t workers, void (*body)(void *, uint32_t),
                      void *context) {
  static_cast<ThreadPool *>(pool)->run(workers, body, context);
}

Status kiln_group::createSession(kiln_model &model, const kiln_group_options &options,
                                 ProcessGroup group, const RankThreads &threads,
                                 std::unique_ptr<kiln_session> &out) {
  if (const char *folder = std::getenv("KILN_STAMPS");
      folder && *folder && !group.isAlone()) {
    KILN_TRY(
        StampRecorder::open(folder, group.rank(), group.size(), stamps.emplace_back()));
    group.recordInto(*stamps.back());
  }
  std::string device = deviceOf(options, group.rank());
  bool isOnHost = device == "cpu";
  kiln_session_options own = KILN_SESSION_OPTIONS_INIT;
  own.device = device.c_str();
  own.threads = isOnHost ? threads.count : 0;
  own.dims = options.dims;
  own.dim_count = options.dim_count;
  own.profile = options.profile;
  own.measure_memory = options.measure_memory;
  own.no_graph = options.no_graph;
  own.graph_memory = options.graph_memory;
  own.observer = options.observer ? threads.observer : nullptr;
  own.observer_user = threads.observerUser;
  if (isOnHost && threads.count > 1) {
    threads.pool = std::make_unique<ThreadPool>(threads.count);
    own.parallel_for = runInPool;
    own.parallel_for_user = threads.pool.get();
  }
  kiln_session *session = nullptr;
  KILN_TRY(kiln_session::create(model, own, group, session));
  out.reset(session);
  session->inGroup = true;
  return {};
}

Status ThreadRanks::create(kiln_model &any, const kiln_group_options &options,
                           kiln_group *&out) {
  kiln_model &model = *any.first;
  uint32_t count = options.ranks ? options.ranks : model.plan.ranks;
  KILN_TRY(check(model, options, count));
  std::unique_ptr<ThreadRanks> group(new ThreadRanks(count, patienceOf(options)));
  group->observer = options.observer;
  group->observerUser = options.observer_user;
  uint32_t threads =
      options.threads ? options.threads : group->threads.backend(0).cpusPerRank();
  for (uint32_t rank = 0; rank < count; ++rank)
    KILN_TRY(group->addRank(model, options, threads));
  KILN_TRY(group->startThreads());
  out = group.release();
  return {};
}

void ThreadRanks::observe(void *user, size_t step, int after,
                          const kiln_buffer_view *reads, size_t readCount,
                          const kiln_buffer_view *writes, size_t writeCount) {
  const Rank &rank = *static_cast<Rank *>(user);
  rank.group->observer(rank.group->observerUser, rank.number, step, after, reads,
                       readCount, writes, writeCount);
}

Status ThreadRanks::addRank(kiln_model &model, const kiln_group_options &options,
                            uint32_t threadCount) {
  Rank &rank = *ranks.emplace_back(std::make_unique<Rank>());
  rank.group = this;
  rank.number = size() - 1;
  ProcessGroup group;
  if (threads.size() > 1)
    group = ProcessGroup(rank.number, threads.size(), threads.backend(rank.number));
  KILN_TRY(createSession(model, options, group, {threadCount, rank.pool, observe, &rank},
                         rank.session));
  return rank.number ? addSpareOutputs(rank) : Status();
}

/// Allocates memory for the outputs of a rank other than 0, for which the caller passes
/// none.
Status ThreadRanks::addSpareOutputs(Rank &rank) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < rank.session->count(); ++i) {
    uint64_t sum = 0;
    for (uint64_t size : rank.session->program(i).bytes().outputs)
      sum += format::alignUp(size, format::bufferAlignment);
    bytes = std::max(bytes, sum);
  }
  if (bytes)
    KILN_TRY(allocatePages(bytes, "outputs of rank " + std::to_string(rank.number),
                           rank.memory));
  for (size_t i = 0; i < rank.session->count(); ++i) {
    const kiln_session &program = rank.session->program(i);
    uint8_t *at = rank.memory.data();
    std::vector<kiln_tensor> &spare = rank.spare.emplace_back();
    for (size_t o = 0; o < program.bytes().outputs.size(); ++o) {
      const kiln_tensor_info &info = program.outputInfo(o);
      uint64_t size = program.bytes().outputs[o];
      spare.push_back(
          {info.name, at, size, info.dtype, info.rank, nullptr, KILN_MEMORY_HOST});
      at += format::alignUp(size, format::bufferAlignment);
    }
  }
  return {};
}

Status ThreadRanks::startThreads() {
  for (size_t i = 1; i < ranks.size(); ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, main, ranks[i].get()) != 0)
      return Failure{Code::OutOfMemory,
                     "rank " + std::to_string(i),
                     "the system refuses another thread",
                     "",
                     "",
                     "raise the limit of processes (ulimit -u), or use fewer ranks"};
    ranks[i]->thread = thread;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void *ThreadRanks::main(void *argument) {
  Rank &rank = *static_cast<Rank *>(argument);
  nameThread("kiln-r", rank.number);
  rank.group->loop(rank);
  return nullptr;
}

void ThreadRanks::loop(Rank &rank) {
  for (uint64_t done = 0;; ++done) {
    {
      std::unique_lock lock(mutex);
      waitFor(begun, lock, [&] { return stopping || job != done; });
      if (stopping)
        return;
    }
    runRank(rank);
    std::lock_guard lock(mutex);
    if (--running == 0)
      ended.notify_one();
  }
}

void ThreadRanks::runRank(Rank &rank) {
  try {
    RunLimits own = limits;
    if (rank.number) // rank 0 runs on the caller's thread
      own.poll = nullptr;
    rank.result = rank.session->program(program).run(inputs, rank.outputs, own);
  } catch (const std::bad_alloc &) {
    rank.result = Failure{Code::OutOfMemory, "rank " + std::to_string(rank.number),
                          "memory is exhausted"};
  }
  if (rank.result.ok())
    return;
  threads.fail(rank.number, rank.result.failure());
  cancel(); // the others stop before their next collective
}

Status ThreadRanks::findProgram(const char *entry, size_t &out) const {
  out = 0;
  return entry ? ranks[0]->session->findIndex(entry, out) : Status();
}

/// Assigns memory of the caller, or spare memory, to the outputs of each rank.
void ThreadRanks::assign(size_t index, std::span<const kiln_tensor> outputs) {
  size_t each = ranks[0]->session->program(index).bytes().outputs.size();
  bool isOfAll = size() > 1 && outputs.size() == each * size() && each > 0;
  for (auto &rank : ranks)
    rank->outputs = isOfAll        ? outputs.subspan(rank->number * each, each)
                    : rank->number ? std::span<const kiln_tensor>(rank->spare[index])
                                   : outputs;
}

void ThreadRanks::cancel() {
  for (auto &rank : ranks)
    rank->session->cancel();
}

/// Undoes the row counts of ranks whose run has succeeded while another rank's has not,
/// so that sequences have the rows from before the run on all ranks.
void ThreadRanks::takeBackRuns() {
  for (auto &rank : ranks)
    if (rank->result.ok())
      rank->session->program(program).takeBack();
}

Status ThreadRanks::run(const char *entry, std::span<const kiln_tensor> given,
                        std::span<const kiln_tensor> outputs, const RunLimits &wanted) {
  BusyGuard guard(busy);
  KILN_TRY(guard.check());
  size_t index;
  KILN_TRY(findProgram(entry, index));
  assign(index, outputs);
  threads.begin();
  {
    std::lock_guard lock(mutex);
    program = index;
    inputs = given;
    limits = wanted;
    running = size() - 1;
    ++job;
  }
  begun.notify_all();
  runRank(*ranks[0]);
  std::unique_lock lock(mutex);
  waitFor(ended, lock, [&] { return running == 0; });
  Status collected = collect();
  if (!collected.ok())
    takeBackRuns();
  return collected;
}

/// Returns the error of the first rank that failed, or an error of the caller's
/// arguments, which concerns all ranks.
Status ThreadRanks::collect() {
  std::optional<RankFailure> first = threads.firstFailure();
  if (!first)
    return {};
  for (auto &rank : ranks)
    if (!rank->result.ok() && rank->result.exitCode() == 2)
      return rank->result.failure();
  Failure failure = first->failure;
  std::string name = "rank " + std::to_string(first->rank);
  if (failure.where.find(name) == std::string::npos)
    failure.where = name + ": " + failure.where;
  return failure;
}

Status ThreadRanks::outputShapes(const char *entry, std::span<const kiln_tensor> given,
                                 std::span<kiln_shape> out) {
  BusyGuard guard(busy);
  KILN_TRY(guard.check());
  size_t index;
  KILN_TRY(findProgram(entry, index));
  return ranks[0]->session->program(index).outputShapes(given, out);
}

Status ThreadRanks::resetState() {
  BusyGuard guard(busy);
  KILN_TRY(guard.check());
  for (auto &rank : ranks)
    KILN_TRY(rank->session->withStates([](States &states) { return states.reset(); }));
  return {};
}
