//===- memory.h - The caller's memory in place of the library's -*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, which says what holds for all functions.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_MEMORY_H
#define KILN_MEMORY_H

#include "kiln/model.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Packages that are no files of their own
//===----------------------------------------------------------------------===//

/// Bytes to whose multiple a package in memory is aligned.
#define KILN_PACKAGE_ALIGNMENT 64

/// Called once, by any thread, when nothing uses the memory any more.
typedef void (*kiln_release_memory)(void *user, const void *data, size_t size);

/// Loads a package from memory of the caller without copying its weights, nearly all of
/// its bytes. data: a multiple of KILN_PACKAGE_ALIGNMENT. The bytes stay where and as
/// they are until the model and all of its sessions are released: then release, which may
/// be NULL, is called. If the call fails it is not, and the memory is free at once. The
/// weights are compared with their hash before the first run, as always; what changes
/// them later is not noticed. Plan and code are copied before they are checked. options:
/// as of kiln_model_load; in_memory does nothing, and guard_mapping is for memory that
/// the caller has mapped from a file. name, for messages, may be NULL. Errors: as
/// kiln_model_load, and KILN-E0001 (misaligned).
KILN_API kiln_status *kiln_model_load_memory(const void *data, size_t size,
                                             const char *name,
                                             const kiln_model_options *options,
                                             kiln_release_memory release, void *user,
                                             kiln_model **out);

/// Loads a package that is `length` bytes of an open file, from `offset` on; length 0: up
/// to its end. The descriptor is duplicated, and may be closed after the call; its
/// position is neither used nor changed. Weights are mapped if offset is a multiple of
/// the page size, and read otherwise, which takes as much memory as they have bytes. If
/// they are mapped, a run after a change of the file, wherever it lies, fails with
/// KILN-E0514. options: as of kiln_model_load. name, for messages, may be NULL. Errors:
/// as kiln_model_load; a descriptor that is closed or no regular file is KILN-E0002, a
/// range that is not within the file KILN-E0001.
KILN_API kiln_status *kiln_model_load_fd(int fd, uint64_t offset, uint64_t length,
                                         const char *name,
                                         const kiln_model_options *options,
                                         kiln_model **out);

//===----------------------------------------------------------------------===//
// Arenas
//===----------------------------------------------------------------------===//

/// Functions that give a session on the CPU its memory. Threads that create, run, trim or
/// release sessions call them, at most one for each session at a time.
typedef struct kiln_allocator {
  size_t struct_size; ///< sizeof(kiln_allocator)
  /// Returns size bytes at a multiple of alignment, a power of two from 64 to 4096, with
  /// any content; NULL if there are none, which is KILN-E0700. Other memory is
  /// KILN-E0001, and is given to free.
  void *(*allocate)(void *user, size_t size, size_t alignment);
  /// Takes back what allocate gave for this size and alignment.
  void (*free)(void *user, void *data, size_t size, size_t alignment);
  void *user;
} kiln_allocator;

#define KILN_ALLOCATOR_INIT {sizeof(kiln_allocator), NULL, NULL, NULL}

#ifdef __cplusplus
}
#endif

#endif // KILN_MEMORY_H
