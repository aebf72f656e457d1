//===- Advice.cpp - The way round an op that is not supported -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Advice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace kiln::import;
using namespace llvm;

namespace {
/// Ops whose presence in a model has one cause, and what to do about that cause.
struct Advice {
  StringLiteral ops; ///< separated by spaces
  StringLiteral advice;
};
} // namespace

static constexpr Advice kAdvice[] = {
    {"QuantizeLinear DequantizeLinear DynamicQuantizeLinear MatMulInteger ConvInteger "
     "QLinearMatMul QLinearConv MatMulNBits DynamicQuantizeMatMul MatMulIntegerToFloat "
     "QAttention QGemm QMoE GatherBlockQuantized",
     "export the model before it is quantized, and compile it with --precision bf16 or "
     "f16"},
    {"SparseAttention PagedAttention",
     "export the model with torch.onnx.export or optimum, which spell attention in "
     "ONNX's "
     "own ops, instead of onnxruntime-genai's builder"},
    {"NonMaxSuppression Unique NonZero Compress StringNormalizer TfIdfVectorizer "
     "RegexFullMatch StringSplit Tokenizer BifurcationDetector BeamSearch GreedySearch "
     "Sampling",
     "cut the model before this op, whose result's size depends on data, and do the rest "
     "in the program that calls Kiln"},
    {"RandomNormal RandomNormalLike RandomUniform RandomUniformLike Multinomial "
     "Bernoulli",
     "export the model in evaluation mode (model.eval()), or make the random numbers an "
     "input"},
    {"SequenceConstruct SequenceEmpty SequenceAt SequenceInsert SequenceErase "
     "SequenceLength SplitToSequence ConcatFromSequence SequenceMap Optional "
     "OptionalGetElement OptionalHasElement",
     "export the model so that it passes tensors and not lists of them, for example with "
     "dynamo=True"},
    {"LSTM GRU RNN", "write the recurrence out step by step before the export; Kiln "
                     "compiles transformers"},
    {"Loop Scan",
     "export one step of the loop, without control flow, and let the calling program "
     "loop"},
};

StringRef kiln::import::adviceFor(const onnx::NodeProto &node) {
  StringRef op = node.op_type();
  for (const Advice &entry : kAdvice) {
    SmallVector<StringRef> ops;
    entry.ops.split(ops, ' ');
    if (is_contained(ops, op))
      return entry.advice;
  }
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g() || attribute.graphs_size())
      return "export the model without control flow";
  if (node.domain() == "com.microsoft")
    return "take the model as it was exported, before ONNX Runtime's optimizer rewrote "
           "it";
  if (!node.domain().empty() && node.domain() != "ai.onnx")
    return "give the model a function with the body of this op, or replace the op before "
           "the export";
  return "replace the op before the export, or give the model a function with its body";
}
