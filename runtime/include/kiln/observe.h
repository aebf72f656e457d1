//===- observe.h - Logs, profilers and debuggers ----------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, whose rules on ownership apply. Functions of this header
// may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_OBSERVE_H
#define KILN_OBSERVE_H

#include "kiln/status.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Log
//===----------------------------------------------------------------------===//

/// Severities, with OpenTelemetry's numbers.
typedef KILN_ENUM(kiln_log_severity){KILN_LOG_DEBUG = 5, KILN_LOG_INFO = 9,
                                     KILN_LOG_WARNING = 13,
                                     KILN_LOG_ERROR = 17} kiln_log_severity;

/// A structured field of a record. Keys are names of OpenTelemetry's conventions if there
/// is one ("file.path", "file.size", "error.type"), and otherwise begin with "kiln."
/// ("kiln.duration_ms"): docs/guides/observe.md lists them.
typedef struct kiln_log_field {
  const char *key;
  const char *text; ///< NULL: the value is `number`
  double number;    ///< 0 if there is a text
} kiln_log_field;

/// An event. The record is valid only during the callback.
typedef struct kiln_log_record {
  size_t struct_size; ///< sizeof(kiln_log_record) of the library
  kiln_log_severity severity;
  unsigned code;     ///< 503 for KILN-E0503; 0: not an error
  const char *event; ///< "kiln.model.loaded": equal for all records of a kind
  const char *text;  ///< a sentence for humans
  size_t field_count;
  const kiln_log_field *fields;
} kiln_log_record;

typedef void (*kiln_log_callback)(void *user, const kiln_log_record *record);

/// Sets the log callback of the process; NULL: none, which costs nothing. It receives
/// records about loading packages, checking weights, creating sessions, and fallbacks:
/// threads that cannot be started, code that is mapped in another way, memory that the
/// system does not commit. Runs log nothing. The callback is called on the thread of the
/// event, by several threads concurrently, and without holding a lock of Kiln. It may
/// call Kiln, whose records on that thread are dropped meanwhile; exceptions that it
/// throws are caught and dropped. Returns when no thread is in the previous callback any
/// more, unless called from that callback.
KILN_API void kiln_set_log(kiln_log_callback callback, void *user);

//===----------------------------------------------------------------------===//
// Names of kernels
//===----------------------------------------------------------------------===//

/// Names the kernels of all models of the process, those already loaded and those loaded
/// later, as "kiln:NAME[NODES]" with the ONNX nodes that a kernel computes. to: one or
/// more of these, separated by commas, in addition to those of earlier calls:
///  - "map": lines in /tmp/perf-PID.map, by which perf report and perf script name code;
///  - "jitdump": $JITDUMPDIR/jit-PID.dump (or /tmp), with the code and its unwind tables,
///    for perf record -k mono and perf inject --jit;
///  - "gdb": gdb's interface for code that is generated at run time.
/// The environment variable KILN_SYMBOLS has the same effect when the first model is
/// loaded. Errors: KILN-E0001 (another word), E0003 (a file cannot be written).
KILN_API kiln_status *kiln_publish_symbols(const char *to);

#ifdef __cplusplus
}
#endif

#endif // KILN_OBSERVE_H
