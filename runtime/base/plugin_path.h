//===- plugin_path.h - Where libraries of Kiln are --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_PLUGIN_PATH_H
#define KILN_BASE_PLUGIN_PATH_H

#include <string>

namespace kiln::rt {

/// Returns a library's path for dlopen: in the folder of the file that contains this code
/// or, for a program in bin, in lib; the name alone if that folder is unknown.
std::string pathOfPlugin(const std::string &name);

} // namespace kiln::rt

#endif // KILN_BASE_PLUGIN_PATH_H
