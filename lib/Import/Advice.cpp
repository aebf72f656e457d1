//===- Advice.cpp - Workarounds for unsupported ops -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Advice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace kiln::import;
using namespace mlir;

namespace {
/// Ops that occur in a model for the same reason, and the workaround for it.
struct Advice {
  StringLiteral ops;  ///< separated by spaces
  StringLiteral kind; ///< kind of op; empty: their names say it
  StringLiteral advice;
};
} // namespace

static constexpr Advice kAdvice[] = {
    {"QGemm MatMulFpQ4 MatMulBnb4", "",
     "export the model before it is quantized, and compile it with --precision bf16 or "
     "f16"},
    {"SparseAttention DynamicSparseAttention SparseAttentionIndexer "
     "PackedSparseAttentionIndexer",
     "attention to blocks of keys that a table or an indexer picks",
     "export the model with torch.onnx.export or optimum, which spell attention in "
     "ONNX's own ops, instead of onnxruntime-genai's builder"},
    {"PagedAttention SparsePagedAttention",
     "attention over a cache in pages that a server hands out",
     "export the model with GroupQueryAttention, or with a past and a present: Kiln "
     "keeps "
     "the cache of each sequence itself"},
    {"DecoderMaskedMultiHeadAttention DecoderMaskedSelfAttention DecoderAttention",
     "attention of one new token over a cache in an order of ONNX Runtime's own kernels",
     "export the decoder with MultiHeadAttention or GroupQueryAttention, without ONNX "
     "Runtime's conversion to beam search"},
    {"PackedAttention PackedMultiHeadAttention RemovePadding RestorePadding",
     "attention over sequences that are joined without their padding",
     "take the model as it was before ONNX Runtime's packing mode; Kiln computes padded "
     "batches"},
    {"LinearAttention LinearAttentionGate GatedDeltaNet CausalConvWithState "
     "VarlenCausalConvWithState",
     "a recurrent layer, whose state does not grow with the sequence",
     "export a model with softmax attention: Kiln keeps caches of keys and values as "
     "state, not this one"},
    {"MoE QMoE", "a mixture of experts in one op",
     "export the model, before it is quantized, with torch.onnx.export, which writes the "
     "experts out as matrix products"},
    {"LongformerAttention", "attention to a window and to global tokens in one op",
     "export the model with torch.onnx.export, which writes the attention out"},
    {"NGramRepeatBlock", "a step of a search for tokens",
     "cut the model before it: kiln generate and kiln.Decoder choose the tokens"},
    {"BeamSearch WhisperBeamSearch GreedySearch Sampling",
     "a whole search, with the decoder as a graph inside",
     "export the decoder by itself: kiln generate and kiln.Decoder choose the tokens"},
    {"StringNormalizer StringSplit StringConcat RegexFullMatch Tokenizer",
     "an op on text",
     "cut the model behind its ops on text, and do those in the program that calls Kiln"},
    {"TfIdfVectorizer", "counts of n-grams",
     "cut the model behind it, and count in the program that calls Kiln"},
    {"NonMaxSuppression Unique NonZero Compress BifurcationDetector", "",
     "cut the model before this op, whose result's size depends on data, and do the rest "
     "in the program that calls Kiln"},
    {"RandomNormal RandomNormalLike RandomUniform RandomUniformLike Multinomial "
     "Bernoulli",
     "",
     "export the model in evaluation mode (model.eval()), or make the random numbers an "
     "input"},
    {"SequenceConstruct SequenceEmpty SequenceAt SequenceInsert SequenceErase "
     "SequenceLength SplitToSequence ConcatFromSequence SequenceMap Optional "
     "OptionalGetElement OptionalHasElement",
     "",
     "export the model so that it passes tensors and not lists of them, for example with "
     "dynamo=True"},
};

static const Advice *find(StringRef op) {
  for (const Advice &entry : kAdvice) {
    SmallVector<StringRef> ops;
    entry.ops.split(ops, ' ');
    if (is_contained(ops, op))
      return &entry;
  }
  return nullptr;
}

StringRef kiln::import::kindOf(const onnx::NodeProto &node) {
  const Advice *entry = find(node.op_type());
  return entry ? StringRef(entry->kind) : StringRef();
}

StringRef kiln::import::adviceFor(const onnx::NodeProto &node) {
  if (const Advice *entry = find(node.op_type()))
    return entry->advice;
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
