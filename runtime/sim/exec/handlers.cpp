//===- handlers.cpp - Selection of the lane handlers' instruction set ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/handlers.h"

#include "runtime/sim/arith/isa.h"

namespace kiln::sim::exec {

const HandlerSet &handlers() {
  switch (arith::chosenIsa()) {
#if defined(__x86_64__)
  case arith::Isa::Avx512:
    return avx512::set;
  case arith::Isa::Avx2:
    return avx2::set;
#endif
  default:
    break;
  }
  return portable::set;
}

} // namespace kiln::sim::exec
