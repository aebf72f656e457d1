//===- driver.cpp - The CUDA driver as a table of functions ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/driver.h"
#include <dlfcn.h>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

namespace {
template <typename Function>
Status resolve(void *library, const std::string &path, const char *symbol,
               Function *&out) {
  out = reinterpret_cast<Function *>(dlsym(library, symbol));
  if (out)
    return {};
  return Failure{Code::DriverFunction,
                 path,
                 "the CUDA driver is too old for this runtime",
                 std::string("the function ") + symbol,
                 "none of that name",
                 "install a driver of CUDA 12.0 or later"};
}
} // namespace

std::string Driver::errorText(CUresult result) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) != CUDA_SUCCESS || !name)
    name = "an unknown error";
  if (getErrorString(result, &text) != CUDA_SUCCESS || !text)
    text = "no description";
  return std::string(name) + " (" + std::to_string(result) + "): " + text;
}

/// Errors of a kernel or of the hardware, that end the context: the driver reports
/// them from whatever call comes next, and from all later ones.
static bool isSticky(CUresult result) {
  return result == CUDA_ERROR_ECC_UNCORRECTABLE || result == CUDA_ERROR_ILLEGAL_ADDRESS ||
         result == CUDA_ERROR_LAUNCH_TIMEOUT ||
         result == CUDA_ERROR_CONTEXT_IS_DESTROYED || result == CUDA_ERROR_ASSERT ||
         (result >= CUDA_ERROR_HARDWARE_STACK_ERROR &&
          result <= CUDA_ERROR_LAUNCH_FAILED);
}

/// Errors of the call itself, which has done nothing: no kernel is at fault, and the
/// context is as it was.
static bool isRefusal(CUresult result) {
  return result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_INITIALIZED ||
         result == CUDA_ERROR_DEINITIALIZED || result == CUDA_ERROR_INVALID_CONTEXT ||
         result == CUDA_ERROR_INVALID_HANDLE || result == CUDA_ERROR_NOT_PERMITTED ||
         result == CUDA_ERROR_NOT_SUPPORTED ||
         (result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
          result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
}

Status Driver::failure(CUresult result, const char *call, const std::string &where,
                       Code code) const {
  if (code == Code::KernelFailed && isRefusal(result))
    code = Code::DriverCall;
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return Failure{Code::DeviceMemory,
                   where,
                   std::string(call) + " failed",
                   "success",
                   errorText(result),
                   "free memory on the GPU, or use another one"};
  if (isSticky(result))
    return Failure{Code::KernelFailed,
                   where,
                   std::string(call) + " reports that a kernel failed",
                   "success",
                   errorText(result),
                   "start the process again, since the GPU's context is lost; --no-graph "
                   "(no_graph) names the kernel"};
  return Failure{code,
                 where,
                 std::string(call) + " failed",
                 "success",
                 errorText(result),
                 "look the error up in the CUDA driver's manual; nvidia-smi shows the "
                 "state of the GPU"};
}

/// What a simulated driver could not understand of its environment, or of the profile
/// it was asked for; success if there is nothing.
static Status simulatedMistake(void *library, const std::string &path,
                               const std::string &device, const std::string &profile) {
  int (*mistake)(const char **variable, const char **found, const char **expected) =
      nullptr;
  KILN_TRY(resolve(library, path, "kilnSimMistake", mistake));
  const char *variable = nullptr, *found = nullptr, *expected = nullptr;
  if (!mistake(&variable, &found, &expected))
    return {};
  std::string name = variable;
  bool asked = name == "KILN_SIM_DEVICES" && !profile.empty();
  return Failure{Code::DeviceUnavailable,
                 "device " + device,
                 asked ? "the simulated driver cannot model this GPU"
                       : "the simulated driver does not understand the variable " + name,
                 expected,
                 found,
                 asked ? "name one of those behind sim:" : "correct or unset " + name};
}

/// Asks the simulated driver for a GPU; it models those it was first asked for.
static Status chooseProfile(void *library, const std::string &path,
                            const std::string &device, const std::string &profile) {
  int (*choose)(const char *devices) = nullptr;
  KILN_TRY(resolve(library, path, "kilnSimChooseDevices", choose));
  if (choose(profile.c_str()) == CUDA_SUCCESS)
    return {};
  return simulatedMistake(library, path, device, profile);
}

Status Driver::open(const std::string &path, const std::string &device,
                    const std::string &profile, std::shared_ptr<const Driver> &out) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return Failure{Code::DriverMissing,
                   "device " + device,
                   "the CUDA driver cannot be loaded",
                   path,
                   reason ? reason : "no reason given",
                   "install the NVIDIA driver, or use --device cpu"};
  }
  auto driver = std::make_shared<Driver>();
#define CALL(member, symbol, parameters)                                                 \
  KILN_TRY(resolve(library, path, #symbol, driver->member));
#define OPTIONAL_CALL(member, symbol, parameters)                                        \
  (void)resolve(library, path, #symbol, driver->member);
#include "runtime/device/cuda/driver_calls.def"
  driver->simulated = dlsym(library, "kilnSimCallCount") != nullptr;
  if (!profile.empty())
    KILN_TRY(chooseProfile(library, path, device, profile));
  Failure noGpu{Code::DeviceUnavailable,
                "device " + device,
                "this machine has no GPU that the CUDA driver can use",
                "one GPU or more",
                "none",
                "use --device cpu, or sim to run on the simulated GPU"};
  CUresult started = driver->init(0);
  if (started != CUDA_SUCCESS && driver->simulated)
    KILN_TRY(simulatedMistake(library, path, device, profile));
  if (started == CUDA_ERROR_NO_DEVICE)
    return noGpu;
  KILN_TRY(driver->check(started, "cuInit", "device " + device));
  int count = 0;
  KILN_TRY(driver->check(driver->deviceGetCount(&count), "cuDeviceGetCount",
                         "device " + device));
  if (!count)
    return noGpu;
  KILN_TRY(driver->check(driver->driverGetVersion(&driver->version), "cuDriverGetVersion",
                         "device " + device));
  out = std::move(driver);
  return {};
}
