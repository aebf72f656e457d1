//===- arguments.h - Arguments of a kernel, from text -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TOOL_ARGUMENTS_H
#define KILN_SIM_TOOL_ARGUMENTS_H

#include "runtime/sim/tool/npy.h"

namespace kiln::sim::tool {

/// Value of one --arg: a buffer or a scalar.
struct KernelArgument {
  bool isBuffer = false;
  Array array;                 ///< initial contents of a buffer
  std::string output;          ///< file to write a buffer to; may be empty
  std::vector<uint8_t> scalar; ///< little-endian bytes
};

/// Parses in.npy, in.npy:out.npy, f32[4,4], f32[4,4]:out.npy, i32:5. Returns false and
/// sets `problem` on failure.
bool parseArgument(const std::string &text, KernelArgument &argument,
                   std::string &problem);

} // namespace kiln::sim::tool

#endif // KILN_SIM_TOOL_ARGUMENTS_H
