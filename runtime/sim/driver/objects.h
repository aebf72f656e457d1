//===- objects.h - Devices, contexts, modules, streams and events -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime::mutex guards all of it. Every exported function takes the mutex; it is
// released while kernels and copies run.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_OBJECTS_H
#define KILN_SIM_DRIVER_OBJECTS_H

#include "runtime/sim/driver/handles.h"
#include "runtime/sim/exec/launch.h"
#include "runtime/sim/memory/memory.h"
#include "runtime/sim/profile/profile.h"
#include <list>
#include <map>
#include <set>
#include <thread>

namespace kiln::sim::driver {

struct Context;
struct Pool;
struct Capture;
struct Node;
class Op;

struct Device {
  int ordinal = 0;
  DeviceProfile profile;
  uint64_t limit = 0, used = 0; ///< bytes of device memory
  std::shared_ptr<Context> primary;
  unsigned primaryUses = 0, primaryFlags = 0;
  std::shared_ptr<Pool> defaultPool, pool;

  std::string busId() const;
};

struct Stream : Object {
  using Handle = CUstream;
  std::weak_ptr<Context> context;
  uint64_t id = 0;
  unsigned flags = 0;
  int priority = 0;
  bool legacy = false;      ///< the default stream that orders all blocking ones
  std::shared_ptr<Op> last; ///< the newest operation
  std::map<int, CUlaunchAttributeValue> attributes;

  std::shared_ptr<Capture> capture; ///< null if not capturing
  /// Nodes that the next captured node depends on.
  std::vector<std::pair<std::shared_ptr<Node>, CUgraphEdgeData>> frontier;

  bool blocking() const { return !(flags & CU_STREAM_NON_BLOCKING_FLAG); }
  static constexpr unsigned CU_STREAM_NON_BLOCKING_FLAG = 1;
};

struct Event : Object {
  using Handle = CUevent;
  std::weak_ptr<Context> context;
  unsigned flags = 0;
  std::shared_ptr<Op> recorded;     ///< null if never recorded
  std::shared_ptr<Capture> capture; ///< of the last record, if that was captured
  std::vector<std::pair<std::shared_ptr<Node>, CUgraphEdgeData>> captured;

  bool timed() const { return !(flags & 2); }
};

struct Function;

struct Module : Object {
  using Handle = CUmodule;
  std::weak_ptr<Context> context;
  std::shared_ptr<Code> code;
  std::map<std::string, std::shared_ptr<Function>> functions;
};

struct Function : Object {
  using Handle = CUfunction;
  std::weak_ptr<Context> context;
  std::weak_ptr<Module> module;
  std::shared_ptr<Code> code; ///< keeps `info` alive while a launch is in flight
  const KernelInfo *info = nullptr;
  uint32_t maxDynamicShared = 0;
  int carveout = -1;
  bool nonPortableCluster = false;
  std::array<uint32_t, 3> cluster = {}; ///< required shape from attributes; 0 if not set
  int clusterPolicy = 0;
  /// Device whose profile this code was loaded for.
  Device *device = nullptr;
};

struct Kernel;

/// A module that belongs to no context: loaded into each context on first use there.
struct Library : Object {
  using Handle = CUlibrary;
  std::string image;
  std::map<Context *, std::shared_ptr<Module>> modules;
  std::map<std::string, std::shared_ptr<Kernel>> kernels;
  std::shared_ptr<Code> checked; ///< loaded at once, to report errors and list names
};

struct Kernel : Object {
  using Handle = CUkernel;
  std::weak_ptr<Library> library;
  std::string name;
};

struct Pool : Object {
  using Handle = CUmemoryPool;
  int device = 0;
  uint64_t maxSize = 0, used = 0, usedHigh = 0, threshold = 0;
  int reuseEvents = 1, reuseOpportunistic = 1, reuseInternal = 1;
  std::map<int, CUmemAccess_flags> access;
};

/// A block of memory that a program allocated or registered.
struct Block {
  enum class Kind { Device, Async, Host, Registered, Managed };
  Kind kind = Kind::Device;
  std::shared_ptr<Allocation> range;
  std::weak_ptr<Context> context;
  std::shared_ptr<Pool> pool;
  unsigned flags = 0;
  bool freeing = false; ///< an asynchronous free is pending
  bool syncMemops = false;
  void *host = nullptr; ///< pages to release
};

struct Context : Object {
  using Handle = CUcontext;
  Device *device = nullptr;
  unsigned flags = 0;
  bool primary = false;
  uint64_t id = 0;
  /// Error that every call returns after a kernel's fault, until the context is
  /// destroyed.
  CUresult sticky = CUDA_SUCCESS;
  std::string stickyMessage;
  double hostTime = 0; ///< modelled seconds: when the work ended that the host last
                       ///< waited for
  std::map<int, size_t> limits;
  int cacheConfig = 0, sharedConfig = 0;
  std::set<int> peers; ///< devices with peer access
  std::shared_ptr<Stream> legacy;
  std::map<std::thread::id, std::shared_ptr<Stream>> perThread;
  std::vector<std::shared_ptr<Stream>> streams; ///< created by the program
  /// Last operations of destroyed streams: the legacy stream still waits for them.
  std::vector<std::shared_ptr<Op>> retired;
  std::vector<std::shared_ptr<Event>> events;
  std::vector<std::shared_ptr<Module>> modules;
  std::list<std::shared_ptr<Op>> turns; ///< ready operations that need the context's
                                        ///< thread
  bool hasThread = false;               ///< the context's thread is running
  OverBlocks known = {};                ///< blocks that happened before its completed
                                        ///< work
};

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_OBJECTS_H
