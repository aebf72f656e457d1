//===- copy_work.cpp - Copies and fills -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/model.h"
#include "runtime/sim/driver/perform.h"
#include "runtime/sim/driver/runtime.h"
#include <cstring>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

/// Location of one side's bytes: host address and allocation.
struct Place {
  std::shared_ptr<Allocation> range; ///< null for host memory
  uint8_t *bytes = nullptr;
  uint64_t offset = 0;
};

bool product(uint64_t a, uint64_t b, uint64_t &out) {
  return !__builtin_mul_overflow(a, b, &out);
}

/// Returns the number of bytes from the first to the last one; throws if it overflows.
uint64_t extentOf(const Side &side, const CopyWork &copy) {
  uint64_t planes, rows, extent = 0;
  bool fits = product(copy.depth - 1, side.slice, planes) &&
              product(copy.height - 1, side.pitch, rows) &&
              !__builtin_add_overflow(planes, rows, &extent) &&
              !__builtin_add_overflow(extent, copy.width, &extent) &&
              side.start + extent >= side.start;
  require(fits, "the copy's pitches and sizes overflow");
  return extent;
}

std::string describe(uint64_t address, uint64_t count) {
  char text[256];
  AddressSpace &memory = runtime().memory;
  auto range = memory.find(address);
  if (range && range->freed)
    snprintf(text, sizeof text, "%llu bytes at 0x%llx: allocation %llu there is freed",
             (unsigned long long)count, (unsigned long long)address,
             (unsigned long long)range->serial);
  else if (range)
    snprintf(
        text, sizeof text,
        "%llu bytes at 0x%llx reach beyond the %llu bytes of the allocation at 0x%llx",
        (unsigned long long)count, (unsigned long long)address,
        (unsigned long long)range->size, (unsigned long long)range->address);
  else
    snprintf(text, sizeof text, "%llu bytes at 0x%llx: no allocation is there",
             (unsigned long long)count, (unsigned long long)address);
  return text;
}

/// Resolves a side to its bytes; throws `code` if they are not allocated.
Place placeOf(const Side &side, uint64_t extent, CUresult code) {
  if (side.host)
    return {nullptr, reinterpret_cast<uint8_t *>(side.start), 0};
  auto range = runtime().memory.find(side.start);
  if (!range || range->freed || !range->contains(side.start, extent))
    fail(code, "%s", describe(side.start, extent).c_str());
  return {range, range->bytes + (side.start - range->address),
          side.start - range->address};
}

struct End {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  uint64_t x, y, z, pitch, height;
};

Side sideOf(const End &end, const CopyWork &copy, const char *name) {
  Side side;
  uint64_t base = end.device;
  if (end.type == CU_MEMORYTYPE_ARRAY)
    fail(CUDA_ERROR_NOT_SUPPORTED, "CUDA arrays are not modelled (%s of a copy)", name);
  require(end.type == CU_MEMORYTYPE_HOST || end.type == CU_MEMORYTYPE_DEVICE ||
              end.type == CU_MEMORYTYPE_UNIFIED,
          "a copy's memory type is none");
  if (end.type == CU_MEMORYTYPE_HOST)
    base = reinterpret_cast<uint64_t>(end.host);
  auto range = runtime().memory.find(base);
  bool known = range && !range->freed;
  bool mine = AddressSpace::isDeviceAddress(base);
  if (end.type == CU_MEMORYTYPE_HOST && mine)
    fail(CUDA_ERROR_INVALID_VALUE,
         "%s of a copy is device memory, 0x%llx, given as host "
         "memory",
         name, (unsigned long long)base);
  if (end.type == CU_MEMORYTYPE_DEVICE && !mine && !known)
    fail(CUDA_ERROR_INVALID_VALUE, "%s of a copy, 0x%llx, is not device memory", name,
         (unsigned long long)base);
  side.host = !mine && !known;
  if (!base)
    fail(CUDA_ERROR_INVALID_VALUE, "%s of a copy is null", name);

  side.pitch = end.pitch;
  if (!side.pitch && copy.height == 1 && copy.depth == 1)
    side.pitch = end.x + copy.width;
  require(end.x + copy.width >= end.x && side.pitch >= end.x + copy.width,
          "a copy's pitch is smaller than its rows");
  uint64_t rows = end.height ? end.height : end.y + copy.height, offset, plane;
  require(end.y + copy.height >= end.y &&
              (copy.depth == 1 || rows >= end.y + copy.height),
          "a copy's height is smaller than its planes");
  require(product(side.pitch, rows, side.slice) && product(side.pitch, end.y, offset) &&
              product(side.slice, end.z, plane) &&
              !__builtin_add_overflow(base + end.x + offset, plane, &side.start),
          "the copy's pitches and sizes overflow");
  // Check the bounds now, when the copy is enqueued; otherwise only executing it would
  // find the error.
  placeOf(side, extentOf(side, copy), CUDA_ERROR_INVALID_VALUE);
  return side;
}

