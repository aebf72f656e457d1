//===- IndexReport.h - Index operands of a model ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart from the passes, so that commands that print it do not depend on ops.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_INDEXREPORT_H
#define KILN_TRANSFORMS_FUSION_INDEXREPORT_H

namespace kiln {

/// Numbers of the index operands of a model, by how they are checked.
struct IndexReport {
  unsigned beforeRun = 0; ///< in inputs, which are compared before a run
  unsigned byModel = 0;   ///< computed, checked by the model
  unsigned proved = 0;    ///< computed, and always in range
  unsigned clamped = 0;   ///< no code can be generated for their check

  /// The fields, as dialects/Graph/Record.h reads and writes them.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("before_run", self.beforeRun);
    visitor("by_model", self.byModel);
    visitor("proved", self.proved);
    visitor("clamped", self.clamped);
  }
};

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_INDEXREPORT_H
