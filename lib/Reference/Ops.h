//===- Ops.h - One function per op of the graph dialect ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference. Operands have been checked against the op's types before one
// of these is called, so a function checks only what the verifier cannot.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_OPS_H
#define KILN_LIB_REFERENCE_OPS_H

#include "dialects/Graph/PartialAttention.h"
#include "kiln/Reference/Evaluator.h"
#include "kiln/Reference/QuantizationErrors.h"
#include "kiln/Support/Error.h"

namespace kiln::reference {

/// Arguments of an evaluating function in addition to the op.
struct Call {
  llvm::ArrayRef<Tensor> operands;
  /// Shape of the first result.
  llvm::ArrayRef<int64_t> shape;
  const Symbols &symbols;
  WeightSource &weights;
  const Options &options;
};

using Result = llvm::Expected<Tensor>;

/// Evaluates an op by the function below for its class; an error if there is none.
/// Evaluator.cpp
Result evaluateSimple(mlir::Operation *op, const Call &call);

// Elementwise.cpp
Result evaluate(graph::UnaryOp op, const Call &call);
Result evaluate(graph::BinaryOp op, const Call &call);
Result evaluate(graph::CompareOp op, const Call &call);
Result evaluate(graph::SelectOp op, const Call &call);
Result evaluate(graph::CastOp op, const Call &call);
Result evaluate(graph::QuantizeOp op, const Call &call);
Result evaluate(graph::DequantizeOp op, const Call &call);

// Contraction.cpp
Result evaluate(graph::MatmulOp op, const Call &call);
Result evaluate(graph::AttentionOp op, const Call &call);
Result evaluate(graph::AttentionLseOp op, const Call &call);
Result evaluate(graph::RopeOp op, const Call &call);

// ScaledMatmul.cpp
Result evaluate(graph::ScaledMatmulOp op, const Call &call);

// QuantizeWeight.cpp
Result evaluate(graph::QuantizeWeightOp op, const Call &call);
/// Quantizes some columns of the weight: entire panels, except for the weight's last one.
/// `operands` are the op's operands for these columns only. `errors` gets the squared
/// error of each panel's quantized values (null: not measured).
Result quantizedPanels(graph::QuantizeWeightOp op, llvm::ArrayRef<Tensor> operands,
                       std::vector<SquaredError> *errors = nullptr);

// Reduction.cpp
Result evaluate(graph::SoftmaxOp op, const Call &call);
Result evaluate(graph::LayerNormOp op, const Call &call);
Result evaluate(graph::RmsNormOp op, const Call &call);
Result evaluate(graph::ReduceOp op, const Call &call);

// Movement.cpp
Result evaluate(graph::ReshapeOp op, const Call &call);
Result evaluate(graph::TransposeOp op, const Call &call);
Result evaluate(graph::BroadcastOp op, const Call &call);
Result evaluate(graph::SliceOp op, const Call &call);
Result evaluate(graph::ConcatOp op, const Call &call);
Result evaluate(graph::GatherOp op, const Call &call);
Result evaluate(graph::ScatterOp op, const Call &call);
Result evaluate(graph::PackOp op, const Call &call);
Result evaluate(graph::UnpackOp op, const Call &call);

// State.cpp
Result evaluate(graph::KvWriteOp op, const Call &call);

// Structure.cpp
Result evaluate(graph::ConstantOp op, const Call &call);
Result evaluate(graph::GetWeightOp op, const Call &call);
Result evaluate(graph::DimsOp op, const Call &call);
Result evaluate(graph::FillOp op, const Call &call);
Result evaluate(graph::IotaOp op, const Call &call);
Result evaluate(graph::AllReduceOp op, const Call &call);
Result evaluate(graph::AllGatherOp op, const Call &call);
Result evaluate(graph::ReduceScatterOp op, const Call &call);
Result evaluate(graph::AllToAllOp op, const Call &call);

/// Concatenates tensors of one type, all wide or none, along `axis`. Movement.cpp
Tensor joined(llvm::ArrayRef<Tensor> parts, int64_t axis, llvm::ArrayRef<int64_t> shape);

/// Returns the value of an SSA value of @bake. Weights.cpp
llvm::Expected<Tensor> valueOf(mlir::Value value, WeightSource &weights,
                               const Options &options);

/// Reports inputs that do not match those that a function declares. Evaluator.cpp
llvm::Error checkInputs(mlir::func::FuncOp func, llvm::ArrayRef<Tensor> inputs,
                        const Symbols &symbols);

/// Makes an error whose `where` is the op's location.
llvm::Error errorAt(mlir::Operation *op, ErrorCode::ID code, std::string what,
                    std::string expected = {}, std::string found = {},
                    std::string fix = {});
/// Prints "[2, 3]".
std::string printShape(llvm::ArrayRef<int64_t> shape);

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_OPS_H
