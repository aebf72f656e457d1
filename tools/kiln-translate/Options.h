//===- Options.h - Options of kiln-translate --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TOOLS_KILN_TRANSLATE_OPTIONS_H
#define KILN_TOOLS_KILN_TRANSLATE_OPTIONS_H

#include "llvm/Support/CommandLine.h"

namespace kiln {

/// Category of Kiln's options. --help sorts categories by name, so that this one comes in
/// front of "General options", which has those of mlir-translate.
inline llvm::cl::OptionCategory &conversionOptions() {
  static llvm::cl::OptionCategory category("Conversion options");
  return category;
}

/// A text that is an option of conversions. Options are made when a tool registers its
/// translations, behind hideLibraryOptions().
struct ConversionOption : llvm::cl::opt<std::string> {
  ConversionOption(llvm::StringRef name, llvm::StringRef value,
                   llvm::StringRef description)
      : opt(name, llvm::cl::desc(description), llvm::cl::value_desc(value),
            llvm::cl::cat(conversionOptions())) {}
};

} // namespace kiln

#endif // KILN_TOOLS_KILN_TRANSLATE_OPTIONS_H
