//===- model.h - kiln.Model -------------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PYTHON_MODEL_H
#define KILN_PYTHON_MODEL_H

#include "session.h"

namespace kiln::python {

/// A package that can be queried without a session.
class Model {
public:
  Model(const std::string &path, const LoadConfig &load)
      : model(loadModel(path, load, /*inspect=*/true)) {}
  Model entry(const std::string &name) const;

  std::string path() const { return kiln_model_path(model.get()); }
  uint64_t fileBytes() const { return kiln_model_file_bytes(model.get()); }
  uint32_t ranks() const { return kiln_model_rank_count(model.get()); }
  std::string name() const { return kiln_model_current_entry(model.get()); }
  std::vector<std::string> entries() const;
  std::vector<std::string> targets() const;
  std::vector<Tensor> inputs() const;
  std::vector<Tensor> outputs() const;
  std::vector<Tensor> states() const;
  nanobind::dict dims() const;
  std::string provenance() const;
  /// Returns an object of the provenance as a dict; empty if there is none of that name.
  nanobind::dict provenanceOf(const char *part) const;
  /// shapes: of all inputs, by name.
  nanobind::dict outputShapes(const nanobind::dict &shapes) const;
  /// Returns the bytes that a session allocates for these dims, each a number or a pair
  /// (lo, hi).
  uint64_t bytes(const nanobind::dict &dims, uint32_t threads) const;
  std::string repr() const;

private:
  explicit Model(std::shared_ptr<kiln_model> model) : model(std::move(model)) {}
  std::shared_ptr<kiln_model> model;
};

/// Converts a dict of dims: {"batch": (1, 8), "seq": 128}.
std::vector<SessionConfig::Range> rangesOf(const std::optional<nanobind::dict> &dims);

} // namespace kiln::python

#endif // KILN_PYTHON_MODEL_H
