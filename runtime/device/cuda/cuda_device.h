//===- cuda_device.h - NVIDIA GPUs, real and simulated ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device names: "cuda" and "cuda:N" are GPUs of the driver library (libcuda.so.1, or the
// one in KILN_CUDA_DRIVER); "sim" and "sim:PROFILE" those of the simulated driver
// (libkiln_sim_cuda.so in the folder of this library, or the one in KILN_SIM_DRIVER).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_CUDA_DEVICE_H
#define KILN_DEVICE_CUDA_CUDA_DEVICE_H

#include "runtime/device/device.h"
#include <string_view>

namespace kiln::rt {

/// Whether the name is that of a CUDA or simulated device.
bool isCudaName(std::string_view name);

/// Finds a device by name; opens its driver on first use. Devices live as long as the
/// process. Errors: KILN-E0702, E0704, E0705, E0706.
Status findCudaDevice(std::string_view name, Device *&out);

} // namespace kiln::rt

#endif // KILN_DEVICE_CUDA_CUDA_DEVICE_H
