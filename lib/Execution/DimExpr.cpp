//===- DimExpr.cpp - Evaluation of printed dims ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursive descent over
//   sum    := product (('+' | '-') product)*
//   product := atom (('*' | 'floordiv' | 'ceildiv' | 'mod') atom)*
//   atom   := number | '-' atom | 'max' '(' sum ',' sum ')' | name | '(' sum ')'
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/DimExpr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using kiln::SymbolValues;
using llvm::StringRef;
using DimValue = std::optional<int64_t>;

namespace {
class Parser {
public:
  Parser(StringRef text, const SymbolValues &symbols) : rest(text), symbols(symbols) {}

  DimValue whole() {
    DimValue value = sum();
    rest = rest.ltrim();
    return rest.empty() ? value : DimValue();
  }

private:
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  DimValue sum() {
    DimValue value = product();
    while (value) {
      if (take("+"))
        value = combine(value, product(),
                        [](int64_t a, int64_t b) { return DimValue(a + b); });
      else if (take("-"))
        value = combine(value, product(),
                        [](int64_t a, int64_t b) { return DimValue(a - b); });
      else
        break;
    }
    return value;
  }

  DimValue product() {
    DimValue value = atom();
    while (value) {
      if (take("*"))
        value =
            combine(value, atom(), [](int64_t a, int64_t b) { return DimValue(a * b); });
      else if (take("floordiv "))
        value = divide(value, atom(), [](int64_t a, int64_t b) {
          return llvm::divideFloorSigned(a, b);
        });
      else if (take("ceildiv "))
        value = divide(value, atom(),
                       [](int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); });
      else if (take("mod "))
        value =
            divide(value, atom(), [](int64_t a, int64_t b) { return llvm::mod(a, b); });
      else
        break;
    }
    return value;
  }

  template <typename Fn> static DimValue combine(DimValue a, DimValue b, Fn fn) {
    return a && b ? fn(*a, *b) : DimValue();
  }
  template <typename Fn> static DimValue divide(DimValue a, DimValue b, Fn fn) {
    return a && b && *b > 0 ? DimValue(fn(*a, *b)) : DimValue();
  }

  DimValue parenthesis() {
    DimValue value = sum();
    return take(")") ? value : DimValue();
  }

  DimValue call(bool max) {
    DimValue a = sum();
    if (!take(","))
      return {};
    DimValue b = parenthesis();
    return combine(
        a, b, [=](int64_t x, int64_t y) { return DimValue(max == (x > y) ? x : y); });
  }

  DimValue atom() {
    if (take("("))
      return parenthesis();
    if (take("-"))
      return combine(DimValue(0), atom(),
                     [](int64_t a, int64_t b) { return DimValue(a - b); });
    bool max = take("max(");
    if (max || take("min("))
      return call(max);
    int64_t number;
    if (!rest.consumeInteger(10, number))
      return number;
    return symbol();
  }

  DimValue symbol() {
    StringRef name =
        rest.take_while([](char c) { return !StringRef(" ()*+,").contains(c); });
    rest = rest.drop_front(name.size());
    auto found = symbols.find(name.str());
    return found == symbols.end() ? DimValue() : DimValue(found->second);
  }

  StringRef rest;
  const SymbolValues &symbols;
};
} // namespace

DimValue kiln::execution::evaluateDim(StringRef expr, const SymbolValues &symbols) {
  return Parser(expr, symbols).whole();
}
