//===- clique.cpp - Ranks of a modelled communicator ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/nccl/clique.h"
#include "runtime/sim/nccl/sums.h"
#include <algorithm>
#include <cstring>

using namespace kiln::sim;
using namespace kiln::sim::nccl;

static std::string rankText(int rank) { return "rank " + std::to_string(rank); }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::string Call::text() const {
  static const char *const names[] = {"ncclAllReduce", "ncclAllGather",
                                      "ncclReduceScatter", "ncclBroadcast"};
  std::string out = std::string(names[function]) + " of " + std::to_string(count) + ' ' +
                    typeName(type);
  if (function == AllReduce || function == ReduceScatter)
    out += std::string(", ") + opName(op);
  if (function == Broadcast)
    out += " from rank " + std::to_string(root);
  if (isCaptured)
    out += ", captured";
  return out;
}

size_t Call::bytesIn(int ranks) const {
  return count * typeBytes(type) * (function == ReduceScatter ? ranks : 1);
}

size_t Call::bytesOut(int ranks) const {
  return count * typeBytes(type) * (function == AllGather ? ranks : 1);
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

bool Clique::anyAborted() const {
  return std::find(aborted.begin(), aborted.end(), true) != aborted.end();
}

/// Records the first failure, which is returned to all ranks.
Result Clique::fail(Code code, const std::string &text) {
  if (failure.code == Success)
    failure = {code, text};
  changed.notify_all();
  return {code, text};
}

Result Clique::join(int rank, int device) {
  Lock lock(mutex);
  if (devices[rank] >= 0)
    return fail(InvalidUsage, rankText(rank) + " is given twice");
  for (int other = 0; other < ranks; ++other)
    if (devices[other] == device)
      return fail(InvalidUsage, rankText(other) + " and " + rankText(rank) +
                                    " are both on device " + std::to_string(device));
  devices[rank] = device;
  ++joined;
  changed.notify_all();
  return {};
}

Result Clique::state() {
  Lock lock(mutex);
  if (failure.code != Success)
    return failure;
  return {joined == ranks ? Success : InProgress, {}};
}

Result Clique::awaitAll(int rank) {
  Lock lock(mutex);
  bool came = changed.wait_for(lock, settings().bound, [&] {
    return joined == ranks || failure.code != Success || aborted[rank];
  });
  if (!came)
    return fail(RemoteError, "not all ranks have joined the communicator");
  return failure;
}

void Clique::abort(int rank) {
  Lock lock(mutex);
  aborted[rank] = true;
  changed.notify_all();
}

Result Clique::suffer(int rank, uint64_t number) {
  const std::optional<Fault> &fault = settings().fault;
  if (!fault || fault->rank != rank || fault->call != number)
    return {};
  if (fault->kind == Fault::Fail)
    return {SystemError, "call " + std::to_string(number) + " of " + rankText(rank) +
                             " fails, as asked for"};
  if (fault->kind == Fault::Delay)
    return {}; // the rank's stream is delayed instead
  Lock lock(mutex);
  changed.wait_for(lock, settings().bound, [&] { return anyAborted(); });
  return {RemoteError, rankText(rank) + " is lost in call " + std::to_string(number) +
                           ", as asked for"};
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Result Clique::enter(int rank, uint64_t number, const Call &call) {
  Lock lock(mutex);
  if (failure.code != Success)
    return failure;
  std::shared_ptr<Operation> &operation = operations[number];
  if (!operation) {
    operation = std::make_shared<Operation>();
    operation->call = call;
    operation->first = rank;
    operation->in.resize(ranks);
    operation->out.resize(ranks);
    return {};
  }
  if (operation->call == call)
    return {};
  return fail(InvalidUsage, "call " + std::to_string(number) + ": " +
                                rankText(operation->first) + " calls " +
                                operation->call.text() + ", and " + rankText(rank) + " " +
                                call.text());
}

std::string Clique::missingText(const Operation &operation, uint64_t number) const {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank)
    if (!operation.out[rank])
      text += (text.empty() ? "" : ", ") + rankText(rank);
  return text + " has not come to call " + std::to_string(number) + ", " +
         operation.call.text();
}

std::shared_ptr<Clique::Operation> &Clique::find(uint64_t number, uint64_t launch) {
  if (!launch)
    return operations[number];
  std::shared_ptr<Operation> &operation = launches[{number, launch}];
  if (!operation)
    operation = std::make_shared<Operation>(*operations[number]);
  return operation;
}

/// Applies an injected fault when a rank's stream reaches a collective. For launches of
/// graphs all kinds of faults occur here, as they call no function that could fail.
void Clique::sufferInStream(Lock &lock, int rank, bool isLaunch) {
  const std::optional<Fault> &fault = settings().fault;
  ++arrivals[rank];
  if (!fault || fault->rank != rank || fault->call != arrivals[rank])
    return;
  std::string text = rankText(rank) + ", as asked for in collective " +
                     std::to_string(arrivals[rank]) + " of its stream";
  if (isLaunch && fault->kind == Fault::Fail)
    fail(SystemError, "failure of " + text);
  if (fault->kind == Fault::Delay || (isLaunch && fault->kind == Fault::Drop))
    changed.wait_for(lock, fault->kind == Fault::Delay ? fault->delay : settings().bound,
                     [&] { return failure.code != Success || aborted[rank]; });
}

void Clique::meet(int rank, uint64_t number, const void *in, void *out, uint64_t launch) {
  Lock lock(mutex);
  auto isOver = [&] { return failure.code != Success || aborted[rank]; };
  if (isOver())
    return;
  sufferInStream(lock, rank, launch > 0);
  if (isOver())
    return;
  std::shared_ptr<Operation> operation = find(number, launch);
  operation->in[rank] = in;
  operation->out[rank] = out;
  if (++operation->arrived == ranks && !anyAborted()) {
    compute(*operation);
    operation->isDone = true;
    if (launch)
      launches.erase({number, launch});
    else
      operations.erase(number);
    changed.notify_all();
    return;
  }
  bool ended = changed.wait_for(lock, settings().bound,
                                [&] { return operation->isDone || isOver(); });
  if (!ended)
    fail(RemoteError, missingText(*operation, number));
}

void Clique::compute(const Operation &operation) const {
  const Call &call = operation.call;
  size_t bytes = call.count * typeBytes(call.type);
  for (int rank = 0; rank < ranks; ++rank) {
    auto *out = static_cast<char *>(operation.out[rank]);
    switch (call.function) {
    case Call::AllReduce:
      combine(call.type, call.op, out, operation.in, 0, call.count);
      break;
    case Call::ReduceScatter:
      combine(call.type, call.op, out, operation.in, rank * call.count, call.count);
      break;
    case Call::AllGather:
      for (int other = 0; other < ranks; ++other)
        memcpy(out + other * bytes, operation.in[other], bytes);
      break;
    case Call::Broadcast:
      memcpy(out, operation.in[call.root], bytes);
      break;
    }
  }
}
