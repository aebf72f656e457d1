//===- Types.cpp - ONNX element types -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Types.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace mlir;
using onnx::TensorProto;

/// Returns types of 8 bits and fewer that have no C++ type of the same size.
static Type narrowTypeOf(int onnxType, MLIRContext *context) {
  Builder b(context);
  switch (onnxType) {
  case TensorProto::FLOAT8E4M3FN:
    return floatTypeNamed("f8E4M3FN", context);
  case TensorProto::FLOAT8E4M3FNUZ:
    return floatTypeNamed("f8E4M3FNUZ", context);
  case TensorProto::FLOAT8E5M2:
    return floatTypeNamed("f8E5M2", context);
  case TensorProto::FLOAT8E5M2FNUZ:
    return floatTypeNamed("f8E5M2FNUZ", context);
  case TensorProto::FLOAT8E8M0:
    return powerOfTwoType(context);
  case TensorProto::FLOAT6E2M3:
    return floatTypeNamed("f6E2M3FN", context);
  case TensorProto::FLOAT6E3M2:
    return floatTypeNamed("f6E3M2FN", context);
  case TensorProto::FLOAT4E2M1:
    return float4Type(context);
  case TensorProto::INT4:
    return b.getIntegerType(4);
  case TensorProto::UINT4:
    return b.getIntegerType(4, /*isSigned=*/false);
  case TensorProto::INT2:
    return b.getIntegerType(2);
  case TensorProto::UINT2:
    return b.getIntegerType(2, /*isSigned=*/false);
  default:
    return {};
  }
}

Type import::elementTypeOf(int onnxType, MLIRContext *context) {
  Builder b(context);
  switch (onnxType) {
  case TensorProto::FLOAT:
    return b.getF32Type();
  case TensorProto::DOUBLE:
    return b.getF64Type();
  case TensorProto::FLOAT16:
    return b.getF16Type();
  case TensorProto::BFLOAT16:
    return b.getBF16Type();
  case TensorProto::BOOL:
    return b.getI1Type();
  case TensorProto::INT8:
    return b.getIntegerType(8);
  case TensorProto::INT16:
    return b.getIntegerType(16);
  case TensorProto::INT32:
    return b.getI32Type();
  case TensorProto::INT64:
    return b.getI64Type();
  case TensorProto::UINT8:
    return b.getIntegerType(8, /*isSigned=*/false);
  case TensorProto::UINT16:
    return b.getIntegerType(16, /*isSigned=*/false);
  case TensorProto::UINT32:
    return b.getIntegerType(32, /*isSigned=*/false);
  case TensorProto::UINT64:
    return b.getIntegerType(64, /*isSigned=*/false);
  default:
    return narrowTypeOf(onnxType, context);
  }
}

int import::onnxTypeOf(Type type) {
  for (int number = TensorProto::FLOAT; number <= TensorProto::FLOAT6E3M2; ++number)
    if (elementTypeOf(number, type.getContext()) == type)
      return number;
  return TensorProto::UNDEFINED;
}

std::string import::onnxTypeName(int onnxType) {
  if (!onnx::TensorProto_DataType_IsValid(onnxType))
    return "type " + std::to_string(onnxType);
  const std::string &name =
      onnx::TensorProto_DataType_Name(onnx::TensorProto_DataType(onnxType));
  return StringRef(name).lower();
}

onnx::TypeProto import::typeProtoOf(RankedTensorType type) {
  onnx::TypeProto proto;
  auto *tensor = proto.mutable_tensor_type();
  tensor->set_elem_type(onnxTypeOf(type.getElementType()));
  auto *shape = tensor->mutable_shape();
  for (const graph::SymbolicExpr &dim : graph::getDims(type)) {
    auto *to = shape->add_dim();
    if (auto constant = dim.getConstant())
      to->set_dim_value(*constant);
    else
      to->set_dim_param(dim.str());
  }
  return proto;
}
