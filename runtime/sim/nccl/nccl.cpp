//===- nccl.cpp - NCCL's C interface on simulated GPUs ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For ranks that are threads of one process. A collective copies what a rank gives to
// pinned memory of the host, meets the other ranks in a host function of the stream, and
// copies the result back: so it is ordered in the stream as NCCL's kernel is. In a stream
// that captures, all of this becomes nodes of the graph, and each launch of it is the
// collective once more. As in NCCL, a graph's user object tells when it is gone: until
// then the communicator may not be aborted (2.26 and later wait for that).
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/nccl/clique.h"
#include "runtime/sim/nccl/cuda.h"
#include "runtime/sim/nccl/sums.h"
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace kiln::sim::nccl;

#define KILN_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct UniqueId {
  char bytes[128];
};

/// What an id holds: this process, and the number of the communicator in it.
struct Identity {
  char magic[8];
  uint64_t process, number;
};
const char magic[8] = {'k', 'i', 'l', 'n', 'n', 'c', 'c', 'l'};

/// Since NCCL 2.14; the rest says how fast it shall be.
struct Config {
  size_t size;
  unsigned magic, version;
  int blocking;
};

/// Pinned memory for one collective at a time.
struct Buffers {
  void *in = nullptr, *out = nullptr;
  size_t inBytes = 0, outBytes = 0;
  CUevent done = nullptr; ///< when the stream needs them no more
};

struct Registry {
  std::mutex mutex;
  std::map<uint64_t, std::weak_ptr<Clique>> cliques;
};

/// Never destroyed: streams may still be in a collective at exit.
Registry &registry() {
  static Registry &it = *new Registry;
  return it;
}

/// One rank's stream comes to a collective.
struct Arrival {
  std::shared_ptr<Clique> clique;
  int rank;
  uint64_t number;
  void *in, *out;
};

/// A collective in graphs. What it needs stays until these are gone.
struct Captured {
  std::shared_ptr<Clique> clique;
  int rank = 0;
  uint64_t number = 0, launches = 0;
  void *in = nullptr, *out = nullptr;
  std::atomic<bool> isGone{false};
};

void arriveInGraph(void *data) {
  auto &it = *static_cast<Captured *>(data);
  it.clique->meet(it.rank, it.number, it.in, it.out, ++it.launches);
}

/// As a user object is destroyed: calls of the driver are not allowed here.
void leaveGraph(void *data) {
  std::unique_ptr<std::shared_ptr<Captured>> it(
      static_cast<std::shared_ptr<Captured> *>(data));
  (*it)->isGone = true;
}

bool isCapturing(CUstream stream) {
  int status = 0;
  return !cuStreamIsCapturing(stream, &status) && status == 1;
}

/// Lets the graph that the stream captures say when it, and what is made from it, is
/// gone.
bool bindToGraph(const std::shared_ptr<Captured> &it, CUstream stream) {
  int status = 0;
  CUgraph graph = nullptr;
  CUuserObject object = nullptr;
  constexpr unsigned noSync = 1, move = 1;
  auto held = std::make_unique<std::shared_ptr<Captured>>(it);
  if (cuStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, nullptr, nullptr) ||
      cuUserObjectCreate(&object, held.get(), leaveGraph, 1, noSync))
    return false;
  held.release(); // the object's
  if (!cuGraphRetainUserObject(graph, object, 1, move))
    return true;
  cuUserObjectRelease(object, 1);
  return false;
}

/// While it lives, the thread may allocate although a stream is capturing.
struct Relaxed {
  Relaxed() { cuThreadExchangeStreamCaptureMode(&mode); }
  ~Relaxed() { cuThreadExchangeStreamCaptureMode(&mode); }
  int mode = 2;
};

void arrive(void *data) {
  std::unique_ptr<Arrival> arrival(static_cast<Arrival *>(data));
  arrival->clique->meet(arrival->rank, arrival->number, arrival->in, arrival->out);
}

/// Of calls that have no communicator.
thread_local std::string lastError;

} // namespace

struct ncclComm {
  std::shared_ptr<Clique> clique;
  int rank = 0;
  CUcontext context = nullptr;
  uint64_t calls = 0;
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
  bool findBuffers(const Call &call, Buffers *&out);
  Code capture(const Call &call, uint64_t number, CUdeviceptr from, CUdeviceptr to,
               CUstream stream);
  bool gives(const Call &call) const {
    return call.function != Call::Broadcast || call.root == rank;
  }
  void freeGone();
};

/// What the stream still uses stays allocated.
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

bool ncclComm::findBuffers(const Call &call, Buffers *&out) {
  size_t in = call.bytesIn(clique->ranks), result = call.bytesOut(clique->ranks);
  for (Buffers &each : buffers)
    if (each.inBytes >= in && each.outBytes >= result && cuEventQuery(each.done) == 0) {
      out = &each;
      return true;
    }
  Buffers fresh;
  fresh.inBytes = in;
  fresh.outBytes = result;
  constexpr unsigned disableTiming = 2;
  if (cuMemHostAlloc(&fresh.in, in, 0) || cuMemHostAlloc(&fresh.out, result, 0) ||
      cuEventCreate(&fresh.done, disableTiming))
    return false;
  memset(fresh.out, 0, result);
  out = &buffers.emplace_back(fresh);
  return true;
}

/// Frees what graphs needed that are gone.
void ncclComm::freeGone() {
  std::erase_if(captured, [](const std::shared_ptr<Captured> &each) {
    if (!each->isGone)
      return false;
    cuMemFreeHost(each->in);
    cuMemFreeHost(each->out);
    return true;
  });
}

Code ncclComm::capture(const Call &call, uint64_t number, CUdeviceptr from,
                       CUdeviceptr to, CUstream stream) {
  Relaxed relaxed;
  freeGone();
  auto it = std::make_shared<Captured>();
  it->clique = clique;
  it->rank = rank;
  it->number = number;
  size_t in = call.bytesIn(clique->ranks), out = call.bytesOut(clique->ranks);
  if (cuMemHostAlloc(&it->in, in, 0) || cuMemHostAlloc(&it->out, out, 0))
    return note({CudaError, "pinned memory for a collective cannot be allocated"});
  memset(it->out, 0, out);
  captured.push_back(it);
  it->isGone = !bindToGraph(it, stream);
  if (it->isGone || (gives(call) && cuMemcpyDtoHAsync_v2(it->in, from, in, stream)) ||
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
  uint64_t number = ++calls;
  for (const Result &result :
       {clique->suffer(rank, number), clique->enter(rank, number, call)})
    if (result.code != Success)
      return note(result);
  if (!call.count)
    return Success;
  if (call.isCaptured)
    return capture(call, number, from, to, stream);
  Buffers *buffers = nullptr;
  if (!findBuffers(call, buffers))
    return note({CudaError, "pinned memory for a collective cannot be allocated"});
  auto *arrival = new Arrival{clique, rank, number, buffers->in, buffers->out};
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

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Tells the library from NCCL itself.
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

/// Launches under way end now, and with them graphs that are destroyed. Others would let
/// NCCL wait for ever.
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
