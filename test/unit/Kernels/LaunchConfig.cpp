//===- LaunchConfig.cpp - The config of a kernel, read back ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchConfig.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln::test;

bool LaunchConfig::is(llvm::StringRef kind) const {
  return llvm::StringRef(text).contains(("." + kind + "_config<").str());
}

llvm::StringRef LaunchConfig::valueOf(llvm::StringRef field) const {
  for (const char *before : {"<", ", "}) {
    std::string name = before + field.str() + " = ";
    if (size_t at = text.find(name); at != std::string::npos)
      return llvm::StringRef(text).drop_front(at + name.size());
  }
  return "";
}

int64_t LaunchConfig::number(llvm::StringRef field, int64_t otherwise) const {
  llvm::StringRef value = valueOf(field);
  int64_t number = 0;
  return value.consumeInteger(10, number) ? otherwise : number;
}

std::vector<int64_t> LaunchConfig::numbers(llvm::StringRef field) const {
  std::vector<int64_t> list;
  llvm::StringRef value = valueOf(field);
  if (!value.consume_front("["))
    return list;
  for (llvm::StringRef part : llvm::split(value.split(']').first, ", "))
    if (int64_t number = 0; !part.getAsInteger(10, number))
      list.push_back(number);
  return list;
}
