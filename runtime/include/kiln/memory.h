//===- memory.h - The caller's memory in place of the library's -*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, whose rules on ownership and threads apply.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_MEMORY_H
#define KILN_MEMORY_H

#include "kiln/model.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Packages in memory and in other files
//===----------------------------------------------------------------------===//

/// Required alignment of a package in memory, in bytes.
#define KILN_PACKAGE_ALIGNMENT 64

/// Called once, on any thread, when the memory is no longer used.
typedef void (*kiln_release_memory)(void *user, const void *data, size_t size);

/// Loads a package from memory of the caller without copying its weights, which are most
/// of its bytes. data: a multiple of KILN_PACKAGE_ALIGNMENT. The memory must stay
/// unchanged until the model and all of its sessions have been released; then `release`,
/// which may be NULL, is called. If this function fails, `release` is not called, and the
/// memory is no longer used. As always, the weights are compared with their hash before
/// the first run; later changes are not detected. Plan and code are copied before they
/// are checked. options: as in kiln_model_load; in_memory has no effect, and
/// guard_mapping is for memory that the caller has mapped from a file. name, for error
/// messages, may be NULL. Errors: as kiln_model_load, and KILN-E0001 (misaligned).
KILN_API kiln_status *kiln_model_load_memory(const void *data, size_t size,
                                             const char *name,
                                             const kiln_model_options *options,
                                             kiln_release_memory release, void *user,
                                             kiln_model **out);

/// Loads a package that is `length` bytes of an open file, from `offset` on; length 0: up
/// to the end of the file. The descriptor is duplicated, and may be closed after the
/// call; its file position is neither used nor changed. Weights are mapped if offset is a
/// multiple of the page size; otherwise they are read into memory. If they are mapped,
/// runs after any change of the file fail with KILN-E0514. options: as in
/// kiln_model_load. name, for error messages, may be NULL. Errors: as kiln_model_load;
/// KILN-E0002 if the descriptor is closed or no regular file, KILN-E0001 if the range is
/// not within the file.
KILN_API kiln_status *kiln_model_load_fd(int fd, uint64_t offset, uint64_t length,
                                         const char *name,
                                         const kiln_model_options *options,
                                         kiln_model **out);

//===----------------------------------------------------------------------===//
// Arenas
//===----------------------------------------------------------------------===//

/// Functions that allocate the memory of a session on the CPU. Threads that create, run,
/// trim or release sessions call them, for each session one at a time.
typedef struct kiln_allocator {
  size_t struct_size; ///< sizeof(kiln_allocator)
  /// Returns `size` bytes with any content at a multiple of `alignment`, a power of two
  /// from 64 to 4096; NULL on failure, which becomes KILN-E0700. Misaligned memory is
  /// KILN-E0001, and is passed to `free`.
  void *(*allocate)(void *user, size_t size, size_t alignment);
  /// Frees memory that `allocate` returned for this size and alignment.
  void (*free)(void *user, void *data, size_t size, size_t alignment);
  void *user;
} kiln_allocator;

#define KILN_ALLOCATOR_INIT {sizeof(kiln_allocator), NULL, NULL, NULL}

#ifdef __cplusplus
}
#endif

#endif // KILN_MEMORY_H
