//===- ModelEditor.h - An ONNX model that is made smaller -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_IMPORT_MODELEDITOR_H
#define KILN_IMPORT_MODELEDITOR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace kiln::import {

/// ONNX model in memory, with all its data, and edits that make it smaller. Edits of a
/// kind are made at places that are counted from 0 in an order that depends on the model
/// alone; an edit never adds places for edits of its kind. Nodes and initializers in
/// bodies of If, Loop and Scan are among the places.
class ModelEditor {
public:
  enum class Edit {
    WeightsToInputs, ///< initializers, whose data go
    CutNodes,        ///< their outputs become inputs, their inputs outputs
    InlineThen,      ///< an If is replaced by its first branch
    InlineElse,      ///< an If is replaced by its second branch
    InlineLoops,     ///< a Loop is replaced by its first iteration
    DropLoopValues,  ///< values of a Loop that nothing reads behind it
    DropOutputs,     ///< all but one
    DropUnused,      ///< inputs, initializers and functions that nothing reads
    BypassNodes,     ///< an output is replaced by an input of the node
    OutputsToOnes,   ///< an output of up to 64 elements becomes an initializer of ones
    NamedDimsToOne,  ///< named dims of inputs
    SizesToOne,      ///< sizes of inputs
    DropAttributes,
    DropText, ///< descriptions, metadata, and declared types of values
  };

  /// Reads `path`: ONNX text if it ends in .onnxtxt, else protobuf, with external data.
  /// Initializers beyond 1 GiB of data become inputs. Errors: those of models.
  static llvm::Expected<ModelEditor> read(llvm::StringRef path);
  ModelEditor(ModelEditor &&) noexcept;
  ~ModelEditor();

  size_t countSites(Edit edit) const;
  /// Makes the edits of the places from `begin` to `end`; false if nothing changed.
  bool apply(Edit edit, size_t begin, size_t end);
  size_t numNodes() const;
  /// True if the model is well-formed by ONNX's checker, or was not when it was read.
  bool isValid() const;
  /// The model as ONNX protobuf.
  std::string serialize() const;

private:
  struct Contents;
  explicit ModelEditor(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents;
};

} // namespace kiln::import

#endif // KILN_IMPORT_MODELEDITOR_H
