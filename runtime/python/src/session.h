//===- session.h - kiln.Session ---------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PYTHON_SESSION_H
#define KILN_PYTHON_SESSION_H

#include "kiln/group.h"
#include "observer.h"
#include <atomic>
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

Tensor describe(const kiln_tensor_info &info);

struct Arena {
  std::string kind, formula;
  uint64_t maxBytes, capacity, lastFormula, highWater, measured;
  std::string repr() const;
};

/// The ranges of a package's symbolic dims.
nanobind::dict symbolsOf(const std::string &path);
/// The number of ranks that a package is for.
uint32_t rankCountOf(const std::string &path);

/// Options that a session or a group is created with; kept for clone().
struct SessionConfig {
  struct Range {
    std::string name;
    int64_t lo, hi;
  };
  std::string device;
  uint32_t threads = 0; ///< of all ranks together
  std::vector<Range> dims;
  bool measureMemory = false;
  bool graph = true;
  uint64_t graphMemory = 0;
  /// Number of ranks of a group, 0: as the package says; none for a session.
  std::optional<uint32_t> ranks = std::nullopt;
  uint32_t timeout = 0;   ///< milliseconds
  bool processes = false; ///< each rank is a process, and this one is one of them
  nanobind::object observer = {}; ///< a function of Python; none: nobody observes
  bool profile = false;
  std::shared_ptr<kiln_workers> workers = nullptr; ///< null: those of the process
};

/// How a package is loaded.
struct LoadConfig {
  std::optional<std::string> target, expect;
  bool verifyWeights = true, inMemory = false;
  /// The package itself; `path` is then what messages call it.
  std::optional<nanobind::object> bytes = std::nullopt;
  bool copy = true; ///< of the bytes
  /// A package that is a part of an open file.
  std::optional<int> fd = std::nullopt;
  uint64_t offset = 0, length = 0;
};

/// Threads that sessions share.
class Workers {
public:
  Workers(uint32_t threads, const std::optional<std::vector<uint32_t>> &cpus, int nice);
  uint32_t threads() const { return kiln_workers_threads(held.get()); }

  std::shared_ptr<kiln_workers> held;
};

/// Ends the runs that it was given to; for any thread.
class CancelToken {
public:
  void cancel() { flag.store(true); }
  bool isCancelled() const { return flag.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> flag{false};
};

/// When a run ends early.
struct RunEnd {
  std::optional<double> timeout; ///< seconds
  const CancelToken *token = nullptr;
};

/// inspect: to be asked, not run; no code for this machine is needed.
std::shared_ptr<kiln_model> loadModel(const std::string &path, const LoadConfig &config,
                                      bool inspect);

/// For Python's garbage collector: a function that observes a session often refers to it.
struct SessionTraversal {
  static int traverse(PyObject *self, visitproc visit, void *arg);
  static int clear(PyObject *self);
};

/// A session, or a group of ranks where the config has a number of them.
class Session {
public:
  Session(const std::string &path, const LoadConfig &load, SessionConfig config);
  Session clone() const;
  /// A clone that times its steps, and that nobody observes.
  Session timed() const;
  /// The name of the entry, and of each step its kernel, hero, ONNX nodes and nanoseconds
  /// in the last run, 0 in a session that does not time them.
  nanobind::tuple stepTimes() const;
  /// Returns the session of another entry of the model, with the memory and states of
  /// this one.
  Session entry(const std::string &name) const;
  std::vector<std::string> entries() const;

  /// outputs: None for new arrays of NumPy, a list of the names of those that are wanted,
  /// or a mapping of names to arrays.
  nanobind::dict run(nanobind::handle inputs, nanobind::handle outputs, RunEnd end);
  /// Ends the run that another thread has under way.
  void cancel();
  /// New arrays with the outputs of each rank.
  nanobind::list runAllRanks(nanobind::handle inputs);
  void resetState();
  /// rank: None for that of this process.
  nanobind::bytes readState(size_t index, uint64_t offset, uint64_t size,
                            std::optional<uint32_t> rank);
  /// rank: None for all of this process.
  void writeState(size_t index, uint64_t offset, nanobind::bytes data,
                  std::optional<uint32_t> rank);
  void copyRow(size_t from, size_t to);
  /// Releases the session, after a run under way; every use afterwards is an error.
  void close();
  std::string repr() const;
  void setStream(std::optional<intptr_t> stream);
  intptr_t stream() const;
  void synchronize();
  void checkWeights();
  /// Gives memory back that the next run takes again.
  void trim();

  std::vector<Tensor> inputs() const;
  std::vector<Tensor> outputs() const;
  std::vector<Tensor> states() const;
  uint64_t stateBytes(size_t index, std::optional<uint32_t> only) const;
  nanobind::dict symbols() const;
  const kiln_device_info &device() const { return *kiln_session_device(open()); }
  uint32_t threads() const { return kiln_session_threads(open()) * ranks(); }
  uint32_t ranks() const;
  /// Rank of this process; 0 where ranks are threads.
  uint32_t ownRank() const;
  std::string provenance() const;
  std::vector<Arena> memory() const;

private:
  friend struct SessionTraversal;
  /// The session; raises if it is closed.
  const std::shared_ptr<kiln_session> &held() const;
  kiln_session *open() const { return held().get(); }
  /// The session of a rank, whichever entry of it; raises if there is no such rank.
  kiln_session *rank(uint32_t number) const;
  std::vector<kiln_session *> localRanks() const;
  Session(std::shared_ptr<kiln_model> model, SessionConfig config);
  Session(std::shared_ptr<kiln_model> model, std::shared_ptr<kiln_session> session,
          std::shared_ptr<kiln_group> group, std::shared_ptr<StepObserver> observer,
          std::string name, SessionConfig config)
      : observer(std::move(observer)), model(std::move(model)),
        session(std::move(session)), group(std::move(group)), name(std::move(name)),
        config(std::move(config)) {}
  void createSession(const kiln_session_options &options);
  void createGroup(const kiln_session_options &options);
  nanobind::list runForNew(const std::vector<kiln_tensor> &given,
                           const std::vector<size_t> &chosen, uint32_t ranks, RunEnd end);
  std::vector<size_t> chooseOutputs(nanobind::handle names) const;
  void launch(const std::vector<kiln_tensor> &given,
              const std::vector<kiln_tensor> &wanted, RunEnd end);

  std::shared_ptr<StepObserver> observer; ///< outlives the session; null: none
  std::shared_ptr<kiln_model> model;
  std::shared_ptr<kiln_session>
      session;                       ///< of a group that of its own rank, and holds it
  std::shared_ptr<kiln_group> group; ///< null: there is one session
  std::string name;                  ///< of the entry
  SessionConfig config;
};

/// A session of several ranks.
class Group : public Session {
public:
  using Session::Session;
  explicit Group(Session session) : Session(std::move(session)) {}
};

} // namespace kiln::python

#endif // KILN_PYTHON_SESSION_H
