//===- Oracle.h - What a package should compute -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The double precision reference for those who hold a package and not its IR:
// plain bytes and names go in, plain numbers come out. A package carries the
// module of kernels its plan was made from as text, under "graph" in its
// provenance; the kernels of a program are the launches of its plan, in order.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_ORACLE_H
#define KILN_PIPELINE_ORACLE_H

#include "kiln/Pipeline/Compile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

using SymbolValues = std::map<std::string, int64_t>;

/// An expected tensor.
struct OracleTensor {
  std::string dtype; ///< "f32", "u8", "bool": as kiln_dtype_name
  std::vector<int64_t> shape;
  std::vector<double> values; ///< not rounded to the type
  /// How far rounding inside a correct kernel may move each value beyond the limits of
  /// its type; empty: not at all.
  std::vector<double> slack;
};

/// The bytes of a tensor, dense and row-major.
using TensorBytes = llvm::ArrayRef<char>;

/// Candidates that a kernel's config was selected from, the selected one first:
/// kiln/Codegen/Explain.h.
struct KernelChoices {
  struct Candidate {
    std::string config;
    std::optional<double> cost;
  };
  std::string key; ///< what a configs file calls the kernel
  std::string criterion;
  std::vector<Candidate> candidates;
};

/// The graph of a program of a package.
class PackageGraph {
public:
  /// program: "main", or an entry of a model with several. Errors: KILN-E0006.
  static llvm::Expected<PackageGraph> parse(llvm::StringRef text, llvm::StringRef where,
                                            llvm::StringRef program = "main");
  PackageGraph(PackageGraph &&);
  PackageGraph &operator=(PackageGraph &&);
  ~PackageGraph();

  size_t kernelCount() const;
  /// "matmul"
  llvm::StringRef heroOf(size_t kernel) const;
  /// A product in it permits its target to round operands of f32 to tf32.
  bool permitsTf32(size_t kernel) const;
  /// A product in it is of f8E4M3FN on both sides, of whose sums tensor cores may keep 13
  /// bits.
  bool permitsShortSums(size_t kernel) const;
  /// The candidates for a kernel on a target, best first; of a variant, as its name ends
  /// ("rows8"). Errors: KILN-E0400.
  llvm::Expected<KernelChoices> explain(size_t kernel, llvm::StringRef target,
                                        llvm::StringRef variant = {}) const;
  /// Lines of a configs file for a kernel's code: configs that are worth measuring, the
  /// one that the compiler chooses first. Empty where there is no choice. Errors:
  /// KILN-E0400.
  llvm::Expected<std::vector<std::string>>
  candidates(size_t kernel, llvm::StringRef target, llvm::StringRef variant = {}) const;
  /// The results of a kernel for these operands.
  llvm::Expected<std::vector<OracleTensor>> evaluate(size_t kernel,
                                                     llvm::ArrayRef<TensorBytes> operands,
                                                     const SymbolValues &symbols) const;

private:
  struct Contents;
  explicit PackageGraph(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents;
};

/// Evaluates a whole ONNX model. inputs: by name, of the shapes that `symbols`
/// give; dims: as for compile. Results by name.
llvm::Expected<std::map<std::string, OracleTensor>>
evaluateModel(llvm::StringRef path, const std::vector<DimRange> &dims,
              const std::map<std::string, TensorBytes> &inputs,
              const SymbolValues &symbols);

} // namespace kiln

#endif // KILN_PIPELINE_ORACLE_H
