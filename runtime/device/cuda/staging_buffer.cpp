//===- staging_buffer.cpp - A model input or output on a GPU --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/staging_buffer.h"
#include "kiln/abi.h"
#include <algorithm>
#include <cstring>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

Status StagingBuffer::check(CUresult result, const char *call) const {
  return context->driver->check(result, call, what);
}

Status StagingBuffer::allocate(std::shared_ptr<const Context> gpu, std::string name,
                               uint64_t largest) {
  context = std::move(gpu);
  what = std::move(name);
  // Graph nodes need a valid address even if there is nothing to copy.
  largest = std::max<uint64_t>(largest, 1);
  KILN_TRY(Memory::onDevice(context, largest, what, onDevice));
  current = onDevice.device();
  return Memory::onHost(context, largest, what, staging);
}

Status StagingBuffer::place(const TensorPlace &place) {
  home = Home::Pageable;
  caller = place.data;
  current = onDevice.device();
  if (!bytes)
    return {};
  if (!place.data) {
    home = Home::None;
    return {};
  }
  auto address = reinterpret_cast<CUdeviceptr>(place.data);
  unsigned type = 0;
  CUresult known = context->driver->pointerGetAttribute(
      &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  if (known != CUDA_ERROR_INVALID_VALUE) // this error means pageable memory
    KILN_TRY(check(known, "cuPointerGetAttribute"));
  if (known == CUDA_SUCCESS)
    home = type == CU_MEMORYTYPE_HOST ? Home::Pinned
           : type == 0 ? Home::Pageable // pageable memory that the driver knows
                       : Home::Device;
  bool claimsDevice = place.memory == KILN_MEMORY_DEVICE;
  if (place.memory != KILN_MEMORY_ANY && claimsDevice != (home == Home::Device))
    return Failure{Code::TensorDevice,
                   what,
                   claimsDevice ? "no memory of a GPU is at its address"
                                : "its address is not in host memory",
                   claimsDevice ? "device memory" : "host memory",
                   claimsDevice ? "host memory" : "device memory",
                   "say where it is, or leave that to the driver (KILN_MEMORY_ANY)"};
  if (home != Home::Device)
    return {};
  KILN_TRY(checkOwner(address));
  current = address;
  return {};
}

Status StagingBuffer::checkOwner(CUdeviceptr address) const {
  int ordinal = 0;
  unsigned managed = 0;
  KILN_TRY(check(context->driver->pointerGetAttribute(
                     &ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address),
                 "cuPointerGetAttribute"));
  if (ordinal != context->ordinal)
    KILN_TRY(check(context->driver->pointerGetAttribute(
                       &managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address),
                   "cuPointerGetAttribute"));
  if (ordinal != context->ordinal && !managed)
    return Failure{Code::TensorDevice,
                   what,
                   "its memory is on another GPU",
                   "the memory of device " + context->name + " (GPU " +
                       std::to_string(context->ordinal) + ") or of the host",
                   "the memory of GPU " + std::to_string(ordinal),
                   "copy it to that GPU, or create the session there"};
  if (uint64_t rest = address % KILN_CUDA_BUFFER_ALIGNMENT)
    return Failure{Code::TensorMemory,
                   what,
                   "the memory is misaligned for a GPU",
                   "a multiple of " + std::to_string(KILN_CUDA_BUFFER_ALIGNMENT),
                   "a remainder of " + std::to_string(rest),
                   "copy the tensor to aligned memory"};
  return {};
}

Status StagingBuffer::copyIn(CUstream stream) {
  if (!isHost())
    return {};
  const void *from = caller;
  if (home == Home::Pageable)
    from = std::memcpy(staging.host(), caller, bytes);
  return check(context->driver->memcpyHtoDAsync(onDevice.device(), from, bytes, stream),
               "cuMemcpyHtoDAsync");
}

Status StagingBuffer::copyOut(CUstream stream) {
  if (!isHost())
    return {};
  void *to = home == Home::Pinned ? caller : staging.host();
  return check(context->driver->memcpyDtoHAsync(to, onDevice.device(), bytes, stream),
               "cuMemcpyDtoHAsync");
}

void StagingBuffer::finishOut() {
  if (isHost() && home == Home::Pageable)
    std::memcpy(caller, staging.host(), bytes);
}
