//===- tensors.h - Checks of the caller's tensors ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the caller's tensors. They allocate nothing unless they fail.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_MODEL_TENSORS_H
#define KILN_MODEL_TENSORS_H

#include "runtime/package/plan.h"

namespace kiln::rt {

/// Assigns each given tensor to the model tensor of its name, or of its own position if
/// it has no name; null: not given. noun: "input" or "output". Errors: KILN-E0600, E0607.
Status matchTensors(std::span<const kiln_tensor> given, const std::vector<Tensor> &wanted,
                    const char *noun, std::span<const kiln_tensor *> out);

/// Checks that all tensors are given. Errors: KILN-E0601.
Status checkComplete(std::span<const kiln_tensor *const> found,
                     const std::vector<Tensor> &wanted, const char *noun, size_t given);

/// Checks the element type. Errors: KILN-E0602.
Status checkType(const kiln_tensor &given, const Tensor &wanted, const char *noun);

/// Checks the rank. Errors: KILN-E0603.
Status checkRank(const kiln_tensor &given, const Tensor &wanted, const char *noun);

/// Checks that the tensor has `bytes` bytes of aligned memory. Errors: KILN-E0606.
Status checkMemory(const kiln_tensor &given, const Tensor &wanted, uint64_t bytes,
                   const char *noun);

/// Checks that the indices of an input in host memory are in [-rows, rows). Errors:
/// KILN-E0614.
Status checkIndices(const kiln_tensor &given, const Tensor &wanted,
                    const IndexRows &indices, int64_t rows);

/// Returns the error for an index out of range that a check kernel has found. found: the
/// kernel's result, which encodes the index's position and value. symbols: values at the
/// dims of the run. Errors: KILN-E0614.
Status readIndexCheck(const Plan &plan, const IndexCheck &check, int64_t found,
                      std::span<const int64_t> symbols);

/// Returns `input "ids"`.
std::string tensorName(const char *noun, const Tensor &tensor);

} // namespace kiln::rt

#endif // KILN_MODEL_TENSORS_H
