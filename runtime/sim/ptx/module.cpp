//===- module.cpp - A parsed PTX module -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/module.h"

using namespace kiln::sim::ptx;

template <typename T>
static const T *findNamed(const std::vector<T> &list, std::string_view name) {
  for (const T &item : list)
    if (item.name == name)
      return &item;
  return nullptr;
}

const Function *Module::function(std::string_view name) const {
  return findNamed(functions, name);
}

const Variable *Module::variable(std::string_view name) const {
  return findNamed(variables, name);
}

std::string Module::source(const Instruction &instruction) const {
  if (instruction.source < 0)
    return "";
  const SourceLine &line = lines[size_t(instruction.source)];
  for (const SourceFile &file : files)
    if (file.index == line.file)
      return file.name + ":" + std::to_string(line.line);
  return "";
}
