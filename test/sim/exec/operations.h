//===- operations.h - One instruction over many operands ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_EXEC_OPERATIONS_H
#define KILN_TEST_SIM_EXEC_OPERATIONS_H

#include "test/sim/exec/harness.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace kiln::sim::test {

template <class T> struct Operands {
  std::vector<T> a, b, c;
};

/// Edge values of integers, and some others.
template <class T> std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  return {T(0),
          T(1),
          T(2),
          T(3),
          T(7),
          T(31),
          T(32),
          L::max(),
          L::min(),
          T(-1),
          T(-2),
          T(L::max() - 1),
          T(L::max() / 2),
          T(0x5a5a),
          T(L::max() / 3)};
}

/// Returns all pairs of values, with a third one that cycles through them.
template <class T> Operands<T> combinations(const std::vector<T> &values) {
  Operands<T> all;
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < values.size(); ++j) {
      all.a.push_back(values[i]);
      all.b.push_back(values[j]);
      all.c.push_back(values[(i * 3 + j) % values.size()]);
    }
  return all;
}

/// Operands are in registers 0, 1, 2 of the width (%h, %r, %d), the result in 3.
template <class T> std::string registerPrefix() {
  return sizeof(T) == 2 ? "%h" : sizeof(T) == 4 ? "%r" : "%d";
}

/// Runs the body for each set of operands, 100 threads per block so that the last warp
/// of each block is incomplete.
template <class T>
std::vector<T> applyBody(const std::string &body, const Operands<T> &in) {
  const std::string bytes = std::to_string(sizeof(T)),
                    bits = std::to_string(sizeof(T) * 8);
  const std::string r = registerPrefix<T>();
  const size_t count = in.a.size();
  auto load = [&](const char *index, size_t array) {
    return "ld.global.b" + bits + " " + r + index + ", [%pa + " +
           std::to_string(array * count * sizeof(T)) + "];\n";
  };
  std::string text =
      kernelOf("k",
               "mov.u32 %r30, %ctaid.x; mad.lo.u32 %i, %r30, 100, %i;\n"
               "setp.ge.u32 %p19, %i, " +
                   std::to_string(count) +
                   ";\n@%p19 ret;\n"
                   "mad.wide.u32 %pa, %i, " +
                   bytes + ", %a; mad.wide.u32 %pc, %i, " + bytes + ", %c;\n" +
                   load("0", 0) + load("1", 1) + load("2", 2) + body + "\nst.global.b" +
                   bits + " [%pc], " + r + "3;",
               sizeof(T));
  Machine machine;
  Outcome outcome = machine.load(text);
  EXPECT_EQ(outcome.message, "") << body;
  if (!outcome.ok())
    return {};
  std::vector<T> inputs = in.a;
  inputs.insert(inputs.end(), in.b.begin(), in.b.end());
  inputs.insert(inputs.end(), in.c.begin(), in.c.end());
  Buffer<T> from = machine.upload(inputs), to = machine.zeros<T>(count);
  outcome = machine.run("k", {.grid = {uint32_t(count + 99) / 100}, .block = {100}},
                        from.address(), from.address(), to.address());
  EXPECT_EQ(outcome.message, "") << body;
  return std::vector<T>(to.data(), to.data() + count);
}

/// Runs an instruction given without operands: d = text a, b, c with as many operands as
/// it has, which the parser determines.
template <class T> std::vector<T> apply(const std::string &text, const Operands<T> &in) {
  const std::string r = registerPrefix<T>();
  for (unsigned count : {3u, 2u, 1u}) {
    std::string operands;
    // Shift amounts and field positions are 32-bit registers.
    for (unsigned n = 0; n < count; ++n)
      operands += ", " + r + std::to_string(n);
    std::string body = text + " " + r + "3" + operands + ";";
    Machine probe;
    if (probe.load(kernelOf("k", body, sizeof(T))).ok())
      return applyBody<T>(body, in);
  }
  ADD_FAILURE() << text << " takes no number of operands";
  return {};
}

} // namespace kiln::sim::test

#endif // KILN_TEST_SIM_EXEC_OPERATIONS_H
