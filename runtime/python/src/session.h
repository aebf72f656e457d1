//===- session.h - kiln.Session ---------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PYTHON_SESSION_H
#define KILN_PYTHON_SESSION_H

#include "kiln/runtime.h"
#include <memory>
#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <vector>

namespace kiln::python {

struct Dim {
  std::string expr;
  int64_t min, max;
  std::string repr() const;
};

struct Tensor {
  std::string name, dtype;
  std::vector<Dim> dims;
  /// Fixed dims as int, others as their expression.
  nanobind::object shape() const;
  std::string type() const; ///< "int64[batch, seq]"
  std::string repr() const;
};

struct Arena {
  std::string kind, formula;
  uint64_t maxBytes, capacity, lastFormula, highWater, measured;
  std::string repr() const;
};

/// The ranges of a package's symbolic dims.
nanobind::dict symbolsOf(const std::string &path);

/// What a session is made with; kept for clone().
struct SessionConfig {
  struct Range {
    std::string name;
    int64_t lo, hi;
  };
  std::string device;
  uint32_t threads = 0;
  std::vector<Range> dims;
  bool measureMemory = false;
  bool graph = true;
  uint64_t graphMemory = 0;
};

/// How a package is loaded.
struct LoadConfig {
  std::optional<std::string> target, expect;
  bool verifyWeights = true, inMemory = false;
  /// The package itself; `path` is then what messages call it.
  std::optional<nanobind::object> bytes;
};

class Session {
public:
  Session(const std::string &path, const LoadConfig &load, SessionConfig config);
  Session clone() const;
  /// What runs another entry of the model with this session's memory and states.
  Session entry(const std::string &name) const;
  std::vector<std::string> entries() const;

  /// outputs: None for new arrays of NumPy, or a mapping of names to arrays.
  nanobind::dict run(nanobind::handle inputs, nanobind::handle outputs);
  void resetState();
  nanobind::bytes readState(size_t index, uint64_t offset, uint64_t size);
  void writeState(size_t index, uint64_t offset, nanobind::bytes data);
  void copyRow(size_t from, size_t to);
  /// Releases the session, after a run under way; every use afterwards is an error.
  void close() { session.reset(); }
  std::string repr() const;
  void setStream(std::optional<intptr_t> stream);
  intptr_t stream() const;
  void synchronize();

  std::vector<Tensor> inputs() const;
  std::vector<Tensor> outputs() const;
  std::vector<Tensor> states() const;
  uint64_t stateBytes(size_t index) const;
  nanobind::dict symbols() const;
  const kiln_device_info &device() const { return *kiln_session_device(open()); }
  uint32_t threads() const { return kiln_session_threads(open()); }
  std::string provenance() const;
  std::vector<Arena> memory() const;

private:
  /// The session; raises if it is closed.
  const std::shared_ptr<kiln_session> &held() const;
  kiln_session *open() const { return held().get(); }
  Session(std::shared_ptr<kiln_model> model, SessionConfig config);
  Session(std::shared_ptr<kiln_model> model, std::shared_ptr<kiln_session> session,
          std::string name, SessionConfig config)
      : model(std::move(model)), session(std::move(session)), name(std::move(name)),
        config(std::move(config)) {}
  void launch(const std::vector<kiln_tensor> &given,
              const std::vector<kiln_tensor> &wanted);

  std::shared_ptr<kiln_model> model;
  std::shared_ptr<kiln_session> session;
  std::string name; ///< of the entry
  SessionConfig config;
};

} // namespace kiln::python

#endif // KILN_PYTHON_SESSION_H
