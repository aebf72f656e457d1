//===- frame.cpp - Call frames and their constants -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/access.h"
#include "runtime/sim/exec/code.h"
#include "runtime/sim/exec/worker.h"
#include "runtime/sim/profile/profile.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace kiln::sim::exec {

namespace {

uint32_t component(const std::array<uint32_t, 3> &values, unsigned index,
                   uint32_t beyond) {
  return index < 3 ? values[index] : beyond;
}

std::array<uint32_t, 3> clusterCounts(const Grid &grid) {
  std::array<uint32_t, 3> counts;
  for (unsigned i = 0; i < 3; ++i)
    counts[i] = grid.grid[i] / grid.cluster[i];
  return counts;
}

std::array<uint32_t, 3> indexInCluster(const Block &block) {
  std::array<uint32_t, 3> index;
  for (unsigned i = 0; i < 3; ++i)
    index[i] = block.index[i] % block.grid->cluster[i];
  return index;
}

/// Computes a special register of one lane: thread indices and masks. False if the
/// register is the same for all lanes.
bool laneSpecial(const Constant &c, const Warp &warp, unsigned lane, uint64_t &value) {
  using ptx::Special;
  const std::array<uint32_t, 3> &dims = warp.block->grid->block;
  uint32_t thread = firstThread(warp) + lane;
  switch (c.special) {
  case Special::Tid:
    value = c.component == 0   ? thread % dims[0]
            : c.component == 1 ? thread / dims[0] % dims[1]
            : c.component == 2 ? thread / dims[0] / dims[1]
                               : 0;
    return true;
  case Special::Laneid:
    value = lane;
    return true;
  case Special::LanemaskEq:
    value = 1u << lane;
    return true;
  case Special::LanemaskLt:
    value = (1u << lane) - 1;
    return true;
  case Special::LanemaskLe:
    value = (2u << lane) - 1;
    return true;
  case Special::LanemaskGt:
    value = ~((2u << lane) - 1);
    return true;
  case Special::LanemaskGe:
    value = ~((1u << lane) - 1);
    return true;
  default:
    return false;
  }
}

uint64_t clusterSpecial(const Constant &c, const Block &block) {
  using ptx::Special;
  const Grid &grid = *block.grid;
  switch (c.special) {
  case Special::Clusterid:
    return component(block.cluster->index, c.component, 0);
  case Special::Nclusterid:
    return component(clusterCounts(grid), c.component, 1);
  case Special::ClusterCtaid:
    return component(indexInCluster(block), c.component, 0);
  case Special::ClusterNctaid:
    return component(grid.cluster, c.component, 1);
  case Special::ClusterCtarank:
    return block.rank;
  case Special::ClusterNctarank:
    return grid.cluster[0] * grid.cluster[1] * grid.cluster[2];
  case Special::IsExplicitCluster:
    return grid.cluster != std::array<uint32_t, 3>{1, 1, 1};
  default:
    return 0;
  }
}

uint64_t uniformSpecial(const Constant &c, const Warp &warp) {
  using ptx::Special;
  const Block &block = *warp.block;
  const Grid &grid = *block.grid;
  const Launch &launch = *grid.launch;
  switch (c.special) {
  case Special::Ntid:
    return component(grid.block, c.component, 1);
  case Special::Ctaid:
    return component(block.index, c.component, 0);
  case Special::Nctaid:
    return component(grid.grid, c.component, 1);
  case Special::Warpid:
    return warp.index;
  case Special::Nwarpid:
    return launch.profile->threadsPerSm / WarpSize;
  case Special::Smid:
    return block.linear % launch.profile->multiprocessors;
  case Special::Nsmid:
    return launch.profile->multiprocessors;
  case Special::Gridid:
    return grid.serial;
  case Special::Envreg:
    // Cooperative groups read the address of the grid's workspace here.
    return c.component == 1   ? grid.workspace >> 32
           : c.component == 2 ? grid.workspace & 0xffffffff
                              : 0;
  case Special::TotalSmemSize:
    return block.sharedBytes;
  case Special::AggrSmemSize:
    return block.sharedBytes + launch.profile->sharedReserved;
  case Special::DynamicSmemSize:
    return launch.dynamicShared;
  case Special::ReservedSmemOffsetEnd:
  case Special::ReservedSmemOffsetCap:
    return launch.profile->sharedReserved;
  default:
    return clusterSpecial(c, block);
  }
}

template <class T> void fill(uint8_t *line, T value) {
  T *to = reinterpret_cast<T *>(line);
  for (unsigned i = 0; i < WarpSize; ++i)
    to[i] = value;
}

void fillLine(uint8_t *line, unsigned bytes, uint64_t value) {
  switch (bytes) {
  case 1:
    return fill<uint8_t>(line, uint8_t(value));
  case 2:
    return fill<uint16_t>(line, uint16_t(value));
  case 4:
    return fill<uint32_t>(line, uint32_t(value));
  case 8:
    return fill<uint64_t>(line, value);
  default:
    return fill<unsigned __int128>(line, value);
  }
}

void fillLanes(uint8_t *line, const Constant &c, const Warp &warp) {
  for (unsigned lane = 0; lane < WarpSize; ++lane) {
    uint64_t value = 0;
    laneSpecial(c, warp, lane, value);
    memcpy(line + lane * c.bytes, &value, c.bytes);
  }
}

uint64_t uniformValue(const Constant &c, const Frame &frame, const Warp &warp) {
  const Grid &grid = *warp.block->grid;
  switch (c.kind) {
  case Constant::Kind::Shared:
    return sharedAddress(*warp.block,
                         uint32_t(grid.kernel->sharedOffsets[c.variable] + c.value));
  case Constant::Kind::Local:
    return frame.localBase + c.value;
  case Constant::Kind::Param: {
    uint64_t value = 0;
    memcpy(&value, grid.launch->parameters.data() + c.value, c.bytes < 8 ? c.bytes : 8);
    return value;
  }
  case Constant::Kind::ParamAddress:
    return ParamWindow + c.value;
  case Constant::Kind::Special:
    return uniformSpecial(c, warp);
  default:
    return c.value;
  }
}

void fillConstant(const Constant &c, const Frame &frame, const Warp &warp) {
  uint8_t *line = frame.registers + c.offset;
  uint64_t unused;
  if (c.kind == Constant::Kind::Predicate) {
    predicate(frame.registers, c.offset) = c.value ? AllLanes : 0;
  } else if (c.kind == Constant::Kind::Special &&
             c.special == ptx::Special::IsExplicitCluster) {
    predicate(frame.registers, c.offset) = uniformSpecial(c, warp) ? AllLanes : 0;
  } else if (c.kind == Constant::Kind::Special && laneSpecial(c, warp, 0, unused)) {
    fillLanes(line, c, warp);
  } else if (c.kind == Constant::Kind::Param && c.bytes == 16) {
    for (unsigned lane = 0; lane < WarpSize; ++lane)
      memcpy(line + lane * 16, warp.block->grid->launch->parameters.data() + c.value, 16);
  } else {
    fillLine(line, c.bytes, uniformValue(c, frame, warp));
  }
}

/// Fill of fresh registers: not zero, so that a kernel which relies on zeros fails.
constexpr uint8_t FreshRegisterByte = 0xa5;

void destroy(Frame *frame) {
  free(frame->registers);
  free(frame->parameters);
  delete frame;
}

} // namespace

