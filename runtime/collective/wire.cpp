//===- wire.cpp - The plugin that moves bytes between nodes ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/wire.h"
#include "runtime/base/plugin_path.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace kiln::rt;

static Failure unavailable(const std::string &path, const char *what,
                           const std::string &expected, const std::string &found) {
  return {Code::DeviceUnavailable,
          path,
          what,
          expected,
          found,
          "build Kiln where Gloo (Debian: libgloo-dev) is installed, or set "
          "KILN_GLOO_LIBRARY to the libkiln_gloo.so of this build"};
}

Status kiln::rt::loadWire(const kiln_wire_table *&out) {
  const char *given = std::getenv("KILN_GLOO_LIBRARY");
  std::string path = given && *given ? given : pathOfPlugin("libkiln_gloo.so");
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return unavailable(path, "the transport between nodes cannot be loaded",
                       "the plugin libkiln_gloo.so", reason ? reason : "no reason given");
  }
  auto functions =
      reinterpret_cast<kiln_wire_functions_type>(dlsym(library, KILN_WIRE_SYMBOL));
  if (!functions)
    return unavailable(path, "the library is no transport of Kiln", KILN_WIRE_SYMBOL,
                       "no such function");
  const kiln_wire_table *table = functions();
  if (table->version != KILN_WIRE_VERSION)
    return unavailable(path, "the transport is of another build of Kiln",
                       "version " + std::to_string(KILN_WIRE_VERSION),
                       std::to_string(table->version));
  out = table;
  return {};
}