/// Copies the written bits too: bytes that were never written stay uninitialised.
void copyWritten(const Place &to, uint64_t toOffset, const Place &from,
                 uint64_t fromOffset, uint64_t count) {
  if (!to.range)
    return;
  if (!from.range || from.range->allWritten(fromOffset, count)) {
    to.range->markWritten(toOffset, count);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    if (from.range->allWritten(fromOffset + i, 1))
      to.range->markWritten(toOffset + i, 1);
}

bool isHost(const Place &place) {
  return !place.range || place.range->kind == Allocation::Kind::HostPinned;
}

} // namespace

CopyWork driver::makeCopy(const CUDA_MEMCPY3D &p) {
  CopyWork copy;
  copy.params = p;
  copy.width = p.WidthInBytes;
  copy.height = p.Height;
  copy.depth = p.Depth;
  if (!copy.width || !copy.height || !copy.depth)
    return copy;
  require(!p.srcLOD && !p.dstLOD, "srcLOD and dstLOD must be 0");
  copy.from = sideOf({p.srcMemoryType, p.srcHost, p.srcDevice, p.srcXInBytes, p.srcY,
                      p.srcZ, p.srcPitch, p.srcHeight},
                     copy, "the source");
  copy.to = sideOf({p.dstMemoryType, p.dstHost, p.dstDevice, p.dstXInBytes, p.dstY,
                    p.dstZ, p.dstPitch, p.dstHeight},
                   copy, "the destination");
  return copy;
}

CopyWork driver::makeCopy(const CUDA_MEMCPY2D &p) {
  CUDA_MEMCPY3D whole = {};
  whole.srcXInBytes = p.srcXInBytes;
  whole.srcY = p.srcY;
  whole.srcMemoryType = p.srcMemoryType;
  whole.srcHost = p.srcHost;
  whole.srcDevice = p.srcDevice;
  whole.srcPitch = p.srcPitch;
  whole.dstXInBytes = p.dstXInBytes;
  whole.dstY = p.dstY;
  whole.dstMemoryType = p.dstMemoryType;
  whole.dstHost = p.dstHost;
  whole.dstDevice = p.dstDevice;
  whole.dstPitch = p.dstPitch;
  whole.WidthInBytes = p.WidthInBytes;
  whole.Height = p.Height;
  whole.Depth = 1;
  return makeCopy(whole);
}

CopyWork driver::makeCopy(CUmemorytype toType, uint64_t to, CUmemorytype fromType,
                          uint64_t from, size_t bytes) {
  CUDA_MEMCPY3D row = {};
  row.srcMemoryType = fromType;
  row.srcHost = reinterpret_cast<const void *>(from);
  row.srcDevice = from;
  row.dstMemoryType = toType;
  row.dstHost = reinterpret_cast<void *>(to);
  row.dstDevice = to;
  row.WidthInBytes = bytes;
  row.Height = row.Depth = 1;
  return makeCopy(row);
}

