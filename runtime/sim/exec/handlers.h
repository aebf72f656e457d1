//===- handlers.h - Lane handlers of the selected ISA ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that loops over the 32 lanes is compiled three times (lanes/): portable,
// AVX2, AVX-512. Decode functions request a handler by operation and type.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_HANDLERS_H
#define KILN_SIM_EXEC_HANDLERS_H

#include "runtime/sim/arith/format.h"
#include "runtime/sim/exec/micro_op.h"

namespace kiln::sim::exec {

/// Integer and bit operations. Operands a, b, c and result d are registers of the type's
/// width unless noted.
enum class IntOp : uint8_t {
  Add,
  Sub,
  AddSat,
  SubSat,
  MulLo,
  MulHi,
  MulWide, ///< d twice as wide
  MadLo,
  MadHi,
  MadHiSat,
  MadWide, ///< c and d twice as wide
  Mul24Lo,
  Mul24Hi,
  Mad24Lo,
  Mad24Hi,
  Mad24HiSat,
  Sad,
  Div,
  Rem,
  Abs,
  Neg,
  Min,
  Max,
  MinRelu,
  MaxRelu,
  And,
  Or,
  Xor,
  Not,
  Cnot,
  Lop3, ///< imm: the truth table
  Shl,
  Shr, ///< b: b32
  ShfLeftWrap,
  ShfLeftClamp,
  ShfRightWrap,
  ShfRightClamp,
  Popc,
  Clz, ///< d: b32
  Bfind,
  BfindShift, ///< d: b32
  Brev,
  Bfe, ///< b, c: b32
  Bfi, ///< c, and the length in operands[0]: b32
  Fns,
  BmskClamp,
  BmskWrap,
  SzextClamp,
  SzextWrap,
  Dp4a, ///< imm: bit 0 a signed, bit 1 b signed
  Dp2aLo,
  Dp2aHi,
  Prmt,
  PrmtF4e,
  PrmtB4e,
  PrmtRc8,
  PrmtEcl,
  PrmtEcr,
  PrmtRc16,
  AddCc,
  AddcCc,
  Addc,
  SubCc,
  SubcCc,
  Subc, ///< carry in: the predicate at CarryOffset
  MadLoCc,
  MadHiCc,
  MadcLo,
  MadcHi,
  MadcLoCc,
  MadcHiCc,
  Add2,
  Min2,
  Max2,
  Min2Relu,
  Max2Relu, ///< u16x2, s16x2
  Mov,
  Selp, ///< c: predicate
  Slct,
  SlctF32,
  SlctF32Ftz, ///< c: s32 or f32
};

/// Carry flags of the lanes: a predicate at the start of each register file.
inline constexpr uint32_t CarryOffset = 0;

enum class CompareOp : uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan
};
enum class CompareType : uint8_t { B16, B32, B64, S16, S32, S64, F32, F32Ftz, F64 };
/// How a comparison is combined with predicate c.
enum class Combine : uint8_t { None, And, Or, Xor };

enum class F32Op : uint8_t {
  Add,
  Sub,
  Mul,
  Fma,
  Div,
  Sqrt,
  Rcp,
  Min,
  Max,
  MinNan,
  MaxNan,
  Abs,
  Neg
};

/// Operations on f16 and bf16.
enum class HalfOp : uint8_t {
  Add,
  Sub,
  Mul,
  Fma,
  FmaRelu,
  Min,
  Max,
  MinNan,
  MaxNan,
  Abs,
  Neg
};

/// How a memory handler resolves its address, which is b64, or b32 for Shared32; imm is
/// added.
enum class Reach : uint8_t { Global, Shared32, Shared64, Local, Generic };

/// How much of its accesses a memory handler checks.
enum class Watch : uint8_t {
  Nothing,     ///< only bounds
  Initialised, ///< bounds and uninitialised bytes
  Everything   ///< all, and the observer sees the access
};

/// Packs into MicroOp::flags, above the AccessTraits.
inline uint16_t packReach(Reach reach, Watch watch) {
  return uint16_t(unsigned(reach) << 8 | unsigned(watch) << 11);
}
inline Reach reachIn(uint16_t flags) { return Reach(flags >> 8 & 7); }
inline Watch watchIn(uint16_t flags) { return Watch(flags >> 11 & 3); }

struct HandlerSet {
  /// Lookups return null if there is no such form.
  Handler (*integer)(IntOp op, unsigned bits, bool isSigned);
  /// setp: d the predicate of the result, imm: offset of the complement's predicate or
  /// 0; c: predicate to combine with.
  Handler (*compare)(CompareOp op, CompareType type, Combine combine);
  Handler (*f32)(F32Op op, arith::Rounding rounding, bool ftz, bool sat);
  Handler (*f64)(F32Op op, arith::Rounding rounding);
  /// `pair`: f16x2 or bf16x2.
  Handler (*half)(HalfOp op, bool brain, bool pair, bool ftz, bool sat);
  /// Copies a register, truncating or extending elements.
  Handler (*resize)(unsigned toBytes, unsigned fromBytes, bool isSigned);
  /// u32/s32/u64/s64/u16/s16 to f32/f64 (rn) and back (rzi); null for other conversions.
  Handler (*intToFloat)(unsigned toBits, unsigned fromBits, bool isSigned);
  Handler (*floatToInt)(unsigned toBits, bool isSigned, unsigned fromBits, bool ftz);
  /// f16 or bf16 to f32 and back with rn; f32 to f64.
  Handler (*floatToFloat)(const arith::Format &to, const arith::Format &from, bool ftz);
  /// d.b32 = {a.b16, b.b16} with a as the lower half, and the reverse: a to d and b.
  Handler packHalves, unpackHalves;
  /// d.b64 = {a.b32, b.b32}, and the reverse.
  Handler packWords, unpackWords;
  /// ld: d is the destination, or info->operands for vectors; extra: number of elements.
  /// flags: packed AccessTraits and packReach; c: the Space, for Reach::Shared32 and 64.
  Handler (*load)(unsigned memoryBytes, unsigned registerBytes, bool isSigned,
                  bool vector);
  /// st: b is the source, or info->operands; the rest is as for ld.
  Handler (*store)(unsigned memoryBytes, unsigned registerBytes);
};

const HandlerSet &handlers();

namespace portable {
extern const HandlerSet set;
}
namespace avx2 {
extern const HandlerSet set;
}
namespace avx512 {
extern const HandlerSet set;
}

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_HANDLERS_H
