//===- driver.cpp - A CUDA driver, found at run time ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/driver.h"
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <unistd.h>

using namespace kiln::gpucheck;

template <typename Pointer>
static void resolve(void *library, const std::string &path, Pointer &out,
                    const char *symbol) {
  out = reinterpret_cast<Pointer>(dlsym(library, symbol));
  if (!out)
    throw Failure(Machine, "KILN-E0705", path, "the CUDA driver is too old",
                  std::string("the function ") + symbol, "none of that name",
                  "install a driver of CUDA 12.0 or later");
}

static void chooseProfile(void *library, const std::string &path,
                          const std::string &profile) {
  int (*choose)(const char *devices) = nullptr;
  resolve(library, path, choose, "kilnSimChooseDevices");
  if (choose(profile.c_str()))
    throw Failure(Machine, "KILN-E0702", "device sim:" + profile,
                  "the simulated driver cannot model this GPU", "a profile it knows",
                  profile, "its message on stderr lists the profiles");
}

Driver::Driver(const std::string &path, const std::string &profile) : library(path) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    throw Failure(Machine, "KILN-E0704", "the CUDA driver", "it cannot be loaded", path,
                  reason ? reason : "no reason given",
                  "install the NVIDIA driver, or use --device sim:h200");
  }
#define CALL(member, symbol, parameters) resolve(handle, path, member, #symbol);
#include "tools/gpu_check/driver_calls.def"
  simulated = dlsym(handle, "kilnSimCallCount") != nullptr;
  if (!profile.empty())
    chooseProfile(handle, path, profile);
  require(init(0), "cuInit");
  require(driverVersion(&version), "cuDriverGetVersion");
}

void Driver::require(Result result, const std::string &call) const {
  if (!result)
    return;
  const char *name = nullptr;
  if (errorName(result, &name) || !name)
    name = "an unknown error";
  throw Failure(Machine, "KILN-E0706", library, call + " failed", "success",
                std::string(name) + " (" + std::to_string(result) + ")",
                "look the error up in the CUDA driver's manual; nvidia-smi shows the "
                "state of the GPU");
}

Driver kiln::gpucheck::loadPrivateCopy(const std::string &path,
                                       const std::string &profile) {
  namespace fs = std::filesystem;
  std::string copy = (fs::temp_directory_path() / "gpu-check-XXXXXX").string();
  int file = mkstemp(copy.data());
  std::error_code error;
  if (file >= 0) {
    close(file);
    fs::copy_file(path, copy, fs::copy_options::overwrite_existing, error);
  }
  if (file < 0 || error)
    throw Failure(Machine, "KILN-E0704", path, "the simulator cannot be copied",
                  "a library, and room in " + fs::temp_directory_path().string(),
                  file < 0 ? "no new file" : error.message(),
                  "unpack the archive again, or set TMPDIR");
  struct Remove {
    std::string path;
    ~Remove() { unlink(path.c_str()); } // a mapped library needs no name
  } remove{copy};
  return Driver(copy, profile);
}
