//===- collective_speed.cpp - An all-reduce beside a copy -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures an in-place all-reduce of f32 tensors by two threads, which are ranks of a
// group; then a copy of as many bytes by each thread between two of its own tensors. In
// a model a rank has just written its operand, and reads the result: a third time is for
// such a round, minus the time of writing and reading alone. Times are medians over
// turns of some hundred rounds.
//
// With --processes the ranks are two processes, and only the all-reduce is measured.
//
// Usage: collective-speed [--processes] BYTES...  Prints one line of JSON per size.
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/process_backend.h"
#include "runtime/collective/thread_backend.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kiln::rt;

namespace {
constexpr int kRanks = 2, kTurns = 9, kRounds = 200;

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Bench {
public:
  explicit Bench(size_t bytes) : bytes(bytes) {
    for (int rank = 0; rank < kRanks; ++rank)
      own[rank].assign(bytes / sizeof(float), 0.0f), other[rank] = own[rank];
  }

  /// Returns the seconds of one round, which both threads run concurrently.
  template <typename Round> double time(Round round) {
    group.begin();
    std::thread second([&] { rounds(1, round); });
    double begin = now();
    rounds(0, round);
    second.join();
    return (now() - begin) / kRounds;
  }

  double allReduce() {
    return time([&](int rank) { reduce(rank); });
  }

  double copy() {
    return time([&](int rank) {
      memcpy(other[rank].data(), own[rank].data(), bytes);
      asm volatile("" ::"r"(other[rank].data()) : "memory");
    });
  }

  double writeAndRead() {
    return time([&](int rank) { write(own[rank]), read(own[rank]); });
  }

  double exchange() {
    return time([&](int rank) { write(own[rank]), reduce(rank), read(own[rank]); });
  }

private:
  template <typename Round> void rounds(int rank, Round &round) {
    for (int i = 0; i < kRounds; ++i)
      round(rank);
  }
  void reduce(int rank) {
    int64_t count = static_cast<int64_t>(own[rank].size());
    Status status = group.backend(rank).run({CollectiveKind::AllReduce, Reduction::Sum,
                                             KILN_DTYPE_F32, 1, count, own[rank].data(),
                                             own[rank].data(), 0});
    if (!status.ok())
      abort();
  }
  static void write(std::vector<float> &tensor) {
    std::fill(tensor.begin(), tensor.end(), 1.0f);
    asm volatile("" ::"r"(tensor.data()) : "memory");
  }
  /// Reads one element of each cache line.
  static void read(const std::vector<float> &tensor) {
    asm volatile("" ::"r"(tensor.data()) : "memory");
    float sum = 0;
    for (size_t i = 0; i < tensor.size(); i += 16)
      sum += tensor[i];
    asm volatile("" ::"x"(sum));
  }

  size_t bytes;
  ThreadWorld group{kRanks, std::chrono::seconds(5)};
  std::vector<float> own[kRanks], other[kRanks];
};
} // namespace

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Returns the microseconds of an all-reduce for each turn, on one of two processes.
static std::vector<double> turnsOf(int rank, const std::string &place, size_t bytes) {
  std::unique_ptr<HostBackend> group;
  Rendezvous self{uint32_t(rank), kRanks, place, std::chrono::seconds(20), "", "", ""};
  if (!ProcessBackend::join(self, group).ok())
    abort();
  std::vector<float> own(bytes / sizeof(float), 1.0f);
  std::vector<double> turns;
  for (int turn = 0; turn < kTurns; ++turn) {
    std::fill(own.begin(), own.end(), 1.0f);
    double begin = now();
    for (int i = 0; i < kRounds; ++i)
      if (!group
               ->run({CollectiveKind::AllReduce, Reduction::Max, KILN_DTYPE_F32, 1,
                      int64_t(own.size()), own.data(), own.data(), 0})
               .ok())
        abort();
    turns.push_back((now() - begin) / kRounds * 1e6);
  }
  return turns;
}

static void measureProcesses(size_t bytes) {
  std::string place = "collective-speed " + std::to_string(getpid());
  pid_t other = fork();
  std::vector<double> turns = turnsOf(other == 0, place, bytes);
  if (other == 0)
    _exit(0);
  waitpid(other, nullptr, 0);
  printf("{\"bytes\": %zu, \"processes_us\": %.2f}\n", bytes, median(turns));
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--processes")) {
    for (int i = 2; i < argc; ++i)
      measureProcesses(strtoull(argv[i], nullptr, 10));
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    size_t bytes = strtoull(argv[i], nullptr, 10);
    Bench bench(bytes);
    std::vector<double> reduces, copies, bare, exchanges;
    for (int turn = 0; turn < kTurns; ++turn) {
      reduces.push_back(bench.allReduce());
      copies.push_back(bench.copy());
      bare.push_back(bench.writeAndRead());
      exchanges.push_back(bench.exchange());
    }
    printf("{\"bytes\": %zu, \"all_reduce_us\": %.2f, \"copy_us\": %.2f, "
           "\"exchange_us\": %.2f}\n",
           bytes, median(reduces) * 1e6, median(copies) * 1e6,
           (median(exchanges) - median(bare)) * 1e6);
  }
  return 0;
}
