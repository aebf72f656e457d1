//===- PhaseOptions.h - Options that passes read ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One struct for `kiln compile` and for the pipelines of kiln-opt. Its members are passed
// as a whole to the passes that they concern. PhaseOptions.cpp has the table of their
// names in the text form of a pipeline.
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

/// Options of a package's targets.
struct TargetOptions {
  std::vector<std::string> names = {"native"};
  /// GPU targets: one kernel per matmul for all numbers of rows, so that the bits of a
  /// result row do not depend on the other rows.
  bool batchInvariant = false;
  std::string configs; ///< configs file; empty: none
  bool cubin = false;  ///< GPU targets: machine code in addition to PTX
};

/// Options for indices out of range.
struct IndexOptions {
  bool clamp = false; ///< clamp them to the nearest valid index instead of reporting an
                      ///< error
};

/// Limits on memory.
struct LimitOptions {
  std::optional<uint64_t> memory;      ///< limit on the total bytes of a package
  std::optional<uint64_t> graphMemory; ///< limit on the bytes of instantiated CUDA graphs
};

/// Options that the phases of a compile read, with the defaults of `kiln compile`.
struct PhaseOptions {
  TargetOptions targets;
  PrecisionPolicy precision; ///< precision of matmuls and caches
  MeshOptions mesh;
  StateOptions state; ///< which pasts and presents become state
  IndexOptions indices;
  LimitOptions limits;

  /// Returns the options that passes read and that differ from the default, in the syntax
  /// of kiln-opt's pipelines: "precision=int4 shard=tp=2". Equal texts mean equal passes.
  std::string str() const;
  /// Parses such a text. Errors: KILN-E0001, also for incompatible options.
  static llvm::Expected<PhaseOptions> parse(llvm::StringRef text);
  /// Checks that the options are compatible, and sets the mesh's axes. Errors:
  /// KILN-E0001.
  llvm::Error check();
};

/// Calls `show` with the pipelines' options, for --help.
void showPhaseOptions(llvm::function_ref<void(const mlir::detail::PassOptions &)> show);

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PHASEOPTIONS_H
