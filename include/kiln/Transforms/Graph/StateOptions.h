//===- StateOptions.h - Options of the state of decoders -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart from the passes, so that commands that set them do not depend on ops.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_STATEOPTIONS_H
#define KILN_TRANSFORMS_GRAPH_STATEOPTIONS_H

#include <string>
#include <vector>

namespace kiln {

/// Options of the passes that make pasts and presents one state.
struct StateOptions {
  bool enabled = true;
  /// Names of pasts and presents, "past=present"; empty: what is found.
  std::vector<std::string> pairs;
  /// Inputs that stay though they follow from the state, by name.
  std::vector<std::string> keptInputs;
  /// Ranges of the dims that a state has: "rows=1..4", "capacity=1..256".
  std::vector<std::string> dims;
  /// Range of the new positions of @decode, "1..4"; empty: 1 to 16.
  std::string tokens;
};

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_STATEOPTIONS_H
