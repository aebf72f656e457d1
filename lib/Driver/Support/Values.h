//===- Values.h - Parsing and printing of option values ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_VALUES_H
#define KILN_LIB_DRIVER_SUPPORT_VALUES_H

#include "kiln/Pipeline/Compile.h"
#include "kiln/Support/Units.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace kiln::driver {

/// `where` names the option in messages: "kiln run: --dims".

/// Parses "24GiB", "512 MiB", "1.5G" (GiB), "4096" (bytes).
llvm::Expected<uint64_t> parseBytes(llvm::StringRef where, llvm::StringRef text);
/// Parses "batch=1..8,seq=128" and appends it to `out`; a single number is both ends.
llvm::Error parseRanges(llvm::StringRef where, llvm::StringRef text,
                        std::vector<DimRange> &out);
/// Parses "batch=1,seq=128".
llvm::Error parseDims(llvm::StringRef where, llvm::StringRef text,
                      std::map<std::string, int64_t> &out);
/// Parses "a,b" and appends it to `out`; empty parts are errors.
llvm::Error parseList(llvm::StringRef where, llvm::StringRef text,
                      std::vector<std::string> &out);

/// A table whose columns are padded to their widest cell; `right` columns are
/// right-aligned. Cells may contain names from models, so control characters are escaped.
class Table {
public:
  explicit Table(std::vector<std::string> header, std::vector<bool> right = {})
      : right(std::move(right)), rows{std::move(header)} {}
  void add(std::vector<std::string> row);
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<bool> right;
  std::vector<std::vector<std::string>> rows;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_VALUES_H
