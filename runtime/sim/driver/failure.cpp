//===- failure.cpp - Errors inside the driver layer -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/failure.h"
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

struct Row {
  CUresult code;
  const char *name, *text;
};

const Row Rows[] = {
#define RESULT(name, number, text) {name, #name, text},
#include "runtime/sim/driver/api/results.def"
#undef RESULT
};

const Row *rowOf(CUresult code) {
  for (const Row &row : Rows)
    if (row.code == code)
      return &row;
  return nullptr;
}

std::string print(const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int length = vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(length < 0 ? 0 : length, '\0');
  vsnprintf(text.data(), text.size() + 1, format, list);
  return text;
}

} // namespace

void driver::fail(CUresult code, const char *format, ...) {
  va_list list;
  va_start(list, format);
  Failure failure = {code, print(format, list)};
  va_end(list);
  throw failure;
}

void driver::failQuietly(CUresult code) { throw Failure{code, ""}; }

const char *driver::resultName(CUresult code) {
  const Row *row = rowOf(code);
  return row ? row->name : nullptr;
}

const char *driver::resultText(CUresult code) {
  const Row *row = rowOf(code);
  return row ? row->text : nullptr;
}

bool driver::parseResult(const std::string &text, CUresult &out) {
  for (const Row &row : Rows)
    if (row.code != CUDA_SUCCESS &&
        (text == row.name || "CUDA_ERROR_" + text == row.name ||
         text == std::to_string(int(row.code)))) {
      out = row.code;
      return true;
    }
  return false;
}

void driver::say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  std::string line = "kiln-sim: " + print(format, list) + "\n";
  va_end(list);
  // A single write: lines of several threads must not mix.
  fwrite(line.data(), 1, line.size(), stderr);
}
