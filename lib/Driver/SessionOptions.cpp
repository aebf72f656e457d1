//===- SessionOptions.cpp - Options of commands that run ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionOptions.h"
#include "Values.h"

using namespace kiln::driver;

std::vector<kiln_dim_range> SessionSettings::ranges(kiln_model *model,
                                                    const InputSet &inputs) const {
  std::vector<kiln_dim_range> ranges;
  // State has one size for a session.
  if (device == "cpu" && kiln_model_state_count(model) == 0)
    return ranges;
  for (int64_t value : inputs.symbolList(model))
    ranges.push_back({kiln_model_symbol(model, ranges.size())->name, value, value});
  return ranges;
}

void kiln::driver::declareSessionOptions(OptionTable &table, SessionSettings &settings,
                                         InputSettings &inputs) {
  table.value("input,i", "NAME=@FILE.npy", "an input; random where none is given",
              storeTensorFile(inputs.command + ": --input", inputs.files),
              /*repeat=*/true);
  table.text("device", "NAME",
             "where to run: cpu (default), cuda, cuda:N, sim, sim:PROFILE",
             settings.device);
  table.flag("no-graph", "GPU: launch every kernel by itself, so that an error names it",
             settings.noGraph);
  table.number("threads,t", "N", "at most N threads (default: all)", 1, 4096,
               settings.threads);
  table.value(
      "dims", "NAME=VALUE,...", "dims of random inputs",
      [&inputs](llvm::StringRef text) {
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
