//===- Handles.h - Owning handles of runtime objects ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tools use the runtime as its users do, through the C interface.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_HANDLES_H
#define KILN_EXECUTION_HANDLES_H

#include "kiln/npy.h"
#include "kiln/runtime.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace kiln::execution {

struct ReleaseHandle {
  void operator()(kiln_model *model) const { kiln_model_release(model); }
  void operator()(kiln_npy *array) const { kiln_npy_free(array); }
};
/// Releases a session; it may be that of any entry point of the model.
struct ReleaseSession {
  kiln_session *owner = nullptr;
  void operator()(kiln_session *) const { kiln_session_release(owner); }
};
using Model = std::unique_ptr<kiln_model, ReleaseHandle>;
using Session = std::unique_ptr<kiln_session, ReleaseSession>;
using Npy = std::unique_ptr<kiln_npy, ReleaseHandle>;

/// Loads a model and selects the entry point `entry`; empty: the first.
llvm::Expected<Model> loadModel(const std::string &path,
                                const kiln_model_options &options,
                                const std::string &entry = {});
/// Handles of all entry points of a model.
llvm::Expected<std::vector<kiln_model *>> entriesOf(kiln_model *model);
/// Creates a session that runs the entry point that `model` selects.
llvm::Expected<Session> createSession(kiln_model *model,
                                      const kiln_session_options &options);
llvm::Expected<Npy> readNpy(const std::string &path);

inline unsigned inputCount(kiln_model *model) {
  return static_cast<unsigned>(kiln_model_input_count(model));
}
inline unsigned outputCount(kiln_model *model) {
  return static_cast<unsigned>(kiln_model_output_count(model));
}

/// Whether a step launches a kernel: copies and collectives have no hero.
inline bool launchesKernel(const kiln_step_info &step) { return *step.hero != 0; }

/// Memory of one tensor, 64-byte aligned, together with its name, type and shape.
class TensorBuffer {
public:
  TensorBuffer(std::string name, kiln_dtype dtype, llvm::ArrayRef<int64_t> shape);

  kiln_tensor tensor() const;
  const std::string &getName() const { return name; }
  kiln_dtype getDType() const { return dtype; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  uint64_t elements() const { return count; }
  uint64_t bytes() const { return count * kiln_dtype_size(dtype); }
  /// nullptr if the allocation failed.
  void *data() const { return memory.get(); }

private:
  struct Free {
    void operator()(void *p) const { free(p); }
  };
  std::string name;
  kiln_dtype dtype;
  std::vector<int64_t> shape;
  uint64_t count = 1;
  std::unique_ptr<void, Free> memory;
};

/// Returns text such as "f32[1,128,384]".
std::string typeText(kiln_dtype dtype, llvm::ArrayRef<int64_t> shape);
/// Returns text such as "f32[batch,seq,384]".
std::string typeText(const kiln_tensor_info &info);

} // namespace kiln::execution

#endif // KILN_EXECUTION_HANDLES_H
