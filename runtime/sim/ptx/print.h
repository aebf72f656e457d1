//===- print.h - Printing a module as PTX -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_PRINT_H
#define KILN_SIM_PTX_PRINT_H

#include "runtime/sim/ptx/module.h"

namespace kiln::sim::ptx {

/// Prints the module as PTX. Registers, labels and variables of bodies get new names;
/// blocks and debug information are lost. Parsing the text gives the same instructions
/// again.
std::string print(const Module &module);
/// Prints one instruction with the source's names: "add.s32 %r1, %r2, 4".
std::string print(const Instruction &instruction, const Function &function,
                  const Module &module);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_PRINT_H
