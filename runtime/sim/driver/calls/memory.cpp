//===- memory.cpp - Device and host memory ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/memory_blocks.h"
#include "runtime/sim/driver/submit.h"
#include <algorithm>
#include <sys/mman.h>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

constexpr uint64_t PageSize = 4096;
/// Alignment in bytes of the rows of cuMemAllocPitch.
constexpr size_t PitchAlignment = 512;

void *mapHost(size_t bytes) {
  void *pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

/// Allocates memory that host and device access at the same address.
uint64_t allocateHost(Block::Kind kind, Allocation::Kind allocationKind, size_t bytes,
                      unsigned flags) {
  std::shared_ptr<Context> context = currentContext();
  forbidInCapture();
  require(bytes, "0 bytes are asked for");
  size_t rounded = (bytes + PageSize - 1) / PageSize * PageSize;
  void *pages = rounded < bytes ? nullptr : mapHost(rounded);
  if (!pages)
    fail(CUDA_ERROR_OUT_OF_MEMORY, "the host has no %zu bytes", bytes);
  auto range = runtime().memory.registerHost(pages, bytes, context->device->ordinal,
                                             allocationKind);
  if (!range) {
    munmap(pages, rounded);
    fail(CUDA_ERROR_OUT_OF_MEMORY, "the host's new pages are registered already");
  }
  Block block;
  block.kind = kind;
  block.range = range;
  block.context = context;
  block.flags = flags;
  block.host = pages;
  runtime().blocks[range->address] = block;
  return range->address;
}

Block *findBlock(uint64_t address) {
  auto entry = runtime().blocks.upper_bound(address);
  if (entry == runtime().blocks.begin())
    return nullptr;
  Block &block = std::prev(entry)->second;
  return block.range->contains(address, 1) ? &block : nullptr;
}

/// Returns the block that begins at an address; throws `code` if there is none.
Block &blockAt(uint64_t address, const std::function<bool(Block::Kind)> &wanted,
               CUresult code) {
  auto entry = runtime().blocks.find(address);
  if (entry != runtime().blocks.end() && wanted(entry->second.kind) &&
      !entry->second.freeing)
    return entry->second;
  auto range = runtime().memory.find(address);
  if (range && range->freed)
    fail(code, "0x%llx is freed already", (unsigned long long)address);
  if (range && range->address != address)
    fail(code, "0x%llx lies inside the allocation at 0x%llx; free what was returned",
         (unsigned long long)address, (unsigned long long)range->address);
  fail(code, "0x%llx is not what an allocation of this kind returned",
       (unsigned long long)address);
}

bool isDevice(Block::Kind kind) {
  return kind == Block::Kind::Device || kind == Block::Kind::Async ||
         kind == Block::Kind::Managed;
}

} // namespace

uint64_t driver::allocateDevice(const std::shared_ptr<Context> &context, size_t bytes,
                                const std::shared_ptr<Pool> &pool) {
  require(bytes, "0 bytes are asked for");
  Device &device = pool ? runtime().devices[pool->device] : *context->device;
  if (bytes > device.limit - device.used)
    fail(CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes are asked for, %llu of %llu are free",
         bytes, (unsigned long long)(device.limit - device.used),
         (unsigned long long)device.limit);
  if (pool && pool->maxSize &&
      bytes > pool->maxSize - std::min(pool->maxSize, pool->used))
    fail(CUDA_ERROR_OUT_OF_MEMORY, "the pool's maximum size is reached");
  auto range = runtime().memory.allocate(Allocation::Kind::Global, device.ordinal, bytes);
  if (!range)
    fail(CUDA_ERROR_OUT_OF_MEMORY, "the host has no memory for %zu bytes", bytes);
  Block block;
  block.kind = pool ? Block::Kind::Async : Block::Kind::Device;
  block.range = range;
  block.context = context;
  block.pool = pool;
  runtime().blocks[range->address] = block;
  device.used += bytes;
  if (pool) {
    pool->used += bytes;
    pool->usedHigh = std::max(pool->usedHigh, pool->used);
  }
  return range->address;
}

