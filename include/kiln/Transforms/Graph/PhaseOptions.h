//===- PhaseOptions.h - Options that passes read ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One struct for `kiln compile` and for the pipelines of kiln-opt, made of parts
// that are passed whole to the passes they are about. PhaseOptions.cpp has the
// one table of their names in a pipeline's text.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PHASEOPTIONS_H
#define KILN_TRANSFORMS_GRAPH_PHASEOPTIONS_H

#include "kiln/Support/Mesh.h"
#include "kiln/Transforms/Graph/PrecisionPolicy.h"
#include "kiln/Transforms/Graph/StateOptions.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::detail {
class PassOptions;
}

namespace kiln {

/// Targets of a package and the code for them.
struct TargetOptions {
  std::vector<std::string> names = {"native"};
  /// GPU targets: one kernel per product, whatever its rows, so that a row of a result
  /// has the same bits however many there are beside it.
  bool batchInvariant = false;
  std::string configs; ///< file of configs that replace the choice; empty: none
  bool cubin = false;  ///< GPU targets: machine code beside the PTX
};

/// Options of indices out of range.
struct IndexOptions {
  bool clamp = false; ///< take them as the nearest inside, do not refuse
};

/// Limits on memory.
struct LimitOptions {
  std::optional<uint64_t> memory;      ///< bytes that a package may need in all
  std::optional<uint64_t> graphMemory; ///< bytes for instantiated CUDA graphs
};

/// Options of a compile that its phases read. Defaults are those of `kiln compile`.
struct PhaseOptions {
  TargetOptions targets;
  PrecisionPolicy precision; ///< of products and caches
  MeshOptions mesh;
  StateOptions state; ///< pasts and presents that become state
  IndexOptions indices;
  LimitOptions limits;

  /// Returns those that passes read and that are not the default, as the pipelines of
  /// kiln-opt take them: "precision=int4 shard=tp=2". Equal texts are equal passes.
  std::string str() const;
  /// Reads such a text. Errors: KILN-E0001, also for options that do not fit each other.
  static llvm::Expected<PhaseOptions> parse(llvm::StringRef text);
  /// Checks that options fit each other, and finds the axes of the mesh. KILN-E0001.
  llvm::Error check();
};

/// Calls `show` with the options of the pipelines, for --help.
void showPhaseOptions(llvm::function_ref<void(const mlir::detail::PassOptions &)> show);

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PHASEOPTIONS_H
