//===- LaunchConfig.h - The config of a kernel, read back -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_LAUNCHCONFIG_H
#define KILN_TEST_UNIT_KERNELS_LAUNCHCONFIG_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace kiln::test {

/// Parses the fields of a config in a package: "#tile.block_gemm_config<rows = 64, tile =
/// [32, 32]>".
class LaunchConfig {
public:
  explicit LaunchConfig(std::string text) : text(std::move(text)) {}

  const std::string &str() const { return text; }
  /// Whether it is a config of this kind, such as "block_gemm".
  bool is(llvm::StringRef kind) const;
  /// Returns an integer field; `otherwise` if there is none of that name.
  int64_t number(llvm::StringRef field, int64_t otherwise = 0) const;
  /// Returns a field that is a list of integers; empty if there is none of that name.
  std::vector<int64_t> numbers(llvm::StringRef field) const;

private:
  /// Returns the text after "field = "; empty if there is none.
  llvm::StringRef valueOf(llvm::StringRef field) const;

  std::string text;
};

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_LAUNCHCONFIG_H
