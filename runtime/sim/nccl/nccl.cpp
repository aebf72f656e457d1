//===- nccl.cpp - NCCL's C interface on simulated GPUs ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For ranks that are threads of one process. A collective copies what a rank gives to
// pinned memory of the host, meets the other ranks in a host function of the stream, and
// copies the result back: so it is ordered in the stream as NCCL's kernel is.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/nccl/clique.h"
#include "runtime/sim/nccl/cuda.h"
#include "runtime/sim/nccl/sums.h"
#include <atomic>
#include <climits>
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
  std::string lastError;

  ~ncclComm();
  Code note(const Result &result) {
    if (!result.text.empty())
      lastError = ::lastError = result.text;
    return result.code;
  }
  Code run(const Call &call, CUdeviceptr from, CUdeviceptr to, CUstream stream);
  bool findBuffers(const Call &call, Buffers *&out);
};

/// What the stream still uses stays allocated.
ncclComm::~ncclComm() {
  cuCtxPushCurrent_v2(context);
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

Code ncclComm::run(const Call &call, CUdeviceptr from, CUdeviceptr to, CUstream stream) {
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
  Buffers *buffers = nullptr;
  if (!findBuffers(call, buffers))
    return note({CudaError, "pinned memory for a collective cannot be allocated"});
  auto *arrival = new Arrival{clique, rank, number, buffers->in, buffers->out};
  bool gives = call.function != Call::Broadcast || call.root == rank;
  if ((gives &&
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

KILN_EXPORT int ncclCommAbort(ncclComm *comm) {
  comm->clique->abort(comm->rank);
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
