//===- shared_workers.cpp - Workers of several sessions -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region is on its caller's stack. A worker finds it, with the mutex locked, in the
// list of open regions, and takes a call of the region before it unlocks the mutex. The
// caller removes the region from the list before it waits for the workers' calls, so
// that no other worker finds it. A worker's last access to the region is the one that
// counts its call as finished.
//
// Sleeping: a worker announces that it sleeps, checks again for a new region, and waits.
// A caller opens its region, then checks who sleeps. All of these are sequentially
// consistent, so at least one of the two sees the other. The same holds for callers that
// wait for the end of a region, and workers that count their calls.
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/shared_workers.h"
#include "runtime/base/signals_blocked.h"
#include "runtime/base/thread_name.h"
#include "runtime/device/host/keep_away.h"
#include "runtime/device/host/waiting.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/resource.h>

using namespace kiln::rt;

/// Incremented in every forked child, which has none of its parent's threads.
static std::atomic<uint32_t> forks{0};

/// The threads that one process has created.
class SharedWorkers::Crew {
public:
  Crew(const Settings &settings, const std::atomic<uint32_t> &active)
      : settings(settings), active(active) {}
  ~Crew();

  /// Starts the threads. Errors: KILN-E0001.
  Status start();
  uint32_t size() const { return workerCount; }
  bool isOfThisProcess() const { return madeAfterForks == forks.load(); }
  void run(uint32_t count, Body body, void *context);

private:
  struct Region {
    Body body;
    void *context;
    uint32_t count;                    ///< number of calls
    std::atomic<uint32_t> next{0};     ///< first call that no thread has taken
    std::atomic<uint32_t> finished{0}; ///< finished calls
    Region *before = nullptr, *after = nullptr;
    bool isOpen = false; ///< in the list of open regions
  };
  struct Worker {
    alignas(64) std::atomic<uint32_t> sleeping{0};
    std::atomic<uint32_t> calls{0}; ///< futex on which it sleeps
    KeepAway keepAway;
    Crew *crew = nullptr;
    uint32_t number = 0;
    pthread_t thread{};
  };

  static void *main(void *worker);
  Status startWorker(uint32_t index);
  int applyPriority() const;
  Status awaitStart();
  void work(Worker &worker);
  void awaitRegion(Worker &worker, uint32_t seen);
  void wakeWorkers(uint32_t wanted);
  void open(Region &region);
  void close(Region &region);
  Region *takeShare(uint32_t &share);
  void runShare(Region &region, uint32_t share);
  void awaitEnd(Region &region);

  const Settings &settings;
  const std::atomic<uint32_t> &active;
  const uint32_t madeAfterForks = forks.load();
  std::unique_ptr<Worker[]> workers;
  uint32_t workerCount = 0;
  std::atomic<uint32_t> startedCount{0};
  std::atomic<int> refusal{0}; ///< errno of setpriority

  std::mutex mutex;
  Region *first = nullptr, *last = nullptr; ///< open regions; workers help the first
  std::mutex waking;
  alignas(64) std::atomic<uint32_t> opened{0}; ///< incremented with each region
  alignas(64) std::atomic<uint32_t> ended{0};  ///< incremented with each finished call
  std::atomic<uint32_t> sleepingCallers{0};
  std::atomic<bool> stopping{false};
};

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

SharedWorkers::Crew::~Crew() {
  stopping.store(true);
  opened.fetch_add(1);
  for (uint32_t i = 0; i < workerCount; ++i) {
    workers[i].calls.fetch_add(1);
    futexWake(workers[i].calls);
    pthread_join(workers[i].thread, nullptr);
  }
}

static Failure refused(std::string what, std::string expected, const char *found) {
  return {Code::BadUsage,     "kiln_workers_create",
          std::move(what),    std::move(expected),
          std::string(found), "choose what this process may do, or leave it out"};
}

