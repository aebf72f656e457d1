//===- PrecisionTable.cpp - Precision of a package's matmuls --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrecisionTable.h"
#include "kiln/Quantization/AccuracyBudget.h"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <map>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::quantization;
using namespace llvm;

static constexpr StringLiteral kKeys[] = {
    "precision",        "precision_rules",   "cache",
    "activations",      "algorithm",         "range",
    "precision_report", "predicted_speedup", "accuracy"};

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
    return consumeError(budget.takeError()); // written by another version
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

/// Returns "bf16/32": the type of scales and their block size along K.
static std::string scalesOf(const json::Object &entry) {
  const json::Object *stored = entry.getObject("stored");
  if (!stored || !stored->get("scales"))
    return "";
  int64_t block = stored->getInteger("block").value_or(0);
  std::string text = withoutControls(textOf(*stored, "scales"));
  return text + (block ? '/' + std::to_string(block) : "");
}

static std::string errorOf(const json::Object &entry) {
  std::optional<double> error = entry.getNumber("weight_error");
  return error ? formatv("{0:f2} %", *error * 100).str() : "";
}

static std::string factor(double value) { return formatv("{0:f2}x", value).str(); }

/// Returns the speedups of decode and prefill on the first target.
static std::array<std::string, 2> speedOf(const json::Object &object, StringRef key) {
  const json::Array &speeds = arrayOf(object, key);
  const json::Object *first = speeds.empty() ? nullptr : speeds.front().getAsObject();
  if (!first)
    return {};
  return {factor(first->getNumber("decode").value_or(1)),
          factor(first->getNumber("prefill").value_or(1))};
}

/// Prints an explanation of the columns of errors and predictions, and the predicted
/// speedups of decode and prefill on every target.
static void printPredictions(raw_ostream &os, const json::Object &provenance) {
  std::vector<std::string> parts;
  for (const json::Value &value : arrayOf(provenance, "predicted_speedup"))
    if (const json::Object *speed = value.getAsObject())
      parts.push_back(withoutControls(textOf(*speed, "target")) + ' ' +
                      factor(speed->getNumber("decode").value_or(1)) + " and " +
                      factor(speed->getNumber("prefill").value_or(1)));
  if (parts.empty())
    return;
  os << "error:     root mean square of what codes are off by, over that of the weight\n"
        "predicted: how much faster products of 1 row (decode) and of 512 (prefill) are "
        "than in f32,\n"
        "           by the cost model's rooflines, not measured: "
     << join(parts, ", ") << '\n';
}

namespace {
/// Matmuls of MatMulNBits, summed by accuracy level.
class LevelTotals {
public:
  void add(const json::Object &entry);
  void print(raw_ostream &os) const;

private:
  struct Total {
    unsigned codes = 0, expanded = 0;
    uint64_t stored = 0, full = 0;    ///< bytes of quantized weights, and of those that
                                      ///< are dequantized
    bool isRounded = false;           ///< whether some activations are rounded to 8 bits
    std::array<std::string, 2> speed; ///< of the last matmul; the matmuls of a model are
                                      ///< similar
  };
  std::map<int64_t, Total> totals;
};
} // namespace

void LevelTotals::add(const json::Object &entry) {
  std::optional<int64_t> level = entry.getInteger("accuracy_level");
  if (!level)
    return;
  Total &total = totals[*level];
  if (entry.get("stored")) {
    ++total.codes;
    total.stored += entry.getInteger("weight_bytes_after").value_or(0);
    total.speed = speedOf(entry, "predicted_speedup");
    const json::Object *stored = entry.getObject("stored");
    total.isRounded |= stored && textOf(*stored, "activations") == "int8";
    return;
  }
  ++total.expanded;
  total.full += entry.getInteger("weight_bytes_expanded").value_or(0);
  total.stored += entry.getInteger("weight_bytes_at_level_4").value_or(0);
  if (entry.get("weight_bytes_at_level_4"))
    total.speed = speedOf(entry, "predicted_speedup_at_level_4");
}

void LevelTotals::print(raw_ostream &os) const {
  for (const auto &[level, total] : totals) {
    os << "MatMulNBits at accuracy level " << level << ": ";
    std::string gain = total.speed[0] + " decode and " + total.speed[1] + " prefill";
    if (total.codes)
      os << total.codes << " read codes of " << formatBytes(total.stored)
         << ", predicted " << gain << " of expanded weights; activations are "
         << (total.isRounded ? "rounded to 8 bits" : "those of the model");
    if (total.codes && total.expanded)
      os << "; ";
    if (total.expanded) {
      os << total.expanded << " read weights expanded to " << formatBytes(total.full);
      if (!total.codes && !total.speed[0].empty())
        os << "; at level 4 codes of " << formatBytes(total.stored) << ", predicted "
           << gain << ", with activations rounded to 8 bits";
    }
    os << '\n';
  }
}

void driver::printPrecisionTable(raw_ostream &os, const json::Object &provenance) {
  os << "precision " << withoutControls(textOf(provenance, "precision")) << ", algorithm "
     << withoutControls(textOf(provenance, "algorithm"));
  if (std::string cache = textOf(provenance, "cache"); !cache.empty())
    os << ", caches in " << withoutControls(cache);
  if (std::string type = textOf(provenance, "activations"); !type.empty())
    os << ", activations in " << withoutControls(type);
  if (std::string range = textOf(provenance, "range"); !range.empty())
    os << ", static ranges by " << withoutControls(range);
  os << '\n';
  for (const json::Value &value : arrayOf(provenance, "precision_rules"))
    if (const json::Object *rule = value.getAsObject())
      os << "  " << withoutControls(textOf(*rule, "nodes")) << ": "
         << withoutControls(textOf(*rule, "precision")) << '\n';
  Table table({"op", "node", "was", "is", "weight", "is", "scales", "error", "decode",
               "prefill", ""},
              {false, false, false, false, true, true, false, true, true, true});
  uint64_t before = 0, after = 0;
  LevelTotals levels;
  for (const json::Value &value : arrayOf(provenance, "precision_report")) {
    const json::Object *entry = value.getAsObject();
    if (!entry)
      continue;
    auto bytes = [&](StringRef key) { return entry->getInteger(key).value_or(0); };
    int64_t was = bytes("weight_bytes_before"), is = bytes("weight_bytes_after");
    before += was;
    after += is;
    levels.add(*entry);
    std::array<std::string, 2> speed = speedOf(*entry, "predicted_speedup");
    table.add({textOf(*entry, "op"), textOf(*entry, "node"), textOf(*entry, "was"),
               textOf(*entry, "became"), is ? formatBytes(was) : "",
               is ? formatBytes(is) : "", scalesOf(*entry), errorOf(*entry), speed[0],
               speed[1], textOf(*entry, "why")});
  }
  std::array<std::string, 2> speed = speedOf(provenance, "predicted_speedup");
  if (after)
    table.add({"all", "", "", "", formatBytes(before), formatBytes(after), "", "",
               speed[0], speed[1], ""});
  table.print(os);
  printPredictions(os, provenance);
  levels.print(os);
  if (const json::Object *accuracy = provenance.getObject("accuracy"))
    printAccuracyTable(os, *accuracy);
}
