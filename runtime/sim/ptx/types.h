//===- types.h - PTX types and state spaces ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_TYPES_H
#define KILN_SIM_PTX_TYPES_H

#include <cstdint>
#include <string_view>

namespace kiln::sim::ptx {

/// Class of a fundamental type.
enum class TypeClass : uint8_t { None, Pred, Bits, Unsigned, Signed, Float, Opaque };

/// X(enumerator, spelling without the dot, bits of all elements, packed elements, class)
#define KILN_PTX_TYPES(X)                                                                \
  X(Pred, "pred", 1, 1, Pred)                                                            \
  X(B1, "b1", 1, 1, Bits)                                                                \
  X(B8, "b8", 8, 1, Bits)                                                                \
  X(B16, "b16", 16, 1, Bits)                                                             \
  X(B32, "b32", 32, 1, Bits)                                                             \
  X(B64, "b64", 64, 1, Bits)                                                             \
  X(B128, "b128", 128, 1, Bits)                                                          \
  X(U2, "u2", 2, 1, Unsigned)                                                            \
  X(U4, "u4", 4, 1, Unsigned)                                                            \
  X(U8, "u8", 8, 1, Unsigned)                                                            \
  X(U16, "u16", 16, 1, Unsigned)                                                         \
  X(U32, "u32", 32, 1, Unsigned)                                                         \
  X(U64, "u64", 64, 1, Unsigned)                                                         \
  X(S2, "s2", 2, 1, Signed)                                                              \
  X(S4, "s4", 4, 1, Signed)                                                              \
  X(S8, "s8", 8, 1, Signed)                                                              \
  X(S16, "s16", 16, 1, Signed)                                                           \
  X(S32, "s32", 32, 1, Signed)                                                           \
  X(S64, "s64", 64, 1, Signed)                                                           \
  X(U8x4, "u8x4", 32, 4, Unsigned)                                                       \
  X(S8x4, "s8x4", 32, 4, Signed)                                                         \
  X(U16x2, "u16x2", 32, 2, Unsigned)                                                     \
  X(S16x2, "s16x2", 32, 2, Signed)                                                       \
  X(F16, "f16", 16, 1, Float)                                                            \
  X(F16x2, "f16x2", 32, 2, Float)                                                        \
  X(BF16, "bf16", 16, 1, Float)                                                          \
  X(BF16x2, "bf16x2", 32, 2, Float)                                                      \
  X(TF32, "tf32", 32, 1, Float)                                                          \
  X(F32, "f32", 32, 1, Float)                                                            \
  X(F32x2, "f32x2", 64, 2, Float)                                                        \
  X(F64, "f64", 64, 1, Float)                                                            \
  X(E4M3, "e4m3", 8, 1, Float)                                                           \
  X(E5M2, "e5m2", 8, 1, Float)                                                           \
  X(E2M3, "e2m3", 6, 1, Float)                                                           \
  X(E3M2, "e3m2", 6, 1, Float)                                                           \
  X(E2M1, "e2m1", 4, 1, Float)                                                           \
  X(UE8M0, "ue8m0", 8, 1, Float)                                                         \
  X(UE4M3, "ue4m3", 8, 1, Float)                                                         \
  X(E4M3x2, "e4m3x2", 16, 2, Float)                                                      \
  X(E5M2x2, "e5m2x2", 16, 2, Float)                                                      \
  X(E2M3x2, "e2m3x2", 16, 2, Float)                                                      \
  X(E3M2x2, "e3m2x2", 16, 2, Float)                                                      \
  X(E2M1x2, "e2m1x2", 8, 2, Float)                                                       \
  X(UE8M0x2, "ue8m0x2", 16, 2, Float)                                                    \
  X(E4M3x4, "e4m3x4", 32, 4, Float)                                                      \
  X(E5M2x4, "e5m2x4", 32, 4, Float)                                                      \
  X(E2M3x4, "e2m3x4", 32, 4, Float)                                                      \
  X(E3M2x4, "e3m2x4", 32, 4, Float)                                                      \
  X(E2M1x4, "e2m1x4", 16, 4, Float)                                                      \
  X(B8x16, "b8x16", 128, 16, Bits)                                                       \
  X(B6x16p32, "b6x16_p32", 128, 16, Bits)                                                \
  X(B4x16p64, "b4x16_p64", 128, 16, Bits)                                                \
  X(TexRef, "texref", 64, 1, Opaque)                                                     \
  X(SamplerRef, "samplerref", 64, 1, Opaque)                                             \
  X(SurfRef, "surfref", 64, 1, Opaque)

enum class Type : uint8_t {
  None,
#define KILN_PTX_TYPE(name, ...) name,
  KILN_PTX_TYPES(KILN_PTX_TYPE)
#undef KILN_PTX_TYPE
};

struct TypeInfo {
  std::string_view spelling;
  uint8_t bits, lanes;
  TypeClass kind;
};

inline constexpr TypeInfo typeTable[] = {{"", 0, 0, TypeClass::None},
#define KILN_PTX_TYPE(name, spelling, bits, lanes, kind)                                 \
  {spelling, bits, lanes, TypeClass::kind},
                                         KILN_PTX_TYPES(KILN_PTX_TYPE)
#undef KILN_PTX_TYPE
};

constexpr const TypeInfo &info(Type t) { return typeTable[size_t(t)]; }
constexpr std::string_view spelling(Type t) { return info(t).spelling; }
/// Bits of a value of the type, including all packed elements.
constexpr unsigned bits(Type t) { return info(t).bits; }
/// Bytes in memory: pred and sub-byte types take one.
constexpr unsigned bytes(Type t) { return (info(t).bits + 7) / 8; }
constexpr unsigned lanes(Type t) { return info(t).lanes; }
constexpr bool isSigned(Type t) { return info(t).kind == TypeClass::Signed; }
constexpr bool isUnsigned(Type t) { return info(t).kind == TypeClass::Unsigned; }
constexpr bool isInteger(Type t) { return isSigned(t) || isUnsigned(t); }
constexpr bool isBits(Type t) { return info(t).kind == TypeClass::Bits; }
constexpr bool isFloat(Type t) { return info(t).kind == TypeClass::Float; }

/// State space of a variable or an access. Generic: none named.
enum class StateSpace : uint8_t {
  Generic,
  Reg,
  Sreg,
  Const,
  Global,
  Local,
  Param,      ///< .param: entry or function parameters, by context
  ParamEntry, ///< .param::entry
  ParamFunc,  ///< .param::func
  Shared,     ///< .shared: the same as .shared::cta
  SharedCta,
  SharedCluster,
  Tex
};
std::string_view spelling(StateSpace space); ///< "shared::cta"; empty for Generic

/// Returns whether the state space is shared memory, of the block or of its cluster.
inline bool isShared(StateSpace space) {
  return space == StateSpace::Shared || space == StateSpace::SharedCta ||
         space == StateSpace::SharedCluster;
}

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_TYPES_H
