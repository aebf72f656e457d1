//===- SessionOptions.cpp - Options of commands that run ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionOptions.h"
#include "Values.h"

using namespace kiln::driver;

/// The dims of an entry that have no range yet, at their smallest.
static void addEntry(kiln_model *model, const char *name,
                     std::vector<kiln_dim_range> &ranges) {
  kiln_model *entry = nullptr;
  if (kiln_status *unknown = kiln_model_entry(model, name, &entry))
    return kiln_status_free(unknown);
  for (size_t i = 0; i < kiln_model_symbol_count(entry); ++i) {
    const kiln_symbol_info &symbol = *kiln_model_symbol(entry, i);
    bool known = llvm::any_of(ranges, [&](const kiln_dim_range &range) {
      return llvm::StringRef(range.name) == symbol.name;
    });
    if (!known)
      ranges.push_back({symbol.name, symbol.min, symbol.min});
  }
}

void kiln::driver::addOtherEntries(kiln_model *model,
                                   std::vector<kiln_dim_range> &ranges) {
  for (size_t e = 0; e < kiln_model_entry_count(model); ++e)
    addEntry(model, kiln_model_entry_name(model, e), ranges);
}

std::vector<kiln_dim_range> SessionSettings::ranges(kiln_model *model,
                                                    const InputSet &inputs) const {
  std::vector<kiln_dim_range> ranges;
  // State has one size for a session.
  if (device == "cpu" && kiln_model_state_count(model) == 0)
    return ranges;
  for (int64_t value : inputs.symbolList(model))
    ranges.push_back({kiln_model_symbol(model, ranges.size())->name, value, value});
  addOtherEntries(model, ranges);
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
  table.text("entry", "NAME",
             "of a decoder: prefill or decode (default: the first; verify: all)",
             settings.entry);
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

void kiln::driver::declareRanks(OptionTable &table, SessionSettings &settings) {
  table.number("ranks", "N",
               "must be as many as the package is for (default); --threads are those\n"
               "of all ranks together",
               1, 4096, settings.ranks);
}

void kiln::driver::declareTimeout(OptionTable &table, SessionSettings &settings) {
  table.number("timeout", "SECONDS",
               "how long ranks wait for one of them at a collective (default 5)", 1,
               SessionSettings::kMaxTimeout, settings.timeout);
}
