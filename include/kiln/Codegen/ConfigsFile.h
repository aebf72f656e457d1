//===- ConfigsFile.h - Configs files ----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text file, one config per line:
//
//   # comment
//   matmul-0123456789abcdef x86-64-v3 gemm mr = 6, nr = 16, mc = 96, ...
//   matmul-0123456789abcdef/rows<=8 sm_90a gemv columns = 4, ...
//
// problem key, target, family, and the config's parameters as kiln explain prints them.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_CONFIGSFILE_H
#define KILN_CODEGEN_CONFIGSFILE_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
}

namespace kiln::codegen {

class ConfigsFile {
public:
  struct Line {
    std::string where; ///< "FILE:LINE"
    std::string key, target;
    mlir::Attribute config;
    bool isUsed = false;
  };

  /// Reads a configs file. Errors: KILN-E0001 (not readable), E0407 (malformed), E0408
  /// (unknown family), E0409 (two lines for one problem). The context must have loaded
  /// the tile dialect.
  static llvm::Expected<ConfigsFile> read(llvm::StringRef path,
                                          mlir::MLIRContext *context);
  static llvm::Expected<ConfigsFile> parse(llvm::StringRef text, llvm::StringRef path,
                                           mlir::MLIRContext *context);

  /// Returns the line of a problem on a target and marks it as used; null if there is
  /// none.
  const Line *find(llvm::StringRef key, llvm::StringRef target);
  llvm::ArrayRef<Line> getLines() const { return lines; }

private:
  std::vector<Line> lines;
};

/// Returns a line of such a file, without the line end.
std::string formatConfigLine(llvm::StringRef key, llvm::StringRef target,
                             mlir::Attribute config);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_CONFIGSFILE_H
