//===- check.cpp - Rules that the instruction table lacks -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"
#include "runtime/sim/ptx/symbols.h"

using namespace kiln::sim::ptx;

//===----------------------------------------------------------------------===//
// Versions and targets
//===----------------------------------------------------------------------===//

namespace {

struct Minimum {
  uint32_t ptx = 0, sm = 0;
  void raise(uint32_t p, uint32_t s) {
    ptx = std::max(ptx, p);
    sm = std::max(sm, s);
  }
};

void raiseByWord(Minimum &minimum, Mod mod) {
  switch (mod) {
#define KILN_PTX_MINIMUM(name, ptx, sm)                                                  \
  case Mod::name:                                                                        \
    return minimum.raise(ptx, sm);
#include "runtime/sim/ptx/minima.def"
#undef KILN_PTX_MINIMUM
  default:
    return;
  }
}

bool isAtomic(const Instruction &i) {
  return i.opcode == Opcode::Atom || i.opcode == Opcode::Red;
}

/// Raises the minimum PTX version and target for combinations of modifiers and types.
void raiseByForm(Minimum &minimum, const Instruction &i) {
  if (isAtomic(i) && i.scope != Mod::None)
    minimum.raise(50, 60);
  if (i.opcode == Opcode::Cvt && i.has(Mod::Satfinite) && isFloat(i.types[0]) &&
      bits(i.types[0]) >= 16)
    minimum.raise(81, 80);
  if ((i.opcode == Opcode::WmmaLoad) && i.type() == Type::BF16)
    minimum.raise(70, 80);
  if ((i.opcode == Opcode::WmmaLoad || i.opcode == Opcode::WmmaStore) &&
      isInteger(i.type()))
    minimum.raise(63, 72);
  bool mbarrier = i.row && i.row->id.starts_with("mbarrier.");
  if (mbarrier && i.semantics != Mod::None)
    minimum.raise(i.semantics == Mod::Relaxed && i.opcode != Opcode::MbarrierExpectTx &&
                          i.opcode != Opcode::MbarrierCompleteTx
                      ? 86
                      : 80,
                  i.semantics == Mod::Relaxed ? 90 : 80);
  if (i.opcode == Opcode::Cvt && i.ftz() && i.types[1] == Type::BF16)
    minimum.raise(78, 90);
  if (i.opcode == Opcode::WgmmaMma && i.types[1] != i.types[2] && isInteger(i.types[1]))
    minimum.raise(84, 90);
  bool wideBarrier = i.opcode == Opcode::BarSync || i.opcode == Opcode::BarArrive ||
                     i.opcode == Opcode::BarRed;
  if (wideBarrier && i.has(Mod::Cta))
    minimum.raise(78, 0);
  bool clusterBarrier =
      i.opcode == Opcode::BarrierClusterArrive || i.opcode == Opcode::BarrierClusterWait;
  if (clusterBarrier && i.semantics != Mod::None)
    minimum.raise(80, 90);
}

bool hasFeature(const Target &target, const Row &row) {
  switch (row.feature) {
  case Feature::None:
    return true;
  case Feature::Exact:
    return target.suffix == 'a' && target.sm == row.minSm;
  case Feature::Specific:
    return target.suffix != 0;
  case Feature::Family100:
    return target.suffix != 0 && target.sm >= 100 && target.sm < 110;
  case Feature::Family120:
    return target.suffix != 0 && target.sm >= 120 && target.sm < 130;
  }
  return false;
}

std::string featureName(const Row &row) {
  std::string sm = "sm_" + std::to_string(row.minSm);
  switch (row.feature) {
  case Feature::Exact:
    return sm + "a exactly";
  case Feature::Family100:
    return "one of sm_100a, sm_100f, sm_103a or sm_103f";
  case Feature::Family120:
    return "one of sm_120a, sm_120f, sm_121a or sm_121f";
  default:
    return sm + "a or a newer target with the suffix a or f";
  }
}

} // namespace

std::string kiln::sim::ptx::checkMinima(const Instruction &i, const Module &module) {
  Minimum minimum{i.row->minPtx, i.row->minSm};
  for (Mod mod : i.mods)
    raiseByWord(minimum, mod);
  raiseByForm(minimum, i);
  if (module.version < minimum.ptx)
    return "this form needs .version " + std::to_string(minimum.ptx / 10) + "." +
           std::to_string(minimum.ptx % 10) + " or newer";
  if (module.target.sm < minimum.sm)
    return "this form needs .target sm_" + std::to_string(minimum.sm) + " or newer";
  if (!hasFeature(module.target, *i.row))
    return "this form needs .target " + featureName(*i.row);
  return "";
}

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

