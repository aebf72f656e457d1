//===- Weights.h - Sources of weights for the reference ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_WEIGHTS_H
#define KILN_REFERENCE_WEIGHTS_H

#include "dialects/Graph/Graph.h"
#include "kiln/Reference/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace llvm {
class MemoryBuffer;
}

namespace kiln::reference {

class QuantizationErrors;
class WeightBlocks;

class WeightSource {
public:
  virtual ~WeightSource() = default;
  /// Returns the value of a weight. The tensor keeps the memory it refers to alive, so a
  /// weight is released with the last tensor made from it.
  virtual llvm::Expected<Tensor> get(graph::WeightOp weight) = 0;
  /// Returns the weight for reading by block (WeightBlocks.h), without computing all of
  /// it.
  virtual llvm::Expected<WeightBlocks> openBlocks(graph::WeightOp weight);
};

/// Source for modules without weights: every request is an error.
class NoWeights final : public WeightSource {
public:
  llvm::Expected<Tensor> get(graph::WeightOp weight) override;
};

/// Weights in files of a model's folder, which are mapped and not copied. A file outside
/// of the folder (absolute, through `..` or a symbolic link) is refused.
class MappedWeights final : public WeightSource {
public:
  /// Symbolic links that may lead out of the folder because the user named their targets.
  struct Links {
    std::string file;   ///< this file in the folder may link anywhere: the model itself
    std::string folder; ///< any file may link into this folder
  };
  /// checkHash: whether the SHA-256 of the bytes is compared with the weight's.
  explicit MappedWeights(llvm::StringRef folder, bool checkHash = false);
  MappedWeights(llvm::StringRef folder, Links links);
  llvm::Expected<Tensor> get(graph::WeightOp weight) override;

private:
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> open(graph::WeightOp weight);

  std::string folder;
  bool checkHash;
  Links links;
  llvm::StringMap<std::shared_ptr<llvm::MemoryBuffer>> files;
};

/// Weights that @main reads on one of the module's ranks: those with a file come from
/// `files`, parts (graph.part) are cut out of other weights, and the rest is computed on
/// every request by the ops of @bake that the weight needs; only values in Options::kept
/// are cached.
class BakedWeights final : public WeightSource {
public:
  /// errors: accumulates quantization errors; null: they are not measured.
  BakedWeights(mlir::ModuleOp module, WeightSource &files, int64_t rank = 0,
               QuantizationErrors *errors = nullptr);
  llvm::Expected<Tensor> get(graph::WeightOp weight) override;
  llvm::Expected<WeightBlocks> openBlocks(graph::WeightOp weight) override;

private:
  /// Returns the value that @bake sets the weight to; fails if there is none, or if
  /// computing it needs the weight itself.
  llvm::Expected<mlir::Value> findValue(graph::WeightOp weight) const;
  /// Returns this rank's part of the weight that `part` refers to.
  llvm::Expected<Tensor> cut(graph::WeightOp part);

  mlir::ModuleOp module;
  WeightSource &files;
  int64_t rank;
  QuantizationErrors *errors;
  llvm::StringMap<graph::SetWeightOp> setters;
  llvm::DenseSet<mlir::Operation *> decisive; // see lib/Reference/Decisive.h
  llvm::DenseMap<mlir::Value, Tensor> kept;
  llvm::SmallVector<llvm::StringRef> active;  // weights being computed, outermost first
};

} // namespace kiln::reference

#endif // KILN_REFERENCE_WEIGHTS_H
