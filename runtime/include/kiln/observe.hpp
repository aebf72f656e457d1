//===- observe.hpp - Logs in C++ --------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header-only layer over observe.h. C++17.
//
//   kiln::rt::setLog([](const kiln::rt::LogRecord &record) {
//     std::clog << record.event << ": " << record.text << '\n';
//   });
//
//===----------------------------------------------------------------------===//
#ifndef KILN_OBSERVE_HPP
#define KILN_OBSERVE_HPP

#include "kiln/observe.h"
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kiln::rt {

/// A record of the log, see kiln_log_record.
struct LogRecord {
  kiln_log_severity severity;
  unsigned code; ///< 503 for KILN-E0503; 0: not an error
  std::string event, text;
  std::vector<std::pair<std::string, std::variant<std::string, double>>> fields;
};

/// Sets the function that receives the process's log records, from several threads
/// concurrently; an empty function: none. Its exceptions are dropped. See kiln_set_log.
inline void setLog(std::function<void(const LogRecord &)> function) {
  using Function = std::function<void(const LogRecord &)>;
  static std::mutex mutex;
  static std::shared_ptr<Function> held; // keeps it alive while a thread may be in it
  std::lock_guard<std::mutex> lock(mutex);
  auto next = function ? std::make_shared<Function>(std::move(function)) : nullptr;
  kiln_log_callback callback = [](void *user, const kiln_log_record *from) {
    LogRecord record{from->severity, from->code, from->event, from->text, {}};
    for (size_t i = 0; i < from->field_count; ++i) {
      const kiln_log_field &field = from->fields[i];
      if (field.text)
        record.fields.emplace_back(field.key, std::string(field.text));
      else
        record.fields.emplace_back(field.key, field.number);
    }
    (*static_cast<Function *>(user))(record);
  };
  kiln_set_log(next ? callback : nullptr, next.get());
  held = std::move(next);
}

} // namespace kiln::rt

#endif // KILN_OBSERVE_HPP
