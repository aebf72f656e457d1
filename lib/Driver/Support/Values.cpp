//===- Values.cpp - Parsing and printing of option values -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "Report.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

Expected<uint64_t> driver::parseBytes(StringRef where, StringRef text) {
  StringRef number = text.take_while([](char c) { return isDigit(c) || c == '.'; });
  StringRef unit = text.drop_front(number.size()).trim();
  double scale = StringSwitch<double>(unit)
                     .CasesLower({"", "b"}, 1)
                     .CasesLower({"k", "kib"}, 0x1p10)
                     .CasesLower({"m", "mib"}, 0x1p20)
                     .CasesLower({"g", "gib"}, 0x1p30)
                     .CasesLower({"t", "tib"}, 0x1p40)
                     .CaseLower("kb", 1e3)
                     .CaseLower("mb", 1e6)
                     .CaseLower("gb", 1e9)
                     .Default(0);
  double value;
  if (number.getAsDouble(value) || !scale || value * scale > 0x1p62)
    return usageError(where, "is not a size", "a number with KiB, MiB, GiB or TiB",
                      "'" + text + "'", "write for example 24GiB");
  return static_cast<uint64_t>(value * scale);
}

static bool parseRange(StringRef text, DimRange &out) {
  auto [lo, hi] = text.split("..");
  if (hi.empty() && !text.contains(".."))
    hi = lo;
  return !lo.getAsInteger(10, out.lo) && !hi.getAsInteger(10, out.hi) && out.lo >= 0 &&
         out.lo <= out.hi;
}

Error driver::parseRanges(StringRef where, StringRef text, std::vector<DimRange> &out) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    auto [name, range] = part.trim().split('=');
    DimRange dim{name.trim().str()};
    if (dim.name.empty() || !parseRange(range.trim(), dim))
      return usageError(where, "is not a range of a dim",
                        "name=lo..hi with 0 <= lo <= hi", "'" + part + "'",
                        "write for example batch=1..8,seq=1..512");
    for (const DimRange &other : out)
      if (other.name == dim.name)
        return usageError(where, "names a dim twice", "each dim once",
                          "'" + dim.name + "' again", "leave one out");
    out.push_back(std::move(dim));
  }
  return Error::success();
}

Error driver::parseDims(StringRef where, StringRef text,
                        std::map<std::string, int64_t> &out) {
  std::vector<DimRange> ranges;
  KILN_CHECK(parseRanges(where, text, ranges));
  for (const DimRange &range : ranges) {
    if (range.lo != range.hi)
      return usageError(where, "needs one value per dim", "name=value", "'" + text + "'",
                        "write for example batch=1,seq=128");
    out[range.name] = range.lo;
  }
  return Error::success();
}

Error driver::parseList(StringRef where, StringRef text, std::vector<std::string> &out) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    if (part.trim().empty())
      return usageError(where, "has an empty entry", "names separated by commas",
                        "'" + text + "'", "remove the comma");
    if (llvm::is_contained(out, part.trim().str()))
      return usageError(where, "has an entry twice", "every name once",
                        "'" + part.trim() + "' again", "leave one out");
    out.push_back(part.trim().str());
  }
  return Error::success();
}

void Table::add(std::vector<std::string> row) {
  for (std::string &cell : row)
    cell = withoutControls(cell);
  rows.push_back(std::move(row));
}

void Table::print(raw_ostream &os) const {
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const auto &row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      std::string pad(widths[i] - row[i].size(), ' ');
      line += ' ' + (i < right.size() && right[i] ? pad + row[i] : row[i] + pad) + ' ';
    }
    os << StringRef(line).rtrim() << '\n';
  }
}