namespace {

bool isGlobal(StateSpace s) {
  return s == StateSpace::Global || s == StateSpace::Generic;
}

/// Checks that cache hints are only on accesses to cached memory.
std::string checkHints(const Instruction &i) {
  static constexpr Mod hints[] = {
      Mod::L1EvictNormal, Mod::L1EvictUnchanged, Mod::L1EvictFirst,  Mod::L1EvictLast,
      Mod::L1NoAllocate,  Mod::L2EvictNormal,    Mod::L2EvictFirst,  Mod::L2EvictLast,
      Mod::L2CacheHint,   Mod::L2Prefetch64,     Mod::L2Prefetch128, Mod::L2Prefetch256};
  for (Mod hint : hints)
    if (i.has(hint) && !isGlobal(i.space()))
      return "." + std::string(spelling(hint)) + " is for .global and generic accesses";
  return "";
}

std::string checkAccess(const Instruction &i) {
  std::string wrong = checkHints(i);
  if (!wrong.empty())
    return wrong;
  bool store = i.opcode == Opcode::St;
  const Operand &address = i.operands[store ? 0 : 1];
  bool named = address.base == Operand::Base::Symbol;
  if (store && named && address.symbolKind == Operand::SymbolKind::Parameter)
    return "parameters are read only; copy the value to a .local variable or a register";
  constexpr unsigned widest = 128, widestWithRow = 256;
  bool wide = i.row->id.ends_with(".wide") || i.row->id.ends_with(".wide64");
  if (i.vector * bits(i.type()) > (wide ? widestWithRow : widest))
    return "one access moves at most " + std::to_string(widest / 8) +
           " bytes, 32 with .v8 of 32 bits or .v4 of 64 bits on sm_100";
  if (wide && !isGlobal(i.space()))
    return "accesses of 32 bytes are for .global only";
  if (!store && named && address.symbolKind == Operand::SymbolKind::Return)
    return "results are write only; keep the value in a register";
  StateSpace s = i.space();
  bool ordered = i.semantics == Mod::Relaxed || i.semantics == Mod::Acquire ||
                 i.semantics == Mod::Release || i.semantics == Mod::Volatile;
  if (ordered && s != StateSpace::Generic && s != StateSpace::Global && !isShared(s))
    return "only .global, .shared and generic accesses can be volatile or ordered";
  return "";
}

std::string checkBarrier(const Instruction &i) {
  constexpr uint64_t barriers = 16, warp = 32;
  size_t first = i.opcode == Opcode::BarRed ? 1 : 0;
  const Operand &id = i.operands[first];
  if (id.isImmediate() && id.bits >= barriers)
    return "barriers are numbered 0 to 15";
  size_t counted = first + 1;
  bool hasCount = i.operands.size() > counted + (i.opcode == Opcode::BarRed ? 1 : 0);
  if (hasCount && i.operands[counted].isImmediate() &&
      (i.operands[counted].bits == 0 || i.operands[counted].bits % warp != 0))
    return "the number of threads is a multiple of the warp's 32";
  return "";
}

std::string checkMma(const Instruction &i) {
  Type d = i.types[0], c = i.types[3];
  if (i.types[1] == Type::F16 || bits(i.types[1]) == 8) {
    if (i.shape == Shape{8, 8, 4} ? d == Type::F16 && c == Type::F32
                                  : isFloat(d) && d != c)
      return "the types of the accumulator and the result must agree";
  }
  return "";
}

/// Checks a selector {byte, thread}, which follows a register with scales.
std::string checkSelector(const Operand &selector, uint64_t threads, uint64_t step) {
  const Operand &byte = selector.elements[0], &thread = selector.elements[1];
  if (byte.isImmediate() && (byte.bits > 3 || byte.bits % step != 0))
    return step == 1   ? "the first byte of a scale is 0 to 3"
           : step == 2 ? "the first byte of two scales is 0 or 2"
                       : "the first byte of four scales is 0";
  if (thread.isImmediate() && thread.bits >= threads)
    return "the thread is 0 to " + std::to_string(threads - 1) + ": of A one of two " +
           "pairs of lanes, of B one of four lanes";
  return "";
}

std::string checkBlockScale(const Instruction &i) {
  constexpr uint64_t pairs = 2, lanes = 4;
  uint64_t step = scalesOf(i);
  std::string wrong = checkSelector(i.operands[5], pairs, step);
  return wrong.empty() ? checkSelector(i.operands[7], lanes, step) : wrong;
}

std::string checkWgmma(const Instruction &i) {
  bool integer = isInteger(i.types[1]);
  if (integer && i.shape.n > 24 && i.shape.n % 16 != 0)
    return "n of an integer product is 8, 16, 24 or a multiple of 16";
  return "";
}

/// Checks the types of a bulk reduction, which depend on the operation.
std::string checkBulkReduction(const Instruction &i) {
  bool global = i.spaces[0] == StateSpace::Global;
  Type t = i.type();
  bool fits = false;
  switch (i.operation) {
  case Mod::And:
  case Mod::Or:
  case Mod::Xor:
    fits = t == Type::B32 || (global && t == Type::B64);
    break;
  case Mod::Inc:
  case Mod::Dec:
    fits = t == Type::U32;
    break;
  case Mod::Min:
  case Mod::Max:
    fits = t == Type::U32 || t == Type::S32 ||
           (global &&
            (t == Type::U64 || t == Type::S64 || t == Type::F16 || t == Type::BF16));
    break;
  case Mod::Add:
    fits = t == Type::U32 || t == Type::S32 || t == Type::U64 ||
           (global && (t == Type::F32 || t == Type::F64)) || i.has(Mod::Noftz);
    break;
  default:
    break;
  }
  if (fits)
    return "";
  return "the operation is not defined for ." + std::string(spelling(t)) +
         " here; .f16 and .bf16 are added with .add.noftz";
}

std::string checkImmediate(const Operand &operand, uint64_t low, uint64_t high,
                           uint64_t multiple, std::string_view what) {
  if (!operand.isImmediate() ||
      (operand.bits >= low && operand.bits <= high && operand.bits % multiple == 0))
    return "";
  std::string text =
      std::string(what) + " is " + std::to_string(low) + " to " + std::to_string(high);
  return multiple > 1 ? text + ", a multiple of " + std::to_string(multiple) : text;
}

/// Checks the size of a bulk copy: its operand follows the two addresses.
std::string checkBulkSize(const Instruction &i) {
  size_t size = i.opcode == Opcode::CpAsyncBulkPrefetch ? 1 : 2;
  return checkImmediate(i.operands[size], 0, UINT32_MAX, 16, "the number of bytes");
}

std::string checkConversion(const Instruction &i) {
  if (i.sat() && i.types[0] == i.types[1] && isInteger(i.types[0]))
    return ".sat has no effect between equal types";
  return "";
}

/// Checks that mbarriers that are variables are in shared memory.
std::string checkMbarrier(const Instruction &i, const OperandContext &context) {
  for (const Operand &o : i.operands)
    if (o.kind == Operand::Kind::Address && o.base == Operand::Base::Symbol &&
        !isShared(symbolSpace(o, context.module, context.function)))
      return "an mbarrier is a .shared variable";
  return "";
}

std::string checkCpAsync(const Instruction &i) {
  if (i.operands.size() > 3 && i.operands[3].isImmediate() &&
      i.operands[3].type == Type::U32 && i.operands[3].bits > i.operands[2].bits)
    return "the bytes to read are at most the bytes to write";
  return "";
}

} // namespace

