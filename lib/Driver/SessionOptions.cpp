//===- SessionOptions.cpp - Options of commands that run models -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionOptions.h"
#include "kiln/Support/UsageError.h"
#include "lib/Driver/Support/Values.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace llvm;

static Expected<TensorFile> parseTensorFile(StringRef where, StringRef text) {
  // Names may contain '=' and paths '=@'; the first "=@" separates them.
  auto [name, path] = text.split("=@");
  if (name.empty() || path.empty())
    return usageError(where, "is not a tensor and a file", "NAME=@file.npy",
                      "'" + text + "'", "write for example ids=@ids.npy");
  return TensorFile(name.str(), path.str());
}

OptionTable::Store driver::storeTensorFile(std::string where,
                                           std::vector<TensorFile> &out) {
  return [where = std::move(where), &out](StringRef text) -> Error {
    Expected<TensorFile> file = parseTensorFile(where, text);
    if (!file)
      return file.takeError();
    out.push_back(std::move(*file));
    return Error::success();
  };
}

void driver::declareSessionOptions(OptionTable &table, SessionSettings &settings,
                                   InputSettings &inputs) {
  table.value("input,i", "NAME=@FILE.npy", "an input; random where none is given",
              storeTensorFile(inputs.command + ": --input", inputs.files),
              /*repeat=*/true);
  table.text("device", "NAME",
             "where to run: cpu (default), cuda, cuda:N, sim, sim:PROFILE",
             settings.device);
  table.text("entry", "NAME",
             "of a decoder: prefill or decode (default: the first; verify: all)",
             settings.entry);
  table.flag("no-graph", "GPU: launch every kernel by itself, so that an error names it",
             settings.noGraph);
  table.number("threads,t", "N", "at most N threads (default: all)", 1, 4096,
               settings.threads);
  table.value(
      "dims", "NAME=VALUE,...", "dims of random inputs",
      [&inputs](StringRef text) {
        return parseDims(inputs.command + ": --dims", text, inputs.dims);
      },
      /*repeat=*/true);
  table.number("seed", "S", "of the random inputs (default 0)", 0, ~uint64_t(0),
               inputs.seed);
  table.text("expect", "SHA256", "refuse a package whose sha256sum is another",
             settings.expect);
  table.flag("trust-weights", "do not compare the weights with their hash",
             settings.trustWeights);
}

void driver::declareRanks(OptionTable &table, SessionSettings &settings) {
  table.number("ranks", "N",
               "must be as many as the package is for (default); --threads are those\n"
               "of all ranks together",
               1, 4096, settings.ranks);
}

void driver::declareTimeout(OptionTable &table, SessionSettings &settings) {
  table.number("timeout", "SECONDS",
               "how long ranks wait for one of them at a collective (default 5)", 1,
               SessionSettings::kMaxTimeout, settings.timeout);
}
