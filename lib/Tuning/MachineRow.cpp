//===- MachineRow.cpp - A measured row of the table of CPUs ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other work on the machine only makes a loop slower, so each figure is that of the
// fastest of several turns, in CPU time of the thread.
//
//===----------------------------------------------------------------------===//

#include "kiln/Tuning/MachineRow.h"
#include "MachineLoops.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/Support/Error.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>
#include <random>
#include <sys/mman.h>
#include <time.h>
#include <vector>

using namespace kiln;
using namespace kiln::tuning;

static constexpr int64_t kKiB = 1 << 10;
/// Memory that is read, several times the size of most last caches.
static constexpr size_t kBytes = 512 << 20;
static constexpr size_t kHugePage = 2 << 20;

/// Returns the seconds that the thread has had a CPU.
static double cpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

/// Returns the seconds of the fastest of some turns.
static double fastest(llvm::function_ref<void()> run, int turns = 7) {
  double best = 1e9;
  for (int i = 0; i < turns; ++i) {
    double begin = cpuSeconds();
    run();
    best = std::min(best, cpuSeconds() - begin);
  }
  return best;
}

static double measureHertz() {
  constexpr int64_t kRounds = 100000, kCycles = 8 * 3;
  return kRounds * kCycles / fastest([] { multiplyChain(kRounds, 3); }, /*turns=*/25);
}

/// Returns how many instructions of a mix are completed per cycle.
static double measureMix(Mix mix, double hertz, bool isWide) {
  constexpr int64_t kRounds = 100000, kInstructions = 12;
  double seconds = fastest([&] { runMix(mix, kRounds, isWide); }, /*turns=*/25);
  return kRounds * kInstructions / seconds / hertz;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
struct Unmap {
  void operator()(char *data) const { munmap(data, kBytes + kHugePage); }
};
using Memory = std::unique_ptr<char, Unmap>;
} // namespace

/// Allocates memory in huge pages where the system has them, with zeros of its own: the
/// zero page would stay in the first cache.
static llvm::Expected<Memory> allocate() {
  void *data = mmap(nullptr, kBytes + kHugePage, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return makeError({ErrorCode::OutOfMemory, "kiln tune --machine",
                      "the memory that is read cannot be allocated",
                      std::to_string(kBytes >> 20) + " MiB", "less",
                      "free memory, or raise the limit (ulimit -v)"});
  Memory memory(static_cast<char *>(data));
  (void)madvise(data, kBytes + kHugePage, MADV_HUGEPAGE);
  std::fill_n(memory.get(), kBytes + kHugePage, char(0));
  return memory;
}

/// Returns the cycles of a load whose address is the result of the one before it, in a
/// cycle through all cache lines of `bytes` in random order.
static double measureLatency(char *data, int64_t bytes, double hertz) {
  constexpr int64_t kLine = 64, kSteps = 1 << 18;
  std::vector<int64_t> order(bytes / kLine);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  auto place = [&](size_t i) { return data + order[i % order.size()] * kLine; };
  for (size_t i = 0; i < order.size(); ++i)
    *reinterpret_cast<const void **>(place(i)) = place(i + 1);
  auto *at = reinterpret_cast<const void *const *>(data);
  double seconds = fastest([&] {
    at = follow(at, kSteps);
    __asm__ volatile("" : "+r"(at));
  });
  return seconds / kSteps * hertz;
}

int64_t kiln::tuning::l2BytesOf(llvm::ArrayRef<std::pair<int64_t, double>> latencies) {
  int64_t bytes = 0;
  for (auto [size, cycles] : latencies) {
    if (cycles > 2 * latencies.front().second)
      break;
    bytes = size;
  }
  return bytes;
}

/// Returns what the system says of the second cache; 0: nothing.
static int64_t l2BytesOfSystem() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index2/size");
  int64_t kib = 0;
  char unit = 0;
  return file >> kib >> unit && unit == 'K' ? kib * kKiB : 0;
}

