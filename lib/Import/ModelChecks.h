//===- ModelChecks.h - Checks before the import -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_MODELCHECKS_H
#define KILN_LIB_IMPORT_MODELCHECKS_H

#include "kiln/Import/Import.h"
#include "kiln/Support/Error.h"
#include "lib/Import/Onnx/ModelFile.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace kiln::import {

/// Maps domains to opset versions. The domain "ai.onnx" is written "".
using OpsetMap = llvm::StringMap<int>;
/// Returns "" for both spellings of the default domain.
llvm::StringRef canonicalDomain(llvm::StringRef domain);

/// Nodes of a model in the order of their import.
struct ModelOrder {
  llvm::SmallVector<int> nodes; ///< indices in topological order
  OpsetMap opsets;
  /// Functions of the model by "domain:name:overload", with their opset imports.
  struct Function {
    const onnx::FunctionProto *proto;
    OpsetMap opsets;
  };
  llvm::StringMap<Function> functions;
  /// Nodes whose op cannot be imported; each has been diagnosed.
  llvm::DenseSet<int> refused;
  /// Warnings about unusual but unambiguous constructs.
  std::vector<std::string> warnings;
};

/// Returns "domain:name:overload" of a call or a function.
template <typename T> std::string functionKey(const T &proto, llvm::StringRef name) {
  return canonicalDomain(proto.domain()).str() + ":" + name.str() + ":" +
         proto.overload();
}

/// Checks versions, names, definitions and cycles, and that every op can be imported.
/// Returns the problems of the first check that finds any, up to a limit; with
/// `keepGoing`, refused ops do not stop further checks and the ordering of nodes.
std::vector<Diagnosis> checkModel(const ModelFile &file, ModelOrder &order,
                                  bool keepGoing = false);

/// Returns "node 'name' (Op, opset 17)"; an unnamed node has its first output's name.
std::string nodeText(const onnx::NodeProto &node, int opset);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_MODELCHECKS_H
