//===- KernelCheck.cpp - Comparison of kernels with the reference ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Tuning/KernelCheck.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/Compare.h"
#include "kiln/Execution/Handles.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::tuning;
using namespace llvm;

double tuning::kernelTolerance(kiln_dtype dtype) {
  switch (dtype) {
  case KILN_DTYPE_F32:
    return 2e-5;
  case KILN_DTYPE_F16:
    return 2e-3;
  case KILN_DTYPE_BF16:
    return 1.6e-2;
  case KILN_DTYPE_F64:
    return 1e-12;
  default:
    return 0;
  }
}

std::optional<kiln_dtype> tuning::dtypeOf(StringRef name) {
  for (int i = KILN_DTYPE_F32; i < KILN_DTYPE_COUNT; ++i)
    if (name == kiln_dtype_name(static_cast<kiln_dtype>(i)))
      return static_cast<kiln_dtype>(i);
  return std::nullopt;
}

/// Tolerance for operands rounded to ten bits of mantissa (tf32): twice the error of
/// rounding both. It also covers accumulators that tensor cores truncate to 13 bits at
/// every step.
static constexpr double kTensorTolerance = 4 * 0x1p-10;

KernelCheck::KernelCheck(kiln_model *model, const PackageGraph &graph,
                         SymbolValues symbols, std::optional<double> tolerance)
    : graph(graph), symbols(std::move(symbols)), tolerance(tolerance) {
  for (size_t i = 0; i < kiln_model_step_count(model); ++i) {
    bool launches = launchesKernel(*kiln_model_step(model, i));
    kernelOf.push_back(launches ? std::optional(kernels++) : std::nullopt);
  }
}

Error KernelCheck::checkMatch() const {
  if (kernels == graph.kernelCount())
    return Error::success();
  return makeError({ErrorCode::GraphMissing, "the plan", "graph and plan do not match",
                    std::to_string(graph.kernelCount()) + " kernels as in the graph",
                    std::to_string(kernels),
                    "compile the model again with this version of kiln"});
}

void KernelCheck::observe(void *self, size_t step, int after,
                          const kiln_buffer_view *reads, size_t readCount,
                          const kiln_buffer_view *writes, size_t writeCount) {
  auto *check = static_cast<KernelCheck *>(self);
  if (!check->kernelOf[step] || check->failure || (check->wants && !check->wants(step)))
    return;
  Views readViews(reads, readCount), writeViews(writes, writeCount);
  if (after)
    check->after(step, readViews, writeViews);
  else
    check->before(readViews, writeViews);
}

static bool overlaps(const kiln_buffer_view &a, const kiln_buffer_view &b) {
  auto *x = static_cast<const char *>(a.data), *y = static_cast<const char *>(b.data);
  return x < y + b.bytes && y < x + a.bytes;
}

/// Copies only the operands that the step overwrites; weights may be large.
void KernelCheck::before(Views reads, Views writes) {
  saved.assign(reads.size(), {});
  for (auto [copy, read] : zip(saved, reads))
    if (any_of(writes,
               [&](const kiln_buffer_view &write) { return overlaps(read, write); }))
      copy.assign(static_cast<char *>(read.data),
                  static_cast<char *>(read.data) + read.bytes);
}

void KernelCheck::after(size_t step, Views reads, Views writes) {
  if (progress)
    progress(step);
  if (Error error = compare(step, reads, writes)) {
    consumeError(std::move(failure));
    failure = std::move(error);
  }
}

Error KernelCheck::compare(size_t step, Views reads, Views writes) {
  std::vector<TensorBytes> operands;
  for (auto [copy, read] : zip(saved, reads))
    operands.push_back(copy.empty()
                           ? TensorBytes(static_cast<char *>(read.data), read.bytes)
                           : TensorBytes(copy));
  Expected<std::vector<OracleTensor>> expected =
      graph.evaluate(*kernelOf[step], operands, symbols);
  if (!expected)
    return expected.takeError();
  StepResult result{step};
  for (auto [write, tensor] : zip(writes, *expected)) {
    std::optional<kiln_dtype> dtype = dtypeOf(tensor.dtype);
    uint64_t count = tensor.values.size();
    if (!dtype || count * kiln_dtype_size(*dtype) > write.bytes)
      return makeError({ErrorCode::GraphMissing, "step " + std::to_string(step),
                        "graph and plan do not match",
                        std::to_string(count) + " elements of " + tensor.dtype,
                        std::to_string(write.bytes) + " bytes",
                        "compile the model again with this version of kiln"});
    Distance distance = compareElements(
        *dtype, count, [&](uint64_t i) { return readElement(*dtype, write.data, i); },
        [&](uint64_t i) { return tensor.values[i]; },
        [&](uint64_t i) { return tensor.slack.empty() ? 0.0 : tensor.slack[i]; });
    double own = kernelTolerance(*dtype);
    size_t kernel = *kernelOf[step];
    if (own > 0 && (graph.permitsTf32(kernel) || graph.permitsShortSums(kernel)))
      own = std::max(own, kTensorTolerance);
    double allowed = tolerance.value_or(own);
    result.passed &= distance.worst <= allowed;
    if (distance.worst >= result.error) {
      result.error = distance.worst;
      result.tolerance = allowed;
    }
  }
  checked.push_back(result);
  return Error::success();
}

Error KernelCheck::takeError() { return std::move(failure); }
