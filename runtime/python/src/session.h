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
  /// Returns the dims: fixed ones as int, others as their expression.
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

/// Returns the ranges of a package's symbolic dims.
nanobind::dict symbolsOf(const std::string &path);
/// Returns the number of ranks of a package.
uint32_t rankCountOf(const std::string &path);

/// Options of a session or a group, kept for clone().
struct SessionConfig {
  struct Range {
    std::string name;
    int64_t lo, hi;
  };
  std::string device;
  uint32_t threads = 0; ///< total over all ranks
  std::vector<Range> dims;
  bool measureMemory = false;
  bool graph = true;
  uint64_t graphMemory = 0;
  /// Number of ranks of a group, 0: the package's; nullopt for a session.
  std::optional<uint32_t> ranks = std::nullopt;
  uint32_t timeout = 0;           ///< milliseconds
  bool processes = false;         ///< ranks are processes, and this is one of them
  nanobind::object observer = {}; ///< a Python function; none: no observer
  bool profile = false;
  std::shared_ptr<kiln_workers> workers = nullptr; ///< null: the process's threads
};

/// Options for loading a package.
struct LoadConfig {
  std::optional<std::string> target, expect;
  bool verifyWeights = true, inMemory = false;
  /// The package's bytes; `path` is then its name in error messages.
  std::optional<nanobind::object> bytes = std::nullopt;
  bool copy = true; ///< copy the bytes
  /// Descriptor and range of a package within an open file.
  std::optional<int> fd = std::nullopt;
  uint64_t offset = 0, length = 0;
};

/// Threads that several sessions use.
class Workers {
public:
  Workers(uint32_t threads, const std::optional<std::vector<uint32_t>> &cpus, int nice);
  uint32_t threads() const { return kiln_workers_threads(held.get()); }

  std::shared_ptr<kiln_workers> held;
};

/// Ends the runs that it was passed to; thread-safe.
class CancelToken {
public:
  void cancel() { flag.store(true); }
  bool isCancelled() const { return flag.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> flag{false};
};

/// Conditions under which a run ends early.
struct RunEnd {
  std::optional<double> timeout; ///< seconds
  const CancelToken *token = nullptr;
};

/// Loads a package. inspect: it is only queried, so it needs no code for this machine.
std::shared_ptr<kiln_model> loadModel(const std::string &path, const LoadConfig &config,
                                      bool inspect);

/// Support for Python's garbage collector: the observer function of a session often
/// refers to the session.
struct SessionTraversal {
  static int traverse(PyObject *self, visitproc visit, void *arg);
  static int clear(PyObject *self);
};

/// A session, or a group of ranks if the config has a number of ranks.
class Session {
public:
  Session(const std::string &path, const LoadConfig &load, SessionConfig config);
  Session clone() const;
  /// Returns a clone that times its steps and has no observer.
  Session timed() const;
  /// Returns the name of the entry, and for each step its kernel, hero, ONNX nodes and
  /// nanoseconds in the last run (0 in a session that does not time steps).
  nanobind::tuple stepTimes() const;
  /// Returns the session of another entry of the model, with the memory and states of
  /// this one.
  Session entry(const std::string &name) const;
  std::vector<std::string> entries() const;

  /// outputs: None for new NumPy arrays, a list of the names of the wanted outputs, or a
  /// mapping from names to arrays.
  nanobind::dict run(nanobind::handle inputs, nanobind::handle outputs, RunEnd end);
  /// Ends the run in progress on another thread.
  void cancel();
  /// Runs into new arrays, and returns the outputs of each rank.
  nanobind::list runAllRanks(nanobind::handle inputs);
  void resetState();
  /// rank: None for the rank of this process.
  nanobind::bytes readState(size_t index, uint64_t offset, uint64_t size,
                            std::optional<uint32_t> rank);
  /// rank: None for all ranks of this process.
  void writeState(size_t index, uint64_t offset, nanobind::bytes data,
                  std::optional<uint32_t> rank);
  void copyRow(size_t from, size_t to);
  /// Releases the session, after a run in progress; later uses raise an error.
  void close();
  std::string repr() const;
  void setStream(std::optional<intptr_t> stream);
  intptr_t stream() const;
  void synchronize();
  void checkWeights();
  /// Frees memory that the next run allocates again.
  void trim();

  std::vector<Tensor> inputs() const;
  std::vector<Tensor> outputs() const;
  std::vector<Tensor> states() const;
  uint64_t stateBytes(size_t index, std::optional<uint32_t> only) const;
  nanobind::dict symbols() const;
  const kiln_device_info &device() const { return *kiln_session_device(open()); }
  uint32_t threads() const { return kiln_session_threads(open()) * ranks(); }
  uint32_t ranks() const;
  /// Rank of this process; 0 if ranks are threads.
  uint32_t ownRank() const;
  std::string provenance() const;
  std::vector<Arena> memory() const;

private:
  friend struct SessionTraversal;
  /// Returns the session; raises an error if it is closed.
  const std::shared_ptr<kiln_session> &held() const;
  kiln_session *open() const { return held().get(); }
  /// Returns a rank's session of this entry; raises an error if there is no such rank.
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

  std::shared_ptr<StepObserver> observer; ///< must outlive the session; null: none
  std::shared_ptr<kiln_model> model;
  std::shared_ptr<kiln_session>
      session;                       ///< in a group: this process's rank; keeps the group
  std::shared_ptr<kiln_group> group; ///< null: a single session
  std::string name;                  ///< name of the entry
  SessionConfig config;
};

/// A session with several ranks.
class Group : public Session {
public:
  using Session::Session;
  explicit Group(Session session) : Session(std::move(session)) {}
};

} // namespace kiln::python

#endif // KILN_PYTHON_SESSION_H
