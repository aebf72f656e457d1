//===- driver.cpp - The CUDA driver as a table of functions ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/driver.h"
#include <dlfcn.h>
#include <string_view>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

namespace {
const char *const simulatorFix =
    "set KILN_SIM_DRIVER to the libkiln_sim_cuda.so that was "
    "built with this runtime, or unset it";

/// simulated: the user asked for the simulated driver.
template <typename Function>
Status resolve(void *library, const std::string &path, bool simulated, const char *symbol,
               Function *&out) {
  out = reinterpret_cast<Function *>(dlsym(library, symbol));
  if (out)
    return {};
  bool ofSimulator = std::string_view(symbol).starts_with("kilnSim") || simulated;
  return Failure{Code::DriverFunction,
                 path,
                 ofSimulator ? "it is not the simulated driver of this runtime"
                             : "the CUDA driver is too old for this runtime",
                 std::string("the function ") + symbol,
                 "none of that name",
                 ofSimulator ? simulatorFix : "install a driver of CUDA 12.0 or later"};
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

/// Errors of a kernel or of the hardware, which invalidate the context: the next driver
/// call and all later ones return them.
static bool isSticky(CUresult result) {
  return result == CUDA_ERROR_ECC_UNCORRECTABLE || result == CUDA_ERROR_ILLEGAL_ADDRESS ||
         result == CUDA_ERROR_LAUNCH_TIMEOUT ||
         result == CUDA_ERROR_CONTEXT_IS_DESTROYED || result == CUDA_ERROR_ASSERT ||
         (result >= CUDA_ERROR_HARDWARE_STACK_ERROR &&
          result <= CUDA_ERROR_LAUNCH_FAILED);
}

/// Errors of the arguments of a call, which has had no effect: no kernel is at fault, and
/// the context remains valid.
static bool isRefusal(CUresult result) {
  return result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_INITIALIZED ||
         result == CUDA_ERROR_DEINITIALIZED || result == CUDA_ERROR_INVALID_CONTEXT ||
         result == CUDA_ERROR_INVALID_HANDLE || result == CUDA_ERROR_NOT_PERMITTED ||
         result == CUDA_ERROR_NOT_SUPPORTED ||
         (result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
          result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
}

Status Driver::failure(CUresult result, const char *call, const std::string &where,
                       Code::ID code) const {
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

using SimulatedMistake = int(const char **variable, const char **found,
                             const char **expected);

/// Returns the error for an environment variable or a requested profile that the
/// simulated driver cannot use; success if there is none.
static Status simulatedMistake(SimulatedMistake *mistake, const std::string &device,
                               const std::string &profile) {
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
                 asked ? "name one of those behind sim:, the same in a whole process"
                       : "correct or unset " + name};
}

/// Selects the GPU that the simulated driver models; only the first call of a process has
/// an effect.
static Status chooseProfile(void *library, const std::string &path,
                            const std::string &device, const std::string &profile,
                            SimulatedMistake *mistake) {
  int (*choose)(const char *devices) = nullptr;
  KILN_TRY(resolve(library, path, true, "kilnSimChooseDevices", choose));
  if (choose(profile.c_str()) == CUDA_SUCCESS)
    return {};
  return simulatedMistake(mistake, device, profile);
}

Status Driver::open(const std::string &path, const std::string &device,
                    const std::string &profile, std::shared_ptr<const Driver> &out) {
  bool simulated = device.starts_with("sim");
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return Failure{
        Code::DriverMissing,
        "device " + device,
        simulated ? "the simulated driver cannot be loaded"
                  : "the CUDA driver cannot be loaded",
        path,
        reason ? reason : "no reason given",
        simulated
            ? std::string("build it (cmake --build build --target kiln_sim_cuda), or ") +
                  simulatorFix
            : "install the NVIDIA driver, or use --device cpu"};
  }
  auto driver = std::make_shared<Driver>();
#define CALL(member, symbol, parameters)                                                 \
  KILN_TRY(resolve(library, path, simulated, #symbol, driver->member));
#define OPTIONAL_CALL(member, symbol, parameters)                                        \
  (void)resolve(library, path, simulated, #symbol, driver->member);
#include "runtime/device/cuda/driver_calls.def"
  SimulatedMistake *mistake = nullptr;
  Status isSimulator = resolve(library, path, true, "kilnSimMistake", mistake);
  driver->simulated = isSimulator.ok();
  if (simulated)
    KILN_TRY(std::move(isSimulator));
  if (!profile.empty())
    KILN_TRY(chooseProfile(library, path, device, profile, mistake));
  Failure noGpu{Code::DeviceUnavailable,
                "device " + device,
                "this machine has no GPU that the CUDA driver can use",
                "one GPU or more",
                "none",
                "use --device cpu, or sim to run on the simulated GPU"};
  CUresult started = driver->init(0);
  if (started != CUDA_SUCCESS && driver->simulated)
    KILN_TRY(simulatedMistake(mistake, device, profile));
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
