//===- Variant.h - Launches that code of their own is for -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel has one code for all dims of its model, and may have others for launches in
// which some quantities, such as the rows of a product, are small. Which quantities there
// are the kernel's family says.
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

/// At most so many of a quantity of a kernel family.
struct Bound {
  std::string quantity; ///< "rows"
  int64_t max = 0;

  bool operator==(const Bound &other) const {
    return quantity == other.quantity && max == other.max;
  }
};

/// Bounds that all hold.
struct Variant {
  llvm::SmallVector<Bound, 2> bounds;

  /// "rows<=8", "rows<=8,keys<=64": in keys of configs files.
  std::string text() const;
  static std::optional<Variant> ofText(llvm::StringRef text);
  /// "rows8", "rows8_keys64": in names of code.
  std::string suffix() const;
  static std::optional<Variant> ofSuffix(llvm::StringRef suffix);

  /// The bound on a quantity, if there is one.
  std::optional<int64_t> maxOf(llvm::StringRef quantity) const;

  bool operator==(const Variant &other) const { return bounds == other.bounds; }
  /// Smaller bounds first.
  bool operator<(const Variant &other) const;
};

/// The bound of a variant on a quantity; nullopt if it has none or there is no variant.
std::optional<int64_t> maxOf(const std::optional<Variant> &variant,
                             llvm::StringRef quantity);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_VARIANT_H
