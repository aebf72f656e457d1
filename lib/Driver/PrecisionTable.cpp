//===- PrecisionTable.cpp - What products of a package are in -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrecisionTable.h"
#include "Report.h"
#include "Values.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

static constexpr StringLiteral kKeys[] = {"precision", "precision_rules", "cache", "algorithm",
                                          "precision_report"};

json::Object driver::precisionJson(const json::Object &provenance) {
  json::Object result;
  for (StringRef key : kKeys)
    if (const json::Value *value = provenance.get(key))
      result[key] = *value;
  return result;
}

static const json::Array &arrayOf(const json::Object &object, StringRef key) {
  static const json::Array none;
  const json::Array *array = object.getArray(key);
  return array ? *array : none;
}

static std::string textOf(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

void driver::printPrecisionTable(raw_ostream &os, const json::Object &provenance) {
  os << "precision " << withoutControls(textOf(provenance, "precision")) << ", algorithm "
     << withoutControls(textOf(provenance, "algorithm"));
  if (std::string cache = textOf(provenance, "cache"); !cache.empty())
    os << ", caches in " << withoutControls(cache);
  os << '\n';
  for (const json::Value &value : arrayOf(provenance, "precision_rules"))
    if (const json::Object *rule = value.getAsObject())
      os << "  " << withoutControls(textOf(*rule, "nodes")) << ": "
         << withoutControls(textOf(*rule, "precision")) << '\n';
  Table table({"op", "node", "was", "is", "weight", "is", ""},
              {false, false, false, false, true, true});
  uint64_t before = 0, after = 0;
  for (const json::Value &value : arrayOf(provenance, "precision_report")) {
    const json::Object *entry = value.getAsObject();
    if (!entry)
      continue;
    auto bytes = [&](StringRef key) { return entry->getInteger(key).value_or(0); };
    int64_t was = bytes("weight_bytes_before"), is = bytes("weight_bytes_after");
    before += was;
    after += is;
    table.add({textOf(*entry, "op"), textOf(*entry, "node"), textOf(*entry, "was"),
               textOf(*entry, "became"), is ? formatBytes(was) : "",
               is ? formatBytes(is) : "", textOf(*entry, "why")});
  }
  if (after)
    table.add({"all", "", "", "", formatBytes(before), formatBytes(after), ""});
  table.print(os);
}
