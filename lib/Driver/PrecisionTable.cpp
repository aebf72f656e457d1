//===- PrecisionTable.cpp - What products of a package are in -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrecisionTable.h"
#include "AccuracyBudget.h"
#include "Report.h"
#include "Values.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

static constexpr StringLiteral kKeys[] = {"precision", "precision_rules",  "cache",
                                          "algorithm", "precision_report", "accuracy"};

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

static std::string joinedNodes(const json::Object &entry) {
  std::vector<std::string> nodes;
  for (const json::Value &node : arrayOf(entry, "nodes"))
    nodes.push_back(node.getAsString().value_or("").str());
  return join(nodes, ", ");
}

void driver::printAccuracyTable(raw_ostream &os, const json::Object &accuracy) {
  Expected<AccuracyBudget> budget = AccuracyBudget::parse(textOf(accuracy, "budget"));
  if (!budget)
    return consumeError(budget.takeError()); // of another version
  auto describe = [&](StringRef key) {
    return budget->describe(budget->lossOf(accuracy.getNumber(key).value_or(0)));
  };
  os << "accuracy " << describe("measured") << " (" << budget->condition << ") on "
     << withoutControls(textOf(accuracy, "samples")) << '\n';
  if (arrayOf(accuracy, "blames").empty())
    return;
  os << "         " << describe("quantized") << " before repair, "
     << describe("predicted") << " predicted for it\n";
  Table table({"blame", "f32 adds", "is", "nodes"}, {true, true});
  for (const json::Value &value : arrayOf(accuracy, "blames"))
    if (const json::Object *entry = value.getAsObject())
      table.add({budget->describeBlame(entry->getNumber("blame").value_or(0)),
                 formatBytes(uint64_t(entry->getInteger("bytes").value_or(0))),
                 entry->getBoolean("kept").value_or(false) ? "f32" : "quantized",
                 joinedNodes(*entry)});
  table.print(os);
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
  if (const json::Object *accuracy = provenance.getObject("accuracy"))
    printAccuracyTable(os, *accuracy);
}
