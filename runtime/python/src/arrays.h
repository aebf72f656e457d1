//===- arrays.h - Python arrays as tensors ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PYTHON_ARRAYS_H
#define KILN_PYTHON_ARRAYS_H

#include "kiln/runtime.h"
#include <map>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <string>
#include <vector>

namespace kiln::python {

/// Returns NumPy's name of a type, "float32".
const char *numpyName(kiln_dtype dtype);

/// Element types by tensor name.
using DTypes = std::map<std::string, kiln_dtype>;

struct ReleaseBuffer {
  void operator()(Py_buffer *view) const;
};
/// The memory of an object in Python's buffer protocol.
using HostBuffer = std::unique_ptr<Py_buffer, ReleaseBuffer>;

/// The arrays of one run as tensors of the runtime. Dense arrays are used in place;
/// inputs in host memory that are not dense are copied into row-major order, and lists
/// and NumPy arrays of another type are converted if no value can change.
class Arrays {
public:
  /// arrays: a mapping from names to arrays; output: whether they are written. stream:
  /// the CUDA stream before which arrays on a GPU must be ready; NULL: there is no GPU.
  /// wanted: types to convert to.
  Arrays(nanobind::handle arrays, bool output, void *stream, const DTypes &wanted = {});
  const std::vector<kiln_tensor> &tensors() const { return views; }
  /// After a run, copies results into output arrays that are not dense.
  void copyBack() const;

private:
  using Dense = nanobind::ndarray<nanobind::ro, nanobind::c_contig>;
  void add(std::string name, nanobind::handle value, const DTypes &wanted);
  bool addPlain(const std::string &name, nanobind::handle value, const DTypes &wanted);
  void addView(std::string name, kiln_tensor tensor, std::vector<int64_t> shape);
  Dense readDevice(const std::string &what, nanobind::handle value);
  Dense readHost(const std::string &what, nanobind::handle value,
                 nanobind::object source);

  bool output;
  void *stream;
  std::vector<std::string> names;
  std::vector<Dense> arrays; ///< keep the memory alive, as `buffers` do
  std::vector<HostBuffer> buffers;
  /// Output arrays that are slices of larger arrays, and dense arrays that replace them
  /// in the run.
  std::vector<std::pair<nanobind::object, nanobind::object>> slices;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<kiln_tensor> views;
};

/// A new NumPy array and the tensor that points to its memory.
struct OutputArray {
  OutputArray(const kiln_tensor_info &info, const kiln_shape &shape);
  nanobind::object array;
  kiln_tensor tensor;
};

} // namespace kiln::python

#endif // KILN_PYTHON_ARRAYS_H
