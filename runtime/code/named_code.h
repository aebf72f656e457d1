//===- named_code.h - Kernels by name in profilers and debuggers -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_NAMED_CODE_H
#define KILN_CODE_NAMED_CODE_H

#include "runtime/code/kernel_symbols.h"

namespace kiln::rt {

/// The code of a loaded model, whose kernels are named to profilers and debuggers when
/// the model is loaded, or later through publishSymbols.
class NamedCode {
public:
  NamedCode() = default;
  NamedCode(const NamedCode &) = delete;
  NamedCode &operator=(const NamedCode &) = delete;
  ~NamedCode();

  /// Adds the code; to be called once. The arguments must outlive this object. Errors of
  /// writing are logged, or printed on stderr without a log callback.
  void add(const CodeImage &image, std::vector<const Plan *> programs, size_t target);

  const CodeImage &image() const { return *code; }
  std::vector<KernelSymbol> symbols() const {
    return kernelSymbols(*code, programs, target);
  }

private:
  const CodeImage *code = nullptr; ///< null: add has not been called
  std::vector<const Plan *> programs;
  size_t target = 0;
};

/// See kiln_publish_symbols.
Status publishSymbols(const std::string &to);

} // namespace kiln::rt

#endif // KILN_CODE_NAMED_CODE_H
