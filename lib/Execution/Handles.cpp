//===- Handles.cpp - RAII handles of runtime objects ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Handles.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/UsageError.h"
#include <cstdlib>

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

Expected<Model> execution::loadModel(const std::string &path,
                                     const kiln_model_options &options,
                                     const std::string &entry) {
  kiln_model *loaded = nullptr, *chosen = nullptr;
  KILN_CHECK(toError(kiln_model_load(path.c_str(), &options, &loaded)));
  Model model(loaded);
  if (entry.empty())
    return model;
  KILN_CHECK(toError(kiln_model_entry(loaded, entry.c_str(), &chosen)));
  // Releasing an entry releases its model.
  (void)model.release();
  return Model(chosen);
}

Expected<Session> execution::createSession(kiln_model *model,
                                           const kiln_session_options &options) {
  kiln_session *session = nullptr, *entry = nullptr;
  KILN_CHECK(toError(kiln_session_create(model, &options, &session)));
  Session owner(session, ReleaseSession{session});
  KILN_CHECK(
      toError(kiln_session_entry(session, kiln_model_current_entry(model), &entry)));
  (void)owner.release();
  return Session(entry, ReleaseSession{session});
}

Expected<std::vector<kiln_model *>> execution::entriesOf(kiln_model *model) {
  std::vector<kiln_model *> entries;
  for (size_t i = 0; i < kiln_model_entry_count(model); ++i)
    KILN_CHECK(toError(kiln_model_entry(model, kiln_model_entry_name(model, i),
                                        &entries.emplace_back())));
  return entries;
}

Expected<Npy> execution::readNpy(const std::string &path) {
  kiln_npy *array = nullptr;
  KILN_CHECK(toError(kiln_npy_read(path.c_str(), &array)));
  return Npy(array);
}

TensorBuffer::TensorBuffer(std::string name, kiln_dtype dtype, ArrayRef<int64_t> shape)
    : name(std::move(name)), dtype(dtype), shape(shape.begin(), shape.end()) {
  for (int64_t dim : shape)
    count *= static_cast<uint64_t>(dim);
  // aligned_alloc requires a multiple of the alignment; an empty tensor gets memory, too.
  memory.reset(aligned_alloc(64, (bytes() / 64 + 1) * 64));
}

kiln_tensor TensorBuffer::tensor() const {
  return {name.c_str(),
          data(),
          static_cast<size_t>(bytes()),
          dtype,
          static_cast<uint32_t>(shape.size()),
          shape.data(),
          KILN_MEMORY_HOST};
}

std::string execution::typeText(kiln_dtype dtype, ArrayRef<int64_t> shape) {
  std::string text = kiln_dtype_name(dtype);
  text += '[';
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + ']';
}

std::string execution::typeText(const kiln_tensor_info &info) {
  std::string text = kiln_dtype_name(info.dtype);
  text += '[';
  for (unsigned i = 0; i < info.rank; ++i)
    text += (i ? "," : "") + std::string(info.dims[i].expr);
  return text + ']';
}
