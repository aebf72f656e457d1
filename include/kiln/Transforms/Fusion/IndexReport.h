//===- IndexReport.h - Index operands of a model ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Separate from the passes, so that commands that print it do not depend on ops.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_INDEXREPORT_H
#define KILN_TRANSFORMS_FUSION_INDEXREPORT_H

namespace kiln {

/// Number of index operands of a model, by the way in which they are checked.
struct IndexReport {
  unsigned beforeRun = 0; ///< in inputs, checked by the runtime before a run
  unsigned byModel = 0;   ///< computed, checked by the model
  unsigned proved = 0;    ///< computed, and provably in range
  unsigned clamped = 0;   ///< clamped, because no code can be generated for their check

  /// Visits the fields for dialects/Graph/Record.h.
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
