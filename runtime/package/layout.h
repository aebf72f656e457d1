//===- layout.h - The plan at given dims ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_LAYOUT_H
#define KILN_PACKAGE_LAYOUT_H

#include "runtime/package/plan.h"

namespace kiln::rt {

/// All expressions and offsets of a plan for one set of symbol values. Sized once for a
/// plan; recomputing allocates nothing unless it fails.
class Layout {
public:
  explicit Layout(const Plan &plan);

  /// Evaluates all expressions and places all buffers: a buffer's offset is the maximum
  /// of the ends of the buffers that it is above, rounded up, i.e. a longest path over
  /// Buffer::above. Buffers in the caller's memory have offset 0. symbols: one value
  /// each. Errors: KILN-E0508.
  Status compute(const Plan &plan, std::span<const int64_t> symbols,
                 const std::string &where);

  int64_t value(ExprIndex expr) const { return values[expr]; }
  uint64_t offset(uint32_t buffer) const { return offsets[buffer]; }
  /// Returns a buffer's bytes; compute() ensures that they are not negative.
  uint64_t size(const Plan &plan, uint32_t buffer) const {
    return static_cast<uint64_t>(values[plan.buffers[buffer].size]);
  }
  /// Returns the first variant of a kernel for a target whose bounds hold at these dims;
  /// null: the kernel's default code.
  const Variant *choose(const Kernel &kernel, size_t target) const;
  /// Returns the bytes of a tensor with these dims, which are known to be valid.
  uint64_t tensorBytes(const Tensor &tensor) const;

private:
  Status checkSigns(const Plan &plan, const std::string &where) const;
  Status place(const Plan &plan, const std::string &where);

  std::vector<int64_t> values;
  std::vector<uint64_t> offsets;
};

/// Ranges of a plan's expressions while every symbol is within its range. The maximum of
/// an expression need not be at the symbols' maxima: 1000 - seq is largest for the
/// smallest seq.
class Envelope {
public:
  /// symbols: range of each symbol.
  Envelope(const Plan &plan, std::span<const Bounds> symbols);

  const Bounds &bounds(ExprIndex expr) const { return values[expr]; }
  /// Returns the max bytes over all dims. what: "arena activations". Errors: KILN-E0508.
  Status maxBytes(ExprIndex expr, const std::string &what, uint64_t &out) const;
  Status maxBytes(const Tensor &tensor, const std::string &what, uint64_t &out) const;

private:
  const Plan &plan;
  std::vector<Bounds> values;
};

/// Returns the ranges of the symbols that a package is compiled for.
std::vector<Bounds> envelopeOf(std::span<const Symbol> symbols);

/// Returns the symbol values at the lower (false) or upper (true) end of the envelope.
std::vector<int64_t> corner(std::span<const Symbol> symbols, bool upper);

/// Returns "batch=1, seq=128" for error messages.
std::string symbolsText(std::span<const Symbol> symbols, std::span<const int64_t> values);

} // namespace kiln::rt

#endif // KILN_PACKAGE_LAYOUT_H