void driver::releaseBlock(uint64_t address) {
  Runtime &state = runtime();
  auto entry = state.blocks.find(address);
  if (entry == state.blocks.end())
    return;
  Block block = std::move(entry->second);
  uint64_t size = block.range->size;
  state.blocks.erase(entry);
  if (block.kind == Block::Kind::Device || block.kind == Block::Kind::Async)
    state.devices[block.range->device].used -= size;
  if (block.pool)
    block.pool->used -= size;
  block.range = nullptr; // releases the bytes, unless work in flight still holds them
  state.memory.release(address);
  if (block.host)
    munmap(block.host, (size + PageSize - 1) / PageSize * PageSize);
}

void driver::releaseBlocksOf(const Context &context) {
  std::vector<uint64_t> mine;
  for (const auto &[address, block] : runtime().blocks)
    if (block.context.lock().get() == &context)
      mine.push_back(address);
  for (uint64_t address : mine)
    releaseBlock(address);
}

void driver::freeAsync(Stream &stream, uint64_t address) {
  Block &block = blockAt(address, isDevice, CUDA_ERROR_INVALID_VALUE);
  if (block.kind == Block::Kind::Managed)
    fail(CUDA_ERROR_INVALID_VALUE, "managed memory is freed with cuMemFree");
  // Marked at once, so that a second free fails even before the first one executes.
  if (!stream.capture)
    block.freeing = true;
  submit(stream, FreeWork{address});
}

void calls::memAlloc(CUdeviceptr *dptr, size_t bytesize) {
  std::shared_ptr<Context> context = currentContext();
  CUdeviceptr &out = output(dptr);
  forbidInCapture();
  out = allocateDevice(context, bytesize, nullptr);
}

void calls::memAllocPitch(CUdeviceptr *dptr, size_t *pitch, size_t widthInBytes,
                          size_t height, unsigned int elementSizeBytes) {
  std::shared_ptr<Context> context = currentContext();
  CUdeviceptr &out = output(dptr);
  size_t &row = output(pitch);
  forbidInCapture();
  require(widthInBytes && height, "0 bytes are asked for");
  require(elementSizeBytes == 4 || elementSizeBytes == 8 || elementSizeBytes == 16,
          "elements of 4, 8 or 16 bytes are asked for here");
  size_t rounded = (widthInBytes + PitchAlignment - 1) / PitchAlignment * PitchAlignment;
  size_t bytes = 0;
  require(rounded >= widthInBytes && !__builtin_mul_overflow(rounded, height, &bytes),
          "the size overflows");
  out = allocateDevice(context, bytes, nullptr);
  row = rounded;
}

void calls::memFree(CUdeviceptr dptr) {
  if (!dptr)
    return;
  std::shared_ptr<Context> context = anyCurrentContext();
  forbidInCapture();
  // Work in flight may use the memory: the driver waits for it as well.
  if (auto owner = blockAt(dptr, isDevice, CUDA_ERROR_INVALID_VALUE).context.lock())
    runtime().engine.waitAll(*owner);
  blockAt(dptr, isDevice, CUDA_ERROR_INVALID_VALUE);
  releaseBlock(dptr);
  checkHealthy(*context);
}

void calls::memHostAlloc(void **pp, size_t bytesize, unsigned int flags) {
  void *&out = output(pp);
  require(!(flags & ~7u), "there is no such flag of cuMemHostAlloc");
  out = reinterpret_cast<void *>(
      allocateHost(Block::Kind::Host, Allocation::Kind::HostPinned, bytesize, flags));
}

void calls::memAllocHost(void **pp, size_t bytesize) { memHostAlloc(pp, bytesize, 0); }

void calls::memAllocHost(void **pp, unsigned int bytesize) {
  memHostAlloc(pp, bytesize, 0);
}

void calls::memAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags) {
  CUdeviceptr &out = output(dptr);
  require(flags == 1 || flags == 2, "managed memory is attached globally or to the host");
  out = allocateHost(Block::Kind::Managed, Allocation::Kind::Managed, bytesize, flags);
}

static void freeHost(const void *pointer, Block::Kind kind, CUresult code) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  std::shared_ptr<Context> context = anyCurrentContext();
  forbidInCapture();
  auto match = [kind](Block::Kind k) { return k == kind; };
  std::shared_ptr<Context> owner = blockAt(address, match, code).context.lock();
  if (owner)
    runtime().engine.waitAll(*owner);
  blockAt(address, match, code); // another thread may have freed it meanwhile
  releaseBlock(address);
  checkHealthy(*context);
}

