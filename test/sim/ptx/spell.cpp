//===- spell.cpp - Legal spellings of the instruction table ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/sim/ptx/spell.h"

#include "runtime/sim/ptx/match.h"

#include <algorithm>
#include <set>

using namespace kiln::sim::ptx;
using OperandKind = OperandPattern::Kind;

namespace {

std::string registerOf(Type type, unsigned number) {
  std::string n = std::to_string(number);
  if (type == Type::Pred)
    return "%p" + n;
  if (type == Type::F32)
    return "%f" + n;
  if (type == Type::F64)
    return "%d" + n;
  switch (bits(type)) {
  case 8:
    return "%c" + n;
  case 16:
    return "%h" + n;
  case 32:
    return "%r" + n;
  case 64:
    return "%rd" + n;
  default:
    return "%q" + n;
  }
}

std::string variableIn(StateSpace space) {
  switch (space) {
  case StateSpace::Const:
    return "constant";
  case StateSpace::Local:
    return "local";
  case StateSpace::Shared:
  case StateSpace::SharedCta:
  case StateSpace::SharedCluster:
    return "shared";
  case StateSpace::Param:
  case StateSpace::ParamEntry:
    return "parameter";
  case StateSpace::ParamFunc:
    return "argument";
  default:
    return "global";
  }
}

/// Writes one instruction: the words are given, the operands follow from them.
class Speller {
public:
  Speller(const Row &row, const std::vector<Word> &words, bool optional, bool symbols)
      : pattern(kiln::sim::ptx::pattern(row)), optional(optional), symbols(symbols) {
    instruction.row = &row;
    instruction.opcode = row.opcode;
    applyWords(instruction, words);
  }

  std::string run() {
    std::string text = kiln::sim::ptx::spelling(instruction);
    std::string separator = " ";
    for (const OperandPattern &want : pattern.operands) {
      if (want.condition != Mod::None && !instruction.has(want.condition))
        continue;
      if (want.group >= 0 && !optional)
        continue;
      text += separator + operand(want);
      separator = ", ";
    }
    return text + ";";
  }

private:
  Type typeOf(const OperandPattern &want) {
    switch (want.from) {
    case OperandPattern::TypeFrom::Fixed:
      return want.type;
    case OperandPattern::TypeFrom::Modifier:
      return instruction.types[want.typeIndex];
    case OperandPattern::TypeFrom::Wide:
      return bits(instruction.types[0]) == 16 ? Type::B32 : Type::B64;
    case OperandPattern::TypeFrom::DotProduct:
      return Type::B32;
    case OperandPattern::TypeFrom::Address:
      return Type::U64;
    }
    return Type::None;
  }

  std::string vector(Type type, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", " : "") + registerOf(type, ++next);
    return text + "}";
  }

  std::string operand(const OperandPattern &want) {
    std::string text = single(want);
    bool second = want.pair == OperandPattern::PairKind::Required ||
                  (want.pair == OperandPattern::PairKind::Optional && optional);
    return second ? text + "|" + registerOf(Type::Pred, ++next) : text;
  }

