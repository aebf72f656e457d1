//===- nccl_backend.cpp - Collectives by NCCL -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/nccl_backend.h"
#include "runtime/base/log.h"
#include <cstring>
#include <thread>

using namespace kiln::rt;
using namespace kiln::rt::cuda;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Max time for ranks to connect: NCCL probes every link of a node.
static constexpr std::chrono::milliseconds connectTime = 60s;
/// Max NCCL calls of one collective: with more, staging through host memory is faster.
static constexpr int64_t maxCalls = 32;
/// ncclUint8, the data type of transfers without arithmetic.
static constexpr int byteType = 1;

//===----------------------------------------------------------------------===//
// Negotiation of NCCL
//===----------------------------------------------------------------------===//

std::string kiln::rt::cuda::ncclObstacle(std::span<const NcclOffer> offers) {
  for (uint32_t rank = 0; rank < offers.size(); ++rank) {
    const NcclOffer &offer = offers[rank];
    if (!offer.version)
      return rankText(rank) + " has no NCCL";
    if (offer.version != offers[0].version)
      return rankText(rank) + " has NCCL " + ncclVersionText(offer.version) +
             ", and rank 0 NCCL " + ncclVersionText(offers[0].version);
    for (uint32_t other = 0; other < rank; ++other)
      if (!std::memcmp(offer.gpu, offers[other].gpu, sizeof offer.gpu))
        return rankText(other) + " and " + rankText(rank) + " share one GPU";
  }
  return {};
}

Status NcclBackend::open(const GpuRank &rank, bool isRequired,
                         std::unique_ptr<DeviceBackend> &out) {
  std::unique_ptr<NcclBackend> backend(new NcclBackend(rank, isRequired));
  Status found = Nccl::open(rank.context->driver->simulated, backend->nccl);
  if (!found.ok() && isRequired)
    return found;
  out = std::move(backend);
  return {};
}

//===----------------------------------------------------------------------===//
// Connecting
//===----------------------------------------------------------------------===//

Status NcclBackend::negotiate() {
  NcclOffer own;
  const Driver &driver = *context->driver;
  KILN_TRY(driver.check(driver.deviceGetUuid(own.gpu, context->device), "cuDeviceGetUuid",
                        "device " + context->name));
  own.version = nccl ? nccl->version : 0;
  std::vector<NcclOffer> offers(group.size());
  KILN_TRY(group.allGather(&own, offers.data(), sizeof own));
  std::string obstacle = ncclObstacle(offers);
  isUsed = obstacle.empty();
  if (!isUsed && isRequired)
    return Failure{Code::DeviceUnavailable,
                   "KILN_COLLECTIVES",
                   "these ranks cannot use NCCL",
                   "a GPU and the same NCCL for each rank",
                   obstacle,
                   "give each rank a GPU of its own (--device cuda), or set "
                   "KILN_COLLECTIVES=host"};
  if (!isUsed && group.rank() == 0 && isLogged())
    writeLog(KILN_LOG_WARNING, "kiln.collectives.without_nccl",
             "ranks on GPUs do without NCCL: " + obstacle);
  hasAgreed = true;
  return {};
}

/// Connects the ranks. If one rank has lost its communicators, all ranks recreate theirs.
Status NcclBackend::begin(RunForm &form) {
  if (!hasAgreed)
    KILN_TRY(negotiate());
  if (!isUsed)
    return {};
  uint32_t words[] = {!hasComms, static_cast<uint32_t>(form)};
  KILN_TRY(group.allReduceMax(words, std::size(words)));
  form = static_cast<RunForm>(words[1]);
  if (!words[0])
    return {};
  form = std::max(form, RunForm::Capture);
  return connect();
}

