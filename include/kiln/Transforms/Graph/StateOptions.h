//===- StateOptions.h - Options of the state of decoders -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Separate from the passes, so that commands that set options do not depend on ops.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_STATEOPTIONS_H
#define KILN_TRANSFORMS_GRAPH_STATEOPTIONS_H

#include <string>
#include <vector>

namespace kiln {

/// Options of the passes that turn pasts and presents into state.
struct StateOptions {
  bool enabled = true;
  /// Names of pasts and presents, "past=present"; empty: they are detected.
  std::vector<std::string> pairs;
  /// Names of inputs that are kept although the state determines their values.
  std::vector<std::string> keptInputs;
  /// Ranges of the dims of a state: "rows=1..4", "capacity=1..256".
  std::vector<std::string> dims;
  /// Range of the number of new positions of @decode, "1..4"; empty: 1 to 16.
  std::string tokens;
};

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_STATEOPTIONS_H