  std::string single(const OperandPattern &want) {
    switch (want.kind) {
    case OperandKind::Value:
      return registerOf(typeOf(want), ++next);
    case OperandKind::Predicate:
      return (want.negatable && optional ? "!" : "") + registerOf(Type::Pred, ++next);
    case OperandKind::Constant:
      return std::to_string(want.choices.empty() ? want.low : want.choices.front());
    case OperandKind::Vector: {
      unsigned count = want.count ? want.count : instruction.vector;
      return count == 1 ? registerOf(typeOf(want), ++next) : vector(typeOf(want), count);
    }
    case OperandKind::Pack: {
      unsigned half = bits(typeOf(want)) / 2;
      return vector(half == 8    ? Type::B8
                    : half == 16 ? Type::B16
                    : half == 32 ? Type::B32
                                 : Type::B64,
                    2);
    }
    case OperandKind::Fragment: {
      Fragment f = fragmentOf(instruction, want.fragment);
      return vector(f.type, f.count);
    }
    case OperandKind::Address: {
      StateSpace space =
          want.spaceIndex >= 0 ? instruction.spaces[want.spaceIndex] : want.space;
      bool named = symbols || space == StateSpace::Param ||
                   space == StateSpace::ParamEntry || space == StateSpace::ParamFunc;
      return "[" + (named ? variableIn(space) : "%rd" + std::to_string(++next)) + "]";
    }
    case OperandKind::Tensor: {
      unsigned count = 1;
      while (!instruction.has(Mod(unsigned(Mod::Dim1) + count - 1)))
        ++count;
      return "[%rd" + std::to_string(++next) + ", " + vector(Type::B32, count) + "]";
    }
    case OperandKind::SinkOnly:
      return "_";
    case OperandKind::SizeOrPredicate:
      return "%r" + std::to_string(++next);
    case OperandKind::Label:
      return "end";
    case OperandKind::Table:
      return "table";
    case OperandKind::Call:
      return "callee";
    }
    return "";
  }

  const Pattern &pattern;
  Instruction instruction;
  bool optional, symbols;
  unsigned next = 0;
};

/// Returns the words of one variant: alternative number `choice` in each element.
std::vector<Word> wordsOf(const Pattern &pattern, size_t choice, bool optional) {
  std::vector<Word> words;
  for (const ModifierElement &e : pattern.modifiers)
    if (e.group < 0 || optional) {
      Word word = e.alternatives[choice % e.alternatives.size()];
      if (word.mod == Mod::Shape && word.shape.n == 0)
        word.shape.n = uint16_t(8 * (1 + choice % 32));
      words.push_back(word);
    }
  return words;
}

} // namespace

std::vector<std::string> kiln::sim::ptx::spellings(const Row &row) {
  const Pattern &p = pattern(row);
  size_t most = 1;
  for (const ModifierElement &e : p.modifiers)
    most = std::max(most, e.alternatives.size());
  std::vector<std::string> result;
  std::set<std::string> seen;
  for (size_t choice = 0; choice < 2 * most; ++choice)
    for (bool optional : {false, true}) {
      // The second pass combines alternatives of different elements in other pairs.
      std::vector<Word> words =
          wordsOf(p, choice < most ? choice : choice * 5 + 3, optional);
      std::string text = Speller(row, words, optional, choice % 2 == 0).run();
      if (seen.insert(text).second)
        result.push_back(std::move(text));
    }
  return result;
}

std::string kiln::sim::ptx::moduleAround(const std::string &instruction, unsigned version,
                                         const std::string &target) {
  return ".version " + std::to_string(version / 10) + "." + std::to_string(version % 10) +
         "\n.target " + target + R"(
.address_size 64
.global .align 128 .b8 global[128];
.shared .align 128 .b8 shared[128];
.const .align 128 .b8 constant[128];
.func callee() { ret; }
.visible .entry kernel(.param .align 8 .b8 parameter[128])
{
.local .align 128 .b8 local[128];
.param .align 8 .b8 argument[128];
.reg .pred %p<16>;
.reg .b8 %c<16>;
.reg .b16 %h<160>;
.reg .b32 %r<400>;
.reg .b64 %rd<400>;
.reg .b128 %q<16>;
.reg .f32 %f<400>;
.reg .f64 %d<400>;
table: .branchtargets end;
)" + instruction +
         "\nend:\nret;\n}\n";
}

std::string kiln::sim::ptx::targetOf(const Row &row) {
  static constexpr unsigned known[] = {80, 86, 89, 90, 100, 120};
  unsigned sm = 80;
  for (unsigned k : known)
    if (k >= row.minSm) {
      sm = k;
      break;
    }
  return "sm_" + std::to_string(sm) + (row.feature == Feature::None ? "" : "a");
}
