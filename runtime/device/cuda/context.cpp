//===- context.cpp - A GPU's context and memory ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/context.h"

using namespace kiln::rt;
using namespace kiln::rt::cuda;

Status Context::create(std::shared_ptr<const Driver> driver, int ordinal,
                       const std::string &name, std::shared_ptr<const Context> &out) {
  std::string where = "device " + name;
  int count = 0, major = 0, minor = 0;
  KILN_TRY(driver->check(driver->deviceGetCount(&count), "cuDeviceGetCount", where));
  if (ordinal >= count)
    return Failure{Code::DeviceUnavailable,
                   where,
                   "there is no GPU of that number",
                   "0.." + std::to_string(count - 1),
                   std::to_string(ordinal),
                   "choose another, CUDA_VISIBLE_DEVICES hides some"};
  CUdevice device = 0;
  KILN_TRY(driver->check(driver->deviceGet(&device, ordinal), "cuDeviceGet", where));
  auto context = std::make_shared<Context>(driver, device);
  context->name = name;
  context->ordinal = ordinal;
  char text[256] = {};
  KILN_TRY(driver->check(driver->deviceGetName(text, sizeof text - 1, device),
                         "cuDeviceGetName", where));
  context->gpu = text;
  auto attribute = [&](int which, int &value) {
    return driver->check(driver->deviceGetAttribute(&value, which, device),
                         "cuDeviceGetAttribute", where);
  };
  KILN_TRY(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, major));
  KILN_TRY(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, minor));
  context->capability = 10 * major + minor;
  KILN_TRY(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, context->multiprocessors));
  KILN_TRY(driver->check(driver->primaryCtxRetain(&context->handle, device),
                         "cuDevicePrimaryCtxRetain", where));
  out = std::move(context);
  return {};
}

Context::~Context() {
  if (handle)
    (void)driver->primaryCtxRelease(device);
}

Status Context::checkFree(uint64_t bytes, const std::string &what, const char *fix,
                          uint64_t &free) const {
  size_t available = 0, total = 0;
  KILN_TRY(driver->check(driver->memGetInfo(&available, &total), "cuMemGetInfo",
                         "device " + name));
  free = available;
  if (bytes <= free)
    return {};
  return Failure{Code::DeviceMemory,
                 "device " + name,
                 what,
                 "at most " + std::to_string(free) + " bytes, which are free of " +
                     std::to_string(total),
                 std::to_string(bytes) + " bytes",
                 fix};
}

Memory::~Memory() {
  if (!context)
    return;
  Current current(*context);
  if (address)
    (void)context->driver->memFree(address);
  if (pinned)
    (void)context->driver->memFreeHost(pinned);
}

Status Memory::onDevice(std::shared_ptr<const Context> context, uint64_t bytes,
                        const std::string &what, Memory &out) {
  if (!bytes)
    return {};
  Memory memory;
  memory.bytes = bytes;
  memory.context = std::move(context);
  const Driver &driver = *memory.context->driver;
  CUresult result = driver.memAlloc(&memory.address, bytes);
  std::string where = "device " + memory.context->name + ", " + what;
  if (result == CUDA_ERROR_OUT_OF_MEMORY) { // raced, or fragmented
    size_t free = 0, total = 0;
    (void)driver.memGetInfo(&free, &total);
    return Failure{Code::DeviceMemory,
                   where,
                   "cuMemAlloc failed",
                   std::to_string(bytes) + " bytes in one piece",
                   driver.errorText(result) + ", with " + std::to_string(free) +
                       " bytes free",
                   "free memory on the GPU, or use another one"};
  }
  KILN_TRY(driver.check(result, "cuMemAlloc",
                        where + " of " + std::to_string(bytes) + " bytes"));
  out = std::move(memory);
  return {};
}

Status Memory::onHost(std::shared_ptr<const Context> context, uint64_t bytes,
                      const std::string &what, Memory &out) {
  if (!bytes)
    return {};
  Memory memory;
  memory.bytes = bytes;
  memory.context = std::move(context);
  const Driver &driver = *memory.context->driver;
  CUresult result = driver.memHostAlloc(&memory.pinned, bytes, 0);
  KILN_TRY(driver.check(result, "cuMemHostAlloc",
                        "pinned memory for " + what + " of " + std::to_string(bytes) +
                            " bytes"));
  out = std::move(memory);
  return {};
}
