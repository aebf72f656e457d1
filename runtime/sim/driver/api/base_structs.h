//===- base_structs.h - Types of the driver interface -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binary layout of the CUDA driver's C interface, as far as this library implements it. A
// test compares every size and offset with the CUDA toolkit's header.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_API_BASE_STRUCTS_H
#define KILN_SIM_DRIVER_API_BASE_STRUCTS_H

#include "runtime/sim/driver/api/enums.h"
#include <cstddef>
#include <cstdint>

namespace kiln::sim::cu {

using CUdevice_v1 = int;
using CUdevice = CUdevice_v1;
struct CUuuid {
  char bytes[16];
};
struct CUdevprop_v1 {
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int sharedMemPerBlock;
  int totalConstantMemory;
  int SIMDWidth;
  int memPitch;
  int regsPerBlock;
  int clockRate;
  int textureAlign;
};
using CUdevprop = CUdevprop_v1;
using CUmemoryPool = struct CUmemPoolHandle_st *;
using CUcontext = struct CUctx_st *;
struct CUexecAffinitySmCount_v1 {
  unsigned int val;
};
using CUexecAffinitySmCount = CUexecAffinitySmCount_v1;
struct CUexecAffinityParam_v1 {
  CUexecAffinityType type;
  union {
    CUexecAffinitySmCount smCount;
  } param;
};
using CUexecAffinityParam = CUexecAffinityParam_v1;
struct CUctxCigParam {
  CUcigDataType sharedDataType;
  void *sharedData;
};
struct CUctxCreateParams {
  CUexecAffinityParam *execAffinityParams;
  int numExecAffinityParams;
  CUctxCigParam *cigParams;
};
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUdeviceptr_v2 = unsigned long long;
using CUdeviceptr = CUdeviceptr_v2;
using CUlibrary = struct CUlib_st *;
using CUkernel = struct CUkern_st *;
using CUstream = struct CUstream_st *;
struct CUaccessPolicyWindow_v1 {
  void *base_ptr;
  size_t num_bytes;
  float hitRatio;
  CUaccessProperty hitProp;
  CUaccessProperty missProp;
};
using CUaccessPolicyWindow = CUaccessPolicyWindow_v1;
using CUevent = struct CUevent_st *;
struct CUlaunchMemSyncDomainMap {
  unsigned char default_;
  unsigned char remote;
};
using CUgraphDeviceNode = struct CUgraphDeviceUpdatableNode_st *;
union CUlaunchAttributeValue {
  char pad[64];
  CUaccessPolicyWindow accessPolicyWindow;
  int cooperative;
  CUsynchronizationPolicy syncPolicy;
  struct {
    unsigned int x;
    unsigned int y;
    unsigned int z;
  } clusterDim;
  CUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    CUevent event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
  struct {
    CUevent event;
    int flags;
  } launchCompletionEvent;
  int priority;
  CUlaunchMemSyncDomainMap memSyncDomainMap;
  CUlaunchMemSyncDomain memSyncDomain;
  struct {
    unsigned int x;
    unsigned int y;
    unsigned int z;
  } preferredClusterDim;
  struct {
    int deviceUpdatable;
    CUgraphDeviceNode devNode;
  } deviceUpdatableKernelNode;
  unsigned int sharedMemCarveout;
  unsigned int nvlinkUtilCentricScheduling;
};
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  char pad[8 - sizeof(CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
};
struct CUlaunchConfig {
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned int numAttrs;
};
using CUhostFn = void (*)(void *userData);
using CUoccupancyB2DSize = size_t (*)(int blockSize);
struct CUmemLocation_v1 {
  CUmemLocationType type;
  int id;
};
using CUmemLocation = CUmemLocation_v1;
struct CUmemPoolProps_v1 {
  CUmemAllocationType allocType;
  CUmemAllocationHandleType handleTypes;
  CUmemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
using CUmemPoolProps = CUmemPoolProps_v1;
struct CUmemAccessDesc_v1 {
  CUmemLocation location;
  CUmemAccess_flags flags;
};
using CUmemAccessDesc = CUmemAccessDesc_v1;
using CUarray = struct CUarray_st *;
struct CUDA_MEMCPY2D_v2 {
  size_t srcXInBytes;
  size_t srcY;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes;
  size_t dstY;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
};
using CUDA_MEMCPY2D = CUDA_MEMCPY2D_v2;
struct CUDA_MEMCPY3D_v2 {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch;
  size_t srcHeight;
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
};
using CUDA_MEMCPY3D = CUDA_MEMCPY3D_v2;
struct CUDA_MEMCPY3D_PEER_v1 {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  CUcontext srcContext;
  size_t srcPitch;
  size_t srcHeight;
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  CUcontext dstContext;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
};
using CUDA_MEMCPY3D_PEER = CUDA_MEMCPY3D_PEER_v1;
using CUstreamAttrID = CUlaunchAttributeID;
using CUstreamAttrValue_v1 = CUlaunchAttributeValue;
using CUstreamAttrValue = CUstreamAttrValue_v1;
using CUstreamCallback = void (*)(CUstream hStream, CUresult status, void *userData);
using CUgraph = struct CUgraph_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUuserObject = struct CUuserObject_st *;
struct CUgraphEdgeData {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
};
using cuuint64_t = uint64_t;

} // namespace kiln::sim::cu

#endif // KILN_SIM_DRIVER_API_BASE_STRUCTS_H
