//===- print.h - A module as text ---------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_PRINT_H
#define KILN_SIM_PTX_PRINT_H

#include "runtime/sim/ptx/module.h"

namespace kiln::sim::ptx {

/// PTX of the module. Registers, labels and variables of bodies get new names, blocks
/// and debug information are gone; parsing it gives the same instructions again.
std::string print(const Module &module);
/// One instruction with its operands, in the names of the text: "add.s32 %r1, %r2, 4".
std::string print(const Instruction &instruction, const Function &function,
                  const Module &module);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_PRINT_H
