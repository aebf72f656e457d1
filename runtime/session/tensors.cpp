//===- tensors.cpp - Checks of the caller's tensors -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/session/tensors.h"
#include <algorithm>

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
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!out[i])
      return Failure{Code::TensorMissing,
                     tensorName(noun, wanted[i]),
                     "it is not given",
                     names(wanted),
                     std::to_string(given.size()) + " given",
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