/// Creates the communicators. The first rank of each one creates its id, which is
/// gathered on all ranks.
Status NcclBackend::connect() {
  abort();
  stage = {nullptr, perStage, group.rank() % perStage, {}};
  across = {nullptr, group.size() / perStage, group.rank() / perStage, {}};
  ncclUniqueId own[2] = {};
  for (auto [comm, id] : {std::pair(&stage, &own[0]), std::pair(&across, &own[1])})
    if (comm->size > 1 && comm->rank == 0)
      KILN_TRY(nccl->check(nccl->getUniqueId(id), "ncclGetUniqueId", nullptr,
                           [&] { return rankText(group.rank()); }));
  std::vector<ncclUniqueId> all(size_t(2) * group.size());
  KILN_TRY(group.allGather(own, all.data(), sizeof own));
  stage.id = all[2 * (group.rank() - stage.rank)];
  across.id = all[2 * stage.rank + 1];
  Status made = create(stage);
  if (made.ok())
    made = create(across);
  if (!made.ok())
    abort();
  hasComms = made.ok();
  return made;
}

Status NcclBackend::create(Comm &comm) {
  if (comm.size == 1)
    return {};
  ncclConfig_t config;
  config.blocking = 0;
  ncclResult_t result =
      nccl->commInitRankConfig(&comm.handle, static_cast<int>(comm.size), comm.id,
                               static_cast<int>(comm.rank), &config);
  auto where = [this] { return rankText(group.rank()); };
  if (result != ncclInProgress)
    KILN_TRY(nccl->check(result, "ncclCommInitRankConfig", comm.handle, where));
  // If a rank does not return from the call, the barrier's error names it.
  KILN_TRY(group.barrier(noStep));
  return settle(comm, result, "ncclCommInitRankConfig", where);
}

