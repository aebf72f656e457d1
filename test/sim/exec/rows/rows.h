//===- rows.h - Forms of the instruction table against oracles ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each form is PTX text that passes through parser, checker, decoder and the interpreter
// for the instruction set that KILN_SIM_ISA names. The expected bits come from a function
// of the operands' bits that uses nothing of runtime/sim.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_EXEC_ROWS_ROWS_H
#define KILN_TEST_SIM_EXEC_ROWS_ROWS_H

#include "test/sim/exec/harness.h"

#include <functional>
#include <set>

namespace kiln::sim::test {

/// Bits of up to four operands, each in the low bits of its word.
using In = std::array<uint64_t, 4>;
using Oracle = std::function<uint64_t(const In &)>;

struct Form {
  const char *row; ///< id of the row of the instruction table that the text must have
  /// PTX text. Operand n is in %p<n> (its lowest bit), %b<n>, %h<n>, %r<n> and %d<n> (8
  /// to 64 low bits); operands 0 and 1 are also the low and high half of %q0. The result
  /// is in number 9 of one of them.
  std::string text;
  char result; ///< 'p', 'b', 'h', 'r', 'd'
  Oracle expected;
  /// Whether two results are both correct (NaN payloads of f64, -0 against +0 ...).
  std::function<bool(uint64_t got, uint64_t expected)> same = {};
};

/// Runs every form with every operand set on the oldest profile that has `target`
/// (sm_80 ... sm_100a) and compares.
void checkForms(const std::vector<Form> &forms, const std::vector<In> &operands,
                const std::string &target = "sm_90a");

/// Returns all pairs of `values` as the first two operands, with the third and fourth
/// cycling through them, then `random` sets of random bits below 2^bits.
std::vector<In> operandSets(const std::vector<uint64_t> &values, unsigned bits,
                            size_t random = 200);

/// Returns all triples of `values`.
std::vector<In> operandTriples(const std::vector<uint64_t> &values);

/// Returns every value below 2^bits as the first operand; the second is a permutation of
/// them.
std::vector<In> allValues(unsigned bits);

/// Edge values of integers and formats, by register width.
std::vector<uint64_t> integerEdges(unsigned bits);
std::vector<uint64_t> singleEdges();
std::vector<uint64_t> doubleEdges();
std::vector<uint64_t> halfEdges();
std::vector<uint64_t> bfloatEdges();

} // namespace kiln::sim::test

#endif // KILN_TEST_SIM_EXEC_ROWS_ROWS_H
