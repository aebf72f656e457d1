//===- workload.cpp - A package with generated inputs ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/workload.h"
#include "tools/gpu_check/operands.h"
#include "tools/gpu_check/tensors.h"
#include <algorithm>
#include <cmath>
#include <numbers>

using namespace kiln::gpucheck;

namespace {
/// Max sets: more cost only memory and time.
constexpr uint32_t MaxSets = 64;
/// Number of normally distributed numbers that are generated once; inputs repeat them
/// from different offsets. Not a multiple of a power of two, so that rows of matrices
/// differ.
constexpr size_t BlockNumbers = 1000003;

bool isFloat(kiln_dtype dtype) {
  return dtype == KILN_DTYPE_F32 || dtype == KILN_DTYPE_F16 || dtype == KILN_DTYPE_BF16 ||
         dtype == KILN_DTYPE_F64;
}

const std::vector<float> &normalNumbers() {
  static const std::vector<float> numbers = [] {
    Random random(7);
    auto uniform = [&] { return (double(random.next() >> 11) + 0.5) * 0x1p-53; };
    std::vector<float> out(BlockNumbers);
    for (float &value : out)
      value = float(std::sqrt(-2 * std::log(uniform())) *
                    std::cos(2 * std::numbers::pi * uniform()));
    return out;
  }();
  return numbers;
}

/// Fills an input with the generated numbers, repeated from an offset that depends on
/// `from`.
void fillNormal(Buffer &buffer, kiln_dtype dtype, double scale, size_t from) {
  size_t size = kiln_dtype_size(dtype), total = buffer.bytes / size;
  size_t needed = std::min(total, BlockNumbers), start = from * 104729 % BlockNumbers;
  std::vector<uint8_t> bytes;
  bytes.reserve(needed * size);
  for (size_t i = 0; i < needed; ++i)
    appendNumber(bytes, dtype,
                 float(normalNumbers()[(start + i) % BlockNumbers] * scale));
  for (size_t at = 0; at < buffer.bytes; at += bytes.size())
    buffer.upload(bytes.data(), std::min(bytes.size(), buffer.bytes - at), at);
}

/// Fills an input with ones if it is a mask, and otherwise with small integers, as `kiln
/// run` does.
void fillWhole(Buffer &buffer, const kiln_tensor_info &info, Random &random) {
  bool mask = std::string(info.name).find("mask") != std::string::npos ||
              info.dtype == KILN_DTYPE_BOOL;
  std::vector<uint8_t> bytes(buffer.bytes, 0);
  size_t size = kiln_dtype_size(info.dtype);
  for (size_t at = 0; at < bytes.size(); at += size)
    bytes[at] = mask ? 1 : uint8_t(random.below(2));
  buffer.upload(bytes.data(), bytes.size());
}
} // namespace

Workload::Workload(const OwnStream &stream, ModelPointer loaded, const Dims &dims,
                   double scale)
    : stream(stream), dims(dims), model(std::move(loaded)) {
  for (size_t i = 0; i < kiln_model_input_count(model.get()); ++i)
    inputShapes.push_back(shapeOf(*kiln_model_input(model.get(), i), dims));
  addSet(scale);
  for (uint32_t wanted = setsWanted(); all.size() < wanted;)
    addSet(scale);
}

void Workload::addSet(double scale) {
  Set set;
  set.session = createSession(model.get(), stream.gpu.device, true, dims);
  require(kiln_session_set_stream(set.session.get(), stream.stream));
  Random random(all.size());
  for (size_t i = 0; i < inputShapes.size(); ++i) {
    const kiln_tensor_info &info = *kiln_model_input(model.get(), i);
    size_t bytes = kiln_dtype_size(info.dtype);
    for (int64_t dim : inputShapes[i])
      bytes *= size_t(dim);
    Buffer buffer(stream.gpu, bytes);
    if (isFloat(info.dtype))
      fillNormal(buffer, info.dtype, scale, all.size() * inputShapes.size() + i);
    else
      fillWhole(buffer, info, random);
    set.inputTensors.push_back({info.name, reinterpret_cast<void *>(buffer.address),
                                bytes, info.dtype, uint32_t(inputShapes[i].size()),
                                inputShapes[i].data(), KILN_MEMORY_DEVICE});
    set.inputs.push_back(std::move(buffer));
  }
  shapes.resize(kiln_model_output_count(model.get()));
  require(kiln_session_output_shapes(set.session.get(), set.inputTensors.data(),
                                     set.inputTensors.size(), shapes.data(),
                                     shapes.size()));
  for (size_t i = 0; i < shapes.size(); ++i) {
    const kiln_tensor_info &info = *kiln_model_output(model.get(), i);
    Buffer buffer(stream.gpu, shapes[i].bytes);
    set.outputTensors.push_back({info.name, reinterpret_cast<void *>(buffer.address),
                                 buffer.bytes, info.dtype, shapes[i].rank, nullptr,
                                 KILN_MEMORY_DEVICE});
    set.outputs.push_back(std::move(buffer));
  }
  all.push_back(std::move(set));
  launch(uint32_t(all.size() - 1)); // sets the graph's pointers to these
  require(kiln_session_synchronize(all.back().session.get()));
}

uint32_t Workload::setsWanted() const {
  uint64_t bytes = 1;
  for (const auto *buffers : {&all[0].inputs, &all[0].outputs})
    for (const Buffer &buffer : *buffers)
      bytes += buffer.bytes;
  size_t available = 0, total = 0;
  const Driver &driver = stream.gpu.driver;
  driver.require(driver.memInfo(&available, &total), "cuMemGetInfo");
  uint64_t cache = uint64_t(stream.gpu.attribute(AttributeL2Bytes));
  uint64_t wanted = driver.simulated ? 2 : 3 * cache / bytes + 1;
  // Half of the free memory, as sessions have arenas, and other programs also need
  // memory.
  return uint32_t(
      std::clamp<uint64_t>(std::min(wanted, available / 2 / bytes), 1, MaxSets));
}

void Workload::launch(uint32_t index) {
  Set &set = all[index];
  require(kiln_session_run(set.session.get(), set.inputTensors.data(),
                           set.inputTensors.size(), set.outputTensors.data(),
                           set.outputTensors.size()));
}

Address Workload::input(uint32_t set, size_t index) const {
  return all[set].inputs[index].address;
}

kiln_dtype Workload::outputType(size_t index) const {
  return kiln_model_output(model.get(), index)->dtype;
}

std::vector<double> Workload::output(uint32_t set, size_t index) const {
  const Buffer &buffer = all[set].outputs[index];
  std::vector<uint8_t> bytes(buffer.bytes);
  buffer.download(bytes.data());
  return toNumbers(outputType(index), bytes.data(), bytes.size());
}

std::vector<StepCost> Workload::costs() const {
  std::vector<int64_t> symbols;
  for (size_t i = 0; i < kiln_model_symbol_count(model.get()); ++i) {
    const kiln_symbol_info &symbol = *kiln_model_symbol(model.get(), i);
    auto given = dims.find(symbol.name);
    symbols.push_back(given == dims.end() ? symbol.max : given->second);
  }
  std::vector<StepCost> out;
  for (size_t i = 0; i < kiln_model_step_count(model.get()); ++i) {
    kiln_step_cost cost{};
    require(kiln_model_step_cost(model.get(), i, symbols.data(), &cost));
    out.push_back({double(cost.bytes), double(cost.flops)});
  }
  return out;
}
