//===- Inputs.cpp - Inputs from files or random ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Inputs.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Units.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

std::vector<int64_t> InputSet::symbolList(kiln_model *model) const {
  std::vector<int64_t> list;
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i)
    list.push_back(values.at(kiln_model_symbol(model, i)->name));
  return list;
}

/// Sets narrow types to those of the model. A file does not distinguish types of 8 bits
/// and fewer.
static void readAsWanted(kiln_model *model, kiln_tensor &tensor) {
  for (size_t i = 0; i < kiln_model_input_count(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_input(model, i);
    if (StringRef(info.name) == tensor.name &&
        kiln_npy_reads_as(tensor.dtype, info.dtype))
      tensor.dtype = info.dtype;
  }
}

Error InputSet::readFiles(kiln_model *model, const InputSettings &settings) {
  for (const auto &[name, path] : settings.files) {
    Expected<Npy> array = readNpy(path);
    if (!array)
      return array.takeError();
    arrays.push_back(std::move(*array));
    names.push_back(name);
  }
  for (auto [name, array] : zip(names, arrays)) {
    views.push_back(*kiln_npy_tensor(array.get()));
    views.back().name = name.c_str();
  }
  for (const kiln_tensor &tensor : settings.tensors) {
    views.push_back(tensor);
    names.push_back(tensor.name);
  }
  for (kiln_tensor &tensor : views)
    readAsWanted(model, tensor);
  return Error::success();
}

Error InputSet::bindFrom(const kiln_tensor_info &info, const kiln_tensor &tensor,
                         const InputSettings &settings) {
  // The runtime reports inputs that do not fit the model.
  for (unsigned i = 0; i < std::min(info.rank, tensor.rank); ++i) {
    std::string symbol = info.dims[i].expr;
    int64_t size = tensor.shape[i];
    if (settings.dims.count(symbol) && settings.dims.at(symbol) != size)
      return usageError(settings.command + ": --dims",
                        "contradicts input '" + Twine(info.name) + "'",
                        symbol + "=" + std::to_string(size) + " as in the file",
                        symbol + "=" + std::to_string(settings.dims.at(symbol)),
                        "leave " + symbol + " out of --dims");
    values.emplace(symbol, size);
  }
  return Error::success();
}

static bool looksLikeBatch(StringRef name) {
  std::string lower = name.lower();
  return StringRef(lower).contains("batch") || lower == "n" || lower == "b" ||
         lower == "rows" || lower == "tokens";
}

static Error checkDims(kiln_model *model, const InputSettings &settings) {
  std::map<std::string, const kiln_symbol_info *> known;
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i)
    known[kiln_model_symbol(model, i)->name] = kiln_model_symbol(model, i);
  for (const auto &[name, value] : settings.dims) {
    auto found = known.find(name);
    if (found == known.end())
      return usageError(settings.command + ": --dims", "names no dim of the model",
                        known.empty() ? "nothing, all dims are fixed"
                                      : join(make_first_range(known), " or "),
                        "'" + name + "'", "kiln inspect lists the dims");
    const kiln_symbol_info &info = *found->second;
    if (value < info.min || value > info.max)
      return makeError(
          {ErrorCode::DimOutsideEnvelope, settings.command + ": --dims " + name,
           "the dim is outside the range the package was compiled for",
           std::to_string(info.min) + " to " + std::to_string(info.max),
           std::to_string(value),
           "choose another value, or compile with --dims " + name + "=lo..hi"});
  }
  return Error::success();
}

Error InputSet::bindSymbols(kiln_model *model, const InputSettings &settings) {
  KILN_CHECK(checkDims(model, settings));
  values = settings.dims;
  for (const kiln_tensor &tensor : views)
    for (unsigned i = 0; i < inputCount(model); ++i)
      if (StringRef(kiln_model_input(model, i)->name) == tensor.name)
        KILN_CHECK(bindFrom(*kiln_model_input(model, i), tensor, settings));
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i) {
    const kiln_symbol_info &info = *kiln_model_symbol(model, i);
    int64_t wish = looksLikeBatch(info.name) ? 1 : 128;
    values.emplace(info.name, std::clamp(wish, info.min, info.max));
  }
  return Error::success();
}

static Error shapeOf(const kiln_tensor_info &info, const SymbolValues &symbols,
                     const InputSettings &settings, std::vector<int64_t> &shape) {
  uint64_t bytes = kiln_dtype_size(info.dtype);
  for (unsigned i = 0; i < info.rank; ++i) {
    std::optional<int64_t> dim = evaluateDim(info.dims[i].expr, symbols);
    bool overflow = false;
    if (dim && *dim >= 0)
      bytes = SaturatingMultiply(bytes, static_cast<uint64_t>(*dim), &overflow);
    if (!dim || *dim < 0 || overflow)
      return usageError(settings.command,
                        "input '" + Twine(info.name) + "' gets no random values",
                        "dims that follow from --dims", typeText(info),
                        "give it with --input " + Twine(info.name) + "=@file.npy");
    shape.push_back(*dim);
  }
  return Error::success();
}

