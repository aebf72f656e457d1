//===- runtime.hpp - C++ interface of the Kiln runtime ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header-only layer over runtime.h that owns what it creates and throws
// kiln::rt::Error. Code built without exceptions uses runtime.h itself.
//
//   kiln::rt::Model model("model.kiln");
//   kiln::rt::Session session(model);
//   std::vector<int64_t> ids = {101, 7592, 102};
//   auto out = session.run({{"ids", ids, {1, 3}}});
//   const float *y = out[0].as<float>();
//
// Threads and sizes as in runtime.h: one session per thread, bytes, row-major. C++17.
// kiln/pool.hpp has a pool of sessions for any number of threads, kiln/workers.hpp
// threads that sessions share, and kiln/memory.hpp arenas from a memory resource.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_RUNTIME_HPP
#define KILN_RUNTIME_HPP

#include "kiln/runtime.h"
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln::rt {

/// An error of the C interface; what() is the full message, "KILN-E0604: input \"ids\",
/// dim 1: ...".
class Error : public std::runtime_error {
public:
  /// Takes ownership of the status.
  explicit Error(kiln_status *status)
      : std::runtime_error(kiln_status_message(status)), number(kiln_status_code(status)),
        exit(kiln_status_exit_code(status)) {
    for (unsigned part = 0; part < partCount; ++part)
      parts[part] = kiln_status_get(status, static_cast<kiln_status_part>(part));
    kiln_status_free(status);
  }
  /// Makes an error that this wrapper detects itself.
  Error(unsigned code, int exitCode, const std::string &where, const std::string &what,
        const std::string &expected, const std::string &found, const std::string &fix)
      : std::runtime_error("KILN-E" + std::to_string(10000 + code).substr(1) + ": " +
                           where + ": " + what + "; expected " + expected + ", found " +
                           found + "; fix: " + fix),
        number(code), exit(exitCode), parts{where, what, expected, found, fix} {}

  /// Returns 604 for KILN-E0604.
  unsigned code() const { return number; }
  /// Exit status for a command that ends with this error: 2, 3 or 4.
  int exitCode() const { return exit; }
  /// Returns a part of the message; "" if it does not apply.
  const std::string &part(kiln_status_part which) const { return parts[which]; }
  const std::string &where() const { return part(KILN_STATUS_WHERE); }
  const std::string &expected() const { return part(KILN_STATUS_EXPECTED); }
  const std::string &found() const { return part(KILN_STATUS_FOUND); }
  const std::string &fix() const { return part(KILN_STATUS_FIX); }

private:
  static constexpr unsigned partCount = 5;
  unsigned number;
  int exit;
  std::string parts[partCount];
};

/// Throws if a call of the C interface failed.
inline void check(kiln_status *status) {
  if (status)
    throw Error(status);
}

/// The kiln_dtype of a C++ type.
template <typename T> constexpr kiln_dtype dtypeOf() {
  if constexpr (std::is_same_v<T, float>)
    return KILN_DTYPE_F32;
  else if constexpr (std::is_same_v<T, double>)
    return KILN_DTYPE_F64;
  else if constexpr (std::is_same_v<T, bool>)
    return KILN_DTYPE_BOOL;
  else {
    static_assert(std::is_integral_v<T>, "no element type of Kiln");
    constexpr bool sign = std::is_signed_v<T>;
    switch (sizeof(T)) {
    case 1:
      return sign ? KILN_DTYPE_I8 : KILN_DTYPE_U8;
    case 2:
      return sign ? KILN_DTYPE_I16 : KILN_DTYPE_U16;
    case 4:
      return sign ? KILN_DTYPE_I32 : KILN_DTYPE_U32;
    default:
      return sign ? KILN_DTYPE_I64 : KILN_DTYPE_U64;
    }
  }
}

/// A loaded package. Copies refer to the same model.
class Model {
public:
  explicit Model(const std::string &path,
                 const kiln_model_options &options = KILN_MODEL_OPTIONS_INIT) {
    kiln_model *loaded = nullptr;
    check(kiln_model_load(path.c_str(), &options, &loaded));
    model.reset(loaded, kiln_model_release);
  }
  /// Loads the bytes of a package, which are copied. name: for error messages.
  Model(const void *data, size_t size, const std::string &name = "a buffer",
        const kiln_model_options &options = KILN_MODEL_OPTIONS_INIT) {
    kiln_model *loaded = nullptr;
    check(kiln_model_load_buffer(data, size, name.c_str(), &options, &loaded));
    model.reset(loaded, kiln_model_release);
  }

  /// Loads the bytes of a package in place, see kiln_model_load_memory. `owner` is kept
  /// alive as long as they are used.
  static Model inPlace(const void *data, size_t size,
                       std::shared_ptr<const void> owner = nullptr,
                       const std::string &name = "memory",
                       const kiln_model_options &options = KILN_MODEL_OPTIONS_INIT) {
    using Owner = std::shared_ptr<const void>;
    auto kept = std::make_unique<Owner>(std::move(owner));
    auto release = [](void *user, const void *, size_t) {
      delete static_cast<Owner *>(user);
    };
    kiln_model *loaded = nullptr;
    check(kiln_model_load_memory(data, size, name.c_str(), &options, release, kept.get(),
                                 &loaded));
    kept.release(); // the model owns it now
    return Model(std::shared_ptr<kiln_model>(loaded, kiln_model_release));
  }
  /// Loads a range of an open file, see kiln_model_load_fd. length 0: up to its end.
  static Model
  fromDescriptor(int fd, uint64_t offset = 0, uint64_t length = 0,
                 const kiln_model_options &options = KILN_MODEL_OPTIONS_INIT) {
    kiln_model *loaded = nullptr;
    check(kiln_model_load_fd(fd, offset, length, nullptr, &options, &loaded));
    return Model(std::shared_ptr<kiln_model>(loaded, kiln_model_release));
  }

  /// Returns the model that stands for one of its entries, see kiln_model_entry.
  Model entry(const std::string &name) const {
    kiln_model *found = nullptr;
    check(kiln_model_entry(get(), name.c_str(), &found));
    return Model(std::shared_ptr<kiln_model>(model, found));
  }

  /// See kiln_model_check_weights.
  void checkWeights() const { check(kiln_model_check_weights(get())); }

  kiln_model *get() const { return model.get(); }
  size_t inputCount() const { return kiln_model_input_count(get()); }
  size_t outputCount() const { return kiln_model_output_count(get()); }
  size_t symbolCount() const { return kiln_model_symbol_count(get()); }
  const kiln_symbol_info &symbol(size_t index) const {
    return *kiln_model_symbol(get(), index);
  }
  /// index must be in range.
  const kiln_tensor_info &input(size_t index) const {
    return *kiln_model_input(get(), index);
  }
  const kiln_tensor_info &output(size_t index) const {
    return *kiln_model_output(get(), index);
  }

private:
  explicit Model(std::shared_ptr<kiln_model> loaded) : model(std::move(loaded)) {}
  std::shared_ptr<kiln_model> model;
};

/// A named view of the caller's elements; its constructors are shorter than kiln_tensor.
class View {
public:
  /// elements: as many as the dims imply; they must not move during the call.
  template <typename T>
  View(std::string called, const T *elements, std::vector<int64_t> dims)
      : name(std::move(called)), shape(std::move(dims)), data(elements),
        dtype(dtypeOf<T>()) {
    size = sizeof(T);
    for (int64_t dim : shape)
      size *= static_cast<size_t>(dim);
  }
  /// Views elements of any type, such as float16 or int4, in `bytes` bytes.
  View(std::string called, kiln_dtype type, const void *elements, size_t bytes,
       std::vector<int64_t> dims)
      : name(std::move(called)), shape(std::move(dims)), data(elements), size(bytes),
        dtype(type) {}
  template <typename T>
  View(std::string called, const std::vector<T> &elements, std::vector<int64_t> dims)
      : View(std::move(called), elements.data(), std::move(dims)) {
    // If the vector is too short, the run reports too little memory.
    size = elements.size() * sizeof(T);
  }

  /// Returns the view for elements in the memory of the session's GPU.
  View onDevice() const {
    View view = *this;
    view.memory = KILN_MEMORY_DEVICE;
    return view;
  }

  kiln_tensor tensor() const {
    return {name.c_str(),
            const_cast<void *>(data), // inputs are not written
            size,
            dtype,
            static_cast<uint32_t>(shape.size()),
            shape.data(),
            memory};
  }

private:
  std::string name;
  std::vector<int64_t> shape;
  const void *data;
  size_t size;
  kiln_dtype dtype;
  kiln_memory memory = KILN_MEMORY_ANY;
};

/// A named output in the caller's memory.
class Place {
public:
  /// data: room for as many elements as the shape implies.
  template <typename T>
  Place(std::string name, T *data, std::vector<int64_t> shape)
      : view(std::move(name), static_cast<const T *>(data), std::move(shape)) {}
  /// Output of elements of any type, such as float16 or int4, in `bytes` bytes.
  Place(std::string name, kiln_dtype dtype, void *data, size_t bytes,
        std::vector<int64_t> shape)
      : view(std::move(name), dtype, data, bytes, std::move(shape)) {}
  /// Returns the place for memory of the session's GPU.
  Place onDevice() const {
    Place place = *this;
    place.view = view.onDevice();
    return place;
  }
  kiln_tensor tensor() const { return view.tensor(); }

private:
  View view;
};

/// A result that owns its memory, aligned to 64 bytes.
class Array {
public:
  Array(const kiln_tensor_info &info, const kiln_shape &computed)
      : name(info.name), dtype(info.dtype),
        shape(computed.dims, computed.dims + computed.rank), size(computed.bytes),
        memory(new Line[(computed.bytes + sizeof(Line) - 1) / sizeof(Line)]) {}

  void *data() const { return memory.get(); }
  /// Returns the elements. T must be the element type.
  template <typename T> T *as() const {
    if (dtypeOf<T>() != dtype)
      throw std::invalid_argument("output \"" + name + "\" is " + kiln_dtype_name(dtype));
    return static_cast<T *>(data());
  }

  std::string name;
  kiln_dtype dtype;
  std::vector<int64_t> shape;
  size_t size; ///< bytes

  kiln_tensor tensor() const {
    return {name.c_str(),
            data(),
            size,
            dtype,
            static_cast<uint32_t>(shape.size()),
            shape.data(),
            KILN_MEMORY_HOST};
  }

private:
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  std::unique_ptr<Line[]> memory;
};

/// Conditions under which a run ends early.
struct RunOptions {
  std::optional<std::chrono::nanoseconds> timeout; ///< from the call of run
  /// Called by the thread that called the run, at intervals of at least 20 ms: true ends
  /// the run.
  std::function<bool()> poll;

  kiln_run_options get() const {
    kiln_run_options options = KILN_RUN_OPTIONS_INIT;
    if (timeout)
      options.deadline_ns = kiln_deadline_after(
          static_cast<uint64_t>(std::max<int64_t>(timeout->count(), 0)));
    if (poll) {
      options.poll = [](void *user) -> int {
        return static_cast<const RunOptions *>(user)->poll();
      };
      options.poll_user = const_cast<RunOptions *>(this);
    }
    return options;
  }
};

/// Runs a model; not thread-safe. Copies refer to the same session.
class Session {
public:
  explicit Session(const Model &loaded,
                   const kiln_session_options &options = KILN_SESSION_OPTIONS_INIT)
      : model(loaded) {
    kiln_session *created = nullptr;
    check(kiln_session_create(model.get(), &options, &created));
    session.reset(created, kiln_session_release);
  }

  /// Returns the session of another entry of the model, which has memory and states in
  /// common with this one; see kiln_session_entry.
  Session entry(const std::string &name) const {
    kiln_session *found = nullptr;
    check(kiln_session_entry(get(), name.c_str(), &found));
    return Session(model.entry(name), std::shared_ptr<kiln_session>(session, found));
  }

  kiln_session *get() const { return session.get(); }
  uint32_t threads() const { return kiln_session_threads(get()); }

  /// Returns the device on which it runs.
  const kiln_device_info &device() const { return *kiln_session_device(get()); }

  /// See kiln_session_set_stream; a CUstream, or nullptr for the session's own.
  void setStream(void *stream) { check(kiln_session_set_stream(get(), stream)); }
  void synchronize() { check(kiln_session_synchronize(get())); }
  /// Frees memory that the next run allocates again, see kiln_session_trim.
  void trim() { check(kiln_session_trim(get())); }

  /// Runs into the caller's memory. On a stream of the caller, and if no tensor is in
  /// host memory, it returns before the run has ended.
  void run(const std::vector<View> &inputs, const std::vector<Place> &outputs,
           const RunOptions &options = {}) {
    std::vector<kiln_tensor> given, wanted;
    for (const View &v : inputs)
      given.push_back(v.tensor());
    for (const Place &p : outputs)
      wanted.push_back(p.tensor());
    kiln_run_options own = options.get();
    check(kiln_session_run_with(get(), &own, given.data(), given.size(), wanted.data(),
                                wanted.size()));
  }

  /// Runs into new arrays, one per output in the model's order. For runs without
  /// allocations use the overload above or kiln_session_run.
  std::vector<Array> run(const std::vector<View> &inputs, const RunOptions &options = {}) {
    std::vector<kiln_tensor> given;
    for (const View &v : inputs)
      given.push_back(v.tensor());
    size_t count = model.outputCount();
    std::vector<kiln_shape> shapes(count);
    check(kiln_session_output_shapes(get(), given.data(), given.size(), shapes.data(),
                                     count));
    std::vector<Array> results;
    std::vector<kiln_tensor> wanted;
    for (size_t i = 0; i < count; ++i)
      results.emplace_back(model.output(i), shapes[i]);
    for (const Array &a : results)
      wanted.push_back(a.tensor());
    kiln_run_options own = options.get();
    check(kiln_session_run_with(get(), &own, given.data(), given.size(), wanted.data(),
                                count));
    return results;
  }

  /// Ends the run in progress on another thread, see kiln_session_cancel.
  void cancel() { kiln_session_cancel(get()); }

private:
  Session(Model loaded, std::shared_ptr<kiln_session> created)
      : model(std::move(loaded)), session(std::move(created)) {}
  Model model;
  std::shared_ptr<kiln_session> session;
};

} // namespace kiln::rt

#endif // KILN_RUNTIME_HPP
