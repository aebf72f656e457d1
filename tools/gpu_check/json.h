//===- json.h - Writing JSON ------------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_JSON_H
#define KILN_GPU_CHECK_JSON_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace kiln::gpucheck {

/// A JSON value as text; objects keep the order of insertion.
class Json {
public:
  static Json text(const std::string &value) {
    std::string out = "\"";
    for (char c : value) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(static_cast<uint8_t>(c)));
      out += c == '"' || c == '\\'           ? std::string("\\") + c
             : static_cast<uint8_t>(c) < ' ' ? escape
                                             : std::string(1, c);
    }
    return Json(out + "\"");
  }
  /// Infinities and NaN, which JSON lacks, become null.
  static Json number(double value) {
    char out[32];
    std::snprintf(out, sizeof out, "%.6g", value);
    return Json(std::isfinite(value) ? out : "null");
  }
  static Json count(uint64_t value) { return Json(std::to_string(value)); }
  static Json boolean(bool value) { return Json(value ? "true" : "false"); }
  static Json list(const std::vector<Json> &values) {
    std::string out;
    for (const Json &value : values)
      out += (out.empty() ? "" : ",\n") + value.out;
    return Json("[" + out + "]");
  }
  static Json object(const std::vector<std::pair<std::string, Json>> &members) {
    std::string out;
    for (const auto &[name, value] : members)
      out += (out.empty() ? "" : ", ") + text(name).out + ": " + value.out;
    return Json("{" + out + "}");
  }
  const std::string &string() const { return out; }

private:
  explicit Json(std::string out) : out(std::move(out)) {}
  std::string out;
};

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_JSON_H
