//===- Roles.h - One warpgroup copies, the others compute -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lowering knows of a kernel whose pipeline is a ring in shared memory:
// one thread fills its slots by tensor copies, warpgroups multiply what is in them,
// and a pair of mbarriers per slot says whose turn it is. Private to
// lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_ROLES_H
#define KILN_LIB_TARGET_NVPTX_ROLES_H

#include "TensorMap.h"
#include "Wgmma.h"

namespace kiln::nvptx {

/// One box on its way into a slot.
struct TensorCopy {
  tile::StageOp stage;           ///< whose indices say where it begins
  llvm::SmallVector<int64_t> at; ///< beyond these, per dim of the view
  int64_t offset = 0;            ///< bytes in the slot
};

/// An operand of all products of a step: adjacent in the slot.
struct RingOperand {
  tile::TensorMapAttr map;
  WgmmaOperand layout;
  int64_t offset = 0, bytes = 0; ///< in the slot
  llvm::SmallVector<TensorCopy> copies;
};

struct Ring {
  tile::PipelineOp pipeline;
  int64_t stages = 0, slotBytes = 0;
  int64_t groups = 0;                              ///< warpgroups that compute
  int64_t copyRegisters = 0, computeRegisters = 0; ///< 0: as they are
  RingOperand left, right;
  WgmmaStep step;

  // In the function.
  mlir::Value slots, full, empty; ///< addresses in shared memory, i32
  mlir::Value maps[2];
  mlir::Value group;        ///< this thread's warpgroup, i32, the same in a warp
  mlir::Value slot, parity; ///< at hand, i32
};

/// Reads the ring off a kernel, or says why there is none.
struct PlannedRing {
  std::optional<Ring> ring;
  llvm::StringRef why;
};
PlannedRing planRing(tile::KernelOp kernel);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_ROLES_H
