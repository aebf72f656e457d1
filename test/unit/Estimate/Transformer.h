//===- Transformer.h - Workloads of transformers ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the steps of a decoder's plan from its shape alone, so that tests of estimates
// need no compiler.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_ESTIMATE_TRANSFORMER_H
#define KILN_TEST_UNIT_ESTIMATE_TRANSFORMER_H

#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Estimate/Workload.h"
#include "kiln/Support/Error.h"

namespace kiln::estimate {

struct Shape {
  int64_t layers, hidden, heads, keyHeads, wide, vocabulary;
  int64_t rows = 1, sequence = 512, capacity = 1024;
  int64_t headSize() const { return hidden / heads; }
};

inline const Shape kLlama70B{80, 8192, 64, 8, 28672, 128256};
inline const Shape kLlama13B{40, 5120, 40, 40, 13824, 32000};
inline const Shape kSmall{6, 384, 12, 12, 1536, 30522};

/// Weights and matmuls use 16 bits, everything else f32.
class TransformerWorkload {
public:
  TransformerWorkload(const Shape &shape, int64_t tp) : shape(shape), tp(tp) {}

  llvm::Expected<Workload> run() {
    if (shape.heads % tp)
      return makeError(
          {ErrorCode::ShardImpossible, "model",
           "attention cannot be split among " + std::to_string(tp) + " ranks", "",
           std::to_string(shape.heads) + " heads", ""});
    Workload workload;
    workload.ranks = tp;
    workload.programs = {make("prefill", shape.sequence), make("decode", 1)};
    return workload;
  }

private:
  Program make(const char *name, int64_t sequence) {
    program = {};
    program.name = name;
    key = 0;
    tokens = double(shape.rows * sequence);
    program.tokens = tokens;
    double hidden = double(shape.hidden), wide = double(shape.wide) / double(tp);
    double own = double(shape.headSize() * shape.heads / tp);
    double keys = double(shape.headSize() * std::max<int64_t>(shape.keyHeads / tp, 1));
    unsigned stream = product("embed", hidden, value(Value::Kind::Input, 8 * tokens), 0,
                              double(shape.vocabulary) * hidden * 2, false);
    for (int64_t layer = 0; layer < shape.layers; ++layer) {
      unsigned joined = product("qkv", own + 2 * keys, stream, hidden);
      unsigned attended = attention(joined, own, keys, layer);
      unsigned partial = product("o", hidden, attended, own);
      stream = collective(CollectiveKind::AllReduce, partial, hidden * 4 * tokens);
      unsigned gates = product("gate", 2 * wide, stream, hidden);
      stream = collective(CollectiveKind::AllReduce, product("down", hidden, gates, wide),
                          hidden * 4 * tokens);
    }
    double last = double(shape.rows);
    tokens = last;
    unsigned logits =
        product("head", double(shape.vocabulary) / double(tp), stream, hidden);
    if (tp == 1)
      program.values[logits].kind = Value::Kind::Output;
    collective(CollectiveKind::AllGather, logits, double(shape.vocabulary) * 4 * last,
               Value::Kind::Output);
    program.activationBytes = program.tokens * (hidden + 2 * wide) * 8;
    return std::move(program);
  }

  unsigned value(Value::Kind kind, double bytes, int64_t own = -1, bool divided = false) {
    program.values.push_back({kind, bytes, own, divided});
    return static_cast<unsigned>(program.values.size() - 1);
  }

  /// Adds a matmul with K = `inputs` and N = `columns`, and its weight.
  unsigned product(const char *name, double columns, unsigned from, double inputs,
                   double weight = 0, bool divided = true) {
    bool isTable = weight > 0;
    weight = isTable ? weight : columns * inputs * 2;
    Step step;
    step.name = name;
    step.arithmetic = Arithmetic::F16;
    step.productFlops = 2 * tokens * columns * inputs;
    step.bytes = (isTable ? 0 : weight) + tokens * (columns + inputs) * 4;
    step.reads = {from, value(Value::Kind::Weight, weight, key++, divided && tp > 1)};
    step.writes = {value(Value::Kind::Activation, tokens * columns * 4)};
    program.steps.push_back(step);
    return step.writes[0];
  }

  unsigned attention(unsigned from, double own, double keys, int64_t layer) {
    double bytes = double(shape.rows * shape.capacity) * keys * 2 * 2;
    Step step;
    step.name = "attention";
    step.arithmetic = Arithmetic::F16;
    step.productFlops = 4 * tokens * own * double(shape.capacity);
    step.bytes = bytes;
    step.reads = {from, value(Value::Kind::State, bytes, layer)};
    step.writes = {value(Value::Kind::Activation, tokens * own * 4),
                   value(Value::Kind::State, bytes, layer)};
    program.steps.push_back(step);
    return step.writes[0];
  }

  unsigned collective(CollectiveKind kind, unsigned from, double bytes,
                      Value::Kind to = Value::Kind::Activation) {
    if (tp == 1)
      return from;
    Step step;
    step.kind = Step::Kind::Collective;
    step.collective = kind;
    step.name = "collective";
    step.bytes = bytes;
    step.reads = {from};
    step.writes = {value(to, bytes)};
    program.steps.push_back(step);
    return step.writes[0];
  }

  const Shape &shape;
  int64_t tp, key = 0;
  double tokens = 0;
  Program program;
};

inline llvm::Expected<Workload> transformer(const Shape &shape, int64_t tp) {
  return TransformerWorkload(shape, tp).run();
}

} // namespace kiln::estimate

#endif // KILN_TEST_UNIT_ESTIMATE_TRANSFORMER_H
