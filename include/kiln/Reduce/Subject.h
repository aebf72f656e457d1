//===- Subject.h - Input that is made smaller -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REDUCE_SUBJECT_H
#define KILN_REDUCE_SUBJECT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <memory>
#include <string>

namespace mlir {
class DialectRegistry;
}

namespace kiln::reduce {

/// Range of the places where a kind of edit can be made, in their order.
struct SiteRange {
  size_t begin = 0, end = 0;
};

/// Module or model that is being reduced, and the kinds of edits that make it smaller. An
/// edit that was made never adds places for edits of its kind.
class Subject {
public:
  virtual ~Subject() = default;

  virtual size_t numKinds() const = 0;
  /// Name of a kind of edits, for the report: "erase ops".
  virtual llvm::StringRef nameOf(size_t kind) const = 0;
  /// Number of places where an edit of this kind can be made now.
  virtual size_t countSites(size_t kind) = 0;
  /// Makes the edits of these places; false if nothing changed.
  virtual bool apply(size_t kind, SiteRange sites) = 0;
  /// True if what is there now satisfies its verifiers, as the input did. Always true of
  /// an input that did not.
  virtual bool isValid() = 0;
  /// Writes what is there now. Errors: KILN-E0003, KILN-E0701.
  virtual llvm::Error write(const std::string &path) = 0;
  /// ".mlir", ".onnx": the ending by which tools know the format.
  virtual llvm::StringRef suffix() const = 0;
  /// Size for people: "12 ops".
  virtual std::string describeSize() = 0;
};

/// Reads a .mlir file of any level, with the dialects of a registry. Errors: KILN-E0002,
/// KILN-E0004.
llvm::Expected<std::unique_ptr<Subject>>
readModule(llvm::StringRef path, const mlir::DialectRegistry &registry);

/// Reads an ONNX model, as text if its name ends in .onnxtxt. Errors: those of models.
llvm::Expected<std::unique_ptr<Subject>> readModel(llvm::StringRef path);

} // namespace kiln::reduce

#endif // KILN_REDUCE_SUBJECT_H
