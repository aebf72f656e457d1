//===- wire.h - What moves bytes between nodes ------------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of a communication plugin: a library that the runtime loads by name and that
// exports one table of functions. It does not depend on models or collectives. Functions
// return 0 or NULL on failure and throw no exceptions.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GLOO_WIRE_H
#define KILN_GLOO_WIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the table; incremented with every change.
#define KILN_WIRE_VERSION 1
/// Name of the function that a plugin exports.
#define KILN_WIRE_SYMBOL "kiln_wire_functions"

typedef struct kiln_wire kiln_wire;               ///< one rank's connections
typedef struct kiln_wire_region kiln_wire_region; ///< memory to send from or receive into

typedef struct kiln_wire_table {
  uint32_t version; ///< KILN_WIRE_VERSION
  /// Listens at an address of this node. error: buffer for a message on failure.
  kiln_wire *(*open)(uint32_t rank, uint32_t ranks, const char *host, uint32_t timeout_ms,
                     char *error, size_t error_room);
  /// Writes the address at which this rank listens for that peer. Returns its size, or 0
  /// if `room` is too small.
  size_t (*address)(kiln_wire *wire, uint32_t peer, void *out, size_t room);
  /// Connects with a peer by the address that it has for this rank; the peer does the
  /// same.
  int (*connect)(kiln_wire *wire, uint32_t peer, const void *address, size_t size,
                 char *error, size_t error_room);
  /// Registers memory, which must outlive the wire. One thread at a time may use a
  /// region.
  kiln_wire_region *(*add_region)(kiln_wire *wire, void *memory, size_t bytes);
  /// Wait until the bytes have been sent or received. Messages between two ranks arrive
  /// in order; both ends pass the same number of bytes. 0: the connection is lost, or
  /// stopped.
  int (*send)(kiln_wire_region *region, uint32_t peer, size_t offset, size_t bytes);
  int (*receive)(kiln_wire_region *region, uint32_t peer, size_t offset, size_t bytes);
  /// Ends blocking calls of other threads; to be called repeatedly until these threads
  /// have ended.
  void (*stop)(kiln_wire *wire);
  void (*close)(kiln_wire *wire);
} kiln_wire_table;

typedef const kiln_wire_table *(*kiln_wire_functions_type)(void);

#ifdef __cplusplus
}
#endif

#endif // KILN_GLOO_WIRE_H
