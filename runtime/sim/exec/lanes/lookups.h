//===- lanes/lookups.h - Handler lookups of one ISA --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_LANES_LOOKUPS_H
#define KILN_SIM_EXEC_LANES_LOOKUPS_H

#include "runtime/sim/exec/handlers.h"

namespace kiln::sim::exec::KILN_SIM_BUILD {

Handler integerHandler(IntOp op, unsigned bits, bool isSigned);
Handler compareHandler(CompareOp op, CompareType type, Combine combine);
Handler f32Handler(F32Op op, arith::Rounding rounding, bool ftz, bool sat);
Handler f64Handler(F32Op op, arith::Rounding rounding);
Handler halfHandler(HalfOp op, bool brain, bool pair, bool ftz, bool sat);
Handler resizeHandler(unsigned toBytes, unsigned fromBytes, bool isSigned);
Handler intToFloatHandler(unsigned toBits, unsigned fromBits, bool isSigned);
Handler floatToIntHandler(unsigned toBits, bool isSigned, unsigned fromBits, bool ftz);
Handler floatToFloatHandler(const arith::Format &to, const arith::Format &from, bool ftz);

Stop packHalves(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp);
Stop unpackHalves(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp);
Stop packWords(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp);
Stop unpackWords(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp);
Handler loadHandler(unsigned memoryBytes, unsigned registerBytes, bool isSigned,
                    bool vector);
Handler storeHandler(unsigned memoryBytes, unsigned registerBytes);

} // namespace kiln::sim::exec::KILN_SIM_BUILD

#endif // KILN_SIM_EXEC_LANES_LOOKUPS_H
