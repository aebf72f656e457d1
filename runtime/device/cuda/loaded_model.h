//===- loaded_model.h - A model's code and weights on a GPU ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_LOADED_MODEL_H
#define KILN_DEVICE_CUDA_LOADED_MODEL_H

#include "runtime/device/cuda/context.h"
#include "runtime/package/plan.h"

struct kiln_model;

namespace kiln::rt::cuda {

/// One kernel, ready to be launched.
struct DeviceKernel {
  CUfunction function = nullptr;
  uint32_t threads = 0;    ///< of a block
  bool persistent = false; ///< a block runs tasks a grid apart, not one
  bool waits = false;      ///< for earlier kernels by itself
  ExprIndex shared = 0;    ///< bytes of its shared memory
};

/// What all sessions of a model on one GPU share. Immutable.
class LoadedModel {
public:
  /// Loads the code of the plan's target and copies the weights. Errors:
  /// KILN-E0707 (the driver refuses the code), E0708 (memory), E0706.
  static Status create(std::shared_ptr<const Context> context, const kiln_model &model,
                       size_t target, std::shared_ptr<const LoadedModel> &out);
  explicit LoadedModel(std::shared_ptr<const Context> context)
      : context(std::move(context)) {}
  ~LoadedModel();
  LoadedModel(const LoadedModel &) = delete;

  std::shared_ptr<const Context> context;
  std::vector<DeviceKernel> kernels; ///< by the plan's index
  Memory weights;

private:
  Status loadKernels(const kiln_model &model, size_t target);
  bool loadCubin(const kiln_model &model, const Kernel &kernel, size_t target,
                 CUmodule &out);
  Status loadModule(const std::string &where, const char *ptx, CUmodule &out);
  Status copyWeights(const kiln_model &model);

  std::vector<CUmodule> modules;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_LOADED_MODEL_H
