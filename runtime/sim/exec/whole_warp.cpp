//===- whole_warp.cpp - Instructions that need all lanes -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/whole_warp.h"

#include "runtime/sim/exec/report.h"

namespace kiln::sim::exec {

bool wholeWarp(const MicroOp *op, Mask mask, const Warp &warp) {
  if (mask == AllLanes)
    return true;
  Origin origin = originOf(warp, op, mask);
  if (warp.populated != AllLanes)
    fault(origin, LaunchFailed,
          "a matrix instruction needs 32 lanes, but this warp has only " +
              describeLanes(warp.populated),
          "make the block's size a multiple of 32");
  else if (warp.live != AllLanes)
    fault(origin, LaunchFailed,
          "a matrix instruction needs all lanes of the warp, but " +
              describeLanes(~warp.live) + " exited",
          "let all lanes stay until the last matrix instruction");
  else
    fault(origin, LaunchFailed,
          "a matrix instruction needs all lanes of the warp together, but " +
              describeLanes(~mask) + " are elsewhere",
          "take the instruction out of divergent code, or put bar.warp.sync before it");
  return false;
}

} // namespace kiln::sim::exec
