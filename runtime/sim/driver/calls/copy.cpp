//===- copy.cpp - Copies and fills, enqueued ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/submit.h"

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

constexpr CUmemorytype Host = CU_MEMORYTYPE_HOST, Dev = CU_MEMORYTYPE_DEVICE,
                       Any = CU_MEMORYTYPE_UNIFIED;

template <class T> uint64_t number(const T *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

/// Copies in stream 0. A copy between device memory may return before it is complete.
void copyNow(const CopyWork &copy) {
  currentContext();
  std::shared_ptr<Stream> stream = streamOf(nullptr);
  forbidImplicit(*stream);
  forbidIfCapturing(*stream);
  forbidInCapture();
  auto hostSide = [](const Side &side) {
    return side.host || !AddressSpace::isDeviceAddress(side.start);
  };
  submitCopy(*stream, copy, hostSide(copy.from) || hostSide(copy.to));
}

void copyRow(CUmemorytype toType, uint64_t to, CUmemorytype fromType, uint64_t from,
             size_t bytes) {
  currentContext();
  copyNow(makeCopy(toType, to, fromType, from, bytes));
}

void copyRowAsync(CUmemorytype toType, uint64_t to, CUmemorytype fromType, uint64_t from,
                  size_t bytes, CUstream handle) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  checkHealthy(*ownerOf(*stream));
  submitCopy(*stream, makeCopy(toType, to, fromType, from, bytes), false);
}

template <class P> P &describedCopy(P *params) {
  require(params, "the description of the copy is null");
  return *params;
}

template <class P> void copyShapedAsync(const P *params, CUstream handle) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  checkHealthy(*ownerOf(*stream));
  submitCopy(*stream, makeCopy(describedCopy(params)), false);
}

/// Drops the contexts, once checked: the addresses already determine the devices.
CUDA_MEMCPY3D withoutPeers(const CUDA_MEMCPY3D_PEER &p) {
  contextOf(p.srcContext);
  contextOf(p.dstContext);
  CUDA_MEMCPY3D out = {};
  out.srcXInBytes = p.srcXInBytes, out.srcY = p.srcY, out.srcZ = p.srcZ;
  out.srcLOD = p.srcLOD, out.srcMemoryType = p.srcMemoryType, out.srcHost = p.srcHost;
  out.srcDevice = p.srcDevice, out.srcPitch = p.srcPitch, out.srcHeight = p.srcHeight;
  out.dstXInBytes = p.dstXInBytes, out.dstY = p.dstY, out.dstZ = p.dstZ;
  out.dstLOD = p.dstLOD, out.dstMemoryType = p.dstMemoryType, out.dstHost = p.dstHost;
  out.dstDevice = p.dstDevice, out.dstPitch = p.dstPitch, out.dstHeight = p.dstHeight;
  out.WidthInBytes = p.WidthInBytes, out.Height = p.Height, out.Depth = p.Depth;
  return out;
}

void fill(CUdeviceptr to, size_t pitch, unsigned value, unsigned elementSize,
          size_t width, size_t height, CUstream handle, bool now) {
  currentContext();
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (now) {
    forbidImplicit(*stream);
    forbidIfCapturing(*stream);
    forbidInCapture();
  }
  submit(*stream, makeFill({to, pitch, value, elementSize, width, height}));
}

} // namespace

void calls::memcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  copyRow(Any, dst, Any, src, bytes);
}
void calls::memcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes) {
  copyRow(Dev, dst, Host, number(src), bytes);
}
void calls::memcpyDtoH(void *dst, CUdeviceptr src, size_t bytes) {
  copyRow(Host, number(dst), Dev, src, bytes);
}
void calls::memcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  copyRow(Dev, dst, Dev, src, bytes);
}
void calls::memcpyPeer(CUdeviceptr dst, CUcontext dstContext, CUdeviceptr src,
                       CUcontext srcContext, size_t bytes) {
  contextOf(dstContext);
  contextOf(srcContext);
  copyRow(Dev, dst, Dev, src, bytes);
}

