//===- Generator.cpp - Text generation of one sequence --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Generator.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/UsageError.h"

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

static Error refuse(const Twine &what, const Twine &expected, const Twine &found,
                    const Twine &fix) {
  return makeError({ErrorCode::DecoderInput, "kiln generate", what.str(), expected.str(),
                    found.str(), fix.str()});
}

/// Finds the entries. A model with a fixed number of tokens per run has no prefill entry.
Error Generator::findEntries(kiln_model *model) {
  for (size_t i = 0; i < kiln_model_entry_count(model); ++i) {
    StringRef name = kiln_model_entry_name(model, i);
    kiln_model *entry = nullptr;
    KILN_CHECK(toError(kiln_model_entry(model, name.data(), &entry)));
    if (name == "prefill")
      prefill.model = entry;
    if (name == "decode")
      decode.model = entry;
  }
  if (!decode.model || kiln_model_state_count(model) == 0)
    return refuse("the package is no decoder with state", "a package with state", "none",
                  "compile the model without --no-state");
  if (!prefill.model)
    prefill.model = decode.model;
  return Error::success();
}

/// Finds token ids and logits, [rows, tokens, vocabulary]. If several outputs have that
/// shape, logits is the one of that name.
Error Generator::findTensors() {
  kiln_model *model = decode.model;
  for (unsigned i = 0; i < inputCount(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_input(model, i);
    if (StringRef(info.name) == "counts")
      continue;
    bool isInteger = info.dtype == KILN_DTYPE_I64 || info.dtype == KILN_DTYPE_I32;
    if (!ids.empty() || !isInteger || info.rank != 2)
      return refuse("the model takes something else than token ids",
                    "one i64[rows,sequence] or i32[rows,sequence]",
                    std::string(info.name) + " " + typeText(info),
                    "run it by the C or Python interface");
    ids = info.name;
    idType = info.dtype;
    decode.maxTokens = static_cast<uint64_t>(info.dims[1].max);
    prefill.maxTokens =
        static_cast<uint64_t>(kiln_model_input(prefill.model, i)->dims[1].max);
  }
  for (unsigned i = 0; i < outputCount(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_output(model, i);
    outputNames.push_back(info.name);
    dtypes.push_back(info.dtype);
    if (info.rank == 3 && isFloat(info.dtype) &&
        (output.empty() || StringRef(info.name) == "logits")) {
      output = info.name;
      tokens = static_cast<uint64_t>(info.dims[2].max);
    }
  }
  if (ids.empty() || output.empty())
    return refuse("the model gives no logits", "f32[rows,sequence,vocabulary]", "none",
                  "run it by the C or Python interface");
  return Error::success();
}

Error Generator::findRanges(uint64_t capacity) {
  uint64_t max = 0;
  for (size_t i = 0; i < kiln_model_symbol_count(decode.model); ++i) {
    const kiln_symbol_info &info = *kiln_model_symbol(decode.model, i);
    if (StringRef(info.name) == "rows")
      ranges.push_back({info.name, 1, 1});
    if (StringRef(info.name) == "capacity")
      max = static_cast<uint64_t>(info.max);
  }
  if (max == 0)
    return refuse("the package is no decoder with state", "a package with state", "none",
                  "compile the model without --no-state");
  if (capacity > max)
    return refuse("--capacity is more than the package was compiled for",
                  "at most " + Twine(max), Twine(capacity),
                  "compile with --dims capacity=1.." + Twine(capacity));
  rowCapacity = capacity ? capacity : std::min<uint64_t>(256, max);
  ranges.push_back({"capacity", int64_t(rowCapacity), int64_t(rowCapacity)});
  return Error::success();
}

Error Generator::open(kiln_model *model, const SessionSettings &settings) {
  Expected<Runner> runner = Runner::create(model, settings, settings.options(ranges));
  if (!runner)
    return runner.takeError();
  bool hasPrefill = prefill.model != decode.model;
  KILN_CHECK(runner->entry("decode").moveInto(decode.runner));
  return runner->entry(hasPrefill ? "prefill" : "decode").moveInto(prefill.runner);
}

Expected<Generator> Generator::create(kiln_model *model, const SessionSettings &settings,
                                      uint64_t capacity) {
  Generator generator;
  if (Error error = generator.findEntries(model))
    return std::move(error);
  if (Error error = generator.findRanges(capacity))
    return std::move(error);
  if (Error error = generator.findTensors())
    return std::move(error);
  if (Error error = generator.open(model, settings))
    return std::move(error);
  return generator;
}

Error Generator::run(const Entry &entry, ArrayRef<int64_t> tokens,
                     function_ref<void(size_t, ArrayRef<float>)> use) {
  int64_t count = static_cast<int64_t>(tokens.size()), one = 1;
  TensorBuffer block(ids, idType, ArrayRef<int64_t>{1, count});
  for (auto [i, token] : enumerate(tokens))
    writeElement(idType, block.data(), i, static_cast<double>(token));
  kiln_tensor inputs[2] = {
      block.tensor(),
      {"counts", &count, sizeof count, KILN_DTYPE_I64, 1, &one, KILN_MEMORY_HOST}};
  std::vector<kiln_shape> shapes(outputNames.size());
  KILN_CHECK(toError(kiln_session_output_shapes(entry.runner.session(), inputs, 2,
                                                shapes.data(), shapes.size())));
  std::vector<TensorBuffer> memory;
  std::vector<kiln_tensor> results;
  size_t chosen = 0;
  memory.reserve(outputNames.size());
  for (auto [i, name] : enumerate(outputNames)) {
    memory.emplace_back(name, dtypes[i], ArrayRef(shapes[i].dims, shapes[i].rank));
    results.push_back(memory.back().tensor());
    chosen = name == output ? i : chosen;
  }
  KILN_CHECK(toError(entry.runner.run(inputs, results)));
  held += tokens.size();
  auto positions = static_cast<size_t>(shapes[chosen].dims[1]);
  auto vocabulary = static_cast<size_t>(shapes[chosen].dims[2]);
  logits.resize(vocabulary);
  for (size_t position = 0; position < positions; ++position) {
    for (size_t i = 0; i < vocabulary; ++i)
      logits[i] = static_cast<float>(readElement(
          results[chosen].dtype, results[chosen].data, position * vocabulary + i));
    use(position, logits);
  }
  return Error::success();
}

Error Generator::checkRoom(size_t tokens) const {
  if (tokens <= rowCapacity - held)
    return Error::success();
  return refuse("the sequence is longer than its capacity",
                "at most " + Twine(rowCapacity) + " tokens", Twine(held + tokens),
                "give --capacity");
}

Expected<ArrayRef<float>> Generator::append(ArrayRef<int64_t> tokens) {
  if (Error error = checkRoom(tokens.size()))
    return std::move(error);
  const Entry &entry = tokens.size() == 1 && held ? decode : prefill;
  for (; !tokens.empty();
       tokens = tokens.drop_front(std::min<size_t>(tokens.size(), entry.maxTokens)))
    if (Error error = run(entry, tokens.take_front(entry.maxTokens),
                          [](size_t, ArrayRef<float>) {}))
      return std::move(error);
  return ArrayRef<float>(logits);
}

Error Generator::appendEach(ArrayRef<int64_t> tokens,
                            function_ref<void(size_t, ArrayRef<float>)> use) {
  KILN_CHECK(checkRoom(tokens.size()));
  for (size_t first = 0; first < tokens.size(); first += decode.maxTokens)
    KILN_CHECK(run(
        decode, tokens.drop_front(first).take_front(decode.maxTokens),
        [&](size_t position, ArrayRef<float> found) { use(first + position, found); }));
  return Error::success();
}

Error Generator::reset() {
  held = 0;
  return decode.runner.resetState();
}

/// Returns the bytes that a decode step reads. The cost is that of a full sequence whose
/// capacity is `length`.
Expected<uint64_t> Generator::stepBytes(uint64_t length) const {
  kiln_model *model = decode.model;
  std::vector<int64_t> symbols;
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i) {
    StringRef name = kiln_model_symbol(model, i)->name;
    symbols.push_back(name == "capacity" ? int64_t(std::min(rowCapacity, length)) : 1);
  }
  uint64_t bytes = 0;
  for (size_t i = 0; i < kiln_model_step_count(model); ++i) {
    kiln_step_cost cost;
    if (Error error = toError(kiln_model_step_cost(model, i, symbols.data(), &cost)))
      return std::move(error);
    bytes += static_cast<uint64_t>(cost.bytes);
  }
  return bytes * decode.runner.rankCount();
}
