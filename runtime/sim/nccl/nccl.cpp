//===- nccl.cpp - NCCL's C interface on simulated GPUs ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For ranks that are threads of one process. A collective copies a rank's input to pinned
// host memory, synchronizes with the other ranks in a host function of the stream, and
// copies the result back: so it is ordered in the stream like NCCL's kernel. In a
// capturing stream these become nodes of the graph, and each launch executes the
// collective again. As in NCCL, a user object of the graph tells when the graph is
// destroyed: until then the communicator may not be aborted (2.26 and later wait for
// that).
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/nccl/clique.h"
#include "runtime/sim/nccl/cuda.h"
#include "runtime/sim/nccl/sums.h"
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace kiln::sim::nccl;

#define KILN_EXPORT extern "C" __attribute__((visibility("default")))

struct ncclComm;

namespace {

struct UniqueId {
  char bytes[128];
};

/// Contents of an ncclUniqueId: the process, and the number of the communicator in it.
struct Identity {
  char magic[8];
  uint64_t process, number;
};
const char magic[8] = {'k', 'i', 'l', 'n', 'n', 'c', 'c', 'l'};

/// ncclConfig_t since NCCL 2.14; the fields after these only tune performance.
struct Config {
  size_t size;
  unsigned magic, version;
  int blocking;
};

/// Pinned memory of one collective in progress.
struct Buffers {
  void *in = nullptr, *out = nullptr;
  size_t inBytes = 0, outBytes = 0;
  CUevent done = nullptr; ///< recorded when the stream no longer needs the buffers
};

struct Registry {
  std::mutex mutex;
  std::map<uint64_t, std::weak_ptr<Clique>> cliques;
};

/// Returns the registry, which is never destroyed: streams may be in a collective at
/// exit.
Registry &registry() {
  static Registry &it = *new Registry;
  return it;
}

/// Data of the host function that runs when a rank's stream reaches a collective or
/// group.
struct Arrival {
  std::shared_ptr<Clique> clique;
  int rank;
  uint64_t number;
  void *in, *out;
  std::vector<Message> messages;
};

/// A captured collective or group of messages. It keeps what the graphs need until they
/// are destroyed.
struct Captured {
  std::shared_ptr<Clique> clique;
  int rank = 0;
  uint64_t number = 0, launches = 0;
  void *in = nullptr, *out = nullptr;
  std::vector<Message> messages;
  std::atomic<bool> isGone{false};
};

void arriveInGraph(void *data) {
  auto &it = *static_cast<Captured *>(data);
  ++it.launches;
  if (it.messages.empty())
    return it.clique->meet(it.rank, it.number, it.in, it.out, it.launches);
  for (Message &message : it.messages)
    message.launch = it.launches;
  it.clique->exchange(it.rank, it.messages);
}

/// Destructor of the graph's user object, in which driver calls are illegal.
void leaveGraph(void *data) {
  std::unique_ptr<std::shared_ptr<Captured>> it(
      static_cast<std::shared_ptr<Captured> *>(data));
  (*it)->isGone = true;
}

bool isCapturing(CUstream stream) {
  int status = 0;
  return !cuStreamIsCapturing(stream, &status) && status == 1;
}

/// Adds a user object to the graph that the stream captures, which reports when the graph
/// and everything made from it are destroyed.
bool bindToGraph(const std::shared_ptr<Captured> &it, CUstream stream) {
  int status = 0;
  CUgraph graph = nullptr;
  CUuserObject object = nullptr;
  constexpr unsigned noSync = 1, move = 1;
  auto held = std::make_unique<std::shared_ptr<Captured>>(it);
  if (cuStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, nullptr, nullptr) ||
      cuUserObjectCreate(&object, held.get(), leaveGraph, 1, noSync))
    return false;
  held.release(); // the user object owns it now
  if (!cuGraphRetainUserObject(graph, object, 1, move))
    return true;
  cuUserObjectRelease(object, 1);
  return false;
}

/// Allows this thread to allocate while a stream is capturing, in its scope.
struct Relaxed {
  Relaxed() { cuThreadExchangeStreamCaptureMode(&mode); }
  ~Relaxed() { cuThreadExchangeStreamCaptureMode(&mode); }
  int mode = 2;
};