std::string kiln::sim::ptx::checkInstruction(const Instruction &i,
                                             const OperandContext &context) {
  constexpr uint64_t maxCount = (1 << 20) - 1;
  switch (i.opcode) {
  case Opcode::Ld:
  case Opcode::Ldu:
  case Opcode::St:
    return checkAccess(i);
  case Opcode::BarSync:
  case Opcode::BarArrive:
  case Opcode::BarRed:
    return checkBarrier(i);
  case Opcode::Mma:
    return checkMma(i);
  case Opcode::MmaBlockScale:
    return checkBlockScale(i);
  case Opcode::WgmmaMma:
    return checkWgmma(i);
  case Opcode::CpAsync:
    return checkCpAsync(i);
  case Opcode::CpReduceAsyncBulk: {
    std::string wrong = checkBulkReduction(i);
    return wrong.empty() ? checkBulkSize(i) : wrong;
  }
  case Opcode::CpAsyncBulk:
  case Opcode::CpAsyncBulkPrefetch:
    return checkBulkSize(i);
  case Opcode::Atom:
  case Opcode::Red:
    return checkHints(i);
  case Opcode::Cvt:
    return checkConversion(i);
  case Opcode::StAsync:
    return i.vector * bits(i.type()) > 128 ? "one access moves at most 16 bytes" : "";
  case Opcode::MbarrierInval:
  case Opcode::MbarrierExpectTx:
  case Opcode::MbarrierCompleteTx:
  case Opcode::MbarrierArrive:
  case Opcode::MbarrierArriveDrop:
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    return checkMbarrier(i, context);
  case Opcode::MbarrierInit:
    if (std::string wrong = checkMbarrier(i, context); !wrong.empty())
      return wrong;
    return checkImmediate(i.operands[1], 1, maxCount, 1, "the count of a barrier");
  case Opcode::Setmaxnreg:
    return checkImmediate(i.operands[0], 24, 256, 8, "the number of registers");
  default:
    return "";
  }
}
