//===- find_device.cpp - The devices of this build ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/find_device.h"
#include "runtime/device/cuda/cuda_device.h"
#include "runtime/device/host/host_session.h"
#include <string_view>

using namespace kiln::rt;

Status kiln::rt::findDevice(const char *name, Device *&out) {
  std::string_view wanted = name ? name : "cpu";
  if (wanted == "cpu") {
    out = &hostDevice();
    return {};
  }
  if (isCudaName(wanted))
    return findCudaDevice(wanted, out);
  return Failure{Code::DeviceUnavailable,   "device " + std::string(wanted),
                 "there is no such device", "cpu, cuda, cuda:N, sim or sim:PROFILE",
                 std::string(wanted),       "use --device cpu"};
}
