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

/// A buffer that a step reads or writes. Its content can be had during the call of the
/// observer alone.
struct StepBuffer {
  std::string name;
  uint64_t size;
  const void *data;
  std::shared_ptr<bool> isValid;
  nanobind::bytes bytes() const;
};

/// Argument of an observer.
struct StepEvent {
  size_t step;
  bool after;
  uint32_t rank;
  std::string kernel, hero;
  std::vector<std::string> nodes;
  std::vector<StepBuffer> reads, writes;
  std::string repr() const;
};

/// Hands the steps of a session to a function of Python, and what that raises to the
/// caller of the run.
class StepObserver {
public:
  StepObserver() = default;
  ~StepObserver();
  StepObserver(const StepObserver &) = delete;

  /// Callbacks of the runtime; self: a StepObserver.
  static void observe(void *self, size_t step, int after, const kiln_buffer_view *reads,
                      size_t readCount, const kiln_buffer_view *writes,
                      size_t writeCount);
  static void observeRank(void *self, uint32_t rank, size_t step, int after,
                          const kiln_buffer_view *reads, size_t readCount,
                          const kiln_buffer_view *writes, size_t writeCount);

  /// Marks a run of an entry of a model, with the function to call. Raises KILN-E0609 if
  /// there is one already.
  class Run {
  public:
    Run(std::shared_ptr<StepObserver> observer, kiln_model *model,
        nanobind::object function);
    ~Run();
    Run(const Run &) = delete;
    /// Throws what the function raised.
    void rethrow();

  private:
    std::shared_ptr<StepObserver> observer; ///< null: nobody observes
    nanobind::object function;
  };

private:
  nanobind::handle function;     ///< of the run; each session holds it for itself
  kiln_model *running = nullptr; ///< null: no run is under way
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr; ///< that was raised
};

/// Classes and functions of the module.
void bindObservers(nanobind::module_ &m);

} // namespace kiln::python

#endif // KILN_PYTHON_OBSERVER_H
