//===- Import.h - ONNX to graph ---------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads an ONNX model and converts it to a module of the graph dialect: one graph.symbol
// per symbolic dim, one graph.weight per large tensor (a reference to bytes that stay in
// their file), and func.func @main. Every op has the location "node 'name' (Op, opset
// N)".
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

/// File name of weights that have no bytes in a file: ONNX text and typed protobuf data
/// are decoded once into ImportedModel::inlineWeights.
inline constexpr llvm::StringLiteral kInlineFile = "<inline>";

/// A symbolic dim and the range of sizes it is compiled for; lo == hi makes it static.
struct DimRange {
  std::string name; ///< as in the model or as a graph.symbol
  int64_t lo = 0, hi = 0;
};

/// Parses text such as "batch=1..8,seq=128".
llvm::Expected<std::vector<DimRange>> parseDimRanges(llvm::StringRef text);

/// An input whose value is known at compile time: it becomes a constant instead of an
/// argument of @main. This allows models whose shapes are inputs.
struct FrozenInput {
  std::string name;
  std::vector<char> bytes; ///< row-major, little-endian, of the declared type
  std::vector<int64_t> shape;
  /// Used instead of both if all elements have one value of the declared type: "1",
  /// "true", "0.5". The input's dims must then be fixed.
  std::optional<std::string> text = {};
};

struct ImportOptions {
  std::vector<DimRange> dims;
  /// Dims that the model may lack because a later pass adds them: such a name in `dims`
  /// is not an error but is returned in ImportedModel::dimsLeft.
  std::vector<std::string> laterDims;
  /// The model's past inputs become state, in which every sequence has its own length.
  bool pastIsState = false;
  /// Caches that ops write in place are empty: their number of rows is 0, so that runs
  /// start at the beginning of sequences. Excludes pastIsState.
  bool pastIsEmpty = false;
  std::vector<FrozenInput> frozen;
  /// Inputs that stay inputs although the model has an initializer (default) for them.
  std::vector<std::string> keptInputs;
  /// Names of the outputs to import; empty: all.
  std::vector<std::string> outputs;
  bool keepsInput(llvm::StringRef name) const {
    return llvm::is_contained(keptInputs, name);
  }
  /// External data may be symbolic links to files in this folder; empty: no links.
  std::string externalDataFrom;
  /// Reports all unsupported nodes instead of the first: the results of such a node are
  /// unknown, and nodes that depend on them are skipped.
  bool keepGoing = false;
  /// If false, a weight's hash is that of its file and offset; only for modules that are
  /// not run.
  bool hashWeights = true;
  /// External data whose file is missing gives weights without bytes, to plan models that
  /// are too large for this machine. Excludes hashWeights.
  bool allowsAbsentData = false;
};

/// A symbol of the imported module, in the order of the model's inputs.
struct ImportedSymbol {
  std::string name;   ///< name of the graph.symbol
  std::string source; ///< spelling in the model; empty for unnamed dims
  int64_t lo = 0, hi = 0;
  bool given = false; ///< whether ImportOptions::dims has it; otherwise its range is the
                      ///< default
};

struct ImportedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ImportedSymbol> symbols;
  /// Dims of inputs that depend on other dims, such as "total = past + sequence".
  std::vector<std::string> dependentDims;
  /// Names in ImportOptions::dims that later passes add.
  std::vector<std::string> dimsLeft;
  /// Bytes that graph.weight ops with the file "<inline>" refer to by offset.
  std::vector<char> inlineWeights;
  /// The folder that other weight files are relative to; "" is the current folder.
  std::string folder;
  /// The model's own file in that folder, perhaps a link to another place.
  std::string file;
  std::string externalDataFrom; ///< from the options
  uint64_t nodes = 0;           ///< number of nodes of the ONNX graph
  /// Metadata of the model file, as far as present: "producer", "domain", "version" and
  /// "description", and its metadata_props as "metadata.KEY".
  std::vector<std::pair<std::string, std::string>> description;
};

/// Imports `path`: ONNX text if it ends in .onnxtxt, else ONNX protobuf. Reports errors
/// as coded diagnostics of the context, and loads dialects.
mlir::FailureOr<ImportedModel> importModel(llvm::StringRef path,
                                           const ImportOptions &options,
                                           mlir::MLIRContext &context);

/// Imports bytes in memory, which must outlive the call. Weights refer to offsets in a
/// file called `name`; external data is searched for in `folder`.
mlir::FailureOr<ImportedModel> importBytes(llvm::ArrayRef<uint8_t> bytes,
                                           llvm::StringRef name, bool text,
                                           llvm::StringRef folder,
                                           const ImportOptions &options,
                                           mlir::MLIRContext &context);

/// Registers the dialects that an imported module uses.
void registerDialects(mlir::DialectRegistry &registry);

/// An operator version with its own handler, for lists and tests.
struct SupportedOp {
  llvm::StringRef domain, op;
  int sinceVersion;
};
/// Returns the supported ops, sorted by domain, op and version.
std::vector<SupportedOp> supportedOps();
/// Returns the element types that both ONNX and Kiln allow for the op's first input, as
/// "f16, f32"; empty if ONNX does not define the op.
std::string elementTypesOf(const SupportedOp &op);
/// Returns the ONNX operators without a handler that are imported through the function
/// body of their definition, sorted.
std::vector<std::string> opsOfFunctions();

} // namespace kiln::import

#endif // KILN_IMPORT_IMPORT_H
