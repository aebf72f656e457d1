//===- launch.cpp - Launching kernels and host functions ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/launch_attributes.h"
#include "runtime/sim/driver/submit.h"

using namespace kiln::sim;
using namespace kiln::sim::driver;

/// Checks attributes that must be well-formed although they have no effect here.
static void checkHint(CUlaunchAttributeID id, const CUlaunchAttributeValue &value) {
  switch (id) {
  case CU_LAUNCH_ATTRIBUTE_IGNORE:
  case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
  case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
    return;
  case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    return;
  case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    require(value.syncPolicy >= CU_SYNC_POLICY_AUTO &&
                value.syncPolicy <= CU_SYNC_POLICY_BLOCKING_SYNC,
            "there is no such synchronisation policy");
    return;
  case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    require(value.clusterSchedulingPolicyPreference >= 0 &&
                value.clusterSchedulingPolicyPreference <=
                    CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING,
            "there is no such cluster scheduling policy");
    return;
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    require(value.memSyncDomain == CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT ||
                value.memSyncDomain == CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE,
            "there is no such memory synchronisation domain");
    return;
  case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    require(value.sharedMemCarveout <= 100, "a carveout is a percentage");
    return;
  default:
    fail(CUDA_ERROR_INVALID_VALUE,
         "launch attribute %d is not modelled by the simulated GPU", int(id));
  }
}

void driver::checkLaunchAttribute(CUlaunchAttributeID id,
                                  const CUlaunchAttributeValue &value) {
  switch (id) {
  case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    require(value.cooperative == 0 || value.cooperative == 1, "cooperative is 0 or 1");
    return;
  case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    require(value.programmaticStreamSerializationAllowed == 0 ||
                value.programmaticStreamSerializationAllowed == 1,
            "programmaticStreamSerializationAllowed is 0 or 1");
    return;
  case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    if (!value.clusterDim.x || !value.clusterDim.y || !value.clusterDim.z)
      fail(CUDA_ERROR_INVALID_CLUSTER_SIZE, "a dimension of the cluster is 0");
    return;
  default:
    checkHint(id, value);
  }
}

static AttributeMap readAttributes(const CUlaunchConfig &config) {
  require(!config.numAttrs || config.attrs, "the launch attributes are null");
  AttributeMap map;
  for (unsigned i = 0; i < config.numAttrs; i++) {
    const CUlaunchAttribute &attribute = config.attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_IGNORE)
      continue;
    checkLaunchAttribute(attribute.id, attribute.value);
    if (!map.emplace(attribute.id, attribute.value).second)
      fail(CUDA_ERROR_INVALID_VALUE, "launch attribute %d is given twice",
           int(attribute.id));
  }
  return map;
}

static void launch(const CUlaunchConfig &config, AttributeMap attributes, CUfunction f,
                   void **parameters, void **extra) {
  std::shared_ptr<Stream> stream = streamOf(config.hStream);
  KernelWork work;
  work.function = functionOf(f);
  work.handle = f;
  work.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  work.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
  work.dynamicShared = config.sharedMemBytes;
  work.attributes = std::move(attributes);
  work.parameters = packParameters(*work.function->info, parameters, extra);
  submit(*stream, std::move(work));
}

void calls::launchKernelEx(const CUlaunchConfig *config, CUfunction f,
                           void **kernelParams, void **extra) {
  require(config, "the launch configuration is null");
  currentContext();
  launch(*config, readAttributes(*config), f, kernelParams, extra);
}

void calls::launchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                         unsigned int gridDimZ, unsigned int blockDimX,
                         unsigned int blockDimY, unsigned int blockDimZ,
                         unsigned int sharedMemBytes, CUstream stream,
                         void **kernelParams, void **extra) {
  currentContext();
  CUlaunchConfig config = {gridDimX,  gridDimY,       gridDimZ, blockDimX, blockDimY,
                           blockDimZ, sharedMemBytes, stream,   nullptr,   0};
  launch(config, {}, f, kernelParams, extra);
}

void calls::launchCooperativeKernel(CUfunction f, unsigned int gridDimX,
                                    unsigned int gridDimY, unsigned int gridDimZ,
                                    unsigned int blockDimX, unsigned int blockDimY,
                                    unsigned int blockDimZ, unsigned int sharedMemBytes,
                                    CUstream stream, void **kernelParams) {
  currentContext();
  CUlaunchAttributeValue on = {};
  on.cooperative = 1;
  CUlaunchConfig config = {gridDimX,  gridDimY,       gridDimZ, blockDimX, blockDimY,
                           blockDimZ, sharedMemBytes, stream,   nullptr,   0};
  launch(config, {{CU_LAUNCH_ATTRIBUTE_COOPERATIVE, on}}, f, kernelParams, nullptr);
}

void calls::launchHostFunc(CUstream hStream, CUhostFn fn, void *userData) {
  std::shared_ptr<Stream> stream = streamOf(hStream);
  require(fn, "the host function is null");
  submit(*stream, HostWork{fn, userData, nullptr, nullptr});
}

void calls::streamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
                              unsigned int flags) {
  std::shared_ptr<Stream> stream = streamOf(hStream);
  require(callback && !flags, "the callback is null, or there are flags");
  forbidIfCapturing(*stream);
  submit(*stream, HostWork{nullptr, userData, callback, hStream});
}