void arrive(void *data) {
  std::unique_ptr<Arrival> arrival(static_cast<Arrival *>(data));
  Clique &clique = *arrival->clique;
  if (arrival->messages.empty())
    clique.meet(arrival->rank, arrival->number, arrival->in, arrival->out);
  else
    clique.exchange(arrival->rank, arrival->messages);
}

/// A send or a receive.
struct Transfer {
  ncclComm *comm;
  bool sends;
  CUdeviceptr memory;
  size_t bytes;
  int peer;
  CUstream stream;
};

/// Last error of this thread, for calls without a communicator.
thread_local std::string lastError;
/// Calls between ncclGroupStart and ncclGroupEnd.
thread_local std::vector<Transfer> grouped;
thread_local int groups = 0;

} // namespace

struct ncclComm {
  std::shared_ptr<Clique> clique;
  int rank = 0;
  CUcontext context = nullptr;
  uint64_t calls = 0, collectives = 0;
  /// Message counts by sender, receiver and whether this rank is the sender.
  std::map<std::tuple<int, int, bool>, uint64_t> messages;
  std::vector<Buffers> buffers;
  std::vector<std::shared_ptr<Captured>> captured;
  std::string lastError;

  ~ncclComm();
  Code note(const Result &result) {
    if (!result.text.empty())
      lastError = ::lastError = result.text;
    return result.code;
  }
  Code run(const Call &call, CUdeviceptr from, CUdeviceptr to, CUstream stream);
  Code run(const std::vector<Transfer> &group);
  bool findBuffers(size_t in, size_t result, Buffers *&out);
  std::shared_ptr<Captured> hold(size_t in, size_t out, CUstream stream);
  Code capture(const Call &call, uint64_t number, CUdeviceptr from, CUdeviceptr to,
               CUstream stream);
  Code capture(const std::vector<Transfer> &group, std::vector<Message> messages,
               size_t sent, size_t received);
  bool gives(const Call &call) const {
    return call.function != Call::Broadcast || call.root == rank;
  }
  void freeGone();
};

/// Frees the buffers, except those that the stream still uses.
ncclComm::~ncclComm() {
  cuCtxPushCurrent_v2(context);
  freeGone();
  for (Buffers &each : buffers)
    if (cuEventQuery(each.done) == 0) {
      cuMemFreeHost(each.in);
      cuMemFreeHost(each.out);
      cuEventDestroy_v2(each.done);
    }
  CUcontext popped;
  cuCtxPopCurrent_v2(&popped);
}

bool ncclComm::findBuffers(size_t in, size_t result, Buffers *&out) {
  for (Buffers &each : buffers)
    if (each.inBytes >= in && each.outBytes >= result && cuEventQuery(each.done) == 0) {
      out = &each;
      return true;
    }
  Buffers fresh;
  fresh.inBytes = in;
  fresh.outBytes = result;
  constexpr unsigned disableTiming = 2;
  if (cuMemHostAlloc(&fresh.in, std::max<size_t>(in, 1), 0) ||
      cuMemHostAlloc(&fresh.out, std::max<size_t>(result, 1), 0) ||
      cuEventCreate(&fresh.done, disableTiming))
    return false;
  memset(fresh.out, 0, result);
  out = &buffers.emplace_back(fresh);
  return true;
}

/// Frees the buffers of destroyed graphs.
void ncclComm::freeGone() {
  std::erase_if(captured, [](const std::shared_ptr<Captured> &each) {
    if (!each->isGone)
      return false;
    cuMemFreeHost(each->in);
    cuMemFreeHost(each->out);
    return true;
  });
}

/// Allocates buffers for what the stream captures; null on failure.
std::shared_ptr<Captured> ncclComm::hold(size_t in, size_t out, CUstream stream) {
  freeGone();
  auto it = std::make_shared<Captured>();
  it->clique = clique;
  it->rank = rank;
  if (cuMemHostAlloc(&it->in, std::max<size_t>(in, 1), 0) ||
      cuMemHostAlloc(&it->out, std::max<size_t>(out, 1), 0))
    return nullptr;
  memset(it->out, 0, out);
  captured.push_back(it);
  it->isGone = !bindToGraph(it, stream);
  return it->isGone ? nullptr : it;
}

