//===- pointer.cpp - Attributes of pointers ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/runtime.h"

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

struct Pointee {
  std::shared_ptr<Allocation> range;
  const Block *block = nullptr; ///< null for a module's variables

  bool host() const { return range->kind == Allocation::Kind::HostPinned; }
};

Pointee pointeeOf(CUdeviceptr address) {
  auto range = runtime().memory.find(address);
  if (!range || range->freed)
    failQuietly(CUDA_ERROR_INVALID_VALUE); // programs recognize pageable memory by this
                                           // error
  auto entry = runtime().blocks.find(range->address);
  return {range, entry == runtime().blocks.end() ? nullptr : &entry->second};
}

/// Writes one attribute; false if there is no such attribute.
bool write(void *data, CUpointer_attribute attribute, CUdeviceptr address,
           const Pointee &to) {
  std::shared_ptr<Context> context = to.block ? to.block->context.lock() : nullptr;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    *static_cast<CUcontext *>(data) = context ? Handles::handle(*context) : nullptr;
    return true;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned *>(data) =
        to.host() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return true;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *static_cast<CUdeviceptr *>(data) = address;
    return true;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (AddressSpace::isDeviceAddress(address))
      failQuietly(CUDA_ERROR_INVALID_VALUE);
    *static_cast<void **>(data) = reinterpret_cast<void *>(address);
    return true;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    *static_cast<unsigned *>(data) = to.block && to.block->syncMemops;
    return true;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    *static_cast<unsigned long long *>(data) = to.range->serial;
    return true;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<unsigned *>(data) = to.range->kind == Allocation::Kind::Managed;
    return true;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int *>(data) = to.range->device;
    return true;
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    *static_cast<unsigned *>(data) = 0;
    return true;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    *static_cast<CUdeviceptr *>(data) = to.range->address;
    return true;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    *static_cast<size_t *>(data) = to.range->size;
    return true;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    *static_cast<unsigned *>(data) = 1;
    return true;
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    *static_cast<cuuint64_t *>(data) = 0;
    return true;
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    *static_cast<unsigned *>(data) = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return true;
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    *static_cast<CUmemoryPool *>(data) =
        to.block && to.block->pool && to.block->pool->alive()
            ? Handles::handle(*to.block->pool)
            : nullptr;
    return true;
  case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    *static_cast<unsigned long long *>(data) = to.range->serial;
    return true;
  case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
    break;
  }
  return false;
}

/// Returns the size in bytes of an attribute's value.
size_t sizeOf(CUpointer_attribute attribute) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
  case CU_POINTER_ATTRIBUTE_MAPPED:
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return 4;
  default:
    return 8;
  }
}

} // namespace

void calls::pointerGetAttribute(void *data, CUpointer_attribute attribute,
                                CUdeviceptr ptr) {
  require(data, "the attribute's value is null");
  if (!write(data, attribute, ptr, pointeeOf(ptr)))
    fail(CUDA_ERROR_INVALID_VALUE, "pointer attribute %d is not modelled",
         int(attribute));
}

void calls::pointerGetAttributes(unsigned int numAttributes,
                                 CUpointer_attribute *attributes, void **data,
                                 CUdeviceptr ptr) {
  require(numAttributes && attributes && data, "the lists of attributes are empty");
  auto range = runtime().memory.find(ptr);
  bool known = range && !range->freed;
  for (unsigned i = 0; i < numAttributes; i++) {
    require(data[i], "an attribute's value is null");
    // Unlike cuPointerGetAttribute, this call accepts any pointer and writes zeros for
    // unknown ones.
    std::fill_n(static_cast<char *>(data[i]), sizeOf(attributes[i]), 0);
    if (!known && attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
      *static_cast<int *>(data[i]) = -2; // the driver's "no device"
    bool skip = attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER &&
                AddressSpace::isDeviceAddress(ptr);
    if (known && !skip && !write(data[i], attributes[i], ptr, pointeeOf(ptr)))
      fail(CUDA_ERROR_INVALID_VALUE, "pointer attribute %d is not modelled",
           int(attributes[i]));
  }
}

void calls::pointerSetAttribute(const void *value, CUpointer_attribute attribute,
                                CUdeviceptr ptr) {
  require(value, "the attribute's value is null");
  Pointee to = pointeeOf(ptr);
  require(attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && to.block,
          "only SYNC_MEMOPS of an allocation can be set");
  runtime().blocks[to.range->address].syncMemops =
      *static_cast<const unsigned *>(value) != 0;
}
