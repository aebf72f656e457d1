//===- observer.h - Observers of steps and logs -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PYTHON_OBSERVER_H
#define KILN_PYTHON_OBSERVER_H

#include "kiln/group.h"
#include <memory>
#include <nanobind/nanobind.h>
#include <string>
#include <vector>

namespace kiln::python {

/// A buffer that a step reads or writes. Its content is available only during the call of
/// the observer.
struct StepBuffer {
  std::string name;
  uint64_t size;
  const void *data;
  std::shared_ptr<bool> isValid;
  nanobind::bytes bytes() const;
};

/// Argument of a Python observer.
struct StepEvent {
  size_t step;
  bool after;
  uint32_t rank;
  std::string kernel, hero;
  std::vector<std::string> nodes;
  std::vector<StepBuffer> reads, writes;
  std::string repr() const;
};

/// Calls a Python function for the steps of a session, and passes the exception that it
/// raises to the caller of the run.
class StepObserver {
public:
  StepObserver() = default;
  ~StepObserver();
  StepObserver(const StepObserver &) = delete;

  /// Callbacks for the runtime; self: a StepObserver.
  static void observe(void *self, size_t step, int after, const kiln_buffer_view *reads,
                      size_t readCount, const kiln_buffer_view *writes,
                      size_t writeCount);
  static void observeRank(void *self, uint32_t rank, size_t step, int after,
                          const kiln_buffer_view *reads, size_t readCount,
                          const kiln_buffer_view *writes, size_t writeCount);

  /// Marks a run of a model's entry as in progress, with the function to call. Raises
  /// KILN-E0609 if there already is one.
  class Run {
  public:
    Run(std::shared_ptr<StepObserver> observer, kiln_model *model,
        nanobind::object function);
    ~Run();
    Run(const Run &) = delete;
    /// Throws the exception that the function raised.
    void rethrow();

  private:
    std::shared_ptr<StepObserver> observer; ///< null: no observer
    nanobind::object function;
  };

private:
  nanobind::handle function;     ///< of the current run; a borrowed reference
  kiln_model *running = nullptr; ///< null: no run is in progress
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr; ///< pending exception
};

/// Adds the classes and functions to the module.
void bindObservers(nanobind::module_ &m);

} // namespace kiln::python

#endif // KILN_PYTHON_OBSERVER_H
