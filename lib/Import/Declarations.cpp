//===- Declarations.cpp - Declared inputs and outputs ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Declarations.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "kiln/runtime.h"
#include "lib/Import/Types.h"
#include "lib/Import/Weights.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

/// Returns the name, for messages, of a type that is not a dense tensor.
static std::string valueKind(const onnx::TypeProto &type) {
  switch (type.value_case()) {
  case onnx::TypeProto::kTensorType:
    return type.tensor_type().has_shape() ? "a tensor" : "a tensor of unknown rank";
  case onnx::TypeProto::kSequenceType:
    return "a sequence";
  case onnx::TypeProto::kMapType:
    return "a map";
  case onnx::TypeProto::kOptionalType:
    return "an optional value";
  case onnx::TypeProto::kSparseTensorType:
    return "a sparse tensor";
  default:
    return "no type";
  }
}

/// Only inputs and outputs have a maximum rank: the package format stores their shapes.
static Diagnosis rankDiagnosis(const std::string &where, int64_t rank) {
  return {ErrorCode::TensorDims, where, "a package has no tensors of this rank",
          "at most " + std::to_string(KILN_MAX_RANK) + " dims", std::to_string(rank),
          "reshape the tensor in the model"};
}

llvm::Error kiln::import::checkDeclaration(const onnx::ValueInfoProto &input,
                                           MLIRContext *context) {
  std::string where = "input '" + input.name() + "'";
  const onnx::TypeProto &type = input.type();
  if (!type.has_tensor_type() || !type.tensor_type().has_shape())
    return makeError({ErrorCode::ValueType, where,
                      "the input is not a tensor of known rank",
                      "a tensor with a shape (dims may be symbolic)", valueKind(type),
                      "declare the shape of the input in the model"});
  Type element = elementTypeOf(type.tensor_type().elem_type(), context);
  if (!element)
    return makeError({ErrorCode::ElementType, where,
                      "tensors of this type are not supported", kSupportedTypes.str(),
                      onnxTypeName(type.tensor_type().elem_type()),
                      "change the type of the input before the export"});
  if (type.tensor_type().shape().dim_size() > KILN_MAX_RANK)
    return makeError(rankDiagnosis(where, type.tensor_type().shape().dim_size()));
  SmallVector<int64_t> sizes;
  for (const auto &dim : type.tensor_type().shape().dim())
    sizes.push_back(dim.has_dim_value() ? dim.dim_value() : 1);
  return checkedByteSize(sizes, element, where).takeError();
}

RankedTensorType kiln::import::declaredType(const onnx::ValueInfoProto &input,
                                            const Symbols &symbols,
                                            MLIRContext *context) {
  graph::Dims dims;
  for (int i = 0; i < input.type().tensor_type().shape().dim_size(); ++i)
    dims.push_back(symbols.dimOf(input, i));
  return graph::makeTensorType(
      dims, elementTypeOf(input.type().tensor_type().elem_type(), context));
}

LogicalResult kiln::import::checkDeclaredOutput(const onnx::ValueInfoProto &output,
                                                RankedTensorType type, Location loc) {
  if (type.getRank() > KILN_MAX_RANK) {
    kiln::emitError(loc, rankDiagnosis("output '" + output.name() + "'", type.getRank()));
    return failure();
  }
  if (!output.type().has_tensor_type())
    return success();
  const onnx::TypeProto::Tensor &declared = output.type().tensor_type();
  int found = onnxTypeOf(type.getElementType());
  if (declared.elem_type() && declared.elem_type() != found) {
    kiln::emitError(loc, {ErrorCode::TypeMismatch, "",
                          "the output does not have its declared type",
                          onnxTypeName(declared.elem_type()), onnxTypeName(found),
                          "declare the output with the type the nodes compute"});
    return failure();
  }
  graph::Dims dims = graph::getDims(type);
  bool same = !declared.has_shape() || size_t(declared.shape().dim_size()) == dims.size();
  for (size_t i = 0; same && declared.has_shape() && i < dims.size(); ++i) {
    const auto &dim = declared.shape().dim(int(i));
    same = !dim.has_dim_value() || !dims[i].isConstant() ||
           dims[i].isConstant(dim.dim_value());
  }
  if (!same)
    emitWarning(loc) << describe(loc) << ": the declared shape is not the computed one, "
                     << graph::printDims(dims) << "; the computed one is used";
  return success();
}
