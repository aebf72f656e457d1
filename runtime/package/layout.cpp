//===- layout.cpp - The plan at given dims --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/package/layout.h"
#include "runtime/package/format.h"
#include <algorithm>

using namespace kiln::rt;

// Max size in bytes: above any real size, but so far below overflow that adding two sizes
// and rounding need no checks.
static constexpr int64_t largestSize = int64_t(1) << 56;

Layout::Layout(const Plan &plan)
    : values(plan.exprs.size()), offsets(plan.buffers.size()) {}

Status Layout::compute(const Plan &plan, std::span<const int64_t> symbols,
                       const std::string &where) {
  int64_t bad = evaluate(plan.exprs, symbols, values);
  if (bad >= 0)
    return Failure{Code::PlanArithmetic,
                   where,
                   "the expression " + plan.text(static_cast<uint32_t>(bad)) +
                       " has no value at " + symbolsText(plan.symbols, symbols),
                   "a 64-bit integer",
                   "an overflow or a division by zero",
                   "narrow the dims or compile the model again"};
  KILN_TRY(checkSigns(plan, where));
  return place(plan, where);
}

const Variant *Layout::choose(const Kernel &kernel, size_t target) const {
  for (const Variant &variant : kernel.variants)
    if (variant.target == target &&
        std::ranges::all_of(variant.when, [&](const Bound &bound) {
          return value(bound.value) <= bound.max;
        }))
      return &variant;
  return nullptr;
}

uint64_t Layout::tensorBytes(const Tensor &tensor) const {
  uint64_t bytes = kiln_dtype_size(tensor.dtype);
  for (ExprIndex dim : tensor.dims)
    bytes *= static_cast<uint64_t>(values[dim]);
  return bytes;
}

Status Layout::checkSigns(const Plan &plan, const std::string &where) const {
  auto check = [&](int64_t value, const char *what, const std::string &of) -> Status {
    if (value >= 0 && value <= largestSize) [[likely]]
      return {};
    return Failure{Code::PlanArithmetic,
                   where + ": " + of,
                   std::string(what) + " is out of range",
                   "0 to " + std::to_string(largestSize),
                   std::to_string(value),
                   "narrow the dims or compile the model again"};
  };
  auto bad = [](int64_t value) { return value < 0 || value > largestSize; };
  // Names for error messages are built only on failure, as this runs at every change of
  // dims.
  for (uint32_t i = 0; i < plan.buffers.size(); ++i)
    if (int64_t v = values[plan.buffers[i].size]; bad(v))
      return check(v, "the size", plan.bufferName(i));
  for (const Arena &a : plan.arenas)
    if (int64_t v = values[a.size]; bad(v))
      return check(v, "the size", std::string("arena ") + kiln_arena_kind_name(a.kind));
  for (const Kernel &k : plan.kernels)
    if (int64_t v = values[k.scratch]; bad(v))
      return check(v, "the scratch size", "kernel \"" + k.name + "\"");
  for (uint32_t i = 0; i < plan.steps.size(); ++i)
    if (int64_t v = values[plan.steps[i].grid]; bad(v))
      return check(v, "the grid", plan.stepName(i));
  for (const auto *tensors : {&plan.inputs, &plan.outputs})
    for (const Tensor &t : *tensors) {
      int64_t bytes = static_cast<int64_t>(kiln_dtype_size(t.dtype));
      for (ExprIndex dim : t.dims)
        if (bad(values[dim]) || __builtin_mul_overflow(bytes, values[dim], &bytes) ||
            bad(bytes))
          return check(std::min(values[dim], int64_t(-1)), "a dim or the size",
                       "tensor \"" + t.name + "\"");
    }
  return {};
}

Status Layout::place(const Plan &plan, const std::string &where) {
  for (uint32_t i = 0; i < plan.buffers.size(); ++i) {
    const Buffer &b = plan.buffers[i];
    if (b.storage != i) {
      offsets[i] = offsets[b.storage];
      continue;
    }
    if (plan.arenas[b.arena].kind == KILN_ARENA_WEIGHTS) {
      offsets[i] = b.offset;
      continue;
    }
    uint64_t end = 0;
    for (uint32_t below : b.above)
      end = std::max(end, offsets[below] + size(plan, below));
    offsets[i] = format::alignUp(end, format::bufferAlignment);
    if (offsets[i] > uint64_t(largestSize))
      return Failure{
          Code::PlanArithmetic,         where + ": " + plan.bufferName(i),
          "the offset is out of range", "at most " + std::to_string(largestSize),
          std::to_string(offsets[i]),   "narrow the dims or compile the model again"};
  }
  return {};
}

Envelope::Envelope(const Plan &plan, std::span<const Bounds> symbols)
    : plan(plan), values(boundsOf(plan.exprs, symbols)) {}

static Status checkMax(int64_t bytes, const std::string &what, const std::string &text) {
  if (bytes <= largestSize)
    return {};
  return Failure{Code::PlanArithmetic,
                 what,
                 "its size has no bound within the ranges of the dims: " + text,
                 "at most " + std::to_string(largestSize) + " bytes",
                 bytes == INT64_MAX ? "an overflow, or a divisor that may be 0"
                                    : std::to_string(bytes),
                 "narrow the dims or compile the model again"};
}

Status Envelope::maxBytes(ExprIndex expr, const std::string &what, uint64_t &out) const {
  // Negative values are refused when dims are bound.
  out = static_cast<uint64_t>(std::max<int64_t>(values[expr].max, 0));
  return checkMax(values[expr].max, what, plan.text(expr));
}

Status Envelope::maxBytes(const Tensor &tensor, const std::string &what,
                          uint64_t &out) const {
  int64_t bytes = static_cast<int64_t>(kiln_dtype_size(tensor.dtype));
  for (ExprIndex dim : tensor.dims)
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(values[dim].max, 0), &bytes))
      return checkMax(INT64_MAX, what, plan.text(dim));
  out = static_cast<uint64_t>(bytes);
  return checkMax(bytes, what, "the product of its dims");
}

std::vector<Bounds> kiln::rt::envelopeOf(std::span<const Symbol> symbols) {
  std::vector<Bounds> ranges;
  for (const Symbol &s : symbols)
    ranges.push_back({s.min, s.max});
  return ranges;
}

std::vector<int64_t> kiln::rt::corner(std::span<const Symbol> symbols, bool upper) {
  std::vector<int64_t> values;
  for (const Symbol &s : symbols)
    values.push_back(upper ? s.max : s.min);
  return values;
}

std::string kiln::rt::symbolsText(std::span<const Symbol> symbols,
                                  std::span<const int64_t> values) {
  std::string text;
  for (size_t i = 0; i < symbols.size(); ++i)
    text += (i ? ", " : "") + symbols[i].name + "=" + std::to_string(values[i]);
  return text.empty() ? "its fixed dims" : text;
}
