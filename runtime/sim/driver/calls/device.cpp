//===- device.cpp - Initialisation and devices ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/runtime.h"
#include <cstring>

using namespace kiln::sim;
using namespace kiln::sim::driver;

void calls::init(unsigned int flags) {
  require(!flags, "cuInit takes no flags");
  Runtime &state = runtime();
  if (const EnvironmentMistake &mistake = state.environment.mistake)
    fail(CUDA_ERROR_NO_DEVICE, "%s", mistake.text().c_str());
  state.initialised = true;
}

void calls::driverGetVersion(int *driverVersion) {
  // Version of the oldest modelled driver, as all devices of this process support it.
  int &out = output(driverVersion);
  uint32_t version = 0;
  for (const Device &device : runtime().devices)
    if (!version || device.profile.driverVersion < version)
      version = device.profile.driverVersion;
  if (!version)
    fail(CUDA_ERROR_NO_DEVICE, "%s", runtime().environment.mistake.text().c_str());
  out = version;
}

void calls::deviceGet(CUdevice *device, int ordinal) {
  output(device) = runtime().device(ordinal).ordinal;
}

void calls::deviceGetCount(int *count) { output(count) = runtime().devices.size(); }

static void copyText(char *out, int length, const std::string &text) {
  require(out && length > 0, "the buffer for a text is null or empty");
  strncpy(out, text.c_str(), length);
  out[length - 1] = 0;
}

void calls::deviceGetName(char *name, int len, CUdevice dev) {
  copyText(name, len, runtime().device(dev).profile.name);
}

/// Returns a UUID that is the same in every run and differs between devices.
void calls::deviceGetUuid(CUuuid *uuid, CUdevice dev) {
  const Device &device = runtime().device(dev);
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (unsigned i = 0; i < sizeof output(uuid).bytes; i++) {
    char next =
        i < device.profile.id.size() ? device.profile.id[i] : char(device.ordinal);
    hash = (hash ^ uint8_t(next)) * 0x100000001b3;
    uuid->bytes[i] = char(hash >> 32);
  }
}

void calls::deviceTotalMem(size_t *bytes, CUdevice dev) {
  output(bytes) = runtime().device(dev).limit;
}

void calls::deviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev) {
  const Device &d = runtime().device(dev);
  const DeviceProfile &p = d.profile;
  int &out = output(pi);
  switch (int(attrib)) {
#define ATTRIBUTE(name, number, value)                                                   \
  case number:                                                                           \
    out = int(value);                                                                    \
    return;
#include "runtime/sim/driver/device_attributes.def"
#undef ATTRIBUTE
  }
  failQuietly(CUDA_ERROR_INVALID_VALUE);
}

void calls::deviceGetProperties(CUdevprop *prop, CUdevice dev) {
  const DeviceProfile &p = runtime().device(dev).profile;
  CUdevprop &out = output(prop);
  out = {};
  auto get = [&](int attribute) {
    int value = 0;
    deviceGetAttribute(&value, CUdevice_attribute(attribute), dev);
    return value;
  };
  out.maxThreadsPerBlock = get(1);
  for (int i = 0; i < 3; i++) {
    out.maxThreadsDim[i] = get(2 + i);
    out.maxGridSize[i] = get(5 + i);
  }
  out.sharedMemPerBlock = p.sharedPerBlock;
  out.totalConstantMemory = get(9);
  out.SIMDWidth = get(10);
  out.memPitch = get(11);
  out.regsPerBlock = p.registersPerBlock;
  out.clockRate = p.smClockKhz;
  out.textureAlign = get(14);
}

void calls::deviceComputeCapability(int *major, int *minor, CUdevice dev) {
  const DeviceProfile &p = runtime().device(dev).profile;
  output(major) = p.computeMajor;
  output(minor) = p.computeMinor;
}

void calls::deviceGetPCIBusId(char *pciBusId, int len, CUdevice dev) {
  copyText(pciBusId, len, runtime().device(dev).busId());
}

void calls::deviceGetByPCIBusId(CUdevice *dev, const char *pciBusId) {
  require(pciBusId, "the bus id is null");
  std::string id = pciBusId;
  if (std::count(id.begin(), id.end(), ':') == 1)
    id = "0000:" + id;
  if (id.find('.') == std::string::npos)
    id += ".0";
  for (const Device &device : runtime().devices)
    if (!strcasecmp(device.busId().c_str(), id.c_str())) {
      output(dev) = device.ordinal;
      return;
    }
  fail(CUDA_ERROR_INVALID_DEVICE, "no device has the bus id %s", pciBusId);
}

void calls::deviceGetLuid(char *, unsigned int *, CUdevice dev) {
  runtime().device(dev);
  failQuietly(CUDA_ERROR_NOT_SUPPORTED); // only Windows has LUIDs
}

void calls::deviceGetTexture1DLinearMaxWidth(size_t *, CUarray_format, unsigned,
                                             CUdevice dev) {
  runtime().device(dev);
  fail(CUDA_ERROR_NOT_SUPPORTED, "textures are not modelled");
}

void calls::deviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev) {
  const Device &from = runtime().device(dev), &to = runtime().device(peerDev);
  output(canAccessPeer) = &from != &to;
}

void calls::deviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib,
                                  CUdevice srcDevice, CUdevice dstDevice) {
  const Device &from = runtime().device(srcDevice), &to = runtime().device(dstDevice);
  if (&from == &to)
    fail(CUDA_ERROR_INVALID_DEVICE, "a device is no peer of itself");
  int &out = output(value);
  switch (attrib) {
  case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
  case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
  case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED:
    out = 0;
    return;
  case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
  case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    out = 1;
    return;
  }
  failQuietly(CUDA_ERROR_INVALID_VALUE);
}
