//===- observe.h - Logs, profilers and debuggers ----------------*- C -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by kiln/runtime.h, which says what holds for all functions. Those of this
// header may be called from any thread.
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

/// The numbers are those of OpenTelemetry's severities.
typedef KILN_ENUM(kiln_log_severity){KILN_LOG_DEBUG = 5, KILN_LOG_INFO = 9,
                                     KILN_LOG_WARNING = 13,
                                     KILN_LOG_ERROR = 17} kiln_log_severity;

/// Something that a record tells besides its text. Keys are names of OpenTelemetry's
/// conventions where there is one ("file.path", "file.size", "error.type"), and begin
/// with "kiln." elsewhere ("kiln.duration_ms"): docs/guides/observe.md lists them.
typedef struct kiln_log_field {
  const char *key;
  const char *text; ///< NULL: it is a number
  double number;    ///< 0 for a text
} kiln_log_field;

/// An event. All of it is valid during the callback only.
typedef struct kiln_log_record {
  size_t struct_size; ///< sizeof(kiln_log_record) of the library
  kiln_log_severity severity;
  unsigned code;     ///< 503 for KILN-E0503; 0: it is no error
  const char *event; ///< "kiln.model.loaded": the same for all records of a kind
  const char *text;  ///< a sentence for people
  size_t field_count;
  const kiln_log_field *fields;
} kiln_log_record;

typedef void (*kiln_log_callback)(void *user, const kiln_log_record *record);

/// Tells of packages that are loaded, of weights that are compared, of sessions that are
/// created, and of fallbacks: threads that cannot be started, code that is mapped in
/// another way, memory that is only promised. Runs tell nothing. The callback is called
/// on the thread on which it happened, by several at once, without a lock of Kiln: it may
/// call Kiln, whose records on that thread are left out meanwhile, and what it throws is
/// caught and dropped. There is one callback for the process; NULL: none, which costs
/// nothing. Returns when no thread is in the callback before, unless it is called by that
/// itself.
KILN_API void kiln_set_log(kiln_log_callback callback, void *user);

//===----------------------------------------------------------------------===//
// Names of kernels
//===----------------------------------------------------------------------===//

/// Gives names to the code of all models of the process, those that are loaded already
/// and those that will be, as "kiln:NAME[NODES]" with the ONNX nodes that a kernel
/// computes. to: one or more of these, with commas between them; what was asked for
/// before stays:
///  - "map": lines in /tmp/perf-PID.map, by which perf report and perf script name code;
///  - "jitdump": $JITDUMPDIR/jit-PID.dump (or /tmp), with the code and its unwind tables,
///    for perf record -k mono and perf inject --jit;
///  - "gdb": gdb's interface for code that is generated at run time.
/// The environment variable KILN_SYMBOLS asks for the same when the first model is
/// loaded. Errors: KILN-E0001 (another word), E0003 (a file cannot be written).
KILN_API kiln_status *kiln_publish_symbols(const char *to);

#ifdef __cplusplus
}
#endif

#endif // KILN_OBSERVE_H
