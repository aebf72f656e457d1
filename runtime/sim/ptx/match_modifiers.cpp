//===- match_modifiers.cpp - Matching modifiers with the table ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/match.h"

#include <algorithm>

using namespace kiln::sim::ptx;

namespace {

/// Compares a word with a pattern's: n = 0 there matches every multiple of 8 up to 256, k
/// = 0 matches no k.
bool sameWord(const Word &pattern, const Word &word) {
  if (pattern.mod != word.mod)
    return false;
  if (pattern.mod != Mod::Shape || pattern.shape == word.shape)
    return true;
  return pattern.shape.n == 0 && pattern.shape.m == word.shape.m &&
         pattern.shape.k == word.shape.k && word.shape.n % 8 == 0 && word.shape.n >= 8 &&
         word.shape.n <= 256;
}

std::string wordText(const Word &word) {
  if (word.mod != Mod::Shape)
    return "." + std::string(spelling(word.mod));
  std::string n = word.shape.n ? std::to_string(word.shape.n) : "N";
  std::string text = ".m" + std::to_string(word.shape.m) + "n" + n;
  return word.shape.k ? text + "k" + std::to_string(word.shape.k) : text;
}

/// Matches one row's pattern with the words, with backtracking over optional groups.
class Walk {
public:
  /// Records in `expected`, if given, how far the row matched and what it expected there.
  Walk(const Pattern &pattern, const std::vector<Word> &words, ModifierMatch *expected)
      : pattern(pattern), words(words), expected(expected) {}

  bool run(size_t element, size_t word) {
    if (element == pattern.modifiers.size()) {
      if (word == words.size() || pattern.wildcard)
        return true;
      if (expected)
        note(word, "");
      return false;
    }
    int group = pattern.modifiers[element].group;
    if (group < 0)
      return accepts(element, word) && run(element + 1, word + 1);
    size_t end = element;
    while (end < pattern.modifiers.size() && pattern.modifiers[end].group == group)
      ++end;
    size_t at = word, e = element;
    while (e < end && accepts(e, at))
      ++e, ++at;
    if (e == end && run(end, at))
      return true;
    return run(end, word);
  }

private:
  bool accepts(size_t element, size_t word) {
    const ModifierElement &e = pattern.modifiers[element];
    if (word < words.size())
      for (const Word &alternative : e.alternatives)
        if (sameWord(alternative, words[word]))
          return true;
    if (expected)
      for (const Word &alternative : e.alternatives)
        note(word, wordText(alternative));
    return false;
  }

  void note(size_t word, std::string text) {
    if (word < expected->furthest)
      return;
    std::vector<std::string> &texts = expected->expected;
    if (word > expected->furthest)
      texts.clear();
    expected->furthest = word;
    if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  }

  const Pattern &pattern;
  const std::vector<Word> &words;
  ModifierMatch *expected;
};

/// Matches modifiers in another order than the table's: assemblers accept `.acquire`
/// after `.add` and the like. Words that identify the instruction stay in order, and so
/// do types, spaces and layouts among themselves.
class Rearrange {
public:
  Rearrange(const Pattern &pattern, const std::vector<Word> &words)
      : pattern(pattern), words(words), used(words.size(), false) {}

  bool run() { return !pattern.wildcard && sameHead() && take(0); }
  std::vector<Word> ordered;

private:
  /// Whether the word identifies the instruction. Arithmetic flags do not: max.s32.relu
  /// is max.relu.s32.
  static bool namesInstruction(Mod mod) {
    bool arithmetic = mod >= Mod::Ftz && mod <= Mod::Scaled;
    return info(mod).kind == ModKind::Flag && !arithmetic;
  }

  /// Whether the words that belong to the name match, such as `.try_wait` of
  /// mbarrier.try_wait.
  bool sameHead() const {
    for (size_t i = 0; i < pattern.modifiers.size(); ++i) {
      const ModifierElement &e = pattern.modifiers[i];
      if (e.group >= 0 || !namesInstruction(e.alternatives[0].mod))
        return true;
      if (i >= words.size() || !accepts(e, words[i]))
        return false;
    }
    return true;
  }

  bool take(size_t element) {
    if (element == pattern.modifiers.size())
      return ordered.size() == words.size();
    int group = pattern.modifiers[element].group;
    size_t end = element + 1;
    while (group >= 0 && end < pattern.modifiers.size() &&
           pattern.modifiers[end].group == group)
      ++end;
    return choose(element, end) || (group >= 0 && take(end));
  }

