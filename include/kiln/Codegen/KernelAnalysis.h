//===- KernelAnalysis.h - Analysis of one kernel ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel family analyses the body of a kernel once. The analysis answers all questions
// of the compiler about the kernel: whether code can be generated, its configs and
// variants, their costs, and the code itself. KernelAnalyses.h caches analyses.
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

/// A request for code of a kernel: the target, and the variant (nullopt: for all
/// launches).
struct CodeRequest {
  const TargetInfo &target;
  std::optional<Variant> variant = std::nullopt;
};

/// A quantity that variants may bound, as an expression of the model's symbols.
struct Quantity {
  std::string name; ///< letters only: "rows"
  graph::SymbolicExpr value;
};

using ConfigProblem = std::optional<Diagnosis>;

/// Analysis of one kernel. It is immutable and therefore thread-safe.
class KernelAnalysis {
public:
  KernelAnalysis() = default;
  KernelAnalysis(const KernelAnalysis &) = delete;
  KernelAnalysis &operator=(const KernelAnalysis &) = delete;
  virtual ~KernelAnalysis() = default;

  /// Returns whether `emit` will succeed for every target; if not, `why` is the reason.
  virtual bool canEmit(std::string &why) const = 0;
  /// Returns a large operand that should first be copied to the order of the kernel's
  /// loops because a transpose tile in scratch does not help: the operand is contiguous
  /// along another dim than larger strided operands, or one of `targets` is a GPU that
  /// has no such tile or none that fits. nullopt if there is none.
  virtual std::optional<unsigned>
  operandToCopy(llvm::ArrayRef<std::string> /*targets*/) const {
    return std::nullopt;
  }

  /// Returns the config for a request, the best that `explain` lists; null if the family
  /// has no configs.
  virtual mlir::Attribute chooseConfig(const CodeRequest &request) const {
    std::vector<Candidate> candidates = explain(request).candidates;
    return candidates.empty() ? mlir::Attribute() : candidates.front().attribute;
  }
  /// Returns the candidates, best first, and what ranks them: costs in ns if the family
  /// has a model. Empty if the target has no code for the kernel.
  virtual Explanation explain(const CodeRequest &request) const = 0;
  /// Returns further configs near the chosen one that are worth measuring.
  virtual llvm::SmallVector<mlir::Attribute>
  variations(mlir::Attribute /*chosen*/) const {
    return {};
  }
  /// Returns why the kernel cannot be emitted with a config: it belongs to another
  /// family, or needs more of a resource than the target has; nullopt if it can be
  /// emitted. `where` is left empty.
  virtual ConfigProblem checkConfig(const CodeRequest &request,
                                    mlir::Attribute config) const = 0;

  /// Returns the quantities that variants of the kernel may bound.
  virtual std::vector<Quantity> quantities() const { return {}; }
  /// Returns the variants, in ascending order, that have their own code in addition to
  /// the code for all launches.
  virtual llvm::SmallVector<Variant> variants(const TargetInfo & /*target*/) const {
    return {};
  }

  /// Emits the tile program at the builder's insertion point with the name, nodes and
  /// location of `kernel`, whose fingerprint equals that of the analysed kernel. A null
  /// `config` means the best one. Reports an error at the kernel if the target has no
  /// code.
  virtual mlir::FailureOr<tile::KernelOp> emit(graph::KernelOp kernel,
                                               const CodeRequest &request,
                                               mlir::OpBuilder &builder,
                                               mlir::Attribute config) const = 0;
};

/// Analyses a kernel by its family. The kernel must outlive the analysis unchanged.
std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_KERNELANALYSIS_H
