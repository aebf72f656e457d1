//===- module.cpp - Modules, functions and their attributes ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/image.h"
#include "runtime/sim/driver/submit.h"
#include <algorithm>
#include <cstring>

using namespace kiln::sim;
using namespace kiln::sim::driver;

static std::shared_ptr<Module> addModule(const std::shared_ptr<Context> &context,
                                         std::shared_ptr<Code> code) {
  auto module = std::make_shared<Module>();
  module->context = context;
  module->code = std::move(code);
  runtime().handles.add(module);
  context->modules.push_back(module);
  return module;
}

std::shared_ptr<Module> driver::loadModule(const std::shared_ptr<Context> &context,
                                           const std::string &ptx, JitLogs *logs) {
  std::shared_ptr<Code> code = compile(ptx, *context->device, logs);
  // Compiling released the mutex: the context may be gone.
  if (!context->alive())
    fail(CUDA_ERROR_CONTEXT_IS_DESTROYED,
         "the context was destroyed while a module loaded");
  return addModule(context, std::move(code));
}

void driver::unloadModule(const std::shared_ptr<Module> &module) {
  if (std::shared_ptr<Context> context = module->context.lock()) {
    runtime().engine.waitAll(*context);
    std::erase(context->modules, module);
  }
  for (const auto &[name, function] : module->functions)
    runtime().handles.remove(*function);
  runtime().handles.remove(*module);
}

std::shared_ptr<Function> driver::functionIn(const std::shared_ptr<Module> &module,
                                             const std::string &name) {
  std::shared_ptr<Function> &function = module->functions[name];
  if (function)
    return function;
  const KernelInfo *info = module->code->kernel(name);
  std::shared_ptr<Context> context = module->context.lock();
  if (!info || !context) {
    module->functions.erase(name);
    failQuietly(CUDA_ERROR_NOT_FOUND);
  }
  function = std::make_shared<Function>();
  function->context = context;
  function->module = module;
  function->code = module->code;
  function->info = info;
  function->device = context->device;
  uint32_t shared = context->device->profile.sharedPerBlock;
  function->maxDynamicShared = shared - std::min(shared, info->staticShared);
  runtime().handles.add(function);
  return function;
}

void calls::moduleLoad(CUmodule *module, const char *fname) {
  std::shared_ptr<Context> context = currentContext();
  CUmodule &out = output(module);
  out = Handles::handle(*loadModule(context, ptxOfFile(fname), nullptr));
}

void calls::moduleLoadData(CUmodule *module, const void *image) {
  moduleLoadDataEx(module, image, 0, nullptr, nullptr);
}

void calls::moduleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                             CUjit_option *options, void **optionValues) {
  std::shared_ptr<Context> context = currentContext();
  CUmodule &out = output(module);
  JitLogs logs(numOptions, options, optionValues);
  out = Handles::handle(*loadModule(context, ptxOfImage(image), &logs));
}

void calls::moduleLoadFatBinary(CUmodule *module, const void *fatCubin) {
  moduleLoadDataEx(module, fatCubin, 0, nullptr, nullptr);
}

void calls::moduleUnload(CUmodule hmod) {
  std::shared_ptr<Module> module = moduleOf(hmod);
  forbidInCapture();
  unloadModule(module);
}

void calls::moduleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name) {
  std::shared_ptr<Module> module = moduleOf(hmod);
  require(name, "the function's name is null");
  output(hfunc) = Handles::handle(*functionIn(module, name));
}

void calls::moduleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod,
                            const char *name) {
  std::shared_ptr<Module> module = moduleOf(hmod);
  require(name, "the variable's name is null");
  require(dptr || bytes, "both outputs are null");
  Code::Global global = module->code->global(name);
  if (!global.size)
    failQuietly(CUDA_ERROR_NOT_FOUND);
  if (dptr)
    *dptr = global.address;
  if (bytes)
    *bytes = global.size;
}

void calls::moduleGetFunctionCount(unsigned int *count, CUmodule mod) {
  output(count) = moduleOf(mod)->code->kernels().size();
}

void calls::moduleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions,
                                     CUmodule mod) {
  std::shared_ptr<Module> module = moduleOf(mod);
  require(functions || !numFunctions, "the list of functions is null");
  std::vector<std::string> names = module->code->kernels();
  for (size_t i = 0; i < numFunctions && i < names.size(); i++)
    functions[i] = Handles::handle(*functionIn(module, names[i]));
}

void calls::moduleGetLoadingMode(CUmoduleLoadingMode *mode) {
  output(mode) = CU_MODULE_EAGER_LOADING;
}