void fillConstants(Frame &frame, Warp &warp) {
  for (const Constant &c : frame.function->constants)
    fillConstant(c, frame, warp);
}

FramePool::~FramePool() {
  for (auto &[function, frames] : spare)
    for (Frame *frame : frames)
      destroy(frame);
}

Frame *FramePool::make(const FunctionCode &function, Warp &warp, Frame *parent,
                       Mask lanes) {
  std::vector<Frame *> &list = spare[&function];
  Frame *frame;
  if (!list.empty()) {
    frame = list.back();
    list.pop_back();
  } else {
    frame = new (std::nothrow) Frame;
    if (!frame)
      return nullptr;
    frame->function = &function;
    size_t bytes = (function.registerBytes + 127) & ~size_t(127);
    frame->registers = static_cast<uint8_t *>(aligned_alloc(128, bytes));
    if (function.parameterBytes)
      frame->parameters =
          static_cast<uint8_t *>(malloc(size_t(function.parameterBytes) * WarpSize));
    if (!frame->registers || (function.parameterBytes && !frame->parameters)) {
      destroy(frame);
      return nullptr;
    }
  }
  memset(frame->registers, FreshRegisterByte, function.registerBytes);
  frame->parent = parent;
  frame->returnTo = nullptr;
  frame->depth = parent ? parent->depth + 1 : 0;
  frame->lanes = lanes;
  frame->localBase = parent ? parent->localTop() : 0;
  frame->allocated = 0;
  fillConstants(*frame, warp);
  return frame;
}

void FramePool::release(Frame *frame) { spare[frame->function].push_back(frame); }

} // namespace kiln::sim::exec
