//===- code_image.cpp - Generated code in memory --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/code_image.h"
#include "runtime/package/format.h"
#include <algorithm>

using namespace kiln::rt;

Status CodeImage::map(std::span<const uint8_t> code, std::span<const uint8_t> given,
                      const std::string &what) {
  constexpr uint64_t recordAlignment = 8;
  if (code.empty())
    return {};
  codeSize = code.size();
  tableOffset = format::alignUp(code.size(), recordAlignment);
  tableSize = given.size() + 4;
  std::vector<uint8_t> all(tableOffset + tableSize);
  std::ranges::copy(code, all.begin());
  std::ranges::copy(given, all.begin() + static_cast<ptrdiff_t>(tableOffset));
  std::vector<CodeFunction> found;
  if (!readUnwindTable({all.data() + tableOffset, given.size()}, codeSize, tableOffset,
                       found)) {
    all.resize(codeSize);
    found.clear();
  }
  KILN_TRY(copyExecutable(all.data(), all.size(), what, memory));
  functions = std::move(found);
  if (!functions.empty())
    registerUnwindTable(table().data(), data() + functions.front().offset, registration);
  return {};
}

CodeImage::~CodeImage() {
  if (!functions.empty())
    withdrawUnwindTable(table().data());
}
