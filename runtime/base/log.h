//===- log.h - Records for the caller's log ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_LOG_H
#define KILN_BASE_LOG_H

#include "runtime/base/clock.h"
#include "runtime/base/status.h"
#include <initializer_list>

namespace kiln::rt {

/// A field with a text or, where the text is NULL, a number.
struct LogField {
  LogField(const char *key, const char *text) : key(key), text(text) {}
  LogField(const char *key, double number) : key(key), number(number) {}
  const char *key;
  const char *text = nullptr;
  double number = 0;
};

/// Whether a log callback is set: without one, texts need not be built.
bool isLogged();

/// Sends a record to the log callback, if one is set. No lock is held, as the callback
/// may call Kiln. event: "kiln.model.loaded".
void writeLog(kiln_log_severity severity, const char *event, const std::string &text,
              std::initializer_list<LogField> fields = {}, Code::ID code = {});
/// Logs an error with its message and code, and the package that it concerns ("": none).
void writeLog(const char *event, const Status &failed, const std::string &path);

/// Sets the callback of the process, see kiln_set_log.
void setLog(kiln_log_callback callback, void *user);

/// Measures the time since its construction, if a log callback is set.
class LogTimer {
public:
  LogTimer() : begin(isLogged() ? monotonicNow() : 0) {}
  double milliseconds() const {
    return begin ? static_cast<double>(monotonicNow() - begin) * 1e-6 : 0;
  }

private:
  uint64_t begin;
};

} // namespace kiln::rt

#endif // KILN_BASE_LOG_H
