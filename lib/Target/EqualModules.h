//===- EqualModules.h - Compiling equal kernels once ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefill and decode of a decoder have kernels that differ in names of dims and nodes,
// and in their own name. What LLVM is given of them is the same. Private to lib/Target.
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

/// The only function that a module defines.
llvm::Function &definedIn(llvm::Module &module);

/// The hash of a module with one function, whatever that is called.
std::string hashWithoutName(llvm::Module &module);

/// Which of several jobs compiles a module that they have in common: the first that asks.
/// For several threads.
class EqualModules {
public:
  explicit EqualModules(size_t jobs) : hashes(jobs) {}

  /// Whether this job compiles the module.
  bool claim(size_t job, llvm::StringRef hash) {
    std::lock_guard<std::mutex> lock(mutex);
    hashes[job] = hash.str();
    return owners.try_emplace(hash, job).second;
  }
  /// The job that compiled this one's module; itself if it did not ask.
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
