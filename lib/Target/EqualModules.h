//===- EqualModules.h - Compiling equal kernels once ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prefill and decode entries of a decoder have kernels that differ only in names of
// dims, nodes and the kernel itself: their LLVM modules are equal and compiled once.
// Private to lib/Target.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_EQUALMODULES_H
#define KILN_LIB_TARGET_EQUALMODULES_H

#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace kiln {

/// Returns the only function that a module defines.
llvm::Function &definedIn(llvm::Module &module);

/// Returns the hash of a module with one function, independent of the function's name.
std::string hashWithoutName(llvm::Module &module);

/// Decides which of several jobs compiles a module that they have in common: the first
/// that claims it. Thread-safe.
class EqualModules {
public:
  explicit EqualModules(size_t jobs) : hashes(jobs) {}

  /// Returns true if this job must compile the module.
  bool claim(size_t job, llvm::StringRef hash) {
    std::lock_guard<std::mutex> lock(mutex);
    hashes[job] = hash.str();
    return owners.try_emplace(hash, job).second;
  }
  /// Returns the job that compiled this job's module; itself if it claimed none.
  size_t ownerOf(size_t job) const {
    auto found = owners.find(hashes[job]);
    return found == owners.end() ? job : found->second;
  }

private:
  std::mutex mutex;
  std::vector<std::string> hashes;
  llvm::StringMap<size_t> owners;
};

} // namespace kiln

#endif // KILN_LIB_TARGET_EQUALMODULES_H
