//===- pattern.cpp - Compiled rows of the instruction table --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/pattern.h"

#include <charconv>

using namespace kiln::sim::ptx;

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Parses "m16" at the front of the text; `N` counts as 0.
bool takeDimension(std::string_view &text, char letter, uint16_t &value) {
  if (text.size() < 2 || text[0] != letter)
    return false;
  text.remove_prefix(1);
  if (text[0] == 'N') {
    value = 0;
    text.remove_prefix(1);
    return true;
  }
  if (!isDigit(text[0]) || text[0] == '0')
    return false;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc())
    return false;
  text.remove_prefix(end - text.data());
  return true;
}

bool parseShape(std::string_view text, Shape &shape) {
  if (!takeDimension(text, 'm', shape.m) || !takeDimension(text, 'n', shape.n))
    return false;
  if (text.empty())
    return true;
  return takeDimension(text, 'k', shape.k) && text.empty();
}

Type findType(std::string_view spelling) {
  for (size_t i = 1; i < std::size(typeTable); ++i)
    if (typeTable[i].spelling == spelling)
      return Type(i);
  return Type::None;
}

/// Compiles the two strings of a row to a Pattern. Errors are recorded in `problem`.
class Compiler {
public:
  explicit Compiler(const Row &row) { compile(row); }
  Pattern result;

private:
  void fail(std::string_view what) {
    if (result.problem.empty())
      result.problem = what;
  }

  void compile(const Row &row) {
    std::string_view text = row.pattern;
    size_t end = text.find_first_of(".{*");
    result.mnemonic = text.substr(0, end);
    text.remove_prefix(std::min(end, text.size()));
    modifiers(text);
    if (row.operands != "*")
      operands(row.operands);
  }

  void modifiers(std::string_view text) {
    int group = -1, groups = 0;
    while (!text.empty()) {
      char c = text[0];
      if (c == '*') {
        result.wildcard = true;
        return;
      }
      if (c == '{' || c == '}') {
        group = c == '{' ? groups++ : -1;
        text.remove_prefix(1);
        continue;
      }
      if (c != '.')
        return fail("expected '.' in the pattern");
      size_t end = std::min(text.find_first_of(".{}*", 1), text.size());
      element(text.substr(1, end - 1), group);
      text.remove_prefix(end);
    }
  }

  void element(std::string_view words, int group) {
    ModifierElement e;
    e.group = group;
    while (true) {
      size_t bar = words.find('|');
      Word word = parseWord(words.substr(0, bar));
      if (word.mod == Mod::None)
        fail("unknown word " + std::string(words.substr(0, bar)));
      e.alternatives.push_back(word);
      if (bar == std::string_view::npos)
        break;
      words.remove_prefix(bar + 1);
    }
    result.modifiers.push_back(std::move(e));
  }

  void operands(std::string_view text) {
    int group = -1, groups = 0;
    while (true) {
      size_t start = text.find_first_not_of(' ');
      if (start == std::string_view::npos)
        return;
      text.remove_prefix(start);
      size_t end = std::min(text.find(' '), text.size());
      std::string_view token = text.substr(0, end);
      text.remove_prefix(end);
      if (token.front() == '{') {
        group = groups++;
        token.remove_prefix(1);
      }
      bool closes = token.back() == '}';
      if (closes)
        token.remove_suffix(1);
      operand(token, group);
      if (closes)
        group = -1;
    }
  }

  static bool take(std::string_view &text, std::string_view prefix) {
    if (!text.starts_with(prefix))
      return false;
    text.remove_prefix(prefix.size());
    return true;
  }

  void operand(std::string_view text, int group) {
    OperandPattern o;
    o.group = group;
    if (take(text, "?")) {
      // The last colon separates: the modifier itself may contain `::`.
      size_t colon = text.rfind(':');
      o.condition = parseWord(text.substr(0, colon)).mod;
      if (o.condition == Mod::None)
        fail("unknown condition");
      text.remove_prefix(colon + 1);
    }
    o.written = take(text, "=");
    if (text == "_") {
      o.kind = OperandPattern::Kind::SinkOnly;
      result.operands.push_back(o);
      return;
    }
    o.sink = take(text, "_");
    pairSuffix(text, o);
    kind(text, o);
    result.operands.push_back(std::move(o));
  }