  /// Chooses words for the elements up to `end`, then for the remaining ones.
  bool choose(size_t element, size_t end) {
    const ModifierElement &e = pattern.modifiers[element];
    for (size_t w = 0; w < words.size(); ++w) {
      if (used[w] || !accepts(e, words[w]) || !inOrder(e, w))
        continue;
      used[w] = true;
      ordered.push_back(words[w]);
      if (element + 1 < end ? choose(element + 1, end) : take(end))
        return true;
      ordered.pop_back();
      used[w] = false;
    }
    return false;
  }

  static bool accepts(const ModifierElement &e, const Word &word) {
    return std::any_of(
        e.alternatives.begin(), e.alternatives.end(),
        [&](const Word &alternative) { return sameWord(alternative, word); });
  }

  /// Whether no unused word before this one has the same ordered kind.
  bool inOrder(const ModifierElement &e, size_t w) const {
    ModKind kind = info(words[w].mod).kind;
    bool free =
        kind == ModKind::Flag && (e.group >= 0 || !namesInstruction(words[w].mod));
    if (free || (kind != ModKind::Flag && kind != ModKind::Type &&
                 kind != ModKind::Space && kind != ModKind::Layout))
      return true;
    for (size_t before = 0; before < w; ++before)
      if (!used[before] && info(words[before].mod).kind == kind)
        return false;
    return true;
  }

  const Pattern &pattern;
  const std::vector<Word> &words;
  std::vector<bool> used;
};

} // namespace

ModifierMatch kiln::sim::ptx::matchModifiers(std::string_view mnemonic,
                                             const std::vector<Word> &words) {
  constexpr size_t maxWords = 16;
  ModifierMatch result;
  for (uint16_t index : rowsOf(mnemonic)) {
    const Row &row = rows()[index];
    if (Walk(pattern(row), words, nullptr).run(0, 0))
      result.rows.push_back(&row);
  }
  if (!result.rows.empty()) {
    result.words = words;
    return result;
  }
  for (uint16_t index : rowsOf(mnemonic)) {
    const Row &row = rows()[index];
    Rearrange attempt(pattern(row), words);
    if (words.size() > maxWords || !attempt.run() ||
        (!result.rows.empty() && attempt.ordered != result.words))
      continue;
    result.rows.push_back(&row);
    result.words = std::move(attempt.ordered);
  }
  // Collect what was expected only after a mismatch, as it costs time.
  if (result.rows.empty())
    for (uint16_t index : rowsOf(mnemonic))
      Walk(pattern(rows()[index]), words, &result).run(0, 0);
  return result;
}

namespace {

void applyOperation(Instruction &instruction, Mod mod) {
  if (instruction.operation == Mod::None)
    instruction.operation = mod;
  else if (instruction.operation2 == Mod::None)
    instruction.operation2 = mod;
}

template <typename T, size_t N> void applyNext(std::array<T, N> &slots, T none, T value) {
  auto it = std::find(slots.begin(), slots.end(), none);
  if (it != slots.end())
    *it = value;
}

} // namespace

void kiln::sim::ptx::applyWords(Instruction &instruction,
                                const std::vector<Word> &words) {
  for (const Word &word : words) {
    instruction.mods.push_back(word.mod);
    instruction.set.insert(word.mod);
    const ModInfo &mod = info(word.mod);
    switch (mod.kind) {
    case ModKind::Flag:
      break;
    case ModKind::Type:
      if (instruction.typeCount < instruction.types.size())
        instruction.types[instruction.typeCount++] = Type(mod.value);
      break;
    case ModKind::Space:
      applyNext(instruction.spaces, StateSpace::Generic, StateSpace(mod.value));
      break;
    case ModKind::Rounding:
      instruction.rounding = word.mod;
      break;
    case ModKind::Cache:
      instruction.cache = word.mod;
      break;
    case ModKind::Semantics:
      instruction.semantics = word.mod;
      break;
    case ModKind::Scope:
      instruction.scope = word.mod;
      break;
    case ModKind::Vector:
      instruction.vector = uint8_t(mod.value);
      break;
    case ModKind::Layout:
      applyNext(instruction.layouts, Mod::None, word.mod);
      break;
    case ModKind::Operation:
    case ModKind::Compare:
      applyOperation(instruction, word.mod);
      break;
    case ModKind::Shape:
      instruction.shape = word.shape;
      break;
    }
  }
}
