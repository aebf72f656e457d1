//===- memory.hpp - Arenas from a memory resource ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   kiln::rt::Allocator arenas(resource);
//   kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
//   options.allocator = arenas.get();
//   kiln::rt::Session session(model, options);
//
//===----------------------------------------------------------------------===//
#ifndef KILN_MEMORY_HPP
#define KILN_MEMORY_HPP

#include "kiln/memory.h"
#include <memory_resource>
#include <new>

namespace kiln::rt {

/// Allocates sessions' memory from a std::pmr::memory_resource, which must outlive them;
/// the allocator itself need only exist while a session is created. std::bad_alloc
/// becomes KILN-E0700.
class Allocator {
public:
  explicit Allocator(std::pmr::memory_resource &resource) {
    allocator.allocate = [](void *user, size_t size, size_t alignment) -> void * {
      try {
        return static_cast<std::pmr::memory_resource *>(user)->allocate(size, alignment);
      } catch (const std::bad_alloc &) {
        return nullptr;
      }
    };
    allocator.free = [](void *user, void *data, size_t size, size_t alignment) {
      static_cast<std::pmr::memory_resource *>(user)->deallocate(data, size, alignment);
    };
    allocator.user = &resource;
  }

  const kiln_allocator *get() const { return &allocator; }

private:
  kiln_allocator allocator = KILN_ALLOCATOR_INIT;
};

} // namespace kiln::rt

#endif // KILN_MEMORY_HPP
