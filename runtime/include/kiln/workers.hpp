//===- workers.hpp - Threads that sessions share ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   kiln::rt::Workers workers(4);
//   kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
//   options.workers = workers.get();
//   kiln::rt::Session one(model, options), other(another, options);
//
//===----------------------------------------------------------------------===//
#ifndef KILN_WORKERS_HPP
#define KILN_WORKERS_HPP

#include "kiln/runtime.hpp"

namespace kiln::rt {

/// See kiln_workers. Copies refer to the same threads; sessions keep the threads that
/// they use alive.
class Workers {
public:
  /// threads: max threads of a run, including the caller; 0: as many as are allowed.
  explicit Workers(uint32_t threads = 0) : Workers(optionsOf(threads)) {}
  explicit Workers(const kiln_workers_options &options) {
    kiln_workers *made = nullptr;
    check(kiln_workers_create(&options, &made));
    workers.reset(made, kiln_workers_release);
  }

  kiln_workers *get() const { return workers.get(); }
  uint32_t threads() const { return kiln_workers_threads(get()); }

private:
  static kiln_workers_options optionsOf(uint32_t threads) {
    kiln_workers_options options = KILN_WORKERS_OPTIONS_INIT;
    options.threads = threads;
    return options;
  }
  std::shared_ptr<kiln_workers> workers;
};

} // namespace kiln::rt

#endif // KILN_WORKERS_HPP
