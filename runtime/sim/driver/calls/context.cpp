//===- context.cpp - Contexts ---------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/submit.h"
#include <algorithm>
#include <utility>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

/// Mask of the scheduling flags, of which at most one may be set, and mask of all flags.
constexpr unsigned ScheduleMask = 0x07, AllContextFlags = 0xff;

void checkFlags(unsigned flags) {
  unsigned schedule = flags & ScheduleMask;
  require(!(flags & ~AllContextFlags) && (schedule & (schedule - 1)) == 0,
          "context flags name more than one way to wait, or an unknown flag");
}

std::shared_ptr<Context> makeContext(Device &device, unsigned flags, bool primary) {
  auto context = std::make_shared<Context>();
  context->device = &device;
  context->flags = flags;
  context->primary = primary;
  context->id = ++runtime().ids;
  context->limits = {{CU_LIMIT_STACK_SIZE, 1024},
                     {CU_LIMIT_PRINTF_FIFO_SIZE, 7 << 20},
                     {CU_LIMIT_MALLOC_HEAP_SIZE, 8 << 20},
                     {CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2},
                     {CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048},
                     {CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 64},
                     {CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0}};
  context->legacy = std::make_shared<Stream>();
  context->legacy->context = context;
  context->legacy->legacy = true;
  context->legacy->id = ++runtime().ids;
  runtime().handles.add(context);
  return context;
}

/// Returns both default streams and the streams that the program created.
std::vector<std::shared_ptr<Stream>> allStreams(const Context &context) {
  std::vector<std::shared_ptr<Stream>> list = context.streams;
  list.push_back(context.legacy);
  for (const auto &[thread, stream] : context.perThread)
    list.push_back(stream);
  return list;
}

} // namespace

void driver::destroyContext(const std::shared_ptr<Context> &context) {
  Runtime &state = runtime();
  for (const std::shared_ptr<Capture> &capture : state.captures)
    if (capture->context.lock() == context)
      capture->invalidated = true;
  std::erase_if(state.captures, [&](auto &c) { return c->context.lock() == context; });
  state.engine.waitAll(*context);
  // Another thread may have destroyed the context while this one waited.
  if (!context->alive())
    return;
  for (int peer : context->peers)
    state.memory.disablePeer(context->device->ordinal, peer);
  for (const std::shared_ptr<Stream> &stream : allStreams(*context)) {
    state.handles.remove(*stream);
    stream->last = nullptr;
    stream->capture = nullptr;
    stream->frontier.clear();
  }
  for (const std::shared_ptr<Event> &event : context->events) {
    state.handles.remove(*event);
    event->recorded = nullptr;
  }
  for (const std::shared_ptr<Module> &module : context->modules) {
    for (const auto &[name, function] : module->functions)
      state.handles.remove(*function);
    state.handles.remove(*module);
  }
  releaseBlocksOf(*context);
  state.handles.remove(*context);
  context->streams.clear();
  context->retired.clear();
  context->events.clear();
  context->modules.clear();
  context->perThread.clear();
}

void calls::devicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev) {
  Device &device = runtime().device(dev);
  CUcontext &out = output(pctx);
  if (!device.primary)
    device.primary = makeContext(device, device.primaryFlags, true);
  device.primaryUses++;
  out = Handles::handle(*device.primary);
}

static void dropPrimary(Device &device) {
  device.primaryUses = 0;
  if (std::shared_ptr<Context> context = std::exchange(device.primary, nullptr))
    destroyContext(context);
}

void calls::devicePrimaryCtxRelease(CUdevice dev) {
  Device &device = runtime().device(dev);
  if (!device.primaryUses)
    fail(CUDA_ERROR_INVALID_CONTEXT, "the primary context is not retained");
  if (device.primaryUses == 1)
    dropPrimary(device);
  else
    device.primaryUses--;
}

void calls::devicePrimaryCtxReset(CUdevice dev) { dropPrimary(runtime().device(dev)); }

void calls::devicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active) {
  const Device &device = runtime().device(dev);
  output(flags) = device.primaryFlags;
  output(active) = device.primary != nullptr;
}

void calls::devicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
  Device &device = runtime().device(dev);
  checkFlags(flags);
  device.primaryFlags = flags;
  if (device.primary)
    device.primary->flags = flags;
}

void calls::ctxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev) {
  Device &device = runtime().device(dev);
  CUcontext &out = output(pctx);
  checkFlags(flags);
  std::shared_ptr<Context> context = makeContext(device, flags, false);
  thisThread().contexts.push_back(context);
  out = Handles::handle(*context);
}

void calls::ctxCreate(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams,
                      unsigned int flags, CUdevice dev) {
  if (paramsArray || numParams)
    fail(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "execution affinity is not modelled");
  ctxCreate(pctx, flags, dev);
}

void calls::ctxCreate(CUcontext *pctx, CUctxCreateParams *params, unsigned int flags,
                      CUdevice dev) {
  if (params && params->cigParams)
    fail(CUDA_ERROR_NOT_SUPPORTED, "graphics are not modelled");
  if (params)
    ctxCreate(pctx, params->execAffinityParams, params->numExecAffinityParams, flags,
              dev);
  else
    ctxCreate(pctx, flags, dev);
}

void calls::ctxDestroy(CUcontext ctx) {
  std::shared_ptr<Context> context = contextOf(ctx);
  if (context->primary)
    fail(CUDA_ERROR_INVALID_CONTEXT,
         "a primary context is released with cuDevicePrimaryCtxRelease, not destroyed");
  destroyContext(context);
  std::vector<std::shared_ptr<Context>> &stack = thisThread().contexts;
  if (!stack.empty() && stack.back() == context)
    stack.pop_back();
}

