//===- CompileRecord.h - The compile that wrote a module --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_COMPILERECORD_H
#define KILN_TRANSFORMS_GRAPH_COMPILERECORD_H

#include "kiln/Support/Error.h"

#include <optional>
#include <string>

namespace kiln {

/// Record that kiln-begin-phase writes into a module (graph::kCompileAttr): the compiler,
/// the options that its passes read (PhaseOptions::str) and the last phase.
struct CompileRecord {
  std::string version = {}, options = {}, phase = {};

  /// Checks that this compiler wrote the module; `where` is for the message. KILN-E0304.
  std::optional<Diagnosis> checkVersion(std::string where) const;

  /// The fields, as dialects/Graph/Record.h reads and writes them.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("version", self.version);
    visitor("options", self.options);
    visitor("phase", self.phase);
  }
};

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_COMPILERECORD_H
