//===- PackageWriter.h - Writing a package ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last phase of a compile: plan, images, weights and provenance become one file. It
// depends on neither MLIR nor LLVM.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_PACKAGEWRITER_H
#define KILN_PACKAGE_PACKAGEWRITER_H

#include "plan_generated.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::package {

/// Reason why a package was not written: the fields of Kiln's error messages
/// (docs/errors), with `code` as in errors.def (701 for KILN-E0701).
struct WriteError {
  unsigned code;
  std::string where, what, expected, found, fix;
};

/// nullopt on success.
using WriteResult = std::optional<WriteError>;

/// Receives the bytes of a weight in order.
class WeightSink {
public:
  virtual ~WeightSink();
  /// Appends bytes. An error concerns the output file; the caller must return it.
  virtual WriteResult write(const void *data, size_t size) = 0;
};

/// One weight of the weights section. Its bytes are requested once, in the order of
/// weights, so that only one weight need be in memory.
struct Weight {
  std::string name;
  uint64_t offset; ///< in the section, equal to Buffer.offset; a multiple of 64
  uint64_t size;   ///< bytes
  /// Writes exactly `size` bytes to the sink, in chunks of any size.
  std::function<WriteResult(WeightSink &)> produce;
};

/// Makes a weight whose bytes are in memory (or mapped) already. `data` must stay valid
/// until the package is written.
Weight weightFromMemory(std::string name, uint64_t offset, const void *data,
                        uint64_t size);

struct PackageContents {
  std::string provenance;              ///< JSON text
  /// If set, makes the text that replaces `provenance` when all weights are written. It
  /// must have the same size, and may contain measurements of the writing.
  std::function<std::string()> finalProvenance;
  kiln::fb::PlanT plan;                ///< table of plan.fbs
  std::vector<kiln::fb::PlanT> otherPlans; ///< further programs of the model
  std::vector<std::string> hostImages; ///< flat images, indexed by Target.image
  std::vector<std::string> unwindTables; ///< for each image, or empty
  std::vector<std::string> ptx;        ///< NUL-terminated texts, indexed by Target.image
  std::vector<std::string> cubins;     ///< machine code indexed by Target.image; or empty
  std::vector<Weight> weights;         ///< by ascending offset, without overlap
};

struct WriteReport {
  uint64_t fileBytes = 0;
  uint64_t weightBytes = 0; ///< size of the weights section, gaps included
  std::string sha256;       ///< hash of the first plan section, hexadecimal
};

/// Writes the package to a temporary file in the folder of `path` and renames it at the
/// end, so that `path` is replaced atomically and a failure leaves nothing behind. Memory
/// use does not grow with the weights. Equal contents give equal bytes. report may be
/// nullptr. Errors: KILN-E0003, E0513, E0701, and those of a weight's `produce`.
WriteResult writePackage(const std::string &path, const PackageContents &contents,
                         WriteReport *report = nullptr);

} // namespace kiln::package

#endif // KILN_PACKAGE_PACKAGEWRITER_H
