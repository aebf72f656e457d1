//===- tensors.cpp - Checks of the caller's tensors -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/model/tensors.h"
#include "runtime/package/layout.h"
#include <algorithm>
#include <limits>
#include <type_traits>

using namespace kiln::rt;

std::string kiln::rt::tensorName(const char *noun, const Tensor &tensor) {
  return std::string(noun) + " \"" + tensor.name + "\"";
}

static std::string names(const std::vector<Tensor> &tensors) {
  std::string text;
  for (const Tensor &t : tensors)
    text += (text.empty() ? "\"" : ", \"") + t.name + "\"";
  return text.empty() ? "none" : text;
}

static size_t find(const char *name, const std::vector<Tensor> &wanted) {
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i].name == name)
      return i;
  return wanted.size();
}

Status kiln::rt::matchTensors(std::span<const kiln_tensor> given,
                              const std::vector<Tensor> &wanted, const char *noun,
                              std::span<const kiln_tensor *> out) {
  std::fill(out.begin(), out.end(), nullptr);
  for (size_t i = 0; i < given.size(); ++i) {
    size_t place = given[i].name ? find(given[i].name, wanted) : i;
    if (place >= wanted.size())
      return Failure{Code::TensorUnknown,
                     std::string(noun) + " " +
                         (given[i].name ? "\"" + std::string(given[i].name) + "\""
                                        : std::to_string(i)),
                     std::string("the model has no such ") + noun,
                     names(wanted),
                     given[i].name ? given[i].name : std::to_string(i),
                     "use one of those names"};
    if (out[place])
      return Failure{
          Code::TensorTwice, tensorName(noun, wanted[place]), "it is given twice", "once",
          "twice",           "give every tensor once"};
    out[place] = &given[i];
  }
  return {};
}

Status kiln::rt::checkComplete(std::span<const kiln_tensor *const> found,
                               const std::vector<Tensor> &wanted, const char *noun,
                               size_t given) {
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!found[i])
      return Failure{Code::TensorMissing,
                     tensorName(noun, wanted[i]),
                     "it is not given",
                     names(wanted),
                     std::to_string(given) + " given",
                     std::string("give every ") + noun};
  return {};
}

Status kiln::rt::checkType(const kiln_tensor &given, const Tensor &wanted,
                           const char *noun) {
  if (given.dtype != wanted.dtype)
    return Failure{Code::TensorDType,
                   tensorName(noun, wanted),
                   "the element type is wrong",
                   kiln_dtype_name(wanted.dtype),
                   kiln_dtype_name(given.dtype),
                   std::string("convert the array to ") + kiln_dtype_name(wanted.dtype)};
  return {};
}

Status kiln::rt::checkRank(const kiln_tensor &given, const Tensor &wanted,
                           const char *noun) {
  if (given.rank == wanted.dims.size() && (given.shape || !given.rank))
    return {};
  return Failure{Code::TensorRank,
                 tensorName(noun, wanted),
                 "the rank is wrong",
                 std::to_string(wanted.dims.size()),
                 given.shape || !given.rank ? std::to_string(given.rank) : "no shape",
                 "reshape the array"};
}

Status kiln::rt::checkMemory(const kiln_tensor &given, const Tensor &wanted,
                             uint64_t bytes, const char *noun) {
  if (given.size < bytes || (bytes && !given.data))
    return Failure{Code::TensorMemory,
                   tensorName(noun, wanted),
                   "the memory is too small",
                   std::to_string(bytes) + " bytes",
                   given.data ? std::to_string(given.size) + " bytes" : "NULL",
                   "give a whole, dense array"};
  uint64_t element = kiln_dtype_size(wanted.dtype);
  auto address = reinterpret_cast<uintptr_t>(given.data);
  if (bytes && address % element != 0)
    return Failure{Code::TensorMemory,
                   tensorName(noun, wanted),
                   "the memory is misaligned",
                   "a multiple of " + std::to_string(element),
                   "a remainder of " + std::to_string(address % element),
                   "copy the array to aligned memory"};
  return {};
}

/// Returns the first element that is out of range, or `count`.
template <typename T>
static uint64_t findOutside(const void *data, uint64_t count, const IndexRows &indices,
                            int64_t rows, std::string &value) {
  auto *elements = static_cast<const T *>(data);
  auto isOutside = [&](T x) {
    if constexpr (std::is_signed_v<T>)
      return x < -rows || x >= rows;
    else
      return x >= static_cast<uint64_t>(rows);
  };
  // No early exit, so that the compiler vectorizes the loop.
  bool any = false;
  if (indices.step == 1)
    for (uint64_t i = 0; i < count; ++i)
      any |= isOutside(elements[i]);
  else
    for (uint64_t i = indices.first; i < count; i += indices.step)
      any |= isOutside(elements[i]);
  if (!any)
    return count;
  uint64_t i = indices.first;
  while (!isOutside(elements[i]))
    i += indices.step;
  value = std::to_string(elements[i]);
  return i;
}

