//===- GraphImporter.h - One pass over an ONNX graph ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_GRAPHIMPORTER_H
#define KILN_LIB_IMPORT_GRAPHIMPORTER_H

#include "kiln/Import/Import.h"
#include "lib/Import/ModelChecks.h"
#include "lib/Import/Node.h"
#include "lib/Import/Onnx/ModelFile.h"
#include "lib/Import/OpTable.h"
#include "lib/Import/Symbols.h"
#include "lib/Import/Weights.h"

namespace kiln::import {

struct Triangle;

/// Imports a checked model into a new module. Used once per set of symbols: if two dims
/// turn out to be equal, the result is discarded and a new importer runs.
class GraphImporter {
public:
  GraphImporter(const ModelFile &file, const ModelOrder &order, Symbols &symbols,
                Weights &weights, const ImportOptions &options,
                mlir::MLIRContext &context);

  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> run();

private:
  /// Names visible in the graph or in one inlined function body.
  struct Scope {
    llvm::StringMap<Operand> values;
    Attributes attributes; ///< of the call; the body may refer to them
    const OpsetMap *opsets = nullptr;
    std::optional<mlir::Location> caller;
    unsigned depth = 0;
    Scope *parent = nullptr; ///< enclosing scope of a branch
  };

  mlir::LogicalResult importInputs();
  mlir::LogicalResult importNodes();
  mlir::LogicalResult importWhatCanBe();
  mlir::LogicalResult importOutputs();
  mlir::LogicalResult importNode(const onnx::NodeProto &proto, Scope &scope);
  mlir::LogicalResult runHandler(const onnx::NodeProto &proto, Scope &scope,
                                 const OpEntry &entry,
                                 llvm::MutableArrayRef<Operand *> inputs,
                                 mlir::Location loc);
  mlir::LogicalResult inlineFunction(const onnx::NodeProto &call, Scope &scope,
                                     const onnx::FunctionProto &body,
                                     const OpsetMap &opsets,
                                     llvm::ArrayRef<Operand *> inputs,
                                     mlir::Location loc);
  mlir::FailureOr<llvm::SmallVector<Operand>>
  importBranch(const onnx::GraphProto &graph, llvm::ArrayRef<Operand> arguments,
               Scope &outer, mlir::Location loc);
  std::unique_ptr<onnx::FunctionProto> schemaFunction(const onnx::NodeProto &proto,
                                                      Scope &scope, int opset,
                                                      llvm::ArrayRef<Operand *> inputs);
  mlir::LogicalResult checkInputs(const onnx::NodeProto &proto, int opset,
                                  llvm::ArrayRef<Operand *> inputs, mlir::Location loc);
  Attributes resolveAttributes(const onnx::NodeProto &proto, const Scope &scope) const;

  Operand *lookup(llvm::StringRef name, Scope &scope);
  Operand importTensor(const onnx::TensorProto &tensor, llvm::StringRef name,
                       mlir::Location loc);
  Operand compareColumns(const Triangle &triangle, mlir::RankedTensorType type,
                         mlir::Location loc);
  mlir::LogicalResult checkFrozen();
  mlir::LogicalResult checkOutputs();
  void remarkDefaults();
  std::optional<FrozenInput> frozenInput(const onnx::ValueInfoProto &input) const;
  mlir::FailureOr<FrozenInput> fillFrozen(const FrozenInput &frozen,
                                          mlir::RankedTensorType declared);
  mlir::FailureOr<Operand> importFrozen(const FrozenInput &frozen,
                                        mlir::RankedTensorType declared);
  Operand referTo(const TensorBytes &located, const onnx::TensorProto &tensor,
                  llvm::StringRef name, mlir::Location loc);
  mlir::Location locationOf(const onnx::NodeProto &proto, int opset, const Scope &scope);
  mlir::LogicalResult report(llvm::Error error);
  std::string uniqueSymbol(llvm::StringRef name);

  const ModelFile &file;
  const ModelOrder &order;
  Symbols &symbols;
  Weights &weights;
  const ImportOptions &options;
  mlir::MLIRContext &context;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  Scope top;
  llvm::StringMap<const onnx::TensorProto *> initializers;
  llvm::DenseMap<const onnx::TensorProto *, graph::WeightOp> weightOps;
  llvm::StringMap<unsigned> symbolNames;
  /// Function bodies made by the ONNX library, which own their constants.
  std::vector<std::unique_ptr<onnx::FunctionProto>> bodies;
  uint64_t expandedNodes = 0;
  bool importFailed = false; ///< reading a tensor failed and was reported
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_GRAPHIMPORTER_H
