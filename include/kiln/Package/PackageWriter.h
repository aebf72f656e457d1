//===- PackageWriter.h - Writing a package ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last phase of a compile: plan, images, weights and provenance become one
// file. Depends on neither MLIR nor LLVM.
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

/// Why a package was not written: the fields of a message of Kiln
/// (docs/errors), `code` as in errors.def (701 for KILN-E0701).
struct WriteError {
  unsigned code;
  std::string where, what, expected, found, fix;
};

/// Success is empty.
using WriteResult = std::optional<WriteError>;

/// Where a weight puts its bytes, in order.
class WeightSink {
public:
  virtual ~WeightSink();
  /// Appends bytes. An error is that of the output file: hand it on.
  virtual WriteResult write(const void *data, size_t size) = 0;
};

/// One weight of the weights section. Its bytes are asked for once, when it is
/// its turn, so that only one weight need be in memory.
struct Weight {
  std::string name;
  uint64_t offset; ///< in the section, as Buffer.offset says; a multiple of 64
  uint64_t size;   ///< bytes
  /// Writes exactly `size` bytes to the sink, in pieces of any size.
  std::function<WriteResult(WeightSink &)> produce;
};

/// A weight whose bytes are in memory (or mapped) already. data must stay valid
/// until the package is written.
Weight weightFromMemory(std::string name, uint64_t offset, const void *data,
                        uint64_t size);

struct PackageContents {
  std::string provenance;              ///< JSON text
  /// If set, makes the text that replaces `provenance` when all weights are written, of
  /// the same size: it may say what was measured meanwhile.
  std::function<std::string()> finalProvenance;
  kiln::fb::PlanT plan;                ///< plan.fbs
  std::vector<kiln::fb::PlanT> otherPlans; ///< of a model with several programs
  std::vector<std::string> hostImages; ///< flat images, by Target.image
  std::vector<std::string> unwindTables; ///< of these images, or none at all
  std::vector<std::string> ptx;        ///< texts each ended by a NUL, by Target.image
  std::vector<std::string> cubins;     ///< machine code by Target.image; or none at all
  std::vector<Weight> weights;         ///< by ascending offset, not overlapping
};

struct WriteReport {
  uint64_t fileBytes = 0;
  uint64_t weightBytes = 0; ///< of the weights section, gaps included
  std::string sha256;       ///< of the first plan section, hexadecimal
};

/// Writes the package: to a temporary file beside `path`, renamed at the end,
/// so that `path` is replaced as a whole or not at all and a failure leaves
/// nothing behind. Memory use does not grow with the weights. Equal contents
/// give equal bytes. report may be NULL. Errors: KILN-E0003, E0513, E0701, and
/// whatever a weight's `produce` returns.
WriteResult writePackage(const std::string &path, const PackageContents &contents,
                         WriteReport *report = nullptr);

} // namespace kiln::package

#endif // KILN_PACKAGE_PACKAGEWRITER_H
