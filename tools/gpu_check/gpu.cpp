//===- gpu.cpp - One GPU and what runs on it ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/gpu.h"
#include <charconv>
#include <cstdlib>
#include <filesystem>

using namespace kiln::gpucheck;

DeviceName::DeviceName(const std::string &given) : text(given) {
  size_t colon = given.find(':');
  std::string kind = given.substr(0, colon);
  std::string rest = colon == std::string::npos ? "" : given.substr(colon + 1);
  simulated = kind == "sim";
  if (simulated && !given.ends_with(':')) {
    profile = rest.empty() ? "h200" : rest;
    text = "sim:" + profile;
    return;
  }
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), ordinal);
  bool number = error == std::errc() && end == rest.data() + rest.size() && ordinal >= 0;
  if (kind != "cuda" || (colon != std::string::npos && !number))
    throw Failure(Machine, "KILN-E0702", "device " + text, "there is no such device",
                  "cuda, cuda:N, sim or sim:PROFILE", text, "use --device cuda:0");
}

Gpu::Gpu(Driver opened, std::string named, int ordinal)
    : driver(std::move(opened)), device(std::move(named)) {
  int count = 0;
  driver.require(driver.deviceCount(&count), "cuDeviceGetCount");
  if (ordinal >= count)
    throw Failure(Machine, "KILN-E0702", "device " + device, "there is no such GPU",
                  std::to_string(ordinal + 1) + " GPUs or more", std::to_string(count),
                  "use a smaller number");
  driver.require(driver.deviceGet(&handle, ordinal), "cuDeviceGet");
  char text[256] = {};
  driver.require(driver.deviceName(text, sizeof text, handle), "cuDeviceGetName");
  name = text;
  capability = attribute(AttributeMajor) * 10 + attribute(AttributeMinor);
  driver.require(driver.primaryRetain(&context, handle), "cuDevicePrimaryCtxRetain");
  enter();
}

Gpu::~Gpu() {
  (void)driver.setCurrent(nullptr);
  (void)driver.primaryRelease(handle);
}

int Gpu::attribute(int which) const {
  int value = 0;
  driver.require(driver.deviceAttribute(&value, which, handle), "cuDeviceGetAttribute");
  return value;
}

std::unique_ptr<Gpu> kiln::gpucheck::openGpu(const DeviceName &name) {
  const char *chosen = std::getenv("KILN_CUDA_DRIVER");
  std::string path = name.simulated ? simulatorPath() : chosen ? chosen : "libcuda.so.1";
  return std::make_unique<Gpu>(Driver(path, name.profile), name.text, name.ordinal);
}

std::unique_ptr<Gpu> kiln::gpucheck::openReference(const std::string &profile,
                                                   int capability) {
  std::string chosen = profile.empty() ? profileOf(capability) : profile;
  return std::make_unique<Gpu>(loadPrivateCopy(simulatorPath(), chosen), "sim:" + chosen,
                               0);
}

std::string kiln::gpucheck::profileOf(int capability) {
  static const std::pair<int, const char *> profiles[] = {
      {80, "a100"},  {86, "a100"},  {87, "a100"},     {89, "l40s"},    {90, "h200"},
      {100, "b200"}, {103, "b200"}, {120, "rtx5090"}, {121, "rtx5090"}};
  for (auto [known, name] : profiles)
    if (known == capability)
      return name;
  throw Failure(Machine, "KILN-E0702", "compute capability " + std::to_string(capability),
                "the simulator has no profile for this GPU",
                "one of 8.0 to 9.0, 10.0, 10.3, 12.0 or 12.1", std::to_string(capability),
                "name the nearest with --reference, such as --reference sim:a100");
}

std::string kiln::gpucheck::programFolder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

std::string kiln::gpucheck::simulatorPath() {
  const char *chosen = std::getenv("KILN_SIM_DRIVER");
  return chosen ? chosen : programFolder() + "/lib/libkiln_sim_cuda.so";
}

Buffer::Buffer(const Gpu &gpu, size_t bytes) : bytes(bytes), gpu(&gpu) {
  if (bytes)
    gpu.driver.require(gpu.driver.memAlloc(&address, bytes),
                       "cuMemAlloc of " + std::to_string(bytes) + " bytes");
}

Buffer::~Buffer() {
  if (address)
    (void)gpu->driver.memFree(address);
}

void Buffer::upload(const void *from, size_t count, size_t at) {
  if (!count)
    return;
  gpu->driver.require(gpu->driver.upload(address + at, from, count), "cuMemcpyHtoD");
  // The copy may still be in progress, and our own streams do not wait for it.
  gpu->driver.require(gpu->driver.synchronize(), "cuCtxSynchronize");
}

void Buffer::download(void *to) const {
  if (bytes)
    gpu->driver.require(gpu->driver.download(to, address, bytes), "cuMemcpyDtoH");
}

Kernel::Kernel(const Gpu &gpu, const std::string &ptx, const char *name) : gpu(gpu) {
  char log[4096] = {};
  int options[] = {JitErrorLog, JitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  if (gpu.driver.moduleLoad(&module, ptx.c_str(), 2, options, values))
    throw Failure(Machine, "KILN-E0707", gpu.device,
                  std::string("the driver refuses the kernel ") + name,
                  "PTX that it can compile", log[0] ? log : "no reason given",
                  "update the driver");
  gpu.driver.require(gpu.driver.moduleFunction(&function, module, name),
                     "cuModuleGetFunction");
}

Kernel::~Kernel() { (void)gpu.driver.moduleUnload(module); }

void Kernel::launch(unsigned blocks, unsigned threads, std::vector<Address> parameters,
                    Stream stream) const {
  std::vector<void *> pointers;
  for (Address &parameter : parameters)
    pointers.push_back(&parameter);
  gpu.driver.require(gpu.driver.launch(function, blocks, 1, 1, threads, 1, 1, 0, stream,
                                       pointers.data(), nullptr),
                     "cuLaunchKernel");
}
