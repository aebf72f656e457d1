//===- lanes/set.cpp - All handlers of one build ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/lanes/lookups.h"
#include "runtime/sim/exec/warp.h"

namespace kiln::sim::exec::KILN_SIM_BUILD {

const HandlerSet set = {integerHandler,    compareHandler,    f32Handler,
                        f64Handler,        halfHandler,       resizeHandler,
                        intToFloatHandler, floatToIntHandler, floatToFloatHandler,
                        packHalves,        unpackHalves,      packWords,
                        unpackWords,       loadHandler,       storeHandler};

} // namespace kiln::sim::exec::KILN_SIM_BUILD
