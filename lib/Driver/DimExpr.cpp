//===- DimExpr.cpp - Values of printed dims -------------------------------===//
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

#include "DimExpr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using kiln::SymbolValues;
using llvm::StringRef;
using Value = std::optional<int64_t>;

namespace {
class Parser {
public:
  Parser(StringRef text, const SymbolValues &symbols) : rest(text), symbols(symbols) {}

  Value whole() {
    Value value = sum();
    rest = rest.ltrim();
    return rest.empty() ? value : Value();
  }

private:
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  Value sum() {
    Value value = product();
    while (value) {
      if (take("+"))
        value =
            combine(value, product(), [](int64_t a, int64_t b) { return Value(a + b); });
      else if (take("-"))
        value =
            combine(value, product(), [](int64_t a, int64_t b) { return Value(a - b); });
      else
        break;
    }
    return value;
  }

  Value product() {
    Value value = atom();
    while (value) {
      if (take("*"))
        value = combine(value, atom(), [](int64_t a, int64_t b) { return Value(a * b); });
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

  template <typename Fn> static Value combine(Value a, Value b, Fn fn) {
    return a && b ? fn(*a, *b) : Value();
  }
  template <typename Fn> static Value divide(Value a, Value b, Fn fn) {
    return a && b && *b > 0 ? Value(fn(*a, *b)) : Value();
  }

  Value parenthesis() {
    Value value = sum();
    return take(")") ? value : Value();
  }

  Value call(bool max) {
    Value a = sum();
    if (!take(","))
      return {};
    Value b = parenthesis();
    return combine(a, b,
                   [=](int64_t x, int64_t y) { return Value(max == (x > y) ? x : y); });
  }

  Value atom() {
    if (take("("))
      return parenthesis();
    if (take("-"))
      return combine(Value(0), atom(), [](int64_t a, int64_t b) { return Value(a - b); });
    bool max = take("max(");
    if (max || take("min("))
      return call(max);
    int64_t number;
    if (!rest.consumeInteger(10, number))
      return number;
    return symbol();
  }

  Value symbol() {
    StringRef name =
        rest.take_while([](char c) { return !StringRef(" ()*+,").contains(c); });
    rest = rest.drop_front(name.size());
    auto found = symbols.find(name.str());
    return found == symbols.end() ? Value() : Value(found->second);
  }

  StringRef rest;
  const SymbolValues &symbols;
};
} // namespace

Value kiln::driver::evaluateDim(StringRef expr, const SymbolValues &symbols) {
  return Parser(expr, symbols).whole();
}