Status SharedWorkers::Crew::start() {
  uint32_t wanted = std::min(std::max(settings.threads, 1u), 4096u) - 1;
  workers = std::make_unique<Worker[]>(wanted);
  SignalsBlocked blocked;
  for (uint32_t i = 0; i < wanted && workerCount == i; ++i)
    KILN_TRY(startWorker(i));
  return awaitStart();
}

Status SharedWorkers::Crew::startWorker(uint32_t index) {
  Worker &worker = workers[index];
  worker.crew = this;
  worker.number = index;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, workerStackBytes);
  cpu_set_t own;
  CPU_ZERO(&own);
  uint32_t cpu = settings.cpus.empty() ? 0 : settings.cpus[index % settings.cpus.size()];
  if (!settings.cpus.empty() && cpu < CPU_SETSIZE) {
    CPU_SET(cpu, &own);
    pthread_attr_setaffinity_np(&attributes, sizeof own, &own);
  }
  int error = cpu < CPU_SETSIZE
                  ? pthread_create(&worker.thread, &attributes, main, &worker)
                  : EINVAL;
  pthread_attr_destroy(&attributes);
  if (error == 0)
    ++workerCount;
  if (error == EINVAL && !settings.cpus.empty())
    return refused("a worker cannot run on CPU " + std::to_string(cpu),
                   "CPUs that this process may use", std::strerror(error));
  return {}; // continue with fewer threads
}

/// Sets the priority; called by the worker itself, since on Linux niceness is per thread.
int SharedWorkers::Crew::applyPriority() const {
  if (settings.nice && setpriority(PRIO_PROCESS, 0, settings.nice) != 0)
    return errno;
  sched_param parameters{};
  parameters.sched_priority = settings.priority;
  bool isSet = settings.policy || settings.priority;
  return isSet ? pthread_setschedparam(pthread_self(), settings.policy, &parameters) : 0;
}

Status SharedWorkers::Crew::awaitStart() {
  for (uint32_t found; (found = startedCount.load()) != workerCount;)
    futexWait(startedCount, found);
  if (int error = refusal.load())
    return refused("the priority of the workers cannot be set",
                   "a niceness and a policy that this process may set",
                   std::strerror(error));
  return {};
}

void *SharedWorkers::Crew::main(void *argument) {
  Worker &worker = *static_cast<Worker *>(argument);
  Crew &crew = *worker.crew;
  setDefaultFloatEnvironment();
  nameThread("kiln-s", worker.number);
  worker.keepAway.noteThread();
  if (int error = crew.applyPriority())
    crew.refusal.store(error);
  crew.startedCount.fetch_add(1);
  futexWake(crew.startedCount);
  crew.work(worker);
  return nullptr;
}

void SharedWorkers::Crew::work(Worker &worker) {
  while (!stopping.load()) {
    uint32_t seen = opened.load(), share;
    while (Region *region = takeShare(share))
      runShare(*region, share);
    awaitRegion(worker, seen);
  }
}

/// Returns when a region has been opened since `seen`, or when the threads must end.
void SharedWorkers::Crew::awaitRegion(Worker &worker, uint32_t seen) {
  auto mustWait = [&] { return opened.load() == seen && !stopping.load(); };
  for (uint32_t spins = 0; mustWait(); ++spins) {
    bool mayBeSoon = spins < spinsWhileIdle ||
                     (spins < spinsWhileActive && active.load(std::memory_order_relaxed));
    if (mayBeSoon) {
      spinPause(spins);
      continue;
    }
    uint32_t calls = worker.calls.load();
    worker.sleeping.store(1);
    if (mustWait())
      futexWait(worker.calls, calls);
    worker.sleeping.store(0);
    worker.keepAway.returnToOwnCpus();
    spins = 0;
  }
}

