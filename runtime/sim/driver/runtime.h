//===- runtime.h - The state of the driver in this process ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_RUNTIME_H
#define KILN_SIM_DRIVER_RUNTIME_H

#include "runtime/sim/driver/engine.h"
#include "runtime/sim/driver/environment.h"
#include "runtime/sim/driver/objects.h"
#include <deque>
#include <mutex>

namespace kiln::sim::driver {

struct Runtime {
  std::mutex mutex; ///< guards everything here
  Environment environment;
  bool initialised = false;
  AddressSpace memory;
  std::deque<Device> devices;
  Handles handles;
  Engine engine;
  std::map<uint64_t, Block> blocks;               ///< by first address
  std::vector<std::shared_ptr<Capture>> captures; ///< in progress
  uint64_t ids = 0;                               ///< last id of contexts, streams,
                                                  ///< captures

  Runtime();
  Device &device(CUdevice ordinal); ///< throws INVALID_DEVICE
};

/// Returns the only instance, which is never destroyed: threads may use it at exit.
Runtime &runtime();

/// Driver state of a thread. `lock` is not null while the thread is in an exported
/// function.
struct ThreadState {
  std::unique_lock<std::mutex> *lock = nullptr;
  bool perThreadStream = false; ///< the call was made by a _ptsz or _ptds name
  bool inCallback = false;      ///< running a host function: driver calls are illegal
  std::vector<std::shared_ptr<Context>> contexts; ///< stack of current contexts, top last
  CUstreamCaptureMode captureMode = CU_STREAM_CAPTURE_MODE_GLOBAL;
};
ThreadState &thisThread();

/// Releases the runtime's mutex in its scope.
class Unlocked {
public:
  Unlocked() : lock(*thisThread().lock) { lock.unlock(); }
  ~Unlocked() { lock.lock(); }

private:
  std::unique_lock<std::mutex> &lock;
};

/// Return the live object of a handle; throw the driver's code for a bad handle.
std::shared_ptr<Context> contextOf(CUcontext handle);
std::shared_ptr<Event> eventOf(CUevent handle);
std::shared_ptr<Module> moduleOf(CUmodule handle);
/// Accepts a CUkernel too, as the driver does, and returns its function in the current
/// context.
std::shared_ptr<Function> functionOf(CUfunction handle);
std::shared_ptr<Library> libraryOf(CUlibrary handle);
std::shared_ptr<Kernel> kernelOf(CUkernel handle);
std::shared_ptr<Pool> poolOf(CUmemoryPool handle);
/// Accepts 0, 1 and 2 too: the default streams of the current context.
std::shared_ptr<Stream> streamOf(CUstream handle);

/// Returns the calling thread's context; throws if there is none, if it was destroyed, or
/// if a kernel's fault poisoned it.
std::shared_ptr<Context> currentContext();
/// Returns the calling thread's context even if it is poisoned; throws as above
/// otherwise.
std::shared_ptr<Context> anyCurrentContext();
/// Throws the sticky error of a poisoned context.
void checkHealthy(const Context &context);
/// Returns the context of a stream or event; throws if it is destroyed.
template <class T> std::shared_ptr<Context> ownerOf(const T &object) {
  std::shared_ptr<Context> owner = object.context.lock();
  if (!owner || !owner->alive())
    fail(CUDA_ERROR_CONTEXT_IS_DESTROYED,
         "the context that this belongs to is destroyed");
  return owner;
}

/// Returns the function of a library's kernel in the current context (calls/library.cpp).
std::shared_ptr<Function> functionOfKernel(Kernel &kernel);

/// Waits for a context's work and destroys everything in it (calls/context.cpp).
void destroyContext(const std::shared_ptr<Context> &context);
/// Frees a block that no work uses (calls/memory.cpp).
void releaseBlock(uint64_t address);
/// Frees all blocks of a context.
void releaseBlocksOf(const Context &context);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_RUNTIME_H
