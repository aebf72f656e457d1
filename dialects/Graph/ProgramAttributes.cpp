//===- ProgramAttributes.cpp - Attributes of arguments and results --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/IndexRows.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace kiln::graph;

static bool isExpression(Attribute value) {
  auto shape = dyn_cast_or_null<ShapeAttr>(value);
  return shape && shape.getDims().size() == 1;
}

/// True of an integer of 64 bits that is `min` or more, or of no attribute.
static bool isAbsentOrAtLeast(Attribute value, int64_t min) {
  auto integer = dyn_cast_or_null<IntegerAttr>(value);
  return !value ||
         (integer && integer.getType().isInteger(64) && integer.getInt() >= min);
}

/// An entry as of graph.rows.
static bool isIndexRows(Attribute value) {
  auto entry = dyn_cast<DictionaryAttr>(value);
  return entry && entry.getAs<StringAttr>("node") && isExpression(entry.get("rows")) &&
         bool(entry.get("first")) == bool(entry.get("step")) &&
         isAbsentOrAtLeast(entry.get("first"), 0) &&
         isAbsentOrAtLeast(entry.get("step"), 1);
}

static bool isCounts(Attribute value) {
  auto entry = dyn_cast<DictionaryAttr>(value);
  return entry && entry.getAs<StringAttr>("lengths") &&
         isExpression(entry.get("added")) && isExpression(entry.get("capacity")) &&
         bool(entry.get("ring")) == bool(entry.get("window")) &&
         isAbsentOrAtLeast(entry.get("ring"), 1) &&
         isAbsentOrAtLeast(entry.get("window"), 1);
}

/// A check of `inputs` arguments.
static bool isIndexCheck(Attribute value, unsigned inputs) {
  auto check = dyn_cast<DictionaryAttr>(value);
  auto bits = check ? check.getAs<IntegerAttr>("bits") : IntegerAttr();
  auto parts = check ? check.getAs<ArrayAttr>("parts") : ArrayAttr();
  if (!bits || !parts || bits.getInt() < 1 || bits.getInt() > 63)
    return false;
  return llvm::all_of(parts, [&](Attribute part) {
    if (!isIndexRows(part))
      return false;
    auto input = cast<DictionaryAttr>(part).getAs<IntegerAttr>("input");
    return input ? input.getInt() >= 0 && input.getInt() < inputs
                 : bool(cast<DictionaryAttr>(part).getAs<ShapeAttr>("dims"));
  });
}

static LogicalResult refuse(Operation *op, NamedAttribute attr, const Twine &place,
                            const Twine &expected) {
  return op->emitOpError() << place << " carries " << attr.getName().getValue() << " = "
                           << attr.getValue() << "; expected " << expected;
}

static LogicalResult verifyType(Operation *op, NamedAttribute attr, const Twine &place,
                                Type type) {
  if (isModelTensor(type))
    return success();
  return op->emitOpError() << place << " carries " << attr.getName().getValue()
                           << ", which is for tensors of a model, and is of " << type;
}

/// True if an argument can hold a number of tokens per sequence, which is added to the
/// lengths that `state` names.
static bool holdsCounts(FunctionOpInterface function, unsigned argument,
                        StringRef state) {
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[argument]);
  if (!type || type.getRank() != 1 || !type.getElementType().isSignlessInteger(64))
    return false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto name = function.getArgAttrOfType<StringAttr>(i, kStateAttr);
        name && name == state)
      return function.getArgumentTypes()[i] == type;
  return true;
}

LogicalResult GraphDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned argument,
                                                     NamedAttribute attr) {
  std::string place = "argument " + std::to_string(argument);
  StringRef name = attr.getName();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function &&
      failed(verifyType(op, attr, place, function.getArgumentTypes()[argument])))
    return failure();
  if (name == kIndexRowsAttr) {
    auto list = dyn_cast<ArrayAttr>(attr.getValue());
    return list && llvm::all_of(list, isIndexRows)
               ? success()
               : refuse(op, attr, place,
                        "a list of {node = \"\", rows = #graph.shape<... -> [N]>}");
  }
  if (name == kCountsAttr) {
    if (!isCounts(attr.getValue()))
      return refuse(op, attr, place,
                    "{lengths = \"\", added and capacity of one expression}");
    auto entry = cast<DictionaryAttr>(attr.getValue());
    StringRef lengths = entry.getAs<StringAttr>("lengths").getValue();
    return !function || holdsCounts(function, argument, lengths)
               ? success()
               : refuse(op, attr, place,
                        "an argument of type tensor<rows x i64>, as its lengths have");
  }
  if (!llvm::is_contained({kNameAttr, kStateAttr, kCacheAttr, kPastAttr}, name))
    return refuse(op, attr, place, "an attribute that arguments of programs have");
  return isa<StringAttr>(attr.getValue()) ? success()
                                          : refuse(op, attr, place, "a string");
}

LogicalResult GraphDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                        unsigned result,
                                                        NamedAttribute attr) {
  std::string place = "result " + std::to_string(result);
  StringRef name = attr.getName();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function && failed(verifyType(op, attr, place, function.getResultTypes()[result])))
    return failure();
  if (name == kIndexCheckAttr)
    return isIndexCheck(attr.getValue(), function ? function.getNumArguments() : 0)
               ? success()
               : refuse(op, attr, place, "{bits = B, parts = [...]}");
  if (!llvm::is_contained({kNameAttr, kStateAttr, kPastAttr}, name))
    return refuse(op, attr, place, "an attribute that results of programs have");
  return isa<StringAttr>(attr.getValue()) ? success()
                                          : refuse(op, attr, place, "a string");
}
