//===- SampleInputs.cpp - Inputs of a model from a sample -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleInputs.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Execution/SessionSettings.h"
#include "llvm/ADT/StringSet.h"

#include <numeric>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

template <typename T>
static void fill(void *data, size_t count, const CalibrationSample *sample) {
  for (size_t i = 0; i < count; ++i)
    static_cast<T *>(data)[i] = sample ? T(uint8_t(sample->tokens[i])) : T(i);
}

/// Fills with tokens, or with positions from 0 on if there is no sample.
static void fill(const kiln_tensor &tensor, size_t count,
                 const CalibrationSample *sample) {
  if (tensor.dtype == KILN_DTYPE_I32)
    fill<int32_t>(tensor.data, count, sample);
  else
    fill<int64_t>(tensor.data, count, sample);
}

/// Returns dims for a run with empty caches: symbols that the sample's arrays or tokens
/// do not determine are at their minimum.
static SymbolValues smallDims(kiln_model *model, ArrayRef<kiln_tensor> given,
                              const CalibrationSample &sample,
                              const kiln_tensor_info *tokens) {
  StringSet<> decided;
  for (const kiln_tensor &tensor : given)
    for (unsigned i = 0; i < inputCount(model); ++i)
      if (const kiln_tensor_info *info = kiln_model_input(model, i);
          StringRef(info->name) == tensor.name)
        for (unsigned d = 0; d < info->rank; ++d)
          decided.insert(info->dims[d].expr);
  SymbolValues dims;
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i) {
    const kiln_symbol_info &symbol = *kiln_model_symbol(model, i);
    if (tokens && symbol.name == StringRef(tokens->dims[1].expr))
      dims[symbol.name] = std::min<int64_t>(sample.tokens.size(), symbol.max);
    else if (!decided.contains(symbol.name))
      dims[symbol.name] = symbol.min;
  }
  return dims;
}

static Expected<InputSet> inputsOf(kiln_model *model, const CalibrationSample &sample,
                                   std::vector<kiln_tensor> given,
                                   const std::string &option) {
  const kiln_tensor_info *tokens = given.empty() ? tokenInput(model) : nullptr;
  InputSettings settings;
  settings.command = "kiln compile: " + option;
  settings.dims = smallDims(model, given, sample, tokens);
  settings.tensors = std::move(given);
  Expected<InputSet> made = InputSet::create(model, settings);
  if (!made)
    return made;
  for (const kiln_tensor &tensor : made->tensors()) {
    StringRef name = tensor.name;
    size_t count = std::accumulate(tensor.shape, tensor.shape + tensor.rank, size_t(1),
                                   std::multiplies<>());
    if (tokens && name == tokens->name)
      fill(tensor, std::min(count, sample.tokens.size()), &sample);
    else if (name.contains("position") && is_contained(made->random(), name))
      fill(tensor, count, nullptr);
  }
  return made;
}

Expected<SampleInputs> quantization::sampleInputs(kiln_model *model,
                                                  const CalibrationSample &sample,
                                                  const std::string &option) {
  std::vector<Npy> arrays;
  std::vector<kiln_tensor> given = sample.tensors;
  for (const auto &[name, path] : sample.files) {
    Expected<Npy> array = readNpy(path);
    if (!array)
      return asSampleError(array.takeError());
    arrays.push_back(std::move(*array));
    given.push_back(*kiln_npy_tensor(arrays.back().get()));
    given.back().name = name.c_str();
  }
  for (const kiln_tensor &tensor : given)
    if (Error error = checkSample(model, sample.name, tensor))
      return std::move(error);
  Expected<InputSet> made = inputsOf(model, sample, std::move(given), option);
  if (!made)
    return asSampleError(made.takeError(), sample.name);
  return SampleInputs{std::move(arrays), std::move(*made)};
}

Error quantization::openSession(kiln_model *model, Session &session,
                                const InputSet &inputs, const SessionSettings &how) {
  if (session)
    return Error::success();
  std::vector<kiln_dim_range> ranges = how.ranges(model, inputs);
  return createSession(model, how.options(ranges)).moveInto(session);
}

Expected<OutputSet> quantization::runInputs(kiln_model *model, Session &session,
                                            const InputSet &inputs,
                                            const SessionSettings &how) {
  if (Error error = openSession(model, session, inputs, how))
    return std::move(error);
  Expected<OutputSet> outputs = OutputSet::create(model, session.get(), inputs.tensors());
  if (!outputs)
    return outputs.takeError();
  if (Error error = runOnce(session.get(), inputs, *outputs))
    return std::move(error);
  return outputs;
}
