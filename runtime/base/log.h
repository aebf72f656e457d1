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

/// A field with a text or, where that is NULL, a number.
struct LogField {
  LogField(const char *key, const char *text) : key(key), text(text) {}
  LogField(const char *key, double number) : key(key), number(number) {}
  const char *key;
  const char *text = nullptr;
  double number = 0;
};

/// Whether anybody reads records: texts need not be made otherwise.
bool isLogged();

/// Sends a record to the caller's callback, if there is one. Called without any lock, as
/// the callback may call Kiln. event: "kiln.model.loaded".
void writeLog(kiln_log_severity severity, const char *event, const std::string &text,
              std::initializer_list<LogField> fields = {}, Code::ID code = {});
/// A record of an error, with its message and code, and the package that it is about; "":
/// none.
void writeLog(const char *event, const Status &failed, const std::string &path);

/// The callback of the process, see kiln_set_log.
void setLog(kiln_log_callback callback, void *user);

/// The time since it was made, if anybody reads records.
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
