//===- Mesh.h - Device mesh of ranks ----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_MESH_H
#define KILN_SUPPORT_MESH_H

#include "kiln/Support/Division.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kiln {

/// A device mesh: the ranks of a model along named axes. Rank r has index r %
/// ranksOfStage() in stage r / ranksOfStage().
struct Mesh {
  int64_t tp = 1; ///< tensor parallel: ranks that divide the weights of matmuls
  /// Context parallel: cp groups of `tp` consecutive ranks divide the rows of sequences.
  int64_t cp = 1;
  int64_t pp = 1; ///< pipeline stages
  /// Sequence parallel: the tp ranks divide the rows of sequences, too.
  bool sequence = false;
  /// Decode context parallel: the cp groups divide the positions of caches, too.
  bool dividesCaches = false;

  static constexpr int64_t kMaxRanks = 64; ///< all ranks run on one node
  /// Ranks that passes divide a model among, for `kiln estimate`.
  static constexpr int64_t kMaxPlannedRanks = 4096;

  int64_t ranksOfStage() const { return tp * cp; }
  int64_t ranks() const { return ranksOfStage() * pp; }
  /// Returns what the ranks of a stage divide; for tp with cp, what the groups along cp
  /// divide.
  Division division() const {
    return cp > 1 ? Division::Context : sequence ? Division::Sequence : Division::Tensor;
  }
  /// Parses a mesh. text: "tp", "sp" (tp with `sequence`), "cp=2", "dcp=2" (cp with
  /// `dividesCaches`), "pp=2" or "pp=2,tp=2". An axis without a number gets `ranks` (0:
  /// not given, one) divided by the others. place: for messages. Errors: KILN-E0001.
  static llvm::Expected<Mesh> parse(llvm::StringRef text, int64_t ranks,
                                    llvm::StringRef place);
  /// Returns the text that parse() reads as this mesh.
  std::string str() const;
};

/// Options that determine how ranks divide a model.
struct MeshOptions {
  /// Number of ranks that run a package together; 0: as many as `shard` implies.
  int64_t ranks = 0;
  std::string shard = "tp"; ///< see Mesh::parse
  int64_t overlap = 1;      ///< number of row parts, whose collectives overlap with
                            ///< matmuls of other parts
  int64_t microBatches = 1; ///< number of micro-batches of a run that stages process in a
                            ///< pipeline
  Mesh axes;                ///< set by resolve(), read by passes

  /// Sets `axes` from `ranks` and `shard`, and checks that `overlap` and `microBatches`
  /// are compatible with them. Errors: KILN-E0001.
  llvm::Error resolve();
};

} // namespace kiln

#endif // KILN_SUPPORT_MESH_H
