//===- ByteCache.h - Cache of bytes by their inputs -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_BYTECACHE_H
#define KILN_SUPPORT_BYTECACHE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <mutex>
#include <optional>
#include <string>

namespace kiln {

/// Bytes in memory, by a hash of all inputs that determine them. Thread-safe; the first
/// bytes that are added for a key are kept.
class ByteCache {
public:
  std::optional<std::string> find(llvm::StringRef key) const {
    std::lock_guard<std::mutex> guard(lock);
    auto found = entries.find(key);
    return found == entries.end() ? std::nullopt : std::optional(found->second);
  }
  void add(llvm::StringRef key, llvm::StringRef bytes) {
    std::lock_guard<std::mutex> guard(lock);
    entries.try_emplace(key, bytes.str());
  }
  std::size_t size() const {
    std::lock_guard<std::mutex> guard(lock);
    return entries.size();
  }

private:
  mutable std::mutex lock;
  llvm::StringMap<std::string> entries;
};

} // namespace kiln

#endif // KILN_SUPPORT_BYTECACHE_H
