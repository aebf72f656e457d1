//===- wire.h - What moves bytes between nodes ------------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of a plugin: a library that the runtime loads by name and asks for one
// table of functions. It knows nothing of models or collectives. Functions return 0, or
// NULL, where they fail, and no exception leaves them.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GLOO_WIRE_H
#define KILN_GLOO_WIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Grows with every change of the table.
#define KILN_WIRE_VERSION 1
/// The function that a plugin exports.
#define KILN_WIRE_SYMBOL "kiln_wire_functions"

typedef struct kiln_wire kiln_wire;               ///< one rank's connections
typedef struct kiln_wire_region kiln_wire_region; ///< memory to send from or receive into

typedef struct kiln_wire_table {
  uint32_t version; ///< KILN_WIRE_VERSION
  /// Listens at an address of this node. error: room for a text that says why not.
  kiln_wire *(*open)(uint32_t rank, uint32_t ranks, const char *host, uint32_t timeout_ms,
                     char *error, size_t error_room);
  /// Where this rank listens for that peer: the size, or 0 if there is less room.
  size_t (*address)(kiln_wire *wire, uint32_t peer, void *out, size_t room);
  /// Connects with a peer, which has said its address for this rank and does the same.
  int (*connect)(kiln_wire *wire, uint32_t peer, const void *address, size_t size,
                 char *error, size_t error_room);
  /// The memory must outlive the wire. One thread at a time may use a region.
  kiln_wire_region *(*add_region)(kiln_wire *wire, void *memory, size_t bytes);
  /// Wait until the bytes have left, or come. Messages between two ranks arrive in order;
  /// both ends say the same number of bytes. 0: the connection is lost, or stopped.
  int (*send)(kiln_wire_region *region, uint32_t peer, size_t offset, size_t bytes);
  int (*receive)(kiln_wire_region *region, uint32_t peer, size_t offset, size_t bytes);
  /// Ends the calls of other threads that wait; to be called until they have ended.
  void (*stop)(kiln_wire *wire);
  void (*close)(kiln_wire *wire);
} kiln_wire_table;

typedef const kiln_wire_table *(*kiln_wire_functions_type)(void);

#ifdef __cplusplus
}
#endif

#endif // KILN_GLOO_WIRE_H
