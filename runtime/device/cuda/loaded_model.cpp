//===- loaded_model.cpp - A model's code and weights on a GPU -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/loaded_model.h"
#include "runtime/device/cuda/tensor_maps.h"
#include "runtime/model/model.h"
#include <algorithm>
#include <climits>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

Status LoadedModel::create(std::shared_ptr<const Context> context,
                           const kiln_model &model, size_t target, uint32_t rank,
                           std::shared_ptr<const RankWeights> weights,
                           std::shared_ptr<const LoadedModel> &out) {
  auto loaded = std::make_shared<LoadedModel>(std::move(context), rank);
  const Context &gpu = *loaded->context;
  Current current(gpu);
  KILN_TRY(gpu.driver->check(current.status(), "cuCtxPushCurrent", "device " + gpu.name));
  auto own = std::make_shared<RankWeights>();
  if (!weights) { // report too little memory before the driver compiles anything
    KILN_TRY(own->find(model, rank));
    KILN_TRY(loaded->checkFree(*own, model));
  }
  KILN_TRY(loaded->loadKernels(model, target));
  if (!weights)
    KILN_TRY(own->copy(loaded->context, model));
  loaded->weights = weights ? std::move(weights) : std::move(own);
  out = std::move(loaded);
  return {};
}

LoadedModel::~LoadedModel() {
  Current current(*context);
  for (CUmodule module : modules)
    (void)context->driver->moduleUnload(module);
}

Status LoadedModel::loadKernels(const kiln_model &model, size_t target) {
  Layout largest(model.plan);
  Envelope envelope(model.plan, envelopeOf(model.plan.symbols));
  KILN_TRY(largest.compute(model.plan, corner(model.plan.symbols, true), model.path));
  KILN_TRY(checkTensorMaps(model.plan, target, largest, model.path));
  for (const Kernel &kernel : model.plan.kernels) {
    std::vector<DeviceCode> &ways = kernels.emplace_back();
    for (const Variant &a : kernel.variants) {
      if (a.target != target)
        continue;
      ways.push_back({nullptr, &a.block, &a, a.name.c_str()});
      KILN_TRY(loadCode(model, target, envelope, a.entry, ways.back()));
    }
    ways.push_back({nullptr, &kernel.blocks[target], nullptr, kernel.name.c_str()});
    KILN_TRY(loadCode(model, target, envelope, kernel.entries[target], ways.back()));
  }
  return {};
}

Status LoadedModel::loadCode(const kiln_model &model, size_t target,
                             const Envelope &envelope, uint64_t entry, DeviceCode &code) {
  const Driver &driver = *context->driver;
  std::string where = model.path + ": kernel " + code.name;
  CUmodule module = nullptr;
  if (!loadCubin(model, *code.block, target, module))
    KILN_TRY(loadModule(where, model.ptx(target) + entry, module));
  modules.push_back(module);
  KILN_TRY(driver.check(driver.moduleGetFunction(&code.function, module, code.name),
                        "cuModuleGetFunction", where, Code::DeviceCode));
  // A function needs permission to use more than 48 KiB of dynamic shared memory.
  return driver.check(driver.funcSetAttribute(
                          code.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          static_cast<int>(std::min<int64_t>(
                              envelope.bounds(code.block->shared).max, INT_MAX))),
                      "cuFuncSetAttribute", where, Code::DeviceCode);
}

/// Loads machine code for exactly this GPU, if the package has it; false: the PTX is used
/// instead. A driver may reject machine code; a simulated one runs only PTX.
bool LoadedModel::loadCubin(const kiln_model &model, const Block &block, size_t target,
                            CUmodule &out) {
  const Driver &driver = *context->driver;
  if (!block.cubinSize || driver.simulated)
    return false;
  const format::Section *section =
      model.container().find(format::Cubin, model.plan.targets[target].image);
  const uint8_t *code = model.container().bytes(*section).data() + block.cubin;
  return driver.moduleLoadDataEx(&out, code, 0, nullptr, nullptr) == CUDA_SUCCESS;
}

/// Loads PTX; on failure the error quotes the driver's log.
Status LoadedModel::loadModule(const std::string &where, const char *ptx, CUmodule &out) {
  char log[1024] = {};
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log - 1)};
  const Driver &driver = *context->driver;
  CUresult result = driver.moduleLoadDataEx(&out, ptx, 2, options, values);
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_OUT_OF_MEMORY)
    return driver.check(result, "cuModuleLoadDataEx", where);
  bool tooOld = result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  std::string words = log[0] ? std::string(": ") + log : "";
  return Failure{Code::DeviceCode,
                 where,
                 "the CUDA driver refuses the code",
                 tooOld ? "a driver that knows this version of PTX" : "valid PTX",
                 driver.errorText(result) + words + " (driver " +
                     std::to_string(driver.version / 1000) + "." +
                     std::to_string(driver.version % 1000 / 10) + ", " + context->gpu +
                     ")",
                 tooOld ? "install a newer NVIDIA driver" : "compile the model again"};
}

Status LoadedModel::checkFree(const RankWeights &found, const kiln_model &model) const {
  uint64_t free = 0;
  return context->checkFree(found.bytes(),
                            "the weights of " + model.path +
                                " do not fit into the memory of the GPU",
                            "free memory on the GPU, use another one, or compile with "
                            "--precision bf16 or f16 if the weights are f32",
                            free);
}