void calls::memFreeHost(void *p) {
  freeHost(p, Block::Kind::Host, CUDA_ERROR_INVALID_VALUE);
}

void calls::memHostRegister(void *p, size_t bytesize, unsigned int flags) {
  std::shared_ptr<Context> context = currentContext();
  forbidInCapture();
  require(p && bytesize && !(flags & ~15u), "the range is empty, or a flag is unknown");
  auto range = runtime().memory.registerHost(p, bytesize, context->device->ordinal);
  if (!range)
    fail(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
         "%zu bytes at %p overlap memory that is registered already", bytesize, p);
  Block block;
  block.kind = Block::Kind::Registered;
  block.range = range;
  block.context = context;
  block.flags = flags;
  runtime().blocks[range->address] = block;
}

void calls::memHostUnregister(void *p) {
  freeHost(p, Block::Kind::Registered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

static Block &hostBlock(const void *pointer) {
  Block *block = findBlock(reinterpret_cast<uint64_t>(pointer));
  if (!block || isDevice(block->kind))
    fail(CUDA_ERROR_INVALID_VALUE,
         "%p is not pinned host memory: allocate it with "
         "cuMemHostAlloc or register it",
         pointer);
  return *block;
}

void calls::memHostGetDevicePointer(CUdeviceptr *dptr, void *p, unsigned int flags) {
  currentContext();
  CUdeviceptr &out = output(dptr);
  require(!flags, "cuMemHostGetDevicePointer takes no flags");
  hostBlock(p);
  out = reinterpret_cast<uint64_t>(p);
}

void calls::memHostGetFlags(unsigned int *flags, void *p) {
  currentContext();
  output(flags) = hostBlock(p).flags;
}

void calls::memGetInfo(size_t *free, size_t *total) {
  const Device &device = *currentContext()->device;
  if (free)
    *free = device.limit - device.used;
  if (total)
    *total = device.limit;
}

void calls::memGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr dptr) {
  currentContext();
  auto range = runtime().memory.find(dptr);
  if (!range || range->freed)
    fail(CUDA_ERROR_NOT_FOUND, "0x%llx is in no allocation", (unsigned long long)dptr);
  if (base)
    *base = range->address;
  if (size)
    *size = range->size;
}

/// Checks a range of managed memory. Moving it is a no-op, as host and device share it
/// here.
static void checkManaged(CUdeviceptr address, size_t count) {
  Block *block = findBlock(address);
  require(block && block->kind == Block::Kind::Managed && count &&
              block->range->contains(address, count),
          "the range is not managed memory");
}

static void checkLocation(CUmemLocation location) {
  if (location.type == CU_MEM_LOCATION_TYPE_DEVICE)
    runtime().device(location.id);
  else
    require(location.type >= CU_MEM_LOCATION_TYPE_HOST &&
                location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
            "there is no such location");
}

static CUmemLocation locationOf(CUdevice device) {
  if (device == -1) // the driver's CU_DEVICE_CPU
    return {CU_MEM_LOCATION_TYPE_HOST, 0};
  return {CU_MEM_LOCATION_TYPE_DEVICE, device};
}

void calls::memPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location,
                             unsigned int flags, CUstream hStream) {
  streamOf(hStream);
  currentContext();
  require(!flags, "a prefetch takes no flags");
  checkManaged(devPtr, count);
  checkLocation(location);
}

void calls::memPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                             CUstream hStream) {
  memPrefetchAsync(devPtr, count, locationOf(dstDevice), 0, hStream);
}

void calls::memAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                      CUmemLocation location) {
  currentContext();
  require(advice >= CU_MEM_ADVISE_SET_READ_MOSTLY &&
              advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY,
          "there is no such advice");
  checkManaged(devPtr, count);
  if (advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ||
      advice == CU_MEM_ADVISE_SET_ACCESSED_BY)
    checkLocation(location);
}

void calls::memAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                      CUdevice device) {
  memAdvise(devPtr, count, advice, locationOf(device));
}