void SharedWorkers::Crew::wakeWorkers(uint32_t wanted) {
  for (uint32_t i = 0; i < workerCount && wanted; ++i) {
    Worker &worker = workers[i];
    if (!worker.sleeping.load() || !worker.sleeping.exchange(0))
      continue;
    std::lock_guard lock(waking); // KeepAway allows one caller at a time
    worker.keepAway.sendAway();
    worker.calls.fetch_add(1);
    futexWake(worker.calls);
    --wanted;
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Appends a region to the list; the mutex is locked.
void SharedWorkers::Crew::open(Region &region) {
  region.isOpen = true;
  region.before = last;
  region.after = nullptr;
  (last ? last->after : first) = &region;
  last = &region;
}

/// Removes a region from the list; the mutex is locked.
void SharedWorkers::Crew::close(Region &region) {
  if (!region.isOpen)
    return;
  region.isOpen = false;
  (region.before ? region.before->after : first) = region.after;
  (region.after ? region.after->before : last) = region.before;
}

/// Takes a call of the first open region, which moves to the end of the list; null if all
/// calls are taken.
SharedWorkers::Crew::Region *SharedWorkers::Crew::takeShare(uint32_t &share) {
  std::lock_guard lock(mutex);
  while (Region *region = first) {
    close(*region);
    share = region->next.fetch_add(1);
    if (share >= region->count)
      continue;
    open(*region);
    return region;
  }
  return nullptr;
}

void SharedWorkers::Crew::runShare(Region &region, uint32_t share) {
  region.body(region.context, share);
  region.finished.fetch_add(1); // the region may be destroyed from here on
  ended.fetch_add(1);
  if (sleepingCallers.load())
    futexWake(ended, INT_MAX);
}

void SharedWorkers::Crew::awaitEnd(Region &region) {
  for (uint32_t spins = 0; region.finished.load() != region.count; ++spins) {
    if (spins < spinsWhileActive) {
      spinPause(spins);
      continue;
    }
    uint32_t before = ended.load();
    sleepingCallers.fetch_add(1);
    if (region.finished.load() != region.count)
      futexWait(ended, before);
    sleepingCallers.fetch_sub(1);
  }
}

void SharedWorkers::Crew::run(uint32_t count, Body body, void *context) {
  Region region{body, context, count};
  region.next.store(1); // the caller runs the first call itself
  {
    std::lock_guard lock(mutex);
    open(region);
  }
  opened.fetch_add(1);
  wakeWorkers(count - 1);
  body(context, 0);
  uint32_t done = 1;
  for (uint32_t share; (share = region.next.fetch_add(1)) < count; ++done)
    body(context, share);
  region.finished.fetch_add(done);
  {
    std::lock_guard lock(mutex);
    close(region);
  }
  awaitEnd(region);
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

Status SharedWorkers::create(const Settings &settings,
                             std::unique_ptr<SharedWorkers> &out) {
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, +[] { forks.fetch_add(1); });
  std::unique_ptr<SharedWorkers> made(new SharedWorkers(settings));
  auto crew = std::make_unique<Crew>(made->settings, made->active);
  KILN_TRY(crew->start());
  made->threads = crew->size() + 1;
  made->crew.store(crew.release());
  out = std::move(made);
  return {};
}

SharedWorkers::~SharedWorkers() {
  Crew *own = crew.load();
  if (own && own->isOfThisProcess())
    delete own; // a forked child cannot join its parent's threads
}

/// Returns the threads of this process, created again in a forked child; null if that
/// fails. Uses no lock, which a fork in another thread could leave locked forever:
/// concurrent callers may all create threads, and one of them keeps its own.
SharedWorkers::Crew *SharedWorkers::crewOfProcess() noexcept {
  Crew *found = crew.load(std::memory_order_acquire);
  if (found->isOfThisProcess())
    return found;
  try {
    auto made = std::make_unique<Crew>(settings, active);
    if (!made->start().ok())
      return nullptr;
    return crew.compare_exchange_strong(found, made.get()) ? made.release() : found;
  } catch (const std::bad_alloc &) { // run without threads
    return nullptr;
  }
}

void SharedWorkers::run(uint32_t workers, Body body, void *context) noexcept {
  Crew *here = workers < 2 || size() < 2 ? nullptr : crewOfProcess();
  if (here)
    return here->run(workers, body, context);
  for (uint32_t w = 0; w < workers; ++w)
    body(context, w);
}
