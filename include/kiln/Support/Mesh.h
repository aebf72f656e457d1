//===- Mesh.h - How ranks divide a model ------------------------*- C++ -*-===//
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

/// A device mesh: the ranks of a model along named axes. Rank r is number r %
/// ranksOfStage() of the ranks that share stage r / ranksOfStage().
struct Mesh {
  int64_t tp = 1; ///< tensor parallel: ranks that divide the weights of products
  /// Context parallel: divide the rows of sequences. Each of them is `tp` ranks, which
  /// follow each other.
  int64_t cp = 1;
  int64_t pp = 1; ///< stages of a pipeline
  /// The ranks of tp divide the rows of sequences, too (sequence parallel).
  bool sequence = false;
  /// The ranks of cp divide the positions of caches, too (decode context parallel).
  bool dividesCaches = false;

  static constexpr int64_t kMaxRanks = 64; ///< all run on one node

  int64_t ranksOfStage() const { return tp * cp; }
  int64_t ranks() const { return ranksOfStage() * pp; }
  /// Returns how the ranks of a stage divide the work; for tp with cp, how those along cp
  /// do.
  Division division() const {
    return cp > 1 ? Division::Context : sequence ? Division::Sequence : Division::Tensor;
  }
  /// text: "tp", "sp" (tp with `sequence`), "cp=2", "dcp=2" (cp with `dividesCaches`),
  /// "pp=2" or "pp=2,tp=2". An axis
  /// without a number gets those of `ranks` (0: not given, one) that the others leave.
  /// place: for messages. Errors: KILN-E0001.
  static llvm::Expected<Mesh> parse(llvm::StringRef text, int64_t ranks,
                                    llvm::StringRef place);
  /// Returns the text that parse() reads as this mesh.
  std::string str() const;
};

/// Options of how ranks divide a model.
struct MeshOptions {
  /// Number of ranks that run a package together; 0: as many as `shard` says.
  int64_t ranks = 0;
  std::string shard = "tp"; ///< see Mesh::parse
  int64_t overlap = 1;      ///< parts of rows whose collectives run beside products
  int64_t microBatches = 1; ///< parts of a run that stages compute one behind the other
  Mesh axes;                ///< set by resolve(); the passes read it

  /// Finds the axes that `ranks` and `shard` stand for, and checks that `overlap` and
  /// `microBatches` fit them. Errors: KILN-E0001.
  llvm::Error resolve();
};

} // namespace kiln

#endif // KILN_SUPPORT_MESH_H
