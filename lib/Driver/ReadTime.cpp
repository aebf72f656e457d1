//===- ReadTime.cpp - How fast this machine reads memory ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadTime.h"
#include "Progress.h"
#include "Samples.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <thread>

using namespace kiln::driver;

namespace {
struct Free {
  void operator()(uint64_t *p) const { std::free(p); }
};
using Words = std::unique_ptr<uint64_t, Free>;
} // namespace

/// The sum of the words. In several streams that are asked for ahead, as kernels read
/// weights: one stream alone waits for memory.
static uint64_t sum(const uint64_t *words, size_t count) {
  constexpr size_t kStreams = 4, kLine = 8, kAhead = 32 * kLine;
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

std::optional<double> kiln::driver::measureReadTime(uint64_t bytes, uint32_t threads) {
  constexpr double kSeconds = 0.2;
  constexpr size_t kHugePage = 2 << 20;
  constexpr size_t kMinRounds = 5, kMaxRounds = 2000;
  size_t count = bytes / sizeof(uint64_t) / threads, all = count * threads;
  if (count == 0)
    return std::nullopt;
  void *memory = nullptr;
  if (posix_memalign(&memory, kHugePage, all * sizeof(uint64_t)))
    return std::nullopt;
  Words words(static_cast<uint64_t *>(memory));
  // Where it is refused, address translation costs a little more.
  (void)madvise(memory, all * sizeof(uint64_t), MADV_HUGEPAGE);
  std::vector<double> times;
  std::vector<uint64_t> results(threads * 8); // a cache line each
  double begin = 0, end = now() + kSeconds;
  bool more = true;
  // Between two rounds, by one thread.
  auto next = [&]() noexcept {
    double time = now();
    if (begin)
      times.push_back(time - begin);
    more = times.size() < kMinRounds || (time < end && times.size() < kMaxRounds);
    begin = now();
  };
  std::barrier<decltype(next)> round(threads, next);
  auto work = [&](uint32_t number) {
    uint64_t *part = words.get() + number * count;
    std::memset(part, 1, count * sizeof(uint64_t)); // its pages lie near this thread
    for (round.arrive_and_wait(); more; round.arrive_and_wait())
      results[number * 8] += sum(part, count);
  };
  std::vector<std::thread> others;
  for (uint32_t i = 1; i < threads; ++i)
    others.emplace_back(work, i);
  work(0);
  for (std::thread &other : others)
    other.join();
  // Nobody may leave the sums out.
  volatile uint64_t sink = 0;
  for (uint64_t one : results)
    sink = sink + one;
  return Samples(std::move(times)).median();
}

std::string kiln::driver::describeBandwidth(double share) {
  constexpr double kNoise = 1.2;
  if (share > kNoise)
    return "other programs slow this machine down: bandwidth could not be measured";
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("reading as many bytes takes %.0f %% of that", share * 100);
  return text;
}
