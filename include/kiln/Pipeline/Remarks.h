//===- Remarks.h - Decisions of passes and their reasons --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks as a compile collects them, and the files that they are written to.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_REMARKS_H
#define KILN_PIPELINE_REMARKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// A decision of a pass.
struct PassRemark {
  /// Passed: a rewrite was done. Missed: it was not, for the reason given. Analysis: a
  /// fact that later passes or the user may need.
  enum Kind : uint8_t { Passed, Missed, Analysis };

  Kind kind = Passed;
  std::string pass; ///< its flag in kiln-opt: "kiln-raise-attention"
  std::string name; ///< the rule: "attention"
  std::string node; ///< the ONNX node; a model without names: the place in the file
  /// Keys and texts: "Reason" or "Remark", and numbers such as the predicted cost.
  std::vector<std::pair<std::string, std::string>> arguments;

  llvm::StringRef kindName() const;
  /// Returns what was done or why not, and behind it the other arguments by their keys.
  std::string text() const;
};

/// Checks that a path ends in .yaml, .yml or .json. `where` names the option. Errors:
/// KILN-E0001.
llvm::Error checkRemarksFile(llvm::StringRef where, llvm::StringRef path);

/// Writes remarks to a file: .yaml in the form that LLVM's opt-viewer reads, where the
/// function is the ONNX node and the debug location the model's file; .json as a list of
/// objects with pass, kind, name, node and the arguments. Errors: KILN-E0003.
llvm::Error writeRemarks(llvm::StringRef path, llvm::StringRef model,
                         llvm::ArrayRef<PassRemark> remarks);

} // namespace kiln

#endif // KILN_PIPELINE_REMARKS_H