  void pairSuffix(std::string_view &text, OperandPattern &o) {
    struct Suffix {
      std::string_view text;
      OperandPattern::PairKind kind;
      bool sink;
    };
    using enum OperandPattern::PairKind;
    for (const Suffix &s :
         {Suffix{"[|_p]", Optional, true}, Suffix{"[|p]", Optional, true},
          Suffix{"|p", Required, false}})
      if (text.ends_with(s.text)) {
        text.remove_suffix(s.text.size());
        o.pair = s.kind;
        o.pairSink = s.sink;
        return;
      }
  }

  void kind(std::string_view text, OperandPattern &o) {
    using enum OperandPattern::Kind;
    if (text == "p" || text == "!p") {
      o.kind = Predicate;
      o.type = Type::Pred;
      o.negatable = text[0] == '!';
    } else if (text == "u32/p") {
      o.kind = SizeOrPredicate;
      o.type = Type::U32;
    } else if (text == "label") {
      o.kind = Label;
    } else if (text == "table") {
      o.kind = Table;
    } else if (text == "call") {
      o.kind = Call;
    } else if (text == "@tensor") {
      o.kind = Tensor;
    } else if (take(text, "@")) {
      address(text, o);
    } else if (take(text, "frag")) {
      o.kind = Fragment;
      o.fragment = text.empty() ? 0 : text[0];
    } else if (take(text, "pack")) {
      o.kind = Pack;
      value(text, o);
    } else if (text.starts_with("c") && text.ends_with(")")) {
      constant(text.substr(1), o);
    } else if (take(text, "v")) {
      o.kind = Vector;
      value(text, o);
    } else if (!text.empty() && isDigit(text[0])) {
      o.kind = Vector;
      o.count = text[0] - '0';
      value(text.substr(1), o);
    } else {
      value(text, o);
    }
  }

  void address(std::string_view text, OperandPattern &o) {
    o.kind = OperandPattern::Kind::Address;
    if (text == "0" || text == "1")
      o.spaceIndex = text[0] - '0';
    else if (text == "shared")
      o.space = StateSpace::Shared;
    else if (text == "global")
      o.space = StateSpace::Global;
    else if (text != "generic")
      fail("unknown address");
  }

  void value(std::string_view text, OperandPattern &o) {
    o.relaxed |= take(text, "~");
    if (text.size() == 2 && text[0] == 'T' && isDigit(text[1])) {
      o.from = OperandPattern::TypeFrom::Modifier;
      o.typeIndex = text[1] - '0';
    } else if (text == "W0") {
      o.from = OperandPattern::TypeFrom::Wide;
    } else if (text == "D01") {
      o.from = OperandPattern::TypeFrom::DotProduct;
    } else if (text == "A64") {
      o.from = OperandPattern::TypeFrom::Address;
    } else if ((o.type = findType(text)) != Type::None) {
      o.from = OperandPattern::TypeFrom::Fixed;
    } else if (take(text, "r")) {
      o.registerOnly = true;
      value(text, o);
    } else if (take(text, "x")) {
      o.symbolic = true;
      value(text, o);
    } else {
      fail("unknown operand");
    }
  }

  void constant(std::string_view text, OperandPattern &o) {
    o.kind = OperandPattern::Kind::Constant;
    size_t open = text.find('(');
    o.type = findType(text.substr(0, open));
    std::string_view list = text.substr(open + 1, text.size() - open - 2);
    if (size_t dots = list.find(".."); dots != std::string_view::npos) {
      o.low = number(list.substr(0, dots));
      o.high = number(list.substr(dots + 2));
      return;
    }
    while (true) {
      size_t comma = list.find(',');
      o.choices.push_back(number(list.substr(0, comma)));
      if (comma == std::string_view::npos)
        return;
      list.remove_prefix(comma + 1);
    }
  }

  int64_t number(std::string_view text) {
    int64_t value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
      fail("expected a number");
    return value;
  }
};

} // namespace

Word kiln::sim::ptx::parseWord(std::string_view spelling) {
  Word word;
  if (spelling.starts_with('m') && parseShape(spelling, word.shape))
    word.mod = Mod::Shape;
  else
    word.mod = findMod(spelling);
  return word;
}

const Pattern &kiln::sim::ptx::pattern(const Row &row) {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> patterns;
    for (const Row &r : rows())
      patterns.push_back(Compiler(r).result);
    return patterns;
  }();
  return all[row.index];
}
