//===- tensor_map.cpp - Tensor maps ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/memory/tensor_map.h"
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/runtime.h"
#include <cstdarg>
#include <cstring>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

constexpr uint64_t MapAlignment = 64, MaxExtent = 1ull << 32, MaxStride = 1ull << 40;
constexpr uint32_t MaxBox = 256, MaxElementStride = 8, PackedRow = 128;

[[noreturn, gnu::format(printf, 1, 2)]] void refuse(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char text[256];
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fail(CUDA_ERROR_INVALID_VALUE, "tensor map: %s", text);
}

const DeviceProfile &currentProfile() {
  const std::vector<std::shared_ptr<Context>> &stack = thisThread().contexts;
  return stack.empty() || !stack.back() ? runtime().device(0).profile
                                        : stack.back()->device->profile;
}

/// Whether sixteen elements take sixteen bytes of shared memory, with gaps between them.
bool padded(TensorMap::Element element) {
  return element == TensorMap::U4x16Align16 || element == TensorMap::U6x16Align16;
}

uint64_t addressAlignment(TensorMap::Element element, TensorMap::Interleave interleave) {
  return padded(element) || interleave == TensorMap::Interleave32 ? 32 : 16;
}

uint32_t swizzleSpan(TensorMap::Swizzle swizzle) {
  switch (swizzle) {
  case TensorMap::SwizzleNone:
    return 0;
  case TensorMap::Swizzle32:
    return 32;
  case TensorMap::Swizzle64:
    return 64;
  default:
    return 128;
  }
}

struct Lists {
  const cuuint64_t *extents, *strides;
  const cuuint32_t *box, *elementStrides;
};

void setEnums(TensorMap &map, int type, int interleave, int swizzle, int promotion,
              int fill) {
  if (type < 0 || type >= TensorMap::ElementCount)
    refuse("tensorDataType %d is none", type);
  if (interleave < 0 || interleave > TensorMap::Interleave32)
    refuse("interleave %d is none", interleave);
  if (swizzle < 0 || swizzle >= TensorMap::SwizzleCount)
    refuse("swizzle %d is none", swizzle);
  if (promotion < 0 || promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
    refuse("l2Promotion %d is none", promotion);
  if (fill < 0 || fill > TensorMap::FillNan)
    refuse("oobFill %d is none", fill);
  map.element = TensorMap::Element(type);
  map.interleave = TensorMap::Interleave(interleave);
  map.swizzle = TensorMap::Swizzle(swizzle);
  map.l2Promotion = promotion;
  map.fill = TensorMap::Fill(fill);
}

bool isFloat(TensorMap::Element element) {
  return element >= TensorMap::F16 && element <= TensorMap::TF32Ftz;
}

/// Checks that the modes may be combined and that the modelled GPU has them.
void checkModes(const TensorMap &map, const DeviceProfile &profile) {
  if (map.interleave == TensorMap::Interleave32 && map.swizzle != TensorMap::Swizzle32)
    refuse("interleave 32B needs swizzle 32B");
  if (map.fill == TensorMap::FillNan && !isFloat(map.element))
    refuse("oobFill NaN needs a floating-point tensorDataType");
  if (map.element == TensorMap::U6x16Align16 &&
      (map.interleave || map.swizzle == TensorMap::Swizzle32 ||
       map.swizzle == TensorMap::Swizzle64 ||
       map.swizzle == TensorMap::Swizzle128Atom32Flip8))
    refuse("16U6_ALIGN16B takes no interleave and swizzle none, 128B, 128B_ATOM_32B or "
           "128B_ATOM_64B");
  if (map.element == TensorMap::U4x16Align16 && map.swizzle != TensorMap::SwizzleNone &&
      map.swizzle != TensorMap::Swizzle128 && map.swizzle != TensorMap::Swizzle128Atom32)
    refuse("16U4_ALIGN16B takes swizzle none, 128B or 128B_ATOM_32B");
  bool newer =
      map.element >= TensorMap::U4x16Align8 || map.swizzle >= TensorMap::Swizzle128Atom32;
  if (newer && profile.computeMajor < 10)
    refuse("packed types and 128B swizzles with an atom need compute capability 10.0, "
           "%s has %u.%u",
           profile.name.c_str(), profile.computeMajor, profile.computeMinor);
  if (map.interleave)
    fail(CUDA_ERROR_NOT_SUPPORTED, "tensor map: interleave %s is not modelled",
         map.interleave == TensorMap::Interleave16 ? "16B" : "32B");
}

void setExtents(TensorMap &map, const Lists &lists) {
  for (unsigned i = 0; i < map.rank; i++) {
    if (!lists.extents[i] || lists.extents[i] > MaxExtent)
      refuse("globalDim[%u] is %llu, not 1 to 2^32", i,
             (unsigned long long)lists.extents[i]);
    map.extentLess1[i] = lists.extents[i] - 1;
  }
  if (padded(map.element) && lists.extents[0] % PackedRow)
    refuse("globalDim[0] is %llu, not a multiple of 128 as the packed type needs",
           (unsigned long long)lists.extents[0]);
  if (map.element == TensorMap::U4x16Align8 && lists.extents[0] % 2)
    refuse("globalDim[0] is odd, and two 4-bit values make a byte");
}

void setStrides(TensorMap &map, const Lists &lists) {
  uint64_t alignment = addressAlignment(map.element, map.interleave);
  for (unsigned i = 0; i + 1 < map.rank; i++) {
    if (lists.strides[i] % alignment || lists.strides[i] >= MaxStride)
      refuse("globalStrides[%u] is %llu bytes, not a multiple of %llu below 2^40", i,
             (unsigned long long)lists.strides[i], (unsigned long long)alignment);
    map.strides[i] = lists.strides[i];
  }
  for (unsigned i = 0; i < map.rank; i++) {
    // Without interleave the hardware ignores the innermost dimension's element stride.
    uint32_t step = i == 0 && !map.interleave ? 1 : lists.elementStrides[i];
    if (!step || step > MaxElementStride)
      refuse("elementStrides[%u] is %u, not 1 to 8", i, step);
    map.elementStrides[i] = step;
  }
}

void setBox(TensorMap &map, const Lists &lists) {
  for (unsigned i = 0; i < map.rank; i++) {
    if (!lists.box[i] || lists.box[i] > MaxBox)
      refuse("boxDim[%u] is %u, not 1 to 256", i, lists.box[i]);
    map.box[i] = lists.box[i];
  }
  if (padded(map.element) && lists.box[0] != PackedRow)
    refuse("boxDim[0] is %u, and the packed type needs 128", lists.box[0]);
  if (map.interleave)
    return;
  uint32_t bits = lists.box[0] * TensorMap::elementBits(map.element);
  // Sixteen padded elements take sixteen bytes of shared memory.
  uint32_t bytes = padded(map.element) ? lists.box[0] : bits / 8;
  if (bits % 128 && !padded(map.element))
    refuse("the box's inner dimension has %u.%u bytes, not a multiple of 16", bits / 8,
           bits % 8);
  if (uint32_t span = swizzleSpan(map.swizzle); span && bytes > span)
    refuse("the box's inner dimension has %u bytes, more than the %u of the swizzle",
           bytes, span);
}

void checkAddress(uint64_t address, TensorMap::Element element,
                  TensorMap::Interleave interleave) {
  uint64_t alignment = addressAlignment(element, interleave);
  if (!address || address % alignment)
    refuse("globalAddress 0x%llx is not a multiple of %llu", (unsigned long long)address,
           (unsigned long long)alignment);
}

void checkMapPointer(const void *map) {
  if (!map || reinterpret_cast<uint64_t>(map) % MapAlignment)
    refuse("the map at %p is not aligned to 64 bytes", map);
}

void checkCapability(const DeviceProfile &profile) {
  if (profile.computeMajor < 9)
    fail(CUDA_ERROR_NOT_SUPPORTED,
         "%s has no tensor maps: they need compute capability "
         "9.0",
         profile.name.c_str());
}

} // namespace

