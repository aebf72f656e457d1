//===- graph_structs.h - Types of the graph and tensor interface -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As base_structs.h; include structs.h for both.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_API_GRAPH_STRUCTS_H
#define KILN_SIM_DRIVER_API_GRAPH_STRUCTS_H

#include "runtime/sim/driver/api/base_structs.h"

namespace kiln::sim::cu {

struct CUDA_KERNEL_NODE_PARAMS_v1 {
  CUfunction func;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  void **kernelParams;
  void **extra;
};
struct CUDA_KERNEL_NODE_PARAMS_v2 {
  CUfunction func;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  void **kernelParams;
  void **extra;
  CUkernel kern;
  CUcontext ctx;
};
using CUDA_KERNEL_NODE_PARAMS = CUDA_KERNEL_NODE_PARAMS_v2;
using CUkernelNodeAttrID = CUlaunchAttributeID;
using CUkernelNodeAttrValue_v1 = CUlaunchAttributeValue;
using CUkernelNodeAttrValue = CUkernelNodeAttrValue_v1;
struct CUDA_MEMSET_NODE_PARAMS_v1 {
  CUdeviceptr dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
};
using CUDA_MEMSET_NODE_PARAMS = CUDA_MEMSET_NODE_PARAMS_v1;
struct CUDA_HOST_NODE_PARAMS_v1 {
  CUhostFn fn;
  void *userData;
};
using CUDA_HOST_NODE_PARAMS = CUDA_HOST_NODE_PARAMS_v1;
struct CUDA_KERNEL_NODE_PARAMS_v3 {
  CUfunction func;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  void **kernelParams;
  void **extra;
  CUkernel kern;
  CUcontext ctx;
};
struct CUDA_MEMCPY_NODE_PARAMS {
  int flags;
  int reserved;
  CUcontext copyCtx;
  CUDA_MEMCPY3D copyParams;
};
struct CUDA_MEMSET_NODE_PARAMS_v2 {
  CUdeviceptr dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
  CUcontext ctx;
};
struct CUDA_HOST_NODE_PARAMS_v2 {
  CUhostFn fn;
  void *userData;
};
struct CUDA_CHILD_GRAPH_NODE_PARAMS {
  CUgraph graph;
  CUgraphChildGraphNodeOwnership ownership;
};
struct CUDA_EVENT_WAIT_NODE_PARAMS {
  CUevent event;
};
struct CUDA_EVENT_RECORD_NODE_PARAMS {
  CUevent event;
};
using cuuint32_t = uint32_t;
struct CUgraphNodeParams {
  CUgraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    CUDA_KERNEL_NODE_PARAMS_v3 kernel;
    CUDA_MEMCPY_NODE_PARAMS memcpy;
    CUDA_MEMSET_NODE_PARAMS_v2 memset;
    CUDA_HOST_NODE_PARAMS_v2 host;
    CUDA_CHILD_GRAPH_NODE_PARAMS graph;
    CUDA_EVENT_WAIT_NODE_PARAMS eventWait;
    CUDA_EVENT_RECORD_NODE_PARAMS eventRecord;
  };
  long long reserved2;
};
using CUgraphExec = struct CUgraphExec_st *;
struct CUDA_GRAPH_INSTANTIATE_PARAMS {
  cuuint64_t flags;
  CUstream hUploadStream;
  CUgraphNode hErrNode_out;
  CUgraphInstantiateResult result_out;
};
struct CUgraphExecUpdateResultInfo_v1 {
  CUgraphExecUpdateResult result;
  CUgraphNode errorNode;
  CUgraphNode errorFromNode;
};
using CUgraphExecUpdateResultInfo = CUgraphExecUpdateResultInfo_v1;
struct CUtensorMap {
  alignas(128) cuuint64_t opaque[16];
};

} // namespace kiln::sim::cu

#endif // KILN_SIM_DRIVER_API_GRAPH_STRUCTS_H
