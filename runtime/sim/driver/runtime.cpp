//===- runtime.cpp - The state of the driver in this process --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/runtime.h"
#include <cinttypes>

using namespace kiln::sim;
using namespace kiln::sim::driver;

Runtime::Runtime() : environment(readEnvironment()) {
  engine.configure(environment.order, environment.seed);
  for (const DeviceProfile &profile : environment.devices) {
    Device &device = devices.emplace_back();
    device.ordinal = devices.size() - 1;
    device.profile = profile;
    device.limit = profile.memoryBytes;
    if (environment.memoryLimit)
      device.limit = std::min(device.limit, environment.memoryLimit);
  }
}

Runtime &driver::runtime() {
  static Runtime &state = *new Runtime;
  return state;
}

ThreadState &driver::thisThread() {
  static thread_local ThreadState state;
  return state;
}

Device &Runtime::device(CUdevice ordinal) {
  if (ordinal < 0 || size_t(ordinal) >= devices.size())
    fail(CUDA_ERROR_INVALID_DEVICE, "there is no device %d: KILN_SIM_DEVICES gives %zu",
         ordinal, devices.size());
  return devices[ordinal];
}

std::string Device::busId() const {
  char text[16];
  snprintf(text, sizeof text, "0000:%02X:00.0", 0x10 + ordinal);
  return text;
}

namespace {

template <class T>
std::shared_ptr<T> find(typename T::Handle handle, CUresult code, const char *what) {
  if (auto object = runtime().handles.find<T>(handle))
    return object;
  fail(code, "%p is no %s: never made, or destroyed already", (const void *)handle, what);
}

std::shared_ptr<Stream> perThreadStream(Context &context) {
  std::shared_ptr<Stream> &stream = context.perThread[std::this_thread::get_id()];
  if (!stream) {
    stream = std::make_shared<Stream>();
    stream->context = context.legacy->context;
    stream->id = ++runtime().ids;
  }
  return stream;
}

} // namespace

std::shared_ptr<Context> driver::contextOf(CUcontext handle) {
  return find<Context>(handle, CUDA_ERROR_INVALID_CONTEXT, "context");
}
std::shared_ptr<Event> driver::eventOf(CUevent handle) {
  return find<Event>(handle, CUDA_ERROR_INVALID_HANDLE, "event");
}
std::shared_ptr<Module> driver::moduleOf(CUmodule handle) {
  return find<Module>(handle, CUDA_ERROR_INVALID_HANDLE, "module");
}
std::shared_ptr<Library> driver::libraryOf(CUlibrary handle) {
  return find<Library>(handle, CUDA_ERROR_INVALID_HANDLE, "library");
}
std::shared_ptr<Kernel> driver::kernelOf(CUkernel handle) {
  return find<Kernel>(handle, CUDA_ERROR_INVALID_HANDLE, "kernel");
}
std::shared_ptr<Pool> driver::poolOf(CUmemoryPool handle) {
  return find<Pool>(handle, CUDA_ERROR_INVALID_VALUE, "memory pool");
}

std::shared_ptr<Function> driver::functionOf(CUfunction handle) {
  if (auto kernel = runtime().handles.find<Kernel>(handle))
    return functionOfKernel(*kernel);
  return find<Function>(handle, CUDA_ERROR_INVALID_HANDLE,
                        "function (its module may be unloaded)");
}

std::shared_ptr<Stream> driver::streamOf(CUstream handle) {
  // The driver's CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
  constexpr uint64_t Legacy = 1, PerThread = 2;
  auto number = reinterpret_cast<uint64_t>(handle);
  if (number > PerThread)
    return find<Stream>(handle, CUDA_ERROR_INVALID_HANDLE, "stream");
  std::shared_ptr<Context> context = anyCurrentContext();
  if (number == PerThread || (number != Legacy && thisThread().perThreadStream))
    return perThreadStream(*context);
  return context->legacy;
}

std::shared_ptr<Context> driver::anyCurrentContext() {
  std::vector<std::shared_ptr<Context>> &stack = thisThread().contexts;
  if (stack.empty() || !stack.back())
    fail(CUDA_ERROR_INVALID_CONTEXT, "this thread has no current context: call "
                                     "cuCtxSetCurrent or cuCtxCreate in it first");
  if (!stack.back()->alive())
    fail(CUDA_ERROR_CONTEXT_IS_DESTROYED, "this thread's current context is destroyed");
  return stack.back();
}

void driver::checkHealthy(const Context &context) {
  if (context.sticky != CUDA_SUCCESS)
    failQuietly(context.sticky);
}

std::shared_ptr<Context> driver::currentContext() {
  std::shared_ptr<Context> context = anyCurrentContext();
  checkHealthy(*context);
  return context;
}
