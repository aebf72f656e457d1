//===- abuse.h - What trials of the runtime share ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_ROBUSTNESS_ABUSE_H
#define KILN_TEST_ROBUSTNESS_ABUSE_H

#include <cstdint>
#include <functional>
#include <kiln/runtime.h>
#include <string>
#include <vector>

namespace abuse {

/// Dims of a run.
enum class Dims { Smallest, Largest };

/// A package, a session and the tensors of a run. Functions may be called repeatedly in
/// this order; the caller owns the returned statuses.
class Program {
public:
  Program() = default;
  ~Program();
  Program(const Program &) = delete;

  kiln_status *load(const char *path);
  kiln_status *load(const std::vector<char> &bytes);
  kiln_status *create(kiln_session_options options = KILN_SESSION_OPTIONS_INIT);
  /// Creates another session of a model that is loaded elsewhere.
  kiln_status *create(kiln_model *shared, uint32_t threads);
  /// Allocates memory for tensors.
  kiln_status *prepare(Dims dims = Dims::Largest);
  kiln_status *run();
  /// Returns a hash of all outputs' bits.
  uint64_t hash() const;

  kiln_model *model = nullptr;
  kiln_session *session = nullptr;
  std::vector<kiln_tensor> inputs, outputs;

private:
  struct Memory {
    std::vector<int64_t> shape;
    std::vector<uint64_t> words;
  };
  void add(const kiln_tensor_info &info, const std::vector<int64_t> &shape, size_t bytes,
           std::vector<kiln_tensor> &to);
  std::vector<Memory> memory;
};

/// Returns "KILN-E0700" of a status, which it frees; "" for NULL.
std::string codeOf(kiln_status *status);

/// Loads a package, creates a session and runs it: returns the code of the first error,
/// or the hash of the outputs.
std::string once(const char *path, uint32_t threads = 2, Dims dims = Dims::Largest);
std::string once(const std::vector<char> &bytes, uint32_t threads = 2);

/// Prints the result of a trial for the Python test that runs this program.
void report(const std::string &trial, const std::string &result);

/// Runs a function in a child process and returns its result, "signal 11", or "hangs"
/// after the timeout.
std::string inChild(const std::function<std::string()> &body, unsigned seconds = 20);

std::vector<char> readFile(const char *path);

/// Makes the `count`-th allocation from now on fail, counting the kinds in the bit set
/// `kinds`.
enum Kind : unsigned { Heap = 1, Mappings = 2, Threads = 4 };
void failAt(long count, unsigned kinds);
/// Stops that; returns the number of allocations since, and whether one failed.
long stopFailing(bool *failed);

/// Families of trials, each of which prints its results. arguments: those of the command.
using Arguments = std::vector<std::string>;
void packages(const Arguments &arguments);
void allocations(const Arguments &arguments);
void calls(const Arguments &arguments);
void signals(const Arguments &arguments);
void forks(const Arguments &arguments);
void exits(const Arguments &arguments);
void limits(const Arguments &arguments);
void environments(const Arguments &arguments);
void files(const Arguments &arguments);
void threads(const Arguments &arguments);

} // namespace abuse

#endif // KILN_TEST_ROBUSTNESS_ABUSE_H
