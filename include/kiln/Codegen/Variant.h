//===- Variant.h - Code for a subset of launches ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel has code for all dims of its model, and may have additional code for launches
// in which some quantities, such as the rows of a GEMM, are small. The kernel's family
// defines these quantities.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_VARIANT_H
#define KILN_CODEGEN_VARIANT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::codegen {

/// Upper bound of a quantity that a kernel family defines.
struct Bound {
  std::string quantity; ///< "rows"
  int64_t max = 0;

  bool operator==(const Bound &other) const {
    return quantity == other.quantity && max == other.max;
  }
};

/// A conjunction of bounds.
struct Variant {
  llvm::SmallVector<Bound, 2> bounds;

  /// Text in keys of configs files: "rows<=8", "rows<=8,keys<=64".
  std::string text() const;
  static std::optional<Variant> ofText(llvm::StringRef text);
  /// Suffix in names of code: "rows8", "rows8_keys64".
  std::string suffix() const;
  static std::optional<Variant> ofSuffix(llvm::StringRef suffix);

  /// Returns the bound on a quantity, if there is one.
  std::optional<int64_t> maxOf(llvm::StringRef quantity) const;

  bool operator==(const Variant &other) const { return bounds == other.bounds; }
  /// Orders smaller bounds first.
  bool operator<(const Variant &other) const;
};

/// Returns the bound of a variant on a quantity; nullopt without a bound or a variant.
std::optional<int64_t> maxOf(const std::optional<Variant> &variant,
                             llvm::StringRef quantity);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_VARIANT_H
