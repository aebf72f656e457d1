//===- ModelChecks.h - What is checked before the import --------*- C++ -*-===//
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

/// Domain -> opset version. The domain "ai.onnx" is written "".
using OpsetMap = llvm::StringMap<int>;
/// "" for both spellings of the default domain.
llvm::StringRef canonicalDomain(llvm::StringRef domain);

/// How the nodes of a model are to be visited.
struct ModelOrder {
  llvm::SmallVector<int> nodes; ///< indices, every value defined before its use
  OpsetMap opsets;
  /// Functions of the model by "domain:name:overload", with their imports.
  struct Function {
    const onnx::FunctionProto *proto;
    OpsetMap opsets;
  };
  llvm::StringMap<Function> functions;
  /// Nodes whose op cannot be imported; each has its diagnosis.
  llvm::DenseSet<int> refused;
  /// Warnings about what is odd but has one reading.
  std::vector<std::string> warnings;
};

/// "domain:name:overload" of a call or a function.
template <typename T> std::string functionKey(const T &proto, llvm::StringRef name) {
  return canonicalDomain(proto.domain()).str() + ":" + name.str() + ":" +
         proto.overload();
}

/// Checks versions, names, definitions and cycles, and that every op can be
/// imported. Returns one diagnosis per problem of the same kind. `keepGoing`: as
/// many as there are, and the nodes are put in order in spite of refused ops.
std::vector<Diagnosis> checkModel(const ModelFile &file, ModelOrder &order,
                                  bool keepGoing = false);

/// "node 'name' (Op, opset 17)"; an unnamed node has its first output's name.
std::string nodeText(const onnx::NodeProto &node, int opset);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_MODELCHECKS_H
