//===- Values.h - Values of options and their print -------------*- C++ -*-===//
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

/// `where` is the option, for messages: "kiln run: --dims".

/// "24GiB", "512 MiB", "1.5G" (GiB), "4096" (bytes).
llvm::Expected<uint64_t> parseBytes(llvm::StringRef where, llvm::StringRef text);
/// "batch=1..8,seq=128" appended to `out`; a single number is both ends.
llvm::Error parseRanges(llvm::StringRef where, llvm::StringRef text,
                        std::vector<DimRange> &out);
/// "batch=1,seq=128".
llvm::Error parseDims(llvm::StringRef where, llvm::StringRef text,
                      std::map<std::string, int64_t> &out);
/// "a,b" appended to `out`; no part may be empty.
llvm::Error parseList(llvm::StringRef where, llvm::StringRef text,
                      std::vector<std::string> &out);

/// Columns padded to their widest cell; `right` columns are right-aligned. Cells hold
/// names of models: control characters are escaped.
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
