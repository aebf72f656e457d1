//===- VerifyPrograms.cpp - Promises of graphs at every level -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/VerifyPrograms.h"
#include "dialects/Graph/Graph.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static LogicalResult refuse(Operation *op, ErrorCode::ID code, const Twine &what,
                            const Twine &expected, const Twine &found) {
  return kiln::emitError(
      op->getLoc(), Diagnosis{code, {}, what.str(), expected.str(), found.str(), {}});
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ValueTypes::ValueTypes(ModuleOp module) : ranges(module) {
  for (SymbolOp symbol : module.getOps<SymbolOp>())
    declared.insert(symbol.getSymNameAttr());
}

LogicalResult ValueTypes::check(Operation *op, ShapeAttr shape) {
  for (StringAttr symbol : shape.getSymbols())
    if (!declared.contains(symbol))
      return refuse(op, ErrorCode::DimUndeclared,
                    op->getName().getStringRef() + ": a dim uses an undeclared symbol",
                    "graph.symbol @" + symbol.getValue(), "none");
  return success();
}

LogicalResult ValueTypes::checkTensor(Operation *op, RankedTensorType type,
                                      const Twine &what) {
  StringRef name = op->getName().getStringRef();
  if (auto shape = dyn_cast_or_null<ShapeAttr>(type.getEncoding())) {
    if (failed(check(op, shape)))
      return failure();
  } else if (!type.hasStaticShape()) {
    return refuse(op, ErrorCode::DimUndeclared,
                  name + ": a dynamic dim has no expression", "a #graph.shape encoding",
                  llvm::to_string(type));
  }
  std::optional<int64_t> bytes = ranges.maxOf(byteSize(type));
  if (bytes && *bytes <= kMaxTensorBytes)
    return success();
  return refuse(op, ErrorCode::TensorDims, name + ": " + what + " is too large",
                "at most " + Twine(kMaxTensorBytes) + " bytes",
                bytes ? Twine(*bytes) : Twine("a number that has no 64 bits"));
}

LogicalResult ValueTypes::check(Operation *op, Type type, const Twine &what) {
  if (valid.contains(type))
    return success();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return refuse(op, ErrorCode::ValueType,
                  op->getName().getStringRef() + ": " + what + " is no tensor",
                  "a ranked tensor", llvm::to_string(type));
  if (!isElementType(tensor.getElementType()))
    return refuse(op, ErrorCode::ElementType,
                  op->getName().getStringRef() + ": " + what +
                      " has elements of no model",
                  "integers of 1 to 64 bits or floats of 4 to 64",
                  llvm::to_string(tensor.getElementType()));
  if (failed(checkTensor(op, tensor, what)))
    return failure();
  valid.insert(type);
  return success();
}

LogicalResult ValueTypes::check(FunctionOpInterface function) {
  bool ok = true;
  std::string of = (" of @" + function.getName()).str();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    ok &= succeeded(check(function, type, "argument " + Twine(i) + of));
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    ok &= succeeded(check(function, type, "result " + Twine(i) + of));
  return success(ok);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Checks the signature of a function, and then its values, those of its body's regions
/// among them.
static LogicalResult checkValues(func::FuncOp function, ValueTypes &types) {
  if (failed(types.check(function)))
    return failure();
  bool ok = true;
  function.getBody().walk([&](Operation *op) {
    for (OpResult result : op->getResults())
      ok &= succeeded(
          types.check(op, result.getType(), "result " + Twine(result.getResultNumber())));
  });
  return success(ok);
}

LogicalResult kiln::graph::verifyValues(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  if (!module) // kiln-opt --no-implicit-module
    return refuse(function, ErrorCode::NoMain,
                  "@" + function.getName() +
                      " is in no module, which declares its symbols",
                  "builtin.module", "none");
  ValueTypes types(module);
  return checkValues(function, types);
}

LogicalResult kiln::graph::verifyValues(ModuleOp module) {
  ValueTypes types(module);
  bool ok = true;
  for (auto function : module.getOps<func::FuncOp>())
    ok &= succeeded(checkValues(function, types));
  return success(ok);
}

LogicalResult kiln::graph::verifyPrograms(ModuleOp module) {
  bool ok = succeeded(verifyValues(module));
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.getBody().hasOneBlock())
      ok &= succeeded(refuse(function, ErrorCode::NoMain,
                             "@" + function.getName() + " has no single block",
                             "one block", Twine(function.getBody().getBlocks().size())));
  if (!ok || !programsOf(module).empty())
    return success(ok);
  return refuse(module, ErrorCode::NoMain, "the module has no model", "func.func @main",
                "none");
}
