//===- wait.h - Wait condition of a blocked split --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_WAIT_H
#define KILN_SIM_EXEC_WAIT_H

#include <cstdint>
#include <string>

namespace kiln::sim::exec {

struct Warp;
struct Split;

/// A wait condition, stored by value in the split that waits. The scheduler evaluates
/// `ready` in each round; `describe` writes the condition into the deadlock report
/// ("mbarrier at shared 0x400: phase 1, 2 arrivals and 4096 bytes missing"). A split that
/// is ready continues at Split::pc, which its handler set to the same op (to test again)
/// or to the next one.
struct Wait {
  bool (*ready)(const Wait &wait, const Warp &warp, const Split &split) = nullptr;
  std::string (*describe)(const Wait &wait, const Warp &warp,
                          const Split &split) = nullptr;
  void *object = nullptr;
  uint64_t a = 0, b = 0;
  explicit operator bool() const { return ready; }
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WAIT_H
