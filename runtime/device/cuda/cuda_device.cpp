//===- cuda_device.cpp - NVIDIA GPUs, real and simulated ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/cuda_device.h"
#include "runtime/base/plugin_path.h"
#include "runtime/device/cuda/cuda_session.h"
#include "runtime/device/cuda/gpu_target.h"
#include "runtime/model/model.h"
#include <charconv>
#include <cstdlib>
#include <map>
#include <mutex>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

namespace {
/// A GPU with the models that are loaded on it, so that their sessions have common code
/// and weights. Several ranks may use one GPU; each has its own code and weights there.
class CudaDevice final : public Device {
public:
  explicit CudaDevice(std::shared_ptr<const Context> context)
      : context(std::move(context)) {}

  Status createSession(const kiln_model &model, const kiln_session_options &options,
                       const ProcessGroup &group,
                       std::unique_ptr<DeviceSession> &out) override {
    size_t target = 0;
    KILN_TRY(selectGpuTarget(model.plan, model.wantedTarget, context->capability,
                             context->name + " (" + context->gpu + ")", model.path,
                             target));
    std::shared_ptr<const LoadedModel> loaded;
    KILN_TRY(load(model, target, group.rank(), loaded));
    out = std::make_unique<CudaSession>(model, std::move(loaded), target, options, group);
    return {};
  }

private:
  Status load(const kiln_model &model, size_t target, uint32_t rank,
              std::shared_ptr<const LoadedModel> &out) {
    std::lock_guard lock(mutex);
    std::erase_if(models, [](const auto &entry) { return entry.second.expired(); });
    // A session keeps its model alive, so an entry that is alive belongs to this very
    // model and not to an earlier one at the same address.
    const std::weak_ptr<const LoadedModel> &entry = models[{&model, rank}];
    if ((out = entry.lock()))
      return {};
    // Sessions open the first program of a model before the others.
    std::shared_ptr<const LoadedModel> first = models[{model.first, rank}].lock();
    KILN_TRY(LoadedModel::create(context, model, target, rank,
                                 first ? first->weights : nullptr, out));
    models[{&model, rank}] = out;
    return {};
  }

  std::shared_ptr<const Context> context;
  std::mutex mutex;
  /// Loaded models by program and rank.
  std::map<std::pair<const kiln_model *, uint32_t>, std::weak_ptr<const LoadedModel>>
      models;
};

/// The parts of a device name.
struct Name {
  std::string driver;  ///< path of the driver library
  std::string profile; ///< profile of a simulated GPU; empty for the default
  int ordinal = 0;
};
} // namespace

/// Value of an environment variable; null if unset or empty.
static const char *setting(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? value : nullptr;
}

static std::string simulatedDriver() {
  const char *path = setting("KILN_SIM_DRIVER");
  return path ? path : pathOfPlugin("libkiln_sim_cuda.so");
}

static Status parseName(std::string_view text, Name &out) {
  size_t colon = text.find(':');
  std::string_view kind = text.substr(0, colon);
  std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (kind == "sim") {
    if (colon != std::string_view::npos && rest.empty())
      return Failure{Code::DeviceUnavailable,
                     "device " + std::string(text),
                     "the profile of the simulated GPU is missing",
                     "sim, or sim:PROFILE such as sim:h200",
                     std::string(text),
                     "write a profile behind the colon, or no colon"};
    out.driver = simulatedDriver();
    out.profile = rest;
    return {};
  }
  const char *path = setting("KILN_CUDA_DRIVER");
  out.driver = path ? path : "libcuda.so.1";
  if (colon == std::string_view::npos)
    return {};
  auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), out.ordinal);
  if (error == std::errc() && end == rest.data() + rest.size() && out.ordinal >= 0)
    return {};
  return Failure{Code::DeviceUnavailable,
                 "device " + std::string(text),
                 "the number of the GPU is malformed",
                 "cuda:0, cuda:1 ...",
                 std::string(text),
                 "write the number behind the colon"};
}

bool kiln::rt::isCudaName(std::string_view name) {
  for (std::string_view kind : {"cuda", "sim"})
    if (name == kind || (name.starts_with(kind) && name[kind.size()] == ':'))
      return true;
  return false;
}

static Status createDevice(std::string_view text, std::unique_ptr<Device> &out) {
  Name name;
  KILN_TRY(parseName(text, name));
  std::shared_ptr<const Driver> driver;
  KILN_TRY(Driver::open(name.driver, std::string(text), name.profile, driver));
  std::shared_ptr<const Context> context;
  KILN_TRY(Context::create(std::move(driver), name.ordinal, std::string(text), context));
  out = std::make_unique<CudaDevice>(std::move(context));
  return {};
}

Status kiln::rt::findCudaDevice(std::string_view name, Device *&out) {
  static std::mutex mutex;
  // Never destroyed: other static objects may have sessions that use the devices at exit.
  static auto &devices = *new std::map<std::string, std::unique_ptr<Device>, std::less<>>;
  std::lock_guard lock(mutex);
  auto known = devices.find(name);
  if (known == devices.end()) {
    std::unique_ptr<Device> created;
    KILN_TRY(createDevice(name, created));
    known = devices.emplace(name, std::move(created)).first;
  }
  out = known->second.get();
  return {};
}