static int attributeOf(const Function &function, CUfunction_attribute attribute) {
  const KernelInfo &info = *function.info;
  const DeviceProfile &profile = function.device->profile;
  auto cluster = [&](int i) {
    return info.requiredCluster[0] ? info.requiredCluster[i] : function.cluster[i];
  };
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: {
    uint32_t byRegisters = 1024;
    if (info.registers)
      byRegisters = std::min(1024u, profile.registersPerBlock / info.registers / 32 * 32);
    return std::min(info.maxThreads, byRegisters);
  }
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    return info.staticShared;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    return 0; // kernels here do not use constant memory for parameters
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    return info.localBytes;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    return info.registers;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    return info.targetSm; // by its definition: the virtual architecture
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    return profile.computeMajor * 10 + profile.computeMinor;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    return 0;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return function.maxDynamicShared;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return function.carveout;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    return 0;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    return cluster(0);
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    return cluster(1);
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    return cluster(2);
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    return function.nonPortableCluster;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    return function.clusterPolicy;
  case CU_FUNC_ATTRIBUTE_MAX:
    break;
  }
  failQuietly(CUDA_ERROR_INVALID_VALUE);
}

static void setCluster(Function &function, int axis, int value) {
  if (function.info->requiredCluster[0])
    fail(CUDA_ERROR_NOT_PERMITTED, "kernel %s is compiled for a cluster shape",
         function.info->name.c_str());
  require(value > 0, "a cluster's dimension must be positive");
  function.cluster[axis] = value;
}

static void setAttribute(Function &function, CUfunction_attribute attribute, int value) {
  const DeviceProfile &profile = function.device->profile;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: {
    uint32_t room = profile.sharedPerBlockOptin -
                    std::min(profile.sharedPerBlockOptin, function.info->staticShared);
    if (value < 0 || uint32_t(value) > room)
      fail(CUDA_ERROR_INVALID_VALUE,
           "kernel %s: %d bytes of dynamic shared memory, but %s has %u a block and the "
           "kernel declares %u of them",
           function.info->name.c_str(), value, profile.name.c_str(),
           profile.sharedPerBlockOptin, function.info->staticShared);
    function.maxDynamicShared = value;
    return;
  }
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    require(value >= -1 && value <= 100, "a carveout is -1 or a percentage");
    function.carveout = value;
    return;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    return setCluster(function, 0, value);
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    return setCluster(function, 1, value);
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    return setCluster(function, 2, value);
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    require(value == 0 || value == 1, "a non-portable cluster is allowed (1) or not (0)");
    function.nonPortableCluster = value;
    return;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    require(value >= 0 && value <= CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING,
            "there is no such cluster scheduling policy");
    function.clusterPolicy = value;
    return;
  default:
    fail(CUDA_ERROR_INVALID_VALUE, "function attribute %d cannot be set", int(attribute));
  }
}

void calls::funcGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc) {
  int &out = output(pi);
  out = attributeOf(*functionOf(hfunc), attrib);
}

void calls::funcSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  setAttribute(*functionOf(hfunc), attrib, value);
}

void calls::kernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel,
                               CUdevice dev) {
  int &out = output(pi);
  out = attributeOf(*functionOnDevice(*kernelOf(kernel), dev), attrib);
}

void calls::kernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                               CUdevice dev) {
  setAttribute(*functionOnDevice(*kernelOf(kernel), dev), attrib, val);
}

void calls::funcSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  functionOf(hfunc);
  require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL,
          "there is no such cache configuration");
}

void calls::funcSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
  functionOf(hfunc);
  ctxSetSharedMemConfig(config);
}

void calls::funcGetModule(CUmodule *hmod, CUfunction hfunc) {
  CUmodule &out = output(hmod);
  std::shared_ptr<Module> module = functionOf(hfunc)->module.lock();
  if (!module)
    fail(CUDA_ERROR_INVALID_HANDLE, "the function's module is unloaded");
  out = Handles::handle(*module);
}

void calls::funcGetName(const char **name, CUfunction hfunc) {
  output(name) = functionOf(hfunc)->info->name.c_str();
}

void driver::parameterInfo(const KernelInfo &info, size_t index, size_t *offset,
                           size_t *size) {
  if (index >= info.parameterSizes.size())
    failQuietly(CUDA_ERROR_INVALID_VALUE); // programs call this until it fails to count
                                           // the parameters
  output(offset) = info.parameterOffsets[index];
  if (size)
    *size = info.parameterSizes[index];
}

void calls::funcGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset,
                             size_t *paramSize) {
  parameterInfo(*functionOf(func)->info, paramIndex, paramOffset, paramSize);
}

void calls::funcIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
  functionOf(function);
  output(state) = CU_FUNCTION_LOADING_STATE_LOADED;
}

void calls::funcLoad(CUfunction function) { functionOf(function); }
