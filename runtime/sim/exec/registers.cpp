//===- registers.cpp - How many registers a function needs -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/registers.h"

#include <algorithm>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

/// Registers that ptxas needs for addresses, parameters and scheduling besides live
/// values.
constexpr uint32_t Overhead = 8;
constexpr uint32_t MinRegisters = 16, MaxRegisters = 255;

using Bits = std::vector<uint64_t>;
bool get(const Bits &bits, uint32_t i) { return bits[i / 64] >> (i % 64) & 1; }
void set(Bits &bits, uint32_t i) { bits[i / 64] |= uint64_t(1) << (i % 64); }
void clear(Bits &bits, uint32_t i) { bits[i / 64] &= ~(uint64_t(1) << (i % 64)); }

template <class F> void forRegisters(const Operand &operand, F f) {
  if (operand.kind == Operand::Kind::Register ||
      (operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Register))
    f(operand.index);
  for (const Operand &element : operand.elements)
    forRegisters(element, f);
}

/// Number of leading operands that the instruction writes, marked `=` in its row.
size_t writtenOperands(const Instruction &i) {
  if (i.opcode == Opcode::Call) // the list of results, if there is one
    return !i.operands.empty() && i.operands[0].kind == Operand::Kind::List ? 1 : 0;
  size_t count = 0;
  std::string_view text = i.row ? i.row->operands : std::string_view();
  while (!text.empty()) {
    size_t blank = text.find(' ');
    std::string_view word = text.substr(0, blank);
    if (word.find('=') == std::string_view::npos)
      break;
    ++count;
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return std::min(count, i.operands.size());
}

template <class F> void forWritten(const Instruction &i, F f) {
  size_t count = writtenOperands(i);
  for (size_t n = 0; n < count; ++n)
    if (i.operands[n].kind != Operand::Kind::Address)
      forRegisters(i.operands[n], f);
}
template <class F> void forRead(const Instruction &i, F f) {
  size_t count = writtenOperands(i);
  for (size_t n = 0; n < i.operands.size(); ++n)
    if (n >= count || i.operands[n].kind == Operand::Kind::Address)
      forRegisters(i.operands[n], f);
  if (i.guard >= 0)
    f(uint32_t(i.guard));
}

/// Basic blocks by their first instructions, with successors.
struct Graph {
  std::vector<uint32_t> starts; ///< first instructions, and one past the end
  std::vector<std::vector<uint32_t>> next;
};

bool endsBlock(const Instruction &i) {
  return i.opcode == Opcode::Bra || i.opcode == Opcode::BrxIdx ||
         i.opcode == Opcode::Ret || i.opcode == Opcode::Exit || i.opcode == Opcode::Trap;
}

std::vector<uint32_t> targetsOf(const ptx::Function &f, const Instruction &i) {
  std::vector<uint32_t> result;
  if (i.opcode == Opcode::Bra)
    result.push_back(i.operands[0].index);
  if (i.opcode == Opcode::BrxIdx)
    result = f.branchTables[i.operands[1].index].targets;
  return result;
}

Graph makeGraph(const ptx::Function &f) {
  size_t count = f.code.size();
  std::vector<bool> leader(count + 1, false);
  leader[0] = leader[count] = true;
  for (size_t n = 0; n < count; ++n) {
    if (endsBlock(f.code[n]))
      leader[n + 1] = true;
    for (uint32_t target : targetsOf(f, f.code[n]))
      leader[target] = true;
  }
  Graph g;
  std::vector<uint32_t> blockOf(count + 1);
  for (uint32_t n = 0; n <= count; ++n) {
    if (leader[n])
      g.starts.push_back(n);
    blockOf[n] = uint32_t(g.starts.size() - 1);
  }
  g.next.resize(g.starts.size());
  for (size_t b = 0; b + 1 < g.starts.size(); ++b) {
    const Instruction &last = f.code[g.starts[b + 1] - 1];
    for (uint32_t target : targetsOf(f, last))
      g.next[b].push_back(blockOf[target]);
    if (!endsBlock(last) || last.guard >= 0)
      g.next[b].push_back(uint32_t(b + 1));
  }
  return g;
}

void stepBack(const Instruction &i, Bits &live) {
  // A predicated write keeps the old value in some lanes.
  if (i.guard < 0)
    forWritten(i, [&](uint32_t r) { clear(live, r); });
  forRead(i, [&](uint32_t r) { set(live, r); });
}

std::vector<Bits> liveOut(const ptx::Function &f, const Graph &g) {
  size_t words = f.registers.size() / 64 + 1;
  std::vector<Bits> in(g.next.size(), Bits(words)), out = in;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = g.next.size(); b-- > 0;) {
      for (uint32_t n : g.next[b])
        for (size_t w = 0; w < words; ++w)
          out[b][w] |= in[n][w];
      Bits live = out[b];
      if (b + 1 < g.starts.size())
        for (uint32_t n = g.starts[b + 1]; n-- > g.starts[b];)
          stepBack(f.code[n], live);
      changed |= live != in[b];
      in[b] = std::move(live);
    }
  }
  return out;
}

uint32_t words(const ptx::Register &r) {
  return r.type == ptx::Type::Pred ? 0 : (ptx::bits(r.type) + 31) / 32;
}

uint32_t weigh(const ptx::Function &f, const Bits &live) {
  uint32_t sum = 0;
  for (size_t w = 0; w < live.size(); ++w)
    for (uint64_t left = live[w]; left; left &= left - 1)
      sum += words(f.registers[w * 64 + size_t(__builtin_ctzll(left))]);
  return sum;
}
} // namespace

void forOperandRegisters(const ptx::Operand &operand, const RegisterVisitor &visit) {
  forRegisters(operand, visit);
}
void forWrittenRegisters(const Instruction &i, const RegisterVisitor &visit) {
  forWritten(i, visit);
}
void forReadRegisters(const Instruction &i, const RegisterVisitor &visit) {
  forRead(i, visit);
}

uint32_t estimateRegisters(const ptx::Function &f) {
  if (f.code.empty())
    return MinRegisters;
  Graph g = makeGraph(f);
  std::vector<Bits> out = liveOut(f, g);
  uint32_t maximum = 0;
  for (size_t b = 0; b + 1 < g.starts.size(); ++b) {
    Bits live = out[b];
    for (uint32_t n = g.starts[b + 1]; n-- > g.starts[b];) {
      stepBack(f.code[n], live);
      maximum = std::max(maximum, weigh(f, live));
    }
  }
  return std::clamp(maximum + Overhead, MinRegisters, MaxRegisters);
}

std::vector<bool> maybeUndefined(const ptx::Function &f) {
  std::vector<bool> result(f.registers.size(), false);
  if (f.code.empty())
    return result;
  // Live at the entry and no parameter: some path reads the register before writing it.
  Graph g = makeGraph(f);
  Bits live = liveOut(f, g)[0];
  for (uint32_t n = g.starts.size() > 1 ? g.starts[1] : 0; n-- > 0;)
    stepBack(f.code[n], live);
  for (uint32_t r : f.registerParameters)
    clear(live, r);
  for (uint32_t r = 0; r < f.registers.size(); ++r)
    result[r] = get(live, r);
  return result;
}

} // namespace kiln::sim::exec