Code ncclComm::capture(const Call &call, uint64_t number, CUdeviceptr from,
                       CUdeviceptr to, CUstream stream) {
  Relaxed relaxed;
  size_t in = call.bytesIn(clique->ranks), out = call.bytesOut(clique->ranks);
  std::shared_ptr<Captured> it = hold(in, out, stream);
  if (it)
    it->number = number;
  if (!it || (gives(call) && cuMemcpyDtoHAsync_v2(it->in, from, in, stream)) ||
      cuLaunchHostFunc(stream, arriveInGraph, it.get()) ||
      cuMemcpyHtoDAsync_v2(to, it->out, out, stream))
    return note({CudaError, "the stream does not capture the collective"});
  return Success;
}

Code ncclComm::run(const Call &asked, CUdeviceptr from, CUdeviceptr to, CUstream stream) {
  Call call = asked;
  call.isCaptured = isCapturing(stream);
  if (!typeName(call.type) || !opName(call.op) || call.root < 0 ||
      call.root >= clique->ranks)
    return note({InvalidArgument, "the type, the operation or the root is unknown"});
  uint64_t number = ++collectives;
  ++calls;
  for (const Result &result :
       {clique->suffer(rank, calls), clique->enter(rank, number, call)})
    if (result.code != Success)
      return note(result);
  if (!call.count)
    return Success;
  if (call.isCaptured)
    return capture(call, number, from, to, stream);
  Buffers *buffers = nullptr;
  if (!findBuffers(call.bytesIn(clique->ranks), call.bytesOut(clique->ranks), buffers))
    return note({CudaError, "pinned memory for a collective cannot be allocated"});
  auto *arrival = new Arrival{clique, rank, number, buffers->in, buffers->out, {}};
  if ((gives(call) &&
       cuMemcpyDtoHAsync_v2(buffers->in, from, call.bytesIn(clique->ranks), stream)) ||
      cuLaunchHostFunc(stream, arrive, arrival)) {
    delete arrival;
    return note({CudaError, "the stream does not take the collective"});
  }
  if (cuMemcpyHtoDAsync_v2(to, buffers->out, call.bytesOut(clique->ranks), stream) ||
      cuEventRecord(buffers->done, stream))
    return note({CudaError, "the stream does not take the result"});
  return Success;
}

/// Places the messages of a group one after the other in the send and receive buffers.
static void placeMessages(const std::vector<Transfer> &group, void *in, void *out,
                          std::vector<Message> &messages) {
  auto *sent = static_cast<char *>(in), *received = static_cast<char *>(out);
  for (size_t i = 0; i < group.size(); ++i) {
    char *&place = group[i].sends ? sent : received;
    messages[i].memory = place;
    place += group[i].bytes;
  }
}

/// Enqueues copies to the host, the host function, and copies back.
static bool enqueue(const std::vector<Transfer> &group,
                    const std::vector<Message> &messages, void (*meet)(void *),
                    void *data) {
  CUstream stream = group.front().stream;
  for (size_t i = 0; i < group.size(); ++i)
    if (group[i].sends &&
        cuMemcpyDtoHAsync_v2(messages[i].memory, group[i].memory, group[i].bytes, stream))
      return false;
  if (cuLaunchHostFunc(stream, meet, data))
    return false;
  for (size_t i = 0; i < group.size(); ++i)
    if (!group[i].sends &&
        cuMemcpyHtoDAsync_v2(group[i].memory, messages[i].memory, group[i].bytes, stream))
      return false;
  return true;
}

Code ncclComm::capture(const std::vector<Transfer> &group, std::vector<Message> messages,
                       size_t sent, size_t received) {
  Relaxed relaxed;
  std::shared_ptr<Captured> it = hold(sent, received, group.front().stream);
  if (!it)
    return note({CudaError, "the stream does not capture the messages"});
  placeMessages(group, it->in, it->out, messages);
  it->messages = messages;
  if (!enqueue(group, messages, arriveInGraph, it.get()))
    return note({CudaError, "the stream does not capture the messages"});
  return Success;
}

