//===- wait.h - What a blocked split waits for -----------------*- C++ -*-===//
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

/// A wait condition, held by value in the split that waits. The scheduler asks `ready`
/// in each round; `describe` writes what the split waits for into the deadlock report
/// ("mbarrier at shared 0x400: phase 1, 2 arrivals and 4096 bytes missing"). A split that
/// became ready continues at Split::pc: its handler set that to the same op (to look
/// again) or to the next (if all is done).
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
