//===- KernelCache.h - Code of kernels, kept --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_KERNELCACHE_H
#define KILN_TARGET_KERNELCACHE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <mutex>
#include <optional>
#include <string>

namespace kiln {

/// Objects of kernels by what they are compiled from, in memory: models that differ in a
/// few products have nearly all kernels in common, and generating code is most of a
/// compile.
class KernelCache {
public:
  std::optional<std::string> find(llvm::StringRef key) const {
    std::lock_guard<std::mutex> guard(lock);
    auto found = objects.find(key);
    return found == objects.end() ? std::nullopt : std::optional(found->second);
  }
  void add(llvm::StringRef key, llvm::StringRef object) {
    std::lock_guard<std::mutex> guard(lock);
    objects.try_emplace(key, object.str());
  }
  std::size_t size() const {
    std::lock_guard<std::mutex> guard(lock);
    return objects.size();
  }

private:
  mutable std::mutex lock;
  llvm::StringMap<std::string> objects;
};

} // namespace kiln

#endif // KILN_TARGET_KERNELCACHE_H
