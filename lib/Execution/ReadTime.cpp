//===- ReadTime.cpp - Measurement of memory bandwidth ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/ReadTime.h"
#include "kiln/Execution/Samples.h"
#include "kiln/Support/Clock.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <sched.h>
#include <sys/mman.h>
#include <thread>
#include <vector>

using namespace kiln;
using namespace kiln::execution;

namespace {
struct Free {
  void operator()(uint64_t *p) const { std::free(p); }
};
using Words = std::unique_ptr<uint64_t, Free>;
} // namespace

/// Adds up the words in kStreams streams with prefetches, in the way kernels read
/// weights. On some CPUs a single stream is bound by latency; on others, several streams
/// in several threads exceed what the prefetchers track. The caller takes the faster
/// variant.
template <size_t kStreams> static uint64_t sum(const uint64_t *words, size_t count) {
  constexpr size_t kLine = 8, kAhead = 128 / kStreams * kLine;
  size_t part = count / kStreams / kLine * kLine;
  uint64_t sums[kLine] = {}, total = 0;
  for (size_t i = 0; i < part; i += kLine)
    for (size_t stream = 0; stream < kStreams; ++stream) {
      const uint64_t *line = words + stream * part + i;
      __builtin_prefetch(line + kAhead);
      for (size_t s = 0; s < kLine; ++s)
        sums[s] += line[s];
    }
  for (uint64_t one : sums)
    total += one;
  return total;
}

namespace {
/// Threads that read the words repeatedly and at the same time, each thread its own part.
class Readers {
public:
  using Sum = uint64_t (*)(const uint64_t *, size_t);
  Readers(uint64_t *words, size_t count, uint32_t threads)
      : words(words), count(count), threads(threads), results(threads * kLineWords) {}
  /// Returns the seconds of each round.
  std::vector<double> measure(Sum sum);

private:
  static constexpr size_t kLineWords = 8;
  void read(uint32_t number, Sum sum);
  void takeCpu();
  void meet();
  void beginRound();

  uint64_t *words;
  bool isNew = true; ///< the words have not been initialized
  size_t count;      ///< words per thread
  uint32_t threads;
  std::vector<uint64_t> results; ///< one cache line per thread, against false sharing
  std::mutex mutex;
  std::vector<int> takenCpus;
  std::atomic<uint32_t> arrived{0}, meetings{0};
  double begin = 0, end = 0;
  bool goesOn = true; ///< written by one thread while all others wait
  std::vector<double> times;
};
} // namespace

/// Moves the calling thread to a CPU that no other thread has taken, if there is one. New
/// threads may otherwise share a CPU for a tenth of a second while other CPUs idle.
void Readers::takeCpu() {
  std::lock_guard lock(mutex);
  cpu_set_t allowed, free;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return;
  free = allowed;
  for (int cpu : takenCpus)
    CPU_CLR(cpu, &free);
  if (!CPU_ISSET(sched_getcpu(), &free) && CPU_COUNT(&free) > 0 &&
      sched_setaffinity(0, sizeof free, &free) == 0)
    sched_setaffinity(0, sizeof allowed, &allowed);
  takenCpus.push_back(sched_getcpu());
}

/// Barrier for all threads that spins, because waking up takes longer than some rounds.
void Readers::meet() {
  uint32_t meeting = meetings.load();
  if (arrived.fetch_add(1) + 1 == threads) {
    arrived = 0;
    beginRound();
    meetings.store(meeting + 1);
    return;
  }
  for (uint32_t spins = 1; meetings.load() == meeting; ++spins)
    if (spins % 4096 == 0)
      std::this_thread::yield(); // there may be more threads than CPUs
}

void Readers::beginRound() {
  constexpr size_t kMinRounds = 5, kMaxRounds = 1000;
  constexpr double kSeconds = 0.15;
  double time = now();
  if (begin)
    times.push_back(time - begin);
  else
    end = time + kSeconds;
  goesOn = times.size() < kMinRounds || (time < end && times.size() < kMaxRounds);
  begin = now();
}

void Readers::read(uint32_t number, Sum sum) {
  uint64_t *part = words + number * count;
  if (isNew)
    std::memset(part, 1, count * sizeof(uint64_t)); // first touch places the pages on
                                                    // this thread's NUMA node
  takeCpu();
  for (meet(); goesOn; meet())
    results[number * kLineWords] += sum(part, count);
}

std::vector<double> Readers::measure(Sum sum) {
  takenCpus.clear();
  times.clear();
  begin = 0;
  std::vector<std::thread> others;
  for (uint32_t i = 1; i < threads; ++i)
    others.emplace_back([=, this] { read(i, sum); });
  read(0, sum);
  for (std::thread &other : others)
    other.join();
  isNew = false;
  // Keeps the compiler from removing the sums.
  volatile uint64_t sink = 0;
  for (uint64_t one : results)
    sink = sink + one;
  return times;
}

std::optional<double> kiln::execution::measureReadTime(uint64_t bytes, uint32_t threads) {
  constexpr size_t kHugePage = 2 << 20;
  size_t count = bytes / sizeof(uint64_t) / threads, all = count * threads;
  if (count == 0)
    return std::nullopt;
  void *memory = nullptr;
  if (posix_memalign(&memory, kHugePage, all * sizeof(uint64_t)))
    return std::nullopt;
  Words words(static_cast<uint64_t *>(memory));
  // Without huge pages, address translation costs a little more.
  (void)madvise(memory, all * sizeof(uint64_t), MADV_HUGEPAGE);
  Readers readers(words.get(), count, threads);
  return std::min(Samples(readers.measure(sum<1>)).median(),
                  Samples(readers.measure(sum<4>)).median());
}

std::optional<double> kiln::execution::measureMemoryBandwidth(uint32_t threads) {
  constexpr uint64_t kBytes = 512 << 20;
  std::optional<double> seconds = measureReadTime(kBytes, threads);
  return seconds ? std::optional(kBytes / *seconds) : std::nullopt;
}

std::string kiln::execution::describeBandwidth(double share) {
  constexpr double kNoise = 1.2;
  if (share > kNoise)
    return "other programs slow this machine down: bandwidth could not be measured";
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("reading as many bytes takes %.0f %% of that", share * 100);
  return text;
}
