//===- clique.h - The ranks of a modelled communicator ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every collective is compared between the ranks when they call it, and computed by the
// last rank whose stream comes to it.
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
  bool isCaptured = false; ///< carried out by launches of a graph

  bool operator==(const Call &) const = default;
  /// "ncclAllReduce of 12 float32, sum"
  std::string text() const;
  /// Bytes that a rank sends and receives.
  size_t bytesIn(int ranks) const;
  size_t bytesOut(int ranks) const;
};

/// Send or receive of one message, the `number`-th from one rank to another.
struct Message {
  int from = 0, to = 0;
  uint64_t number = 0;
  size_t bytes = 0;
  void *memory = nullptr;  ///< of the rank that calls it
  bool sends = false;      ///< it is the sender; of a message to itself a rank is both
  bool isCaptured = false; ///< carried out by launches of a graph
  uint64_t launch = 0;     ///< which of them, from 1
};

class Clique {
public:
  explicit Clique(int ranks)
      : ranks(ranks), devices(ranks, -1), aborted(ranks), arrivals(ranks) {}

  const int ranks;

  Result join(int rank, int device);
  /// Result that ncclCommGetAsyncError returns.
  Result state();
  /// Waits until all ranks have joined.
  Result awaitAll(int rank);
  /// A rank calls its collective of this number.
  Result enter(int rank, uint64_t number, const Call &call);
  /// The stream of a rank has come to it, with what it gives and where it wants its
  /// result. Returns when there is one, or there will be none. launch: of a captured
  /// collective, which time it is carried out, from 1.
  void meet(int rank, uint64_t number, const void *in, void *out, uint64_t launch = 0);
  /// A rank calls a send or a receive: the other rank's must have the same size.
  Result enter(int rank, const Message &message);
  /// The stream of a rank has come to a group of sends and receives. Returns when all of
  /// them are done, or will never be.
  void exchange(int rank, const std::vector<Message> &messages);
  void abort(int rank);
  /// The fault that a rank is asked to have in a call; Success if none.
  Result suffer(int rank, uint64_t number);

private:
  struct Operation {
    Call call;
    int first = 0; ///< the rank that called it first
    int arrived = 0;
    bool isDone = false;
    std::vector<const void *> in;
    std::vector<void *> out;
  };

  using Lock = std::unique_lock<std::mutex>;
  /// A message that one of its ranks has called.
  struct Letter {
    size_t bytes = 0;
    bool isCaptured = false;
    int caller = 0;                ///< who called it first
    const void *content = nullptr; ///< since the sender's stream has come
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
  std::vector<int> devices; ///< by rank; -1: it has not joined
  std::vector<bool> aborted;
  int joined = 0;
  Result failure;
  /// How many collectives and groups of messages the stream of each rank has come to.
  std::vector<uint64_t> arrivals;
  std::map<uint64_t, std::shared_ptr<Operation>> operations; ///< under way, or captured
  /// Captured ones that are under way, by number and launch.
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<Operation>> launches;
  std::map<LetterKey, Letter> letters; ///< the same of messages
};

} // namespace kiln::sim::nccl

#endif // KILN_SIM_NCCL_CLIQUE_H
