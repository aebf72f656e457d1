//===- Weights.h - Where the reference gets weights from --------*- C++ -*-===//
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
  /// The value of a weight. The tensor keeps alive what it looks at, so a
  /// weight is released with the last tensor made of it.
  virtual llvm::Expected<Tensor> get(graph::WeightOp weight) = 0;
  /// Returns the weight for reading block by block (WeightBlocks.h), which need not exist
  /// as a whole.
  virtual llvm::Expected<WeightBlocks> openBlocks(graph::WeightOp weight);
};

/// For modules without weights: every request is an error.
class NoWeights final : public WeightSource {
public:
  llvm::Expected<Tensor> get(graph::WeightOp weight) override;
};

/// Weights that lie in files of a model's folder, mapped and not copied. A file
/// outside the folder (absolute, through `..` or a symbolic link) is refused.
class MappedWeights final : public WeightSource {
public:
  /// Links that may lead out of the folder because the user named their ends.
  struct Links {
    std::string file;   ///< in the folder, to anywhere: the model itself
    std::string folder; ///< any file, into this folder
  };
  /// `checkHash`: compare the SHA-256 of the bytes with the weight's.
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

/// Weights as @main sees them on one of the module's ranks: those with a file from
/// `files`, parts of others (graph.part) cut out of these, the rest by running what @bake
/// needs for that weight, each time it is asked for; nothing is kept but what
/// Options::kept names.
class BakedWeights final : public WeightSource {
public:
  /// `errors` gets what blocks of codes are off by; null: it is not measured.
  BakedWeights(mlir::ModuleOp module, WeightSource &files, int64_t rank = 0,
               QuantizationErrors *errors = nullptr);
  llvm::Expected<Tensor> get(graph::WeightOp weight) override;
  llvm::Expected<WeightBlocks> openBlocks(graph::WeightOp weight) override;

private:
  /// Returns the value that @bake sets the weight to; an error if there is none, or if
  /// computing it needs the weight itself.
  llvm::Expected<mlir::Value> findValue(graph::WeightOp weight) const;
  /// This rank's part of the weight that `part` is a part of.
  llvm::Expected<Tensor> cut(graph::WeightOp part);

  mlir::ModuleOp module;
  WeightSource &files;
  int64_t rank;
  QuantizationErrors *errors;
  llvm::StringMap<graph::SetWeightOp> setters;
  llvm::DenseSet<mlir::Operation *> decisive; // see lib/Reference/Decisive.h
  llvm::DenseMap<mlir::Value, Tensor> kept;
  llvm::SmallVector<llvm::StringRef> active;  // being baked, outermost first
};

} // namespace kiln::reference

#endif // KILN_REFERENCE_WEIGHTS_H
