//===- SessionSettings.cpp - Options of sessions that commands open -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/SessionSettings.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::execution;

/// Adds the symbols of an entry that have no range yet, at their minimum.
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

void kiln::execution::addOtherEntries(kiln_model *model,
                                      std::vector<kiln_dim_range> &ranges) {
  for (size_t e = 0; e < kiln_model_entry_count(model); ++e)
    addEntry(model, kiln_model_entry_name(model, e), ranges);
}

std::vector<kiln_dim_range> SessionSettings::ranges(kiln_model *model,
                                                    const InputSet &inputs) const {
  std::vector<kiln_dim_range> ranges;
  // On a CPU without state, sessions accept all dims; the size of state is fixed per
  // session.
  if (device == "cpu" && kiln_model_state_count(model) == 0)
    return ranges;
  for (int64_t value : inputs.symbolList(model))
    ranges.push_back({kiln_model_symbol(model, ranges.size())->name, value, value});
  addOtherEntries(model, ranges);
  return ranges;
}
