//===- Import.h - ONNX to graph ---------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads an ONNX model and writes it as a module of the graph dialect: one
// graph.symbol per symbolic dim, one graph.weight per large tensor (by
// reference to bytes that stay in their file), and func.func @main. Every op
// carries the location "node 'name' (Op, opset N)".
//
//===----------------------------------------------------------------------===//
#ifndef KILN_IMPORT_IMPORT_H
#define KILN_IMPORT_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::import {

/// The file name of weights that are in no file: ONNX text and typed protobuf
/// data are decoded once into ImportedModel::inlineWeights.
inline constexpr llvm::StringLiteral kInlineFile = "<inline>";

/// A symbolic dim and the sizes it is compiled for; lo == hi makes it static.
struct DimRange {
  std::string name; ///< as in the model or as a graph.symbol
  int64_t lo = 0, hi = 0;
};

/// "batch=1..8,seq=128"
llvm::Expected<std::vector<DimRange>> parseDimRanges(llvm::StringRef text);

/// An input whose value is known at compile time: it becomes a constant and is
/// no argument of @main. Makes models compile whose shapes are inputs.
struct FrozenInput {
  std::string name;
  std::vector<char> bytes; ///< row-major, little-endian, of the declared type
  std::vector<int64_t> shape;
  /// In place of both, where all elements are one number of the declared type: "1",
  /// "true", "0.5". The input's dims must then be fixed.
  std::optional<std::string> text = {};
};

struct ImportOptions {
  std::vector<DimRange> dims;
  /// Dims that the model may lack, because a pass gives it them: such a name in `dims`
  /// is no error but ImportedModel::dimsLeft.
  std::vector<std::string> laterDims;
  /// The model's pasts become state, in which every sequence has a length of its own.
  bool pastIsState = false;
  /// Nothing is in the caches that ops write in place: their rows are 0, for runs from
  /// the start of sequences alone. Not with pastIsState.
  bool pastIsEmpty = false;
  std::vector<FrozenInput> frozen;
  /// Inputs that stay inputs although the model has an initializer, a default, for them.
  std::vector<std::string> keptInputs;
  /// The outputs that are imported, by their names; empty: all.
  std::vector<std::string> outputs;
  bool keepsInput(llvm::StringRef name) const {
    return llvm::is_contained(keptInputs, name);
  }
  /// External data may be links that lead into this folder; empty: no links.
  std::string externalDataFrom;
  /// Report all that cannot be imported instead of the first: what a node that
  /// cannot be imported computes is unknown, and what depends on it is skipped.
  bool keepGoing = false;
  /// Without, a weight's hash is that of its place: for modules nobody runs.
  bool hashWeights = true;
  /// External data whose file is missing are weights all the same, whose bytes nobody can
  /// read: for plans of models that are too large for this machine. Not with hashWeights.
  bool allowsAbsentData = false;
};

/// A symbol of the imported module, in the order of the model's inputs.
struct ImportedSymbol {
  std::string name;   ///< of the graph.symbol
  std::string source; ///< as the model spells it; empty for unnamed dims
  int64_t lo = 0, hi = 0;
  bool given = false; ///< by ImportOptions::dims; else the default was taken
};

struct ImportedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ImportedSymbol> symbols;
  /// The dims of inputs that follow from others, as "total = past + sequence".
  std::vector<std::string> dependentDims;
  /// Names in ImportOptions::dims that are later dims.
  std::vector<std::string> dimsLeft;
  /// Bytes that graph.weight ops with the file "<inline>" refer to by offset.
  std::vector<char> inlineWeights;
  /// The folder the other files of weights are relative to; "" is the current.
  std::string folder;
  /// The model's own file in that folder, which may be a link to anywhere.
  std::string file;
  std::string externalDataFrom; ///< of the options
  uint64_t nodes = 0;           ///< of the ONNX graph
  /// Metadata of the model file: "producer", "domain", "version" and "description",
  /// where it says so, and its metadata_props as "metadata.KEY".
  std::vector<std::pair<std::string, std::string>> description;
};

/// Imports `path`: ONNX text if it ends in .onnxtxt, else ONNX protobuf. Errors
/// go to the context's diagnostics as coded messages; dialects are loaded.
mlir::FailureOr<ImportedModel> importModel(llvm::StringRef path,
                                           const ImportOptions &options,
                                           mlir::MLIRContext &context);

/// Imports bytes in memory, which must outlive the call; weights are referenced
/// at their offsets in a file called `name`, external data is sought in `folder`.
mlir::FailureOr<ImportedModel> importBytes(llvm::ArrayRef<uint8_t> bytes,
                                           llvm::StringRef name, bool text,
                                           llvm::StringRef folder,
                                           const ImportOptions &options,
                                           mlir::MLIRContext &context);

/// The dialects an imported module uses.
void registerDialects(mlir::DialectRegistry &registry);

/// An operator version with a handler of its own, for lists and tests.
struct SupportedOp {
  llvm::StringRef domain, op;
  int sinceVersion;
};
/// Sorted by domain, op, version.
std::vector<SupportedOp> supportedOps();
/// The element types that both the definition of the op and Kiln take as its
/// first input, as "f16, f32"; empty where ONNX does not define the op.
std::string elementTypesOf(const SupportedOp &op);
/// Operators of ONNX without a handler that are imported through the function
/// body in their definition. Sorted.
std::vector<std::string> opsOfFunctions();

} // namespace kiln::import

#endif // KILN_IMPORT_IMPORT_H
