//===- nccl_rank.cpp - A rank's communicators of NCCL ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/nccl_rank.h"
#include "runtime/base/log.h"
#include "runtime/collective/meeting.h"
#include <cstring>
#include <thread>

using namespace kiln::rt;
using namespace kiln::rt::cuda;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// How long ranks may take to connect: NCCL looks at every link of a node.
static constexpr std::chrono::milliseconds connectTime = 60s;
/// Max NCCL calls of one collective: more take longer than staging through host memory.
static constexpr int64_t maxCalls = 32;
/// ncclUint8, the data type of transfers without arithmetic.
static constexpr int byteType = 1;

//===----------------------------------------------------------------------===//
// Whether to use NCCL
//===----------------------------------------------------------------------===//

/// Why these ranks cannot use NCCL; empty if they can.
static std::string obstacle(std::span<const NcclOffer> offers) {
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

Status kiln::rt::cuda::agreeOnNccl(std::span<const NcclOffer> offers, bool &out) {
  for (uint32_t rank = 1; rank < offers.size(); ++rank)
    if (offers[rank].path != offers[0].path)
      return Failure{Code::CollectiveMismatch,
                     rankText(rank),
                     "it has another KILN_COLLECTIVES",
                     "the value that rank 0 has",
                     "another one",
                     "give all ranks the same KILN_COLLECTIVES"};
  CollectivePath path = offers[0].path;
  std::string reason = obstacle(offers);
  out = (path == CollectivePath::Auto || path == CollectivePath::Nccl) && reason.empty();
  if (path != CollectivePath::Nccl || out)
    return {};
  return Failure{Code::DeviceUnavailable,
                 "KILN_COLLECTIVES",
                 "these ranks cannot use NCCL",
                 "a GPU and the same NCCL for each rank",
                 reason,
                 "give each rank a GPU of its own (--device cuda), or set "
                 "KILN_COLLECTIVES=host"};
}

NcclRank::NcclRank(std::shared_ptr<const Context> context, const RankPlace &place,
                   uint32_t ranksPerStage)
    : context(std::move(context)), place(place), perStage(ranksPerStage) {}

Status NcclRank::open(std::shared_ptr<const Context> context, const RankPlace &place,
                      uint32_t ranksPerStage, std::shared_ptr<NcclRank> &out) {
  bool simulated = context->driver->simulated;
  std::shared_ptr<NcclRank> rank(new NcclRank(std::move(context), place, ranksPerStage));
  KILN_TRY(readCollectivePath(rank->path));
  if (rank->path == CollectivePath::Auto || rank->path == CollectivePath::Nccl)
    if (Status found = Nccl::open(simulated, rank->nccl);
        !found.ok() && rank->path == CollectivePath::Nccl)
      return found;
  out = std::move(rank);
  return {};
}

//===----------------------------------------------------------------------===//
// Connecting
//===----------------------------------------------------------------------===//

Status NcclRank::gather(const void *own, void *all, size_t bytes) {
  return place.communicator->run({CollectiveKind::AllGather, Reduction::Sum,
                                  KILN_DTYPE_U8, 1, static_cast<int64_t>(bytes), own, all,
                                  noStep, 0, 0});
}

Status NcclRank::negotiate() {
  NcclOffer own;
  const Driver &driver = *context->driver;
  KILN_TRY(driver.check(driver.deviceGetUuid(own.gpu, context->device), "cuDeviceGetUuid",
                        "device " + context->name));
  own.version = nccl ? nccl->version : 0;
  own.path = path;
  std::vector<NcclOffer> offers(place.ranks);
  KILN_TRY(gather(&own, offers.data(), sizeof own));
  KILN_TRY(agreeOnNccl(offers, isUsed));
  if (!isUsed && path == CollectivePath::Auto && place.rank == 0 && isLogged())
    writeLog(KILN_LOG_WARNING, "kiln.collectives.without_nccl",
             "ranks on GPUs do without NCCL: " + obstacle(offers));
  hasAgreed = true;
  return {};
}

/// All ranks make all their communicators anew if one of them has lost its own.
Status NcclRank::begin(RunForm &form) {
  if (!hasAgreed)
    KILN_TRY(negotiate());
  if (!isUsed)
    return {};
  uint32_t own[] = {!hasComms, static_cast<uint32_t>(form)}, all[2] = {};
  KILN_TRY(place.communicator->run({CollectiveKind::AllReduce, Reduction::Max,
                                    KILN_DTYPE_U32, 1, 2, own, all, noStep, 0, 0}));
  form = static_cast<RunForm>(all[1]);
  if (!all[0])
    return {};
  form = std::max(form, RunForm::Capture);
  return connect();
}

/// The first rank of each communicator has its id, which all ranks learn.
Status NcclRank::connect() {
  abort();
  stage = {nullptr, perStage, place.rank % perStage, {}};
  across = {nullptr, place.ranks / perStage, place.rank / perStage, {}};
  ncclUniqueId own[2] = {};
  for (auto [comm, id] : {std::pair(&stage, &own[0]), std::pair(&across, &own[1])})
    if (comm->size > 1 && comm->rank == 0)
      KILN_TRY(nccl->check(nccl->getUniqueId(id), "ncclGetUniqueId", nullptr,
                           rankText(place.rank)));
  std::vector<ncclUniqueId> all(size_t(2) * place.ranks);
  KILN_TRY(gather(own, all.data(), sizeof own));
  stage.id = all[2 * (place.rank - stage.rank)];
  across.id = all[2 * stage.rank + 1];
  Status made = create(stage);
  if (made.ok())
    made = create(across);
  if (!made.ok())
    abort();
  hasComms = made.ok();
  return made;
}

Status NcclRank::create(Comm &comm) {
  if (comm.size == 1)
    return {};
  ncclConfig_t config;
  config.blocking = 0;
  ncclResult_t result =
      nccl->commInitRankConfig(&comm.handle, static_cast<int>(comm.size), comm.id,
                               static_cast<int>(comm.rank), &config);
  std::string where = rankText(place.rank);
  if (result != ncclInProgress)
    KILN_TRY(nccl->check(result, "ncclCommInitRankConfig", comm.handle, where));
  // Whoever does not even come back from the call is named here.
  KILN_TRY(
      place.communicator->run({CollectiveKind::AllReduce, Reduction::Sum, KILN_DTYPE_U8,
                               0, 0, nullptr, nullptr, noStep, 0, 0}));
  return settle(comm, result, "ncclCommInitRankConfig", where);
}

/// Waits until a call that NCCL goes on with by itself is over.
Status NcclRank::settle(Comm &comm, ncclResult_t result, const char *call,
                        const std::string &where) {
  Clock::time_point deadline = Clock::now() + connectTime, look = Clock::now() + 50ms;
  while (result == ncclInProgress) {
    if (nccl->commGetAsyncError(comm.handle, &result) != ncclSuccess ||
        result != ncclInProgress)
      break;
    std::this_thread::sleep_for(50us);
    if (Clock::now() < look)
      continue;
    look = Clock::now() + 50ms;
    KILN_TRY(place.communicator->health(noStep));
    if (Clock::now() >= deadline)
      return Failure{Code::RankLate,
                     where,
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

/// NCCL splits and joins along the first axis only: along another one, each of the
/// `outer` indices in front of it is a call.
bool NcclRank::takes(const CollectiveCall &call) const {
  // Its communicators are of a stage and across stages, and none of an axis of a stage.
  if (!isUsed || !hasComms || (call.members && call.members != call.count))
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

Status NcclRank::enqueue(const CollectiveCall &call, CUdeviceptr from, CUdeviceptr to,
                         CUstream stream, const std::string &where) {
  auto *in = reinterpret_cast<const void *>(static_cast<uintptr_t>(from));
  auto *out = reinterpret_cast<void *>(static_cast<uintptr_t>(to));
  auto count = static_cast<size_t>(call.outer * call.inner);
  int op = ncclOpOf(call.reduction);
  if (isHandover(call.kind))
    return handOver(call, in, out, stream, where);
  if (!call.isOf(place.rank))
    return {};
  if (call.kind == CollectiveKind::AllToAll)
    return allToAll(call, in, out, stream, where);
  if (call.kind == CollectiveKind::AllReduce)
    return settle(stage,
                  nccl->allReduce(in, out, count, *ncclTypeOf(call.dtype), op,
                                  stage.handle, stream),
                  "ncclAllReduce", where);
  auto inner = static_cast<size_t>(call.inner);
  size_t part = inner * kiln_dtype_size(call.dtype), whole = part * call.count;
  for (int64_t i = 0; i < call.outer; ++i) {
    auto index = static_cast<size_t>(i);
    auto *source = static_cast<const std::byte *>(in);
    auto *target = static_cast<std::byte *>(out);
    if (call.kind == CollectiveKind::ReduceScatter)
      KILN_TRY(
          settle(stage,
                 nccl->reduceScatter(source + index * whole, target + index * part, inner,
                                     *ncclTypeOf(call.dtype), op, stage.handle, stream),
                 "ncclReduceScatter", where));
    else
      KILN_TRY(settle(stage,
                      nccl->allGather(source + index * part, target + index * whole, part,
                                      byteType, stage.handle, stream),
                      "ncclAllGather", where));
  }
  return {};
}

/// The number of a rank in `across` is that of its stage. Of a permute the stages that
/// neither give nor get do nothing.
Status NcclRank::handOver(const CollectiveCall &call, const void *in, void *out,
                          CUstream stream, const std::string &where) {
  bool gives = call.isOf(place.rank);
  int giver = static_cast<int>(call.first / perStage);
  int taker = static_cast<int>(call.takers / perStage);
  if (call.kind == CollectiveKind::Broadcast)
    return settle(across,
                  nccl->broadcast(gives ? in : out, gives ? const_cast<void *>(in) : out,
                                  call.bytes(), byteType, giver, across.handle, stream),
                  "ncclBroadcast", where);
  if (gives)
    return settle(across,
                  nccl->send(in, call.bytes(), byteType, taker, across.handle, stream),
                  "ncclSend", where);
  if (!call.gets(place.rank))
    return {};
  return settle(across,
                nccl->recv(out, call.bytes(), byteType, giver, across.handle, stream),
                "ncclRecv", where);
}

/// All sends and receives of a rank are one group, so that none waits for another.
Status NcclRank::allToAll(const CollectiveCall &call, const void *in, void *out,
                          CUstream stream, const std::string &where) {
  size_t part = static_cast<size_t>(call.inner) * kiln_dtype_size(call.dtype);
  ncclResult_t failed = ncclSuccess;
  auto note = [&](ncclResult_t result) {
    if (failed == ncclSuccess && result != ncclInProgress)
      failed = result;
  };
  KILN_TRY(nccl->check(nccl->groupStart(), "ncclGroupStart", stage.handle, where));
  for (size_t i = 0; i < static_cast<size_t>(call.outer) * call.count; ++i) {
    int peer = static_cast<int>(i % call.count);
    note(nccl->send(static_cast<const std::byte *>(in) + i * part, part, byteType, peer,
                    stage.handle, stream));
    note(nccl->recv(static_cast<std::byte *>(out) + i * part, part, byteType, peer,
                    stage.handle, stream));
  }
  ncclResult_t ended = nccl->groupEnd(); // also after a failure
  KILN_TRY(nccl->check(failed, "ncclSend or ncclRecv", stage.handle, where));
  return settle(stage, ended, "ncclGroupEnd", where);
}

Status NcclRank::health(const std::string &where) const {
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

void NcclRank::abort() {
  for (const auto &[owner, drop] : graphs)
    drop();
  for (Comm *comm : {&stage, &across})
    if (comm->handle) {
      (void)nccl->commAbort(comm->handle);
      comm->handle = nullptr;
    }
  hasComms = false;
}