static uint64_t findOutside(const kiln_tensor &given, uint64_t count,
                            const IndexRows &indices, int64_t rows, std::string &value) {
  switch (given.dtype) {
  case KILN_DTYPE_I8:
    return findOutside<int8_t>(given.data, count, indices, rows, value);
  case KILN_DTYPE_I16:
    return findOutside<int16_t>(given.data, count, indices, rows, value);
  case KILN_DTYPE_I32:
    return findOutside<int32_t>(given.data, count, indices, rows, value);
  case KILN_DTYPE_I64:
    return findOutside<int64_t>(given.data, count, indices, rows, value);
  case KILN_DTYPE_U8:
    return findOutside<uint8_t>(given.data, count, indices, rows, value);
  case KILN_DTYPE_U16:
    return findOutside<uint16_t>(given.data, count, indices, rows, value);
  case KILN_DTYPE_U32:
    return findOutside<uint32_t>(given.data, count, indices, rows, value);
  default:
    return findOutside<uint64_t>(given.data, count, indices, rows, value);
  }
}

/// Returns the index of an element as text, "[0,5]" for element 5.
static std::string place(std::span<const int64_t> shape, uint64_t element) {
  std::string text;
  for (size_t dim = shape.size(); dim-- > 0;) {
    auto size = static_cast<uint64_t>(std::max<int64_t>(shape[dim], 1));
    text = std::to_string(element % size) + (text.empty() ? "" : ",") + text;
    element /= size;
  }
  return "[" + text + "]";
}

static Failure outOfRange(std::string where, const std::string &node, int64_t rows,
                          std::string value, const char *fix) {
  return {Code::IndexOutOfRange,
          std::move(where),
          "the index is outside of what " + node + " takes from",
          rows ? std::to_string(-rows) + ".." + std::to_string(rows - 1) : "none",
          std::move(value),
          fix};
}

static Failure outOfRange(const Tensor &input, const std::string &place,
                          const std::string &node, int64_t rows, std::string value) {
  return outOfRange(tensorName("input", input) + ", element " + place,
                    node.empty() ? "the model" : node, rows, std::move(value),
                    "correct the input, or compile the model with --clamp-indices, which "
                    "takes the nearest");
}

Status kiln::rt::checkIndices(const kiln_tensor &given, const Tensor &wanted,
                              const IndexRows &indices, int64_t rows) {
  uint64_t count = 1;
  for (uint32_t dim = 0; dim < given.rank; ++dim)
    count *= static_cast<uint64_t>(given.shape[dim]);
  std::string value;
  uint64_t element = findOutside(given, count, indices, rows, value);
  if (element >= count)
    return {};
  return outOfRange(wanted, place({given.shape, given.rank}, element), indices.node, rows,
                    std::move(value));
}

/// Returns the value in a result of a check. It has `width` bits and saturates at both
/// ends.
static std::string valueText(uint64_t bits, uint32_t width) {
  int64_t half = int64_t(1) << (width - 1);
  int64_t value = static_cast<int64_t>(bits) - half;
  return std::to_string(value) + (value == -half      ? " or less"
                                  : value == half - 1 ? " or more"
                                                      : "");
}

Status kiln::rt::readIndexCheck(const Plan &plan, const IndexCheck &check, int64_t found,
                                std::span<const int64_t> symbols) {
  if (found == std::numeric_limits<int64_t>::max())
    return {};
  uint64_t mask = (uint64_t(1) << check.valueBits) - 1;
  std::string value = valueText(static_cast<uint64_t>(found) & mask, check.valueBits);
  uint64_t element = static_cast<uint64_t>(found) >> check.valueBits;
  Layout layout(plan);
  KILN_TRY(layout.compute(plan, symbols, "the plan"));
  for (const CheckedPart &part : check.parts) {
    std::vector<int64_t> shape;
    const std::vector<ExprIndex> &dims =
        part.input < 0 ? part.dims : plan.inputs[static_cast<size_t>(part.input)].dims;
    uint64_t count = 1;
    for (ExprIndex dim : dims) {
      shape.push_back(layout.value(dim));
      count *= static_cast<uint64_t>(shape.back());
    }
    if (element >= count / part.step) {
      element -= count / part.step;
      continue;
    }
    int64_t rows = layout.value(part.rows);
    std::string at = place(shape, part.first + element * part.step);
    if (part.input >= 0)
      return outOfRange(plan.inputs[static_cast<size_t>(part.input)], at, part.node, rows,
                        value);
    return outOfRange((part.node.empty() ? "a node" : part.node) + ", index " + at +
                          " of those that the model computes",
                      "the node", rows, value,
                      "give the model inputs from which it computes indices in range, or "
                      "compile it with --clamp-indices, which takes the nearest");
  }
  return outOfRange("the model", "one of its nodes", 0, value, "compile the model again");
}
