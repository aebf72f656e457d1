//===- Oracle.h - Double-precision reference for packages -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The double-precision reference for users of a package, who do not have its IR: bytes
// and names go in, numbers come out. The provenance of a package contains, as text under
// "graph", the module of kernels that its plan was made from; the kernels of a program
// are the launches of its plan, in order.
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
  std::vector<double> values; ///< not rounded to `dtype`
  /// Error that rounding inside of a correct kernel may add to each value beyond the
  /// tolerance of its type; empty: none.
  std::vector<double> slack;
};

/// Bytes of a dense, row-major tensor.
using TensorBytes = llvm::ArrayRef<char>;

/// Candidates for a kernel's config, the chosen one first: kiln/Codegen/Explain.h.
struct KernelChoices {
  struct Candidate {
    std::string config;
    std::optional<double> cost;
  };
  std::string key; ///< the kernel's key in configs files
  std::string criterion;
  std::vector<Candidate> candidates;
};

/// The graph of a program of a package.
class PackageGraph {
public:
  /// Parses the graph in a package's provenance. program: "main", or one of several entry
  /// points. Errors: KILN-E0006.
  static llvm::Expected<PackageGraph> parse(llvm::StringRef text, llvm::StringRef where,
                                            llvm::StringRef program = "main");
  PackageGraph(PackageGraph &&);
  PackageGraph &operator=(PackageGraph &&);
  ~PackageGraph();

  size_t kernelCount() const;
  /// Returns the hero's name: "matmul".
  llvm::StringRef heroOf(size_t kernel) const;
  /// Whether the target may round f32 operands of a matmul in the kernel to tf32.
  bool permitsTf32(size_t kernel) const;
  /// Whether both operands of a matmul in the kernel are f8E4M3FN, whose accumulators in
  /// tensor cores may have only 13 bits.
  bool permitsShortSums(size_t kernel) const;
  /// Returns the candidates for a kernel on a target, best first; for a variant given by
  /// its suffix ("rows8"). Errors: KILN-E0400.
  llvm::Expected<KernelChoices> explain(size_t kernel, llvm::StringRef target,
                                        llvm::StringRef variant = {}) const;
  /// Returns lines of a configs file with configs that are worth measuring for a kernel,
  /// the compiler's choice first. Empty if the kernel has no configs. Errors: KILN-E0400.
  llvm::Expected<std::vector<std::string>>
  candidates(size_t kernel, llvm::StringRef target, llvm::StringRef variant = {}) const;
  /// Evaluates a kernel for these operands.
  llvm::Expected<std::vector<OracleTensor>> evaluate(size_t kernel,
                                                     llvm::ArrayRef<TensorBytes> operands,
                                                     const SymbolValues &symbols) const;

private:
  struct Contents;
  explicit PackageGraph(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents;
};

/// Evaluates an entire ONNX model. inputs: by name, with the shapes that `symbols` imply;
/// dims: as for compile. Returns results by name.
llvm::Expected<std::map<std::string, OracleTensor>>
evaluateModel(llvm::StringRef path, const std::vector<DimRange> &dims,
              const std::map<std::string, TensorBytes> &inputs,
              const SymbolValues &symbols);

} // namespace kiln

#endif // KILN_PIPELINE_ORACLE_H
