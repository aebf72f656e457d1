//===- SessionOptions.cpp - Options of commands that run ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionOptions.h"
#include "Values.h"

using namespace kiln::driver;

void kiln::driver::declareSessionOptions(OptionTable &table, const std::string &command,
                                         SessionSettings &settings, SymbolValues &dims) {
  table.text("device", "NAME", "where to run (default: cpu)", settings.device);
  table.number("threads,t", "N", "at most N threads (default: all)", 1, 4096,
               settings.threads);
  table.value(
      "dims", "NAME=VALUE,...", "dims of random inputs",
      [&dims, command](llvm::StringRef text) {
        return parseDims(command + ": --dims", text, dims);
      },
      /*repeat=*/true);
}