Result driver::performCopy(const CopyWork &copy, const Device &device) {
  if (!copy.width || !copy.height || !copy.depth)
    return {};
  Place from = placeOf(copy.from, extentOf(copy.from, copy), CUDA_ERROR_ILLEGAL_ADDRESS);
  Place to = placeOf(copy.to, extentOf(copy.to, copy), CUDA_ERROR_ILLEGAL_ADDRESS);
  const uint8_t *source = copy.staged ? copy.staged->data() : from.bytes;
  for (uint64_t z = 0; z < copy.depth; z++)
    for (uint64_t y = 0; y < copy.height; y++) {
      uint64_t a = z * copy.from.slice + y * copy.from.pitch;
      uint64_t b = z * copy.to.slice + y * copy.to.pitch;
      uint64_t packed = (z * copy.height + y) * copy.width;
      memmove(to.bytes + b, source + (copy.staged ? packed : a), copy.width);
      copyWritten(to, to.offset + b, from, from.offset + a, copy.width);
    }
  double bytes = double(copy.width) * copy.height * copy.depth;
  if (isHost(from) || isHost(to))
    return {CUDA_SUCCESS, "", hostCopySeconds(bytes)};
  if (from.range->device != to.range->device)
    return {CUDA_SUCCESS, "", peerCopySeconds(bytes)};
  return {CUDA_SUCCESS, "", deviceCopySeconds(device.profile, bytes)};
}

FillWork driver::makeFill(const CUDA_MEMSET_NODE_PARAMS &p) {
  uint32_t size = p.elementSize;
  require(size == 1 || size == 2 || size == 4,
          "a memset's elements have 1, 2 or 4 bytes");
  require(size == 4 || p.value >> (8 * size) == 0,
          "a memset's value exceeds its elements");
  if (p.dst % size || (p.height > 1 && p.pitch % size))
    fail(CUDA_ERROR_INVALID_VALUE,
         "a memset of %u-byte elements at 0x%llx, pitch %zu, is "
         "not aligned",
         size, (unsigned long long)p.dst, p.pitch);
  if (!p.width || !p.height)
    return {p};
  uint64_t row, extent = 0;
  require(product(p.width, size, row) && product(p.height - 1, p.pitch, extent) &&
              !__builtin_add_overflow(extent, row, &extent) && p.dst + extent >= p.dst,
          "a memset's size overflows");
  require(p.height == 1 || p.pitch >= row, "a memset's pitch is smaller than its rows");
  placeOf({false, p.dst, p.pitch, 0}, extent, CUDA_ERROR_INVALID_VALUE);
  return {p};
}

Result driver::performFill(const FillWork &work, const Device &device) {
  const CUDA_MEMSET_NODE_PARAMS &p = work.params;
  if (!p.width || !p.height)
    return {};
  uint64_t row = uint64_t(p.width) * p.elementSize,
           extent = (p.height - 1) * p.pitch + row;
  Place to = placeOf({false, p.dst, p.pitch, 0}, extent, CUDA_ERROR_ILLEGAL_ADDRESS);
  for (uint64_t y = 0; y < p.height; y++) {
    uint8_t *at = to.bytes + y * p.pitch;
    if (p.elementSize == 1)
      memset(at, int(p.value), row);
    else
      for (uint64_t i = 0; i < row; i += p.elementSize)
        memcpy(at + i, &p.value, p.elementSize);
    to.range->markWritten(to.offset + y * p.pitch, row);
  }
  return {CUDA_SUCCESS, "", fillSeconds(device.profile, double(row) * p.height)};
}

Result driver::perform(const Work &work, Device &device, const OverBlocks &known) {
  if (auto *kernel = std::get_if<KernelWork>(&work))
    return performKernel(*kernel, known);
  if (auto *copy = std::get_if<CopyWork>(&work))
    return performCopy(*copy, device);
  if (auto *fill = std::get_if<FillWork>(&work))
    return performFill(*fill, device);
  if (auto *host = std::get_if<HostWork>(&work)) {
    if (host->callback)
      host->callback(host->stream, CUDA_SUCCESS, host->userData);
    else
      host->function(host->userData);
  }
  return {};
}
