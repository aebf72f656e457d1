//===- PassPrinting.h - What passes print of themselves ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The switches of mlir-opt that show passes at work, for a compile.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_PASSPRINTING_H
#define KILN_PIPELINE_PASSPRINTING_H

#include <string>
#include <vector>

namespace kiln {

/// Options of `kiln compile` that mean what they mean in mlir-opt. Everything is printed
/// to stderr.
struct PassPrinting {
  /// Flags of passes around which the IR is printed; "all": every pass.
  std::vector<std::string> before, after;
  bool onlyChanges = false; ///< print after a pass only if it changed something
  std::string treeDir;      ///< write one file per pass into this folder instead
  bool timing = false;      ///< print the time of each pass

  bool printsIr() const { return !before.empty() || !after.empty(); }
};

} // namespace kiln

#endif // KILN_PIPELINE_PASSPRINTING_H