/// Upper limit of random integers, unless they are indices.
static constexpr int64_t kLargestInteger = 100;

/// Returns true for the input with the number of valid new rows of a decoder.
static bool isCounts(kiln_model *model, const kiln_tensor_info &info) {
  return kiln_model_state_count(model) > 0 && StringRef(info.name) == "counts";
}

/// Makes all rows valid, or as many as a sequence has room for.
static void fillCounts(const TensorBuffer &buffer, const SymbolValues &symbols) {
  int64_t count = 1;
  if (auto sequence = symbols.find("sequence"); sequence != symbols.end())
    count = sequence->second;
  if (auto capacity = symbols.find("capacity"); capacity != symbols.end())
    count = std::min(count, capacity->second);
  for (uint64_t i = 0; i < buffer.elements(); ++i)
    writeElement(buffer.getDType(), buffer.data(), i, static_cast<double>(count));
}

bool execution::isMask(StringRef name) { return name.contains_insensitive("mask"); }

/// Mask patterns of MadeUpMasks::Patterns.
static bool isMasked(uint64_t row, uint64_t column, uint64_t columns) {
  switch (row % 4) {
  case 0:
    return column < columns / 2;
  case 1:
    return column >= (columns + 1) / 2;
  case 2:
    return true;
  default:
    return column % 2;
  }
}

static double lowestNumber(kiln_dtype dtype) {
  return dtype == KILN_DTYPE_F16 ? -65504.0 : -0x1.fep127;
}

static void fillMaskPatterns(const TensorBuffer &buffer) {
  kiln_dtype dtype = buffer.getDType();
  ArrayRef<int64_t> shape = buffer.getShape();
  uint64_t columns = shape.empty() ? 1 : static_cast<uint64_t>(shape.back());
  for (uint64_t i = 0; i < buffer.elements(); ++i) {
    uint64_t row = i / columns;
    bool masked = isMasked(row, i % columns, columns);
    double added = masked ? (row / 4 % 2 ? lowestNumber(dtype) : -1e4) : 0;
    writeElement(dtype, buffer.data(), i, isFloat(dtype) ? added : !masked);
  }
}

Error InputSet::makeUp(kiln_model *model, const InputSettings &settings) {
  std::vector<int64_t> symbols = symbolList(model);
  for (unsigned i = 0; i < inputCount(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_input(model, i);
    if (is_contained(names, StringRef(info.name)))
      continue;
    std::vector<int64_t> shape;
    KILN_CHECK(shapeOf(info, values, settings, shape));
    TensorBuffer buffer(info.name, info.dtype, shape);
    if (!buffer.data())
      return makeError({ErrorCode::OutOfMemory, "input '" + std::string(info.name) + "'",
                        "no memory for a random input", formatBytes(buffer.bytes()),
                        "none", "choose smaller --dims"});
    int64_t rows = -1;
    KILN_CHECK(toError(kiln_model_index_rows(model, i, symbols.data(), &rows)));
    if (isCounts(model, info))
      fillCounts(buffer, values);
    else if (settings.masks == MadeUpMasks::Patterns && isMask(info.name))
      fillMaskPatterns(buffer);
    else
      fillRandom(buffer, settings.seed,
                 rows > 0 ? std::min(rows, kLargestInteger) : kLargestInteger);
    madeUp.push_back(info.name);
    buffers.push_back(std::move(buffer));
  }
  return Error::success();
}

Expected<InputSet> InputSet::create(kiln_model *model, const InputSettings &settings) {
  InputSet set;
  if (Error error = set.readFiles(model, settings))
    return error;
  if (Error error = set.bindSymbols(model, settings))
    return error;
  if (Error error = set.makeUp(model, settings))
    return error;
  for (const TensorBuffer &buffer : set.buffers)
    set.views.push_back(buffer.tensor());
  return set;
}

/// Random generator splitmix64, for which every seed is good.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void execution::fillRandom(const TensorBuffer &buffer, uint64_t seed, int64_t bound) {
  uint64_t state = seed;
  for (char c : buffer.getName())
    state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  bool mask = isMask(buffer.getName());
  bool floating = isFloat(buffer.getDType());
  uint64_t range =
      buffer.getDType() == KILN_DTYPE_BOOL ? 2 : static_cast<uint64_t>(bound);
  for (uint64_t i = 0; i < buffer.elements(); ++i) {
    uint64_t bits = nextRandom(state) >> 11;
    double value = floating ? static_cast<double>(bits) * 0x1p-52 - 1
                            : static_cast<double>(bits % range);
    writeElement(buffer.getDType(), buffer.data(), i, mask ? 1 : value);
  }
}