void calls::ctxPushCurrent(CUcontext ctx) {
  thisThread().contexts.push_back(contextOf(ctx));
}

void calls::ctxPopCurrent(CUcontext *pctx) {
  std::vector<std::shared_ptr<Context>> &stack = thisThread().contexts;
  if (stack.empty())
    fail(CUDA_ERROR_INVALID_CONTEXT, "this thread has no context to pop");
  if (pctx)
    *pctx = stack.back() ? Handles::handle(*stack.back()) : nullptr;
  stack.pop_back();
}

void calls::ctxSetCurrent(CUcontext ctx) {
  std::vector<std::shared_ptr<Context>> &stack = thisThread().contexts;
  std::shared_ptr<Context> context = ctx ? contextOf(ctx) : nullptr;
  if (!stack.empty())
    stack.pop_back();
  if (context)
    stack.push_back(context);
}

void calls::ctxGetCurrent(CUcontext *pctx) {
  const std::vector<std::shared_ptr<Context>> &stack = thisThread().contexts;
  output(pctx) =
      stack.empty() || !stack.back() ? nullptr : Handles::handle(*stack.back());
}

void calls::ctxGetDevice(CUdevice *device) {
  output(device) = anyCurrentContext()->device->ordinal;
}

void calls::ctxGetDevice(CUdevice *device, CUcontext ctx) {
  output(device) = (ctx ? contextOf(ctx) : anyCurrentContext())->device->ordinal;
}

void calls::ctxGetFlags(unsigned int *flags) {
  output(flags) = anyCurrentContext()->flags;
}

void calls::ctxSetFlags(unsigned int flags) {
  checkFlags(flags);
  currentContext()->flags = flags;
}

void calls::ctxGetId(CUcontext ctx, unsigned long long *ctxId) {
  output(ctxId) = (ctx ? contextOf(ctx) : anyCurrentContext())->id;
}

static void synchronizeContext(const std::shared_ptr<Context> &context) {
  forbidCapturesIn(*context);
  checkHealthy(*context);
  runtime().engine.waitAll(*context);
  checkHealthy(*context);
}

void calls::ctxSynchronize() { synchronizeContext(anyCurrentContext()); }

void calls::ctxSynchronize(CUcontext ctx) {
  synchronizeContext(ctx ? contextOf(ctx) : anyCurrentContext());
}

void calls::ctxSetLimit(CUlimit limit, size_t value) {
  std::shared_ptr<Context> context = currentContext();
  require(limit >= 0 && limit < CU_LIMIT_MAX, "there is no such limit");
  auto entry = context->limits.find(limit);
  if (entry == context->limits.end())
    failQuietly(CUDA_ERROR_UNSUPPORTED_LIMIT);
  if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
    value = std::min<size_t>(value, context->device->profile.l2Bytes / 4 * 3);
  if (limit == CU_LIMIT_MAX_L2_FETCH_GRANULARITY)
    value = std::min<size_t>(value, 128);
  entry->second = value;
}

void calls::ctxGetLimit(size_t *value, CUlimit limit) {
  std::shared_ptr<Context> context = currentContext();
  require(limit >= 0 && limit < CU_LIMIT_MAX, "there is no such limit");
  auto entry = context->limits.find(limit);
  if (entry == context->limits.end())
    failQuietly(CUDA_ERROR_UNSUPPORTED_LIMIT);
  output(value) = entry->second;
}

void calls::ctxGetCacheConfig(CUfunc_cache *config) {
  output(config) = CUfunc_cache(currentContext()->cacheConfig);
}

void calls::ctxSetCacheConfig(CUfunc_cache config) {
  require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL,
          "there is no such cache configuration");
  currentContext()->cacheConfig = config;
}

void calls::ctxGetSharedMemConfig(CUsharedconfig *config) {
  currentContext();
  output(config) = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE; // the only modelled bank
                                                             // size
}

void calls::ctxSetSharedMemConfig(CUsharedconfig config) {
  currentContext();
  require(config >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
              config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
          "there is no such bank size");
}

void calls::ctxGetApiVersion(CUcontext ctx, unsigned int *version) {
  if (ctx)
    contextOf(ctx);
  else
    anyCurrentContext();
  output(version) = 3020; // API version of the functions with 64-bit sizes
}

void calls::ctxGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  currentContext();
  if (leastPriority)
    *leastPriority = 0;
  if (greatestPriority)
    *greatestPriority = -5;
}

void calls::ctxResetPersistingL2Cache() { currentContext(); }

void calls::ctxEnablePeerAccess(CUcontext peerContext, unsigned int flags) {
  std::shared_ptr<Context> context = currentContext(), peer = contextOf(peerContext);
  require(!flags, "peer access takes no flags");
  if (peer->device == context->device)
    fail(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "a device is no peer of itself");
  if (!context->peers.insert(peer->device->ordinal).second)
    failQuietly(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  runtime().memory.enablePeer(context->device->ordinal, peer->device->ordinal);
}

void calls::ctxDisablePeerAccess(CUcontext peerContext) {
  std::shared_ptr<Context> context = anyCurrentContext(), peer = contextOf(peerContext);
  if (!context->peers.erase(peer->device->ordinal))
    failQuietly(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  runtime().memory.disablePeer(context->device->ordinal, peer->device->ordinal);
}