/// Waits until a nonblocking NCCL call has completed.
Status NcclBackend::settle(Comm &comm, ncclResult_t result, const char *call,
                           const Where &where) {
  Clock::time_point deadline = Clock::now() + connectTime, look = Clock::now() + 50ms;
  while (result == ncclInProgress) {
    if (nccl->commGetAsyncError(comm.handle, &result) != ncclSuccess ||
        result != ncclInProgress)
      break;
    std::this_thread::sleep_for(50us);
    if (Clock::now() < look)
      continue;
    look = Clock::now() + 50ms;
    KILN_TRY(group.health(noStep));
    if (Clock::now() >= deadline)
      return Failure{Code::RankLate,
                     where(),
                     std::string(call) + " does not come to an end",
                     "all ranks within " + std::to_string(connectTime.count()) + " ms",
                     "none of it",
                     "set NCCL_DEBUG=INFO to see which rank is missing"};
  }
  return nccl->check(result, call, comm.handle, where);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// NCCL splits and concatenates only along the first axis: along another one, each of the
/// `outer` indices in front of it needs a separate call.
bool NcclBackend::supports(const CollectiveCall &call) const {
  // There are communicators of a stage and across stages, but none of an axis of a mesh.
  if (!isUsed || !hasComms || call.count != perStage || call.first % perStage ||
      (call.members && call.members != call.count))
    return false;
  switch (call.kind) {
  case CollectiveKind::AllReduce:
    return call.count > 1 && ncclTypeOf(call.dtype);
  case CollectiveKind::ReduceScatter:
    return call.count > 1 && call.outer <= maxCalls && ncclTypeOf(call.dtype);
  case CollectiveKind::AllGather:
  case CollectiveKind::AllToAll:
    return call.count > 1 && call.outer <= maxCalls;
  case CollectiveKind::Broadcast:
  case CollectiveKind::Permute:
    return across.size > 1;
  }
  return false;
}

Status NcclBackend::enqueue(const CollectiveCall &call, void *stream,
                            const Where &where) {
  Operation op{call, static_cast<CUstream>(stream), where};
  if (isHandover(call.kind))
    return broadcastOrPermute(op);
  if (!call.inGroup(group.rank()))
    return {};
  if (call.kind == CollectiveKind::AllToAll)
    return allToAll(op);
  if (call.kind != CollectiveKind::AllReduce)
    return split(op);
  return settle(stage,
                nccl->allReduce(call.from, call.to,
                                static_cast<size_t>(call.outer * call.inner),
                                *ncclTypeOf(call.dtype), ncclOpOf(call.reduction),
                                stage.handle, op.stream),
                "ncclAllReduce", where);
}

/// Runs an all-gather or a reduce-scatter.
Status NcclBackend::split(const Operation &op) {
  const CollectiveCall &call = op.call;
  auto inner = static_cast<size_t>(call.inner);
  size_t part = inner * kiln_dtype_size(call.dtype), whole = part * call.count;
  auto *from = static_cast<const std::byte *>(call.from);
  auto *to = static_cast<std::byte *>(call.to);
  for (int64_t i = 0; i < call.outer; ++i) {
    auto index = static_cast<size_t>(i);
    if (call.kind == CollectiveKind::ReduceScatter)
      KILN_TRY(
          settle(stage,
                 nccl->reduceScatter(from + index * whole, to + index * part, inner,
                                     *ncclTypeOf(call.dtype), ncclOpOf(call.reduction),
                                     stage.handle, op.stream),
                 "ncclReduceScatter", op.where));
    else
      KILN_TRY(settle(stage,
                      nccl->allGather(from + index * part, to + index * whole, part,
                                      byteType, stage.handle, op.stream),
                      "ncclAllGather", op.where));
  }
  return {};
}

/// Runs a transfer between stages. The rank number in `across` is the stage. In a
/// permute, stages that neither send nor receive do nothing.
Status NcclBackend::broadcastOrPermute(const Operation &op) {
  const CollectiveCall &call = op.call;
  bool gives = call.inGroup(group.rank());
  int giver = static_cast<int>(call.first / perStage);
  int taker = static_cast<int>(call.destinations / perStage);
  if (call.kind == CollectiveKind::Broadcast)
    return settle(across,
                  nccl->broadcast(gives ? call.from : call.to,
                                  gives ? const_cast<void *>(call.from) : call.to,
                                  call.bytes(), byteType, giver, across.handle,
                                  op.stream),
                  "ncclBroadcast", op.where);
  if (gives)
    return settle(
        across,
        nccl->send(call.from, call.bytes(), byteType, taker, across.handle, op.stream),
        "ncclSend", op.where);
  if (!call.receives(group.rank()))
    return {};
  return settle(
      across,
      nccl->recv(call.to, call.bytes(), byteType, giver, across.handle, op.stream),
      "ncclRecv", op.where);
}

/// Groups all sends and receives of a rank, so that they cannot deadlock.
Status NcclBackend::allToAll(const Operation &op) {
  const CollectiveCall &call = op.call;
  size_t part = static_cast<size_t>(call.inner) * kiln_dtype_size(call.dtype);
  ncclResult_t failed = ncclSuccess;
  auto note = [&](ncclResult_t result) {
    if (failed == ncclSuccess && result != ncclInProgress)
      failed = result;
  };
  KILN_TRY(nccl->check(nccl->groupStart(), "ncclGroupStart", stage.handle, op.where));
  for (size_t i = 0; i < static_cast<size_t>(call.outer) * call.count; ++i) {
    int peer = static_cast<int>(i % call.count);
    note(nccl->send(static_cast<const std::byte *>(call.from) + i * part, part, byteType,
                    peer, stage.handle, op.stream));
    note(nccl->recv(static_cast<std::byte *>(call.to) + i * part, part, byteType, peer,
                    stage.handle, op.stream));
  }
  ncclResult_t ended = nccl->groupEnd(); // to be called after a failure, too
  KILN_TRY(nccl->check(failed, "ncclSend or ncclRecv", stage.handle, op.where));
  return settle(stage, ended, "ncclGroupEnd", op.where);
}

Status NcclBackend::health(uint32_t step) {
  auto where = [&] { return placeText(group.rank(), step); };
  for (const Comm *comm : {&stage, &across}) {
    ncclResult_t result = ncclSuccess;
    if (!comm->handle)
      continue;
    KILN_TRY(nccl->check(nccl->commGetAsyncError(comm->handle, &result),
                         "ncclCommGetAsyncError", comm->handle, where));
    if (result != ncclInProgress)
      KILN_TRY(nccl->check(result, "NCCL", comm->handle, where));
  }
  return {};
}

void NcclBackend::abort() {
  for (const auto &[owner, drop] : graphs)
    drop();
  for (Comm *comm : {&stage, &across})
    if (comm->handle) {
      (void)nccl->commAbort(comm->handle);
      comm->handle = nullptr;
    }
  hasComms = false;
}