/// Runs sends and receives of this rank that are grouped, in one stream.
Code ncclComm::run(const std::vector<Transfer> &group) {
  if (Result result = clique->suffer(rank, ++calls); result.code != Success)
    return note(result);
  CUstream stream = group.front().stream;
  bool isCaptured = isCapturing(stream);
  std::vector<Message> list;
  size_t sent = 0, received = 0;
  for (const Transfer &one : group) {
    Message message{rank, one.peer, 0, one.bytes, nullptr, one.sends, isCaptured};
    if (!one.sends)
      std::swap(message.from, message.to);
    message.number = ++messages[{message.from, message.to, one.sends}];
    if (Result result = clique->enter(rank, message); result.code != Success)
      return note(result);
    (one.sends ? sent : received) += one.bytes;
    list.push_back(message);
  }
  if (isCaptured)
    return capture(group, std::move(list), sent, received);
  Buffers *buffers = nullptr;
  if (!findBuffers(sent, received, buffers))
    return note({CudaError, "pinned memory for messages cannot be allocated"});
  placeMessages(group, buffers->in, buffers->out, list);
  // The host function frees it; if enqueueing fails, the process is about to end.
  auto *arrival = new Arrival{clique, rank, 0, nullptr, nullptr, list};
  if (!enqueue(group, list, arrive, arrival) || cuEventRecord(buffers->done, stream))
    return note({CudaError, "the stream does not take the messages"});
  return Success;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Identifies this library, which NCCL itself lacks.
KILN_EXPORT int kilnSimNccl(void) { return 1; }

KILN_EXPORT int ncclGetVersion(int *version) {
  *version = settings().version;
  return Success;
}

KILN_EXPORT const char *ncclGetErrorString(int result) {
  static const char *const texts[] = {
      "no error",
      "unhandled CUDA error",
      "unhandled system error",
      "internal error",
      "invalid argument",
      "invalid usage",
      "remote process exited or there was a network error",
      "the operation is in progress"};
  return result >= 0 && result < 8 ? texts[result] : "unknown result code";
}

KILN_EXPORT const char *ncclGetLastError(ncclComm *comm) {
  return comm ? comm->lastError.c_str() : lastError.c_str();
}

KILN_EXPORT int ncclGetUniqueId(UniqueId *id) {
  static std::atomic<uint64_t> numbers{0};
  Identity identity = {};
  memcpy(identity.magic, magic, sizeof magic);
  identity.process = static_cast<uint64_t>(getpid());
  identity.number = ++numbers;
  *id = {};
  memcpy(id->bytes, &identity, sizeof identity);
  return Success;
}

static Result findClique(const UniqueId &id, int ranks, std::shared_ptr<Clique> &out) {
  Identity identity;
  memcpy(&identity, id.bytes, sizeof identity);
  if (memcmp(identity.magic, magic, sizeof magic) != 0)
    return {InvalidArgument, "the id is none of ncclGetUniqueId"};
  if (identity.process != static_cast<uint64_t>(getpid()))
    return {InvalidUsage, "the modelled NCCL connects ranks of one process only"};
  std::lock_guard lock(registry().mutex);
  std::weak_ptr<Clique> &known = registry().cliques[identity.number];
  if (!(out = known.lock()))
    known = out = std::make_shared<Clique>(ranks);
  if (out->ranks != ranks)
    return {InvalidArgument, "ranks differ in the size of the communicator"};
  return {};
}

static Result create(ncclComm &comm, const UniqueId &id, int ranks, bool blocks) {
  if (!settings().mistake.empty())
    return {InvalidUsage, settings().mistake};
  if (ranks < 1 || comm.rank < 0 || comm.rank >= ranks)
    return {InvalidArgument, "the rank is outside of the communicator"};
  int device = 0;
  if (cuCtxGetCurrent(&comm.context) || cuCtxGetDevice(&device))
    return {CudaError, "the thread has no current context"};
  if (Result found = findClique(id, ranks, comm.clique); found.code != Success)
    return found;
  if (Result lost = comm.clique->suffer(comm.rank, 0); lost.code != Success)
    return lost;
  if (Result result = comm.clique->join(comm.rank, device); result.code != Success)
    return result;
  return blocks ? comm.clique->awaitAll(comm.rank) : comm.clique->state();
}

KILN_EXPORT int ncclCommInitRankConfig(ncclComm **out, int ranks, UniqueId id, int rank,
                                       Config *config) {
  auto comm = std::make_unique<ncclComm>();
  comm->rank = rank;
  bool blocks = !config || config->blocking != 0;
  Code code = comm->note(create(*comm, id, ranks, blocks));
  *out = code == Success || code == InProgress ? comm.release() : nullptr;
  return code;
}

KILN_EXPORT int ncclCommInitRank(ncclComm **out, int ranks, UniqueId id, int rank) {
  return ncclCommInitRankConfig(out, ranks, id, rank, nullptr);
}

KILN_EXPORT int ncclCommGetAsyncError(ncclComm *comm, int *error) {
  *error = comm->note(comm->clique->state());
  return Success;
}

/// Waits for launches in flight, which release destroyed graphs; fails if graphs remain,
/// as NCCL would wait for them forever.
static void checkGraphsAreGone(ncclComm &comm) {
  if (comm.captured.empty())
    return;
  cuCtxPushCurrent_v2(comm.context);
  cuCtxSynchronize();
  comm.freeGone();
  CUcontext popped;
  cuCtxPopCurrent_v2(&popped);
  if (comm.captured.empty())
    return;
  fprintf(stderr,
          "modelled NCCL: ncclCommAbort of a communicator that is in %zu graphs; NCCL "
          "2.26 and later wait until they are destroyed\n",
          comm.captured.size());
  abort();
}

KILN_EXPORT int ncclCommAbort(ncclComm *comm) {
  comm->clique->abort(comm->rank);
  checkGraphsAreGone(*comm);
  delete comm;
  return Success;
}

KILN_EXPORT int ncclAllReduce(CUdeviceptr from, CUdeviceptr to, size_t count, int type,
                              int op, ncclComm *comm, CUstream stream) {
  return comm->run({Call::AllReduce, count, type, op, 0}, from, to, stream);
}

KILN_EXPORT int ncclReduceScatter(CUdeviceptr from, CUdeviceptr to, size_t count,
                                  int type, int op, ncclComm *comm, CUstream stream) {
  return comm->run({Call::ReduceScatter, count, type, op, 0}, from, to, stream);
}

KILN_EXPORT int ncclAllGather(CUdeviceptr from, CUdeviceptr to, size_t count, int type,
                              ncclComm *comm, CUstream stream) {
  return comm->run({Call::AllGather, count, type, 0, 0}, from, to, stream);
}

KILN_EXPORT int ncclBroadcast(CUdeviceptr from, CUdeviceptr to, size_t count, int type,
                              int root, ncclComm *comm, CUstream stream) {
  return comm->run({Call::Broadcast, count, type, 0, root}, from, to, stream);
}

/// Runs the grouped sends and receives, by communicator, in the order of the calls.
static int runGrouped() {
  std::vector<Transfer> list = std::move(grouped);
  grouped.clear();
  while (!list.empty()) {
    std::vector<Transfer> own, others;
    for (const Transfer &one : list)
      (one.comm == list.front().comm ? own : others).push_back(one);
    if (Code code = own.front().comm->run(own); code != Success)
      return code;
    list = std::move(others);
  }
  return Success;
}

static int transfer(const Transfer &one, int type) {
  if (!typeName(type) || one.peer < 0 || one.peer >= one.comm->clique->ranks)
    return one.comm->note({InvalidArgument, "the type or the peer is unknown"});
  grouped.push_back(one);
  grouped.back().bytes *= typeBytes(type);
  return groups ? Success : runGrouped();
}

KILN_EXPORT int ncclGroupStart(void) {
  ++groups;
  return Success;
}

KILN_EXPORT int ncclGroupEnd(void) {
  if (!groups) {
    lastError = "there is no group";
    return InvalidUsage;
  }
  return --groups ? Success : runGrouped();
}

KILN_EXPORT int ncclSend(CUdeviceptr from, size_t count, int type, int peer,
                         ncclComm *comm, CUstream stream) {
  return transfer({comm, true, from, count, peer, stream}, type);
}

KILN_EXPORT int ncclRecv(CUdeviceptr to, size_t count, int type, int peer, ncclComm *comm,
                         CUstream stream) {
  return transfer({comm, false, to, count, peer, stream}, type);
}
