//===- loaded_model.h - A model's code and weights on a GPU ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_LOADED_MODEL_H
#define KILN_DEVICE_CUDA_LOADED_MODEL_H

#include "runtime/device/cuda/rank_weights.h"
#include "runtime/package/layout.h"
#include <memory>

struct kiln_model;

namespace kiln::rt::cuda {

/// The code of a kernel, or of one of its variants, loaded on the GPU.
struct DeviceCode {
  CUfunction function = nullptr;
  const Block *block = nullptr;     ///< the kernel in the plan
  const Variant *variant = nullptr; ///< null: the kernel's default code
  const char *name = nullptr;       ///< entry point

  /// Returns the grid of a step of the kernel.
  ExprIndex gridOf(const Step &step, size_t target) const {
    return variant ? variant->grid : step.grids[target];
  }
};

/// Code and weights of one program on one GPU, used by all of its sessions. Immutable.
class LoadedModel {
public:
  /// Loads the code of the plan's target, and copies the weights of a rank or uses those
  /// of another program of the model. Errors: KILN-E0707 (the driver rejects the code),
  /// E0708 (memory), E0706. weights: null to copy them.
  static Status create(std::shared_ptr<const Context> context, const kiln_model &model,
                       size_t target, uint32_t rank,
                       std::shared_ptr<const RankWeights> weights,
                       std::shared_ptr<const LoadedModel> &out);
  LoadedModel(std::shared_ptr<const Context> context, uint32_t rank)
      : context(std::move(context)), rank(rank) {}
  ~LoadedModel();
  LoadedModel(const LoadedModel &) = delete;

  std::shared_ptr<const Context> context;
  const uint32_t rank;
  /// By kernel index in the plan: the target's variants in order, then the default code.
  std::vector<std::vector<DeviceCode>> kernels;
  std::shared_ptr<const RankWeights> weights; ///< common to all programs of the model

private:
  Status loadKernels(const kiln_model &model, size_t target);
  Status loadCode(const kiln_model &model, size_t target, const Envelope &envelope,
                  uint64_t entry, DeviceCode &code);
  bool loadCubin(const kiln_model &model, const Block &block, size_t target,
                 CUmodule &out);
  Status loadModule(const std::string &where, const char *ptx, CUmodule &out);
  Status checkFree(const RankWeights &found, const kiln_model &model) const;

  std::vector<CUmodule> modules;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_LOADED_MODEL_H