void calls::memcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  copyRowAsync(Any, dst, Any, src, bytes, stream);
}
void calls::memcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes,
                            CUstream stream) {
  copyRowAsync(Dev, dst, Host, number(src), bytes, stream);
}
void calls::memcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  copyRowAsync(Host, number(dst), Dev, src, bytes, stream);
}
void calls::memcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                            CUstream stream) {
  copyRowAsync(Dev, dst, Dev, src, bytes, stream);
}
void calls::memcpyPeerAsync(CUdeviceptr dst, CUcontext dstContext, CUdeviceptr src,
                            CUcontext srcContext, size_t bytes, CUstream stream) {
  contextOf(dstContext);
  contextOf(srcContext);
  copyRowAsync(Dev, dst, Dev, src, bytes, stream);
}

void calls::memcpy2D(const CUDA_MEMCPY2D *pCopy) {
  currentContext();
  copyNow(makeCopy(describedCopy(pCopy)));
}
void calls::memcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy) { memcpy2D(pCopy); }
void calls::memcpy3D(const CUDA_MEMCPY3D *pCopy) {
  currentContext();
  copyNow(makeCopy(describedCopy(pCopy)));
}
void calls::memcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy) {
  currentContext();
  copyNow(makeCopy(withoutPeers(describedCopy(pCopy))));
}
void calls::memcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream stream) {
  copyShapedAsync(pCopy, stream);
}
void calls::memcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream stream) {
  copyShapedAsync(pCopy, stream);
}
void calls::memcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream stream) {
  CUDA_MEMCPY3D plain = withoutPeers(describedCopy(pCopy));
  copyShapedAsync(&plain, stream);
}

void calls::memsetD8(CUdeviceptr dst, unsigned char value, size_t n) {
  fill(dst, 0, value, 1, n, 1, nullptr, true);
}
void calls::memsetD16(CUdeviceptr dst, unsigned short value, size_t n) {
  fill(dst, 0, value, 2, n, 1, nullptr, true);
}
void calls::memsetD32(CUdeviceptr dst, unsigned int value, size_t n) {
  fill(dst, 0, value, 4, n, 1, nullptr, true);
}
void calls::memsetD2D8(CUdeviceptr dst, size_t pitch, unsigned char value, size_t width,
                       size_t height) {
  fill(dst, pitch, value, 1, width, height, nullptr, true);
}
void calls::memsetD2D16(CUdeviceptr dst, size_t pitch, unsigned short value, size_t width,
                        size_t height) {
  fill(dst, pitch, value, 2, width, height, nullptr, true);
}
void calls::memsetD2D32(CUdeviceptr dst, size_t pitch, unsigned int value, size_t width,
                        size_t height) {
  fill(dst, pitch, value, 4, width, height, nullptr, true);
}
void calls::memsetD8Async(CUdeviceptr dst, unsigned char value, size_t n,
                          CUstream stream) {
  fill(dst, 0, value, 1, n, 1, stream, false);
}
void calls::memsetD16Async(CUdeviceptr dst, unsigned short value, size_t n,
                           CUstream stream) {
  fill(dst, 0, value, 2, n, 1, stream, false);
}
void calls::memsetD32Async(CUdeviceptr dst, unsigned int value, size_t n,
                           CUstream stream) {
  fill(dst, 0, value, 4, n, 1, stream, false);
}
void calls::memsetD2D8Async(CUdeviceptr dst, size_t pitch, unsigned char value,
                            size_t width, size_t height, CUstream stream) {
  fill(dst, pitch, value, 1, width, height, stream, false);
}
void calls::memsetD2D16Async(CUdeviceptr dst, size_t pitch, unsigned short value,
                             size_t width, size_t height, CUstream stream) {
  fill(dst, pitch, value, 2, width, height, stream, false);
}
void calls::memsetD2D32Async(CUdeviceptr dst, size_t pitch, unsigned int value,
                             size_t width, size_t height, CUstream stream) {
  fill(dst, pitch, value, 4, width, height, stream, false);
}
