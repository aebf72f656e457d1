//===- RankTable.cpp - Weights and collectives of ranks -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankTable.h"
#include "kiln/group.h"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace llvm;

Expected<json::Array> driver::ranksJson(kiln_model *model) {
  json::Array list;
  for (uint32_t rank = 0; rank < kiln_model_rank_count(model); ++rank) {
    kiln_rank_info info;
    if (Error error = toError(kiln_model_rank(model, rank, &info)))
      return error;
    list.push_back(json::Object{{"rank", rank},
                                {"weights_bytes", info.weights_bytes},
                                {"replicated_bytes", info.replicated_bytes}});
  }
  return list;
}

static Error addCollectives(kiln_model *model, json::Array &list) {
  std::vector<int64_t> largest;
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i)
    largest.push_back(kiln_model_symbol(model, i)->max);
  for (size_t i = 0; i < kiln_model_step_count(model); ++i) {
    kiln_collective_info info;
    KILN_CHECK(toError(kiln_model_collective(model, i, largest.data(), &info)));
    if (!info.kind)
      continue;
    const kiln_step_info &step = *kiln_model_step(model, i);
    list.push_back(
        json::Object{{"entry", kiln_model_current_entry(model)},
                     {"step", i},
                     {"kind", info.kind},
                     {"bytes", info.bytes},
                     {"nodes", json::Array(ArrayRef(step.nodes, step.node_count))}});
  }
  return Error::success();
}

Expected<json::Object> driver::rankTableJson(ArrayRef<kiln_model *> entries) {
  Expected<json::Array> ranks = ranksJson(entries.front());
  if (!ranks)
    return ranks.takeError();
  json::Array collectives;
  for (kiln_model *model : entries)
    if (Error error = addCollectives(model, collectives))
      return error;
  return json::Object{{"ranks", std::move(*ranks)},
                      {"collectives", std::move(collectives)}};
}

static uint64_t numberOf(const json::Object &object, StringRef key) {
  return static_cast<uint64_t>(*object.getInteger(key));
}

static void printWeights(raw_ostream &os, const json::Array &ranks) {
  Table table({"rank", "weights", "of them on all ranks"}, {true, true, true});
  for (const json::Value &value : ranks) {
    const json::Object &rank = *value.getAsObject();
    table.add({std::to_string(numberOf(rank, "rank")),
               formatBytes(numberOf(rank, "weights_bytes")),
               formatBytes(numberOf(rank, "replicated_bytes"))});
  }
  table.print(os);
}

void driver::printRankTable(raw_ostream &os, const json::Object &object) {
  printWeights(os, *object.getArray("ranks"));
  Table table({"entry", "step", "collective", "at most", "ONNX nodes"},
              {false, true, false, true});
  for (const json::Value &value : *object.getArray("collectives")) {
    const json::Object &one = *value.getAsObject();
    std::vector<std::string> nodes;
    for (const json::Value &node : *one.getArray("nodes"))
      nodes.push_back(node.getAsString()->str());
    table.add({one.getString("entry")->str(), std::to_string(numberOf(one, "step")),
               one.getString("kind")->str(), formatBytes(numberOf(one, "bytes")),
               join(nodes, ", ")});
  }
  if (!object.getArray("collectives")->empty())
    table.print(os);
}
