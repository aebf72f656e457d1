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
  Array array;                 ///< of a buffer: its first contents
  std::string output;          ///< of a buffer: where it is written; may be empty
  std::vector<uint8_t> scalar; ///< little-endian bytes
};

/// in.npy, in.npy:out.npy, f32[4,4], f32[4,4]:out.npy, i32:5. On failure `problem` says
/// what is wrong.
bool parseArgument(const std::string &text, KernelArgument &argument,
                   std::string &problem);

} // namespace kiln::sim::tool

#endif // KILN_SIM_TOOL_ARGUMENTS_H
