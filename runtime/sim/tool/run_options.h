//===- run_options.h - Options of kiln-ptx run -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TOOL_RUN_OPTIONS_H
#define KILN_SIM_TOOL_RUN_OPTIONS_H

#include "runtime/sim/tool/tool.h"

#include <array>
#include <cstdint>

namespace kiln::sim::tool {

struct RunOptions {
  std::string file, kernel, device;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1}, cluster = {1, 1, 1};
  uint32_t shared = 0;
  bool cooperative = false;
  Arguments values; ///< values of --arg
};

std::string defaultDevice();
/// Parses "128" or "16,8,1".
bool parseSizes(const std::string &text, std::array<uint32_t, 3> &sizes);
/// Returns false and sets `problem` on failure.
bool parseRunOptions(const Arguments &arguments, RunOptions &options,
                     std::string &problem);

} // namespace kiln::sim::tool

#endif // KILN_SIM_TOOL_RUN_OPTIONS_H
