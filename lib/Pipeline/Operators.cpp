//===- Operators.cpp - Importable operators -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Operators.h"
#include "kiln/Import/Import.h"

using namespace kiln;

std::vector<Operator> kiln::listOperators() {
  std::vector<Operator> operators;
  for (const import::SupportedOp &op : import::supportedOps()) {
    std::string domain = op.domain.empty() ? "ai.onnx" : op.domain.str();
    if (operators.empty() || operators.back().domain != domain ||
        operators.back().name != op.op)
      operators.push_back({domain, op.op.str(), {}, ""});
    operators.back().versions.push_back(op.sinceVersion);
    operators.back().types = import::elementTypesOf(op);
  }
  return operators;
}

std::vector<std::string> kiln::listFunctionOperators() {
  return import::opsOfFunctions();
}