void calls::tensorMapEncodeTiled(
    CUtensorMap *tensorMap, CUtensorMapDataType type, cuuint32_t rank,
    void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides,
    const cuuint32_t *boxDim, const cuuint32_t *elementStrides,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill) {
  const DeviceProfile &profile = currentProfile();
  checkCapability(profile);
  checkMapPointer(tensorMap);
  TensorMap map = {};
  setEnums(map, type, interleave, swizzle, l2Promotion, oobFill);
  if (!rank || rank > TensorMap::MaxRank || (map.interleave && rank < 3))
    refuse("tensorRank %u is not 1 to 5, or 3 to 5 with interleave", rank);
  map.rank = rank;
  if (!globalDim || (rank > 1 && !globalStrides) || !boxDim || !elementStrides)
    refuse("a list of dimensions or strides is null");
  checkModes(map, profile);
  map.globalAddress = reinterpret_cast<uint64_t>(globalAddress);
  checkAddress(map.globalAddress, map.element, map.interleave);
  Lists lists = {globalDim, globalStrides, boxDim, elementStrides};
  setExtents(map, lists);
  setStrides(map, lists);
  setBox(map, lists);
  map.magic = TensorMap::Valid;
  // Copied as bytes: the type promises 128-byte alignment, but 64 bytes are allowed.
  ::memcpy(reinterpret_cast<char *>(tensorMap), &map, sizeof map);
}

void calls::tensorMapEncodeIm2col(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                  const cuuint64_t *, const cuuint64_t *, const int *,
                                  const int *, cuuint32_t, cuuint32_t, const cuuint32_t *,
                                  CUtensorMapInterleave, CUtensorMapSwizzle,
                                  CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  fail(CUDA_ERROR_NOT_SUPPORTED, "tensor map: im2col is not modelled");
}

void calls::tensorMapEncodeIm2colWide(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                                      void *, const cuuint64_t *, const cuuint64_t *, int,
                                      int, cuuint32_t, cuuint32_t, const cuuint32_t *,
                                      CUtensorMapInterleave, CUtensorMapIm2ColWideMode,
                                      CUtensorMapSwizzle, CUtensorMapL2promotion,
                                      CUtensorMapFloatOOBfill) {
  fail(CUDA_ERROR_NOT_SUPPORTED, "tensor map: im2col (wide) is not modelled");
}

void calls::tensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress) {
  checkCapability(currentProfile());
  checkMapPointer(tensorMap);
  TensorMap map;
  ::memcpy(&map, reinterpret_cast<const char *>(tensorMap), sizeof map);
  if (map.magic != TensorMap::Valid)
    refuse("the map at %p was never encoded", (void *)tensorMap);
  auto address = reinterpret_cast<uint64_t>(globalAddress);
  checkAddress(address, map.element, map.interleave);
  map.globalAddress = address;
  ::memcpy(reinterpret_cast<char *>(tensorMap), &map, sizeof map);
}
