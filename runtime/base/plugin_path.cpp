//===- plugin_path.cpp - Where libraries of Kiln are ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/plugin_path.h"
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <unistd.h>

/// Returns the file that contains this code; empty if unknown. dladdr gives a program the
/// name that it was called by, which has no folder if the shell found it in PATH.
static std::string ownFile() {
  Dl_info self;
  void *object = nullptr;
  static const char here = 0;
  if (!dladdr1(&here, &self, &object, RTLD_DL_LINKMAP))
    return {};
  if (const char *library = static_cast<link_map *>(object)->l_name; *library)
    return library;
  std::error_code unreadable;
  return std::filesystem::read_symlink("/proc/self/exe", unreadable).string();
}

std::string kiln::rt::pathOfPlugin(const std::string &name) {
  std::string path = ownFile();
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return name;
  std::string folder = path.substr(0, slash + 1);
  std::string installed = folder + "../lib/" + name;
  bool beside = access((folder + name).c_str(), F_OK) == 0;
  return !beside && access(installed.c_str(), F_OK) == 0 ? installed : folder + name;
}
