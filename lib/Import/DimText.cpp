//===- DimText.cpp - Names, formulas and ranges of dims -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/DimText.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Import/Import.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::SymbolicExpr;

std::string kiln::import::sanitizeName(StringRef name) {
  std::string result;
  for (char c : name.take_front(128))
    result += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (result.empty() || llvm::isDigit(result[0]))
    result.insert(0, "d");
  // Keywords of affine expressions and of the shape attribute.
  static constexpr StringLiteral kReserved[] = {"mod", "floordiv", "ceildiv", "symbol",
                                                "dim"};
  if (is_contained(kReserved, result))
    result += "_";
  return result;
}

bool kiln::import::isFormula(StringRef text) {
  return text.find_first_of("+*-") != StringRef::npos &&
         text.find_first_of("?/'\"") == StringRef::npos;
}

namespace {
/// Grammar: sum := product (("+"
/// "-") product)*, product := factor ("*" factor)*
class FormulaParser {
public:
  using ValueOf = function_ref<std::optional<SymbolicExpr>(StringRef)>;
  FormulaParser(StringRef text, ValueOf valueOf) : rest(text), valueOf(valueOf) {}

  std::optional<SymbolicExpr> parse() {
    auto result = sum();
    return result && rest.trim().empty() ? result : std::nullopt;
  }

private:
  bool eat(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }

  std::optional<SymbolicExpr> sum() {
    auto left = product();
    while (left) {
      bool minus = eat('-');
      if (!minus && !eat('+'))
        break;
      auto right = product();
      if (!right)
        return std::nullopt;
      left = minus ? *left - *right : *left + *right;
    }
    return left;
  }

  std::optional<SymbolicExpr> product() {
    auto left = factor();
    while (left && eat('*')) {
      auto right = factor();
      if (!right)
        return std::nullopt;
      left = *left * *right;
    }
    return left;
  }

  std::optional<SymbolicExpr> factor() {
    rest = rest.ltrim();
    StringRef word =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    rest = rest.drop_front(word.size());
    int64_t number;
    if (word.empty())
      return std::nullopt;
    // Literals are few and small, so that no coefficient overflows.
    if (!word.getAsInteger(10, number))
      return number <= kMaxNumber && ++numbers <= kMaxNumbers
                 ? std::optional<SymbolicExpr>(number)
                 : std::nullopt;
    return valueOf(word);
  }

  static constexpr int64_t kMaxNumber = 65536;
  static constexpr unsigned kMaxNumbers = 3;
  StringRef rest;
  ValueOf valueOf;
  unsigned numbers = 0;
};
} // namespace

std::optional<SymbolicExpr>
kiln::import::parseFormula(StringRef text,
                           function_ref<std::optional<SymbolicExpr>(StringRef)> valueOf) {
  constexpr size_t kMaxLength = 256;
  if (text.size() > kMaxLength)
    return std::nullopt;
  return FormulaParser(text, valueOf).parse();
}

llvm::Expected<std::vector<DimRange>> kiln::import::parseDimRanges(StringRef text) {
  std::vector<DimRange> result;
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/!text.empty());
  for (StringRef part : parts) {
    auto [name, range] = part.rsplit('=');
    bool isRange = range.contains("..");
    auto [lo, hi] = isRange ? range.split("..") : std::pair(range, range);
    DimRange dim{name.trim().str(), 0, 0};
    if (dim.name.empty() || lo.trim().getAsInteger(10, dim.lo) ||
        hi.trim().getAsInteger(10, dim.hi))
      return makeError({ErrorCode::BadUsage, "--dims", "the ranges cannot be understood",
                        "name=lo..hi,name=value", "'" + part.str() + "'",
                        "for example --dims batch=1..8,seq=128"});
    result.push_back(std::move(dim));
  }
  return result;
}
