//===- spell.h - Legal spellings of the instruction table --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes instructions from the rows of the table, for tests that compare the parser with
// an assembler.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_PTX_SPELL_H
#define KILN_TEST_SIM_PTX_SPELL_H

#include "runtime/sim/ptx/instructions.h"

#include <string>
#include <vector>

namespace kiln::sim::ptx {

/// Returns instructions of the row: each alternative of each modifier occurs; optional
/// modifiers and operands are present in some and absent in others.
std::vector<std::string> spellings(const Row &row);

/// Returns a module around one instruction, with the names that spellings() uses.
std::string moduleAround(const std::string &instruction, unsigned version,
                         const std::string &target);

/// Returns the oldest target on which the row is legal: "sm_90a".
std::string targetOf(const Row &row);

} // namespace kiln::sim::ptx

#endif // KILN_TEST_SIM_PTX_SPELL_H