int64_t kiln::tuning::streamBytesOf(llvm::ArrayRef<MachineFigures::Prefetch> prefetches) {
  constexpr double kMinGain = 1.03;
  double best = prefetches.front().fourStreams * kMinGain;
  int64_t bytes = 0;
  for (const MachineFigures::Prefetch &one : prefetches.drop_front())
    if (double rate = std::min(one.fourStreams, one.oneStream); rate > best) {
      best = rate;
      bytes = one.bytes;
    }
  return bytes;
}

/// Measures all distances in turns, so that other work slows all of them alike.
static void measurePrefetches(const char *data, bool isWide, MachineFigures &figures) {
  constexpr int kTurns = 3;
  for (int64_t bytes : {0, 1024, 2048, 4096, 8192, 16384})
    figures.prefetches.push_back({bytes});
  auto measure = [&](double &rate, bool inFour, int64_t ahead) {
    double seconds = fastest(
        [&] {
          volatile float sum = readStreams(data, kBytes, inFour, ahead, isWide);
          (void)sum;
        },
        /*turns=*/1);
    rate = std::max(rate, kBytes / seconds);
  };
  for (int turn = 0; turn < kTurns; ++turn)
    for (MachineFigures::Prefetch &one : figures.prefetches) {
      measure(one.fourStreams, /*inFour=*/true, one.bytes);
      // Kernels of quantized weights, which read one panel at a time, prefetch 3/2 as
      // far.
      measure(one.oneStream, /*inFour=*/false, one.bytes * 3 / 2);
    }
}

llvm::Expected<MachineFigures> kiln::tuning::measureMachine(HostIsa isa) {
  llvm::Expected<Memory> memory = allocate();
  if (!memory)
    return memory.takeError();
  char *data = reinterpret_cast<char *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(memory->get()), kHugePage));
  bool isWide = isa >= HostIsa::Avx512;
  MachineFigures figures;
  double hertz = measureHertz();
  figures.gigahertz = hertz / 1e9;
  for (int64_t kib :
       {96, 192, 256, 384, 512, 768, 1024, 1280, 1536, 2048, 2560, 3072, 4096})
    figures.latencies.push_back({kib * kKiB, measureLatency(data, kib * kKiB, hertz)});
  figures.l2Bytes = l2BytesOf(figures.latencies);
  if (int64_t named = l2BytesOfSystem(); named && named <= 2 * figures.l2Bytes)
    figures.l2Bytes = named;
  figures.multiplies = measureMix(Mix::Multiplies, hertz, isWide);
  figures.instructions = measureMix(Mix::Instructions, hertz, isWide);
  if (isa >= HostIsa::Bf16)
    figures.bf16Dots = measureMix(Mix::Bf16Dots, hertz, isWide);
  measurePrefetches(data, isWide, figures);
  figures.streamBytes = streamBytesOf(figures.prefetches);
  for (const MachineFigures::Prefetch &one : figures.prefetches)
    figures.memoryBytes =
        std::max({figures.memoryBytes, one.fourStreams / hertz, one.oneStream / hertz});
  return figures;
}

//===----------------------------------------------------------------------===//
// The row
//===----------------------------------------------------------------------===//

static llvm::StringRef nameOf(HostIsa isa) {
  constexpr llvm::StringLiteral names[] = {"Avx2", "AvxVnni", "Avx512",
                                           "Vnni", "Bf16",    "Amx"};
  return names[size_t(isa)];
}

void kiln::tuning::printRow(llvm::raw_ostream &os, llvm::StringRef name,
                            llvm::StringRef tuneCpu, const HostCpu &row) {
  os << "{\"" << name << "\", HostIsa::" << nameOf(row.isa) << ", \"" << tuneCpu << "\", "
     << row.l2Bytes / kKiB << " * kKiB, " << row.streamBytes
     << llvm::format(", %.3g, %.3g, %.3g, %.3g},", row.multiplies, row.instructions,
                     row.memoryBytes, row.bf16Dots);
}
