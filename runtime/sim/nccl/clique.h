//===- clique.h - Ranks of a modelled communicator ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every collective's arguments are compared between ranks when they call it; the last
// rank whose stream reaches it computes the result.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_NCCL_CLIQUE_H
#define KILN_SIM_NCCL_CLIQUE_H

#include "runtime/sim/nccl/settings.h"
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

namespace kiln::sim::nccl {

/// ncclResult_t.
enum Code {
  Success = 0,
  CudaError = 1,
  SystemError = 2,
  InvalidArgument = 4,
  InvalidUsage = 5,
  RemoteError = 6,
  InProgress = 7
};

struct Result {
  Code code = Success;
  std::string text;
};

struct Call {
  enum Function { AllReduce, AllGather, ReduceScatter, Broadcast } function = AllReduce;
  size_t count = 0;
  int type = 0, op = 0, root = 0;
  bool isCaptured = false; ///< executed by launches of a graph

  bool operator==(const Call &) const = default;
  /// "ncclAllReduce of 12 float32, sum"
  std::string text() const;
  /// Bytes of a rank's input and output.
  size_t bytesIn(int ranks) const;
  size_t bytesOut(int ranks) const;
};

/// Send or receive of one message, the `number`-th between these two ranks.
struct Message {
  int from = 0, to = 0;
  uint64_t number = 0;
  size_t bytes = 0;
  void *memory = nullptr;  ///< buffer of the calling rank
  bool sends = false;      ///< the call is the send; for a message to itself a rank makes
                           ///< both calls
  bool isCaptured = false; ///< executed by launches of a graph
  uint64_t launch = 0;     ///< number of the graph's launch, from 1
};

class Clique {
public:
  explicit Clique(int ranks)
      : ranks(ranks), devices(ranks, -1), aborted(ranks), arrivals(ranks) {}

  const int ranks;

  Result join(int rank, int device);
  /// Returns the result for ncclCommGetAsyncError.
  Result state();
  /// Waits until all ranks have joined.
  Result awaitAll(int rank);
  /// Called when a rank calls its collective of this number.
  Result enter(int rank, uint64_t number, const Call &call);
  /// Called when a rank's stream reaches the collective, with the rank's input and
  /// output. Returns once the output is written or has failed. `launch`: for a captured
  /// collective, number of its execution, from 1.
  void meet(int rank, uint64_t number, const void *in, void *out, uint64_t launch = 0);
  /// Called when a rank calls a send or receive; the peer's call must have the same size.
  Result enter(int rank, const Message &message);
  /// Called when a rank's stream reaches a group of sends and receives. Returns when all
  /// of them are complete or have failed.
  void exchange(int rank, const std::vector<Message> &messages);
  void abort(int rank);
  /// Returns the injected fault of a rank's call; Success if there is none.
  Result suffer(int rank, uint64_t number);

private:
  struct Operation {
    Call call;
    int first = 0; ///< rank that called it first
    int arrived = 0;
    bool isDone = false;
    std::vector<const void *> in;
    std::vector<void *> out;
  };

  using Lock = std::unique_lock<std::mutex>;
  /// A message for which at least one rank has made its call.
  struct Letter {
    size_t bytes = 0;
    bool isCaptured = false;
    int caller = 0;                ///< rank that called first
    const void *content = nullptr; ///< set when the sender's stream reaches the send
    bool isTaken = false;
  };
  using LetterKey = std::tuple<int, int, uint64_t, uint64_t>;

  static LetterKey keyOf(const Message &message);
  void open(const std::vector<Message> &messages);
  bool handle(const std::vector<Message> &messages);
  bool anyAborted() const;
  std::shared_ptr<Operation> &find(uint64_t number, uint64_t launch);
  void sufferInStream(Lock &lock, int rank, bool isLaunch);
  Result fail(Code code, const std::string &text);
  void compute(const Operation &operation) const;
  std::string missingText(const Operation &operation, uint64_t number) const;

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int> devices; ///< by rank; -1: not joined yet
  std::vector<bool> aborted;
  int joined = 0;
  Result failure;
  /// By rank: how many collectives and groups of messages its stream has reached.
  std::vector<uint64_t> arrivals;
  std::map<uint64_t, std::shared_ptr<Operation>> operations; ///< in progress, or captured
  /// Executions of captured operations in progress, by number and launch.
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<Operation>> launches;
  std::map<LetterKey, Letter> letters; ///< in progress or captured messages
};

} // namespace kiln::sim::nccl

#endif // KILN_SIM_NCCL_CLIQUE_H
