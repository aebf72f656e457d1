//===- micro_op.h - One decoded instruction --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function is an array of MicroOps. Each handler executes one op for all lanes of the
// mask and ends with a tail call of the next handler (threaded code). Operands are byte
// offsets into the frame's register file; constants are stored there too, broadcast over
// the lanes, so handlers read only registers.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_MICRO_OP_H
#define KILN_SIM_EXEC_MICRO_OP_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln::sim::ptx {
struct Instruction;
}

namespace kiln::sim::exec {

inline constexpr unsigned WarpSize = 32;
using Mask = uint32_t; ///< one bit per lane
inline constexpr Mask AllLanes = ~Mask(0);

struct MicroOp;
struct Warp;
struct FunctionCode;

/// Why a chain of handlers returned to the scheduler.
enum class Stop : uint8_t {
  Budget,   ///< its time slice ended, or another split waits here; current->pc is set
  Diverged, ///< the list of splits changed; choose a split again
  Blocked,  ///< the current split is blocked (Split::wait)
  Exited,   ///< the current split has exited
  Fault     ///< an error was reported; the launch ends
};

/// `regs`: the register file of the current frame. `mask`: the lanes that execute, not
/// empty. To continue: `return next(op, regs, mask, warp);` as a tail call (KILN_NEXT).
using Handler = Stop (*)(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp);

/// Cold data of an instruction: only slow paths, reports and wide instructions read them.
struct OpInfo {
  const ptx::Instruction *source = nullptr; ///< lives as long as the Code
  const FunctionCode *function = nullptr;
  uint32_t line = 0;              ///< line of the PTX text
  uint32_t row = 0;               ///< row of the instruction table, for coverage
  std::string text;               ///< the instruction as written, for reports
  std::vector<uint32_t> operands; ///< offsets, in an order that its decode function
                                  ///< defines
  std::shared_ptr<const void>
      payload; ///< of wide instructions (shapes, types); typed by their decoders
  template <class T> const T &as() const {
    return *static_cast<const T *>(payload.get());
  }
};

struct MicroOp {
  Handler run = nullptr;
  uint32_t d = 0, a = 0, b = 0, c = 0; ///< offsets: destination and sources
  uint64_t imm = 0;                    ///< address offset, branch target, selector ...
  const OpInfo *info = nullptr;
  uint32_t slot = 0;  ///< index in the worker's cache of allocations, for global accesses
  uint16_t flags = 0; ///< per handler
  uint16_t extra = 0; ///< per handler
};

/// Returns the lane values of a register: T[32] at the offset; predicates are one Mask. A
/// register takes 32 * sizeof(T) bytes: b8 32, b16 64, b32 128, b64 256, b128 512,
/// aligned to min(size, 128).
template <class T> T *lanes(uint8_t *regs, uint32_t offset) {
  return reinterpret_cast<T *>(regs + offset);
}
inline Mask &predicate(uint8_t *regs, uint32_t offset) {
  return *reinterpret_cast<Mask *>(regs + offset);
}

/// Continues with the op after `op`.
#define KILN_NEXT(op, regs, mask, warp)                                                  \
  do {                                                                                   \
    [[clang::musttail]] return (op)[1].run((op) + 1, regs, mask, warp);                  \
  } while (false)

/// Calls f(lane) for each lane of the mask, lowest first.
template <class F> inline void forLanes(Mask mask, F f) {
  for (; mask; mask &= mask - 1)
    f(unsigned(__builtin_ctz(mask)));
}

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_MICRO_OP_H
