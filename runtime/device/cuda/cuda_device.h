//===- cuda_device.h - NVIDIA GPUs, real and simulated ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "cuda" and "cuda:N" are the GPUs of the driver library (libcuda.so.1, or what
// KILN_CUDA_DRIVER names); "sim" and "sim:PROFILE" those of the simulated driver
// (libkiln_sim_cuda.so beside this library, or what KILN_SIM_DRIVER names).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_CUDA_DEVICE_H
#define KILN_DEVICE_CUDA_CUDA_DEVICE_H

#include "runtime/device/device.h"
#include <string_view>

namespace kiln::rt {

/// Whether the name is of this kind of device.
bool isCudaName(std::string_view name);

/// The device of that name; opens the driver the first time. It lives as long as
/// the process. Errors: KILN-E0702, E0704, E0705, E0706.
Status findCudaDevice(std::string_view name, Device *&out);

} // namespace kiln::rt

#endif // KILN_DEVICE_CUDA_CUDA_DEVICE_H
