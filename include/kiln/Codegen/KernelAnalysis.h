//===- KernelAnalysis.h - An analysed kernel and its answers ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel family analyses the body of a kernel once. All that the compiler then asks of
// the kernel is asked of the analysis: whether code can be generated, which configs and
// variants it has, what they cost, and the code itself. KernelAnalyses.h keeps analyses.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_KERNELANALYSIS_H
#define KILN_CODEGEN_KERNELANALYSIS_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Codegen/Explain.h"
#include "kiln/Codegen/Variant.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/TargetInfo.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::codegen {

/// One code of a kernel: for a target, for all launches or some.
struct CodeRequest {
  const TargetInfo &target;
  std::optional<Variant> variant = std::nullopt;
};

/// A number that variants may bound, over the model's symbols.
struct Quantity {
  std::string name; ///< letters only: "rows"
  graph::SymbolicExpr value;
};

using ConfigProblem = std::optional<Diagnosis>;

/// Answers about one kernel, which nothing changes: threads may ask at the same time.
class KernelAnalysis {
public:
  KernelAnalysis() = default;
  KernelAnalysis(const KernelAnalysis &) = delete;
  KernelAnalysis &operator=(const KernelAnalysis &) = delete;
  virtual ~KernelAnalysis() = default;

  /// Returns whether `emit` will succeed for every target; else `why` says what stands in
  /// the way.
  virtual bool canEmit(std::string &why) const = 0;
  /// Returns an operand, no small one, that the kernel should read from a copy in the
  /// order of its loops, as a tile through scratch does not serve it: it lies across the
  /// result along another dim than larger ones, or there is a GPU among these targets and
  /// no tile, or none that it holds. nullopt: there is none.
  virtual std::optional<unsigned>
  operandToCopy(llvm::ArrayRef<std::string> /*targets*/) const {
    return std::nullopt;
  }

  /// Returns the config of a code, of which `explain` lists the best first; null where
  /// there is no choice that could be given from outside.
  virtual mlir::Attribute chooseConfig(const CodeRequest &request) const {
    std::vector<Candidate> candidates = explain(request).candidates;
    return candidates.empty() ? mlir::Attribute() : candidates.front().attribute;
  }
  /// Returns the candidates, best first, and what ranks them: costs in ns where the
  /// family has a model. No candidates: the target has no code for the kernel.
  virtual Explanation explain(const CodeRequest &request) const = 0;
  /// Returns further configs near the chosen one that are worth measuring.
  virtual llvm::SmallVector<mlir::Attribute>
  variations(mlir::Attribute /*chosen*/) const {
    return {};
  }
  /// Returns why the kernel cannot be emitted with a config: the config is of another
  /// family, or takes more of a resource than the target has. nullopt: it can. `where` is
  /// left empty.
  virtual ConfigProblem checkConfig(const CodeRequest &request,
                                    mlir::Attribute config) const = 0;

  /// Returns the quantities that variants of the kernel may bound.
  virtual std::vector<Quantity> quantities() const { return {}; }
  /// Returns the variants, in ascending order, that have code of their own beside that
  /// for all launches.
  virtual llvm::SmallVector<Variant> variants(const TargetInfo & /*target*/) const {
    return {};
  }

  /// Writes the tile program at the builder's insertion point, with the name, the nodes
  /// and the location of `kernel`, whose fingerprint is that of the analysed one. config:
  /// null for the best one. Reports an error at the kernel if the target has no code.
  virtual mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel,
                                               const CodeRequest &request,
                                               mlir::OpBuilder &builder,
                                               mlir::Attribute config) const = 0;
};

/// Analyses a kernel by its family. The kernel outlives the analysis and stays as it is.
std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_KERNELANALYSIS_H
