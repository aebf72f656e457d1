//===- load.cpp - Packages, and threads for sessions ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "errors.h"
#include "session.h"

namespace nb = nanobind;
using namespace kiln::python;

namespace {
/// The memory of a Python object, which cannot be resized meanwhile.
class Buffer {
public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0)
      throw nb::python_error();
  }
  ~Buffer() { PyBuffer_Release(&view); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  size_t size() const { return static_cast<size_t>(view.len); }
  Py_buffer view;
};
} // namespace

/// Called on any thread when the model and its last session have been released.
static void releaseBuffer(void *user, const void *, size_t) {
  if (!Py_IsInitialized())
    return;
  nb::gil_scoped_acquire acquired;
  delete static_cast<Buffer *>(user);
}

static kiln_status *loadBytes(const std::string &path, const LoadConfig &config,
                              const kiln_model_options &options, kiln_model *&model) {
  auto bytes = std::make_unique<Buffer>(*config.bytes);
  kiln_status *status;
  {
    nb::gil_scoped_release released;
    status = config.copy
                 ? kiln_model_load_buffer(bytes->view.buf, bytes->size(), path.c_str(),
                                          &options, &model)
                 : kiln_model_load_memory(bytes->view.buf, bytes->size(), path.c_str(),
                                          &options, releaseBuffer, bytes.get(), &model);
  }
  if (!status && !config.copy)
    static_cast<void>(bytes.release()); // the model owns it now
  return status;
}

std::shared_ptr<kiln_model>
kiln::python::loadModel(const std::string &path, const LoadConfig &config, bool inspect) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.target = config.target ? config.target->c_str() : nullptr;
  options.expect_sha256 = config.expect ? config.expect->c_str() : nullptr;
  options.trust_weights = !config.verifyWeights;
  options.in_memory = config.inMemory;
  options.guard_mapping = 1;
  options.inspect_only = inspect;
  kiln_model *model = nullptr;
  if (config.bytes) {
    check(loadBytes(path, config, options, model));
    return {model, kiln_model_release};
  }
  kiln_status *status;
  {
    nb::gil_scoped_release released;
    status = config.fd ? kiln_model_load_fd(*config.fd, config.offset, config.length,
                                            path.c_str(), &options, &model)
                       : kiln_model_load(path.c_str(), &options, &model);
  }
  check(status);
  return {model, kiln_model_release};
}

Workers::Workers(uint32_t threads, const std::optional<std::vector<uint32_t>> &cpus,
                 int nice) {
  kiln_workers_options options = KILN_WORKERS_OPTIONS_INIT;
  options.threads = threads;
  options.nice = nice;
  if (cpus) {
    options.cpus = cpus->data();
    options.cpu_count = cpus->size();
  }
  kiln_workers *made = nullptr;
  check(kiln_workers_create(&options, &made));
  held = {made, kiln_workers_release};
}
