//===- EstimateReport.cpp - Output of kiln estimate -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EstimateReport.h"
#include "kiln/Estimate/Prices.h"
#include "kiln/Support/Error.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::estimate;
using namespace llvm;

static std::string bytesText(double bytes) {
  return formatBytes(static_cast<uint64_t>(bytes));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printHead(raw_ostream &os, const Estimate &estimate) {
  const Topology &topology = estimate.topology;
  auto dim = [](const auto &pair) {
    return pair.first + "=" + std::to_string(pair.second);
  };
  os << withoutControls(estimate.model) << " on " << withoutControls(topology.name)
     << ": " << topology.nodes << (topology.nodes == 1 ? " node" : " nodes") << " of "
     << topology.devicesPerNode << " x " << withoutControls(topology.device.name);
  if (!topology.node.name.empty())
    os << ", " << topology.node.name;
  if (!topology.network.name.empty())
    os << ", " << topology.network.name << " between nodes";
  os << "\n  dims     "
     << (estimate.dims.empty()
             ? "all fixed"
             : withoutControls(join(map_range(estimate.dims, dim), ",")))
     << '\n';
}

static void printMemory(raw_ostream &os, const Estimate &estimate) {
  const Memory &memory = estimate.chosen.prediction->memory;
  os << "  mesh     " << estimate.chosen.mesh.withParts() << ", "
     << estimate.chosen.mesh.ranks()
     << (estimate.chosen.mesh.ranks() == 1 ? " rank\n" : " ranks\n") << "  fits     "
     << (estimate.chosen.fits ? "yes: " : "no: ") << bytesText(memory.total())
     << " per rank of " << bytesText(estimate.topology.device.memoryBytes)
     << "\n           weights " << bytesText(memory.weights);
  if (estimate.chosen.mesh.tp > 1)
    os << " (" << bytesText(memory.replicated) << " of them on all ranks of a stage)";
  os << ", state " << bytesText(memory.state) << ", activations "
     << bytesText(memory.activations) << ", inputs and outputs "
     << bytesText(memory.inputsAndOutputs);
  if (memory.workspace > 0)
    os << ", workspace " << bytesText(memory.workspace) << " per thread";
  os << '\n';
}

static std::string countText(const CollectiveCount &count) {
  return (Twine(count.count) + " " + estimate::nameOf(count.kind) + " (" +
          estimate::nameOf(count.algorithm) + ") of " + bytesText(count.bytes) + ": " +
          formatSeconds(count.seconds))
      .str();
}

static std::string percent(double part) {
  std::string text;
  raw_string_ostream(text) << format("%.0f %%", 100 * part);
  return text;
}

static void printProgram(raw_ostream &os, const Estimate &estimate, size_t index) {
  const ProgramTime &time = estimate.chosen.prediction->programs[index];
  std::string name = time.name == "main" ? "run" : time.name;
  name.resize(std::max<size_t>(name.size(), 8), ' ');
  os << "  " << name << ' ' << formatSeconds(time.seconds);
  if (estimate.options.runs > 1)
    os << " for " << estimate.options.runs << " runs";
  if (time.tokens > 0)
    os << ", " << formatCount(time.tokens / time.seconds) << " tokens/s";
  os << "; bound by " << estimate::nameOf(time.limit) << "\n           kernels "
     << formatSeconds(time.kernels) << " (computing alone " << formatSeconds(time.compute)
     << ", memory alone " << formatSeconds(time.memory) << ", start of steps "
     << formatSeconds(time.steps) << "), collectives " << formatSeconds(time.collectives)
     << '\n';
  for (const CollectiveCount &count : time.counts)
    os << "           " << countText(count) << '\n';
  if (time.waiting > 0.005)
    os << "           a stage waits for others for " << percent(time.waiting)
       << " of the time (bubble)\n";
  if (index < estimate.simulated.size())
    os << "           simulated " << formatSeconds(estimate.simulated[index])
       << (time.counts.empty()
               ? ""
               : ", communication hidden " + percent(estimate.hidden[index]))
       << '\n';
}

static void printCost(raw_ostream &os, const Estimate &estimate) {
  if (!estimate.devicePrice)
    return;
  for (const ProgramTime &time : estimate.chosen.prediction->programs)
    if (time.tokens > 0)
      os << "  cost     "
         << format("%.4g", perMillionTokens(*estimate.devicePrice,
                                            double(estimate.chosen.mesh.ranks()),
                                            time.seconds, time.tokens))
         << ' ' << withoutControls(estimate.currency) << " per million tokens of "
         << (time.name == "main" ? "a run" : time.name) << '\n';
}

void driver::printRanking(raw_ostream &os, ArrayRef<Candidate> candidates) {
  const Candidate *named = find_if(
      candidates, [](const Candidate &one) { return one.prediction.has_value(); });
  if (named == candidates.end())
    return;
  std::vector<std::string> header = {"ranks", "mesh", "per rank"};
  std::vector<bool> right = {true, false, true};
  for (const ProgramTime &time : named->prediction->programs) {
    header.push_back(time.name == "main" ? "run" : time.name);
    right.push_back(true);
  }
  header.push_back("");
  Table table(header, right);
  for (const Candidate &one : candidates) {
    std::vector<std::string> row = {std::to_string(one.mesh.ranks()),
                                    one.mesh.withParts()};
    if (!one.prediction) {
      row.resize(header.size() - 1, "-");
    } else {
      row.push_back(bytesText(one.prediction->memory.total()));
      for (const ProgramTime &time : one.prediction->programs)
        row.push_back(formatSeconds(time.seconds));
    }
    row.push_back(one.why);
    table.add(std::move(row));
  }
  table.print(os);
}

void driver::printEstimate(raw_ostream &os, const Estimate &estimate) {
  printHead(os, estimate);
  printMemory(os, estimate);
  for (size_t i = 0; i < estimate.chosen.prediction->programs.size(); ++i)
    printProgram(os, estimate, i);
  printCost(os, estimate);
  if (!estimate.counts.empty()) {
    os << "the best mesh of each number of ranks:\n";
    printRanking(os, estimate.counts);
  }
  if (estimate.ranking.size() > 1) {
    os << "meshes of " << estimate.chosen.mesh.ranks() << " ranks, the best first:\n";
    printRanking(os, estimate.ranking);
  }
  os << "Times are lower bounds: rates are those of data sheets, latencies "
        "assumptions.\n";
  if (estimate.topology.isGpu() && estimate.chosen.mesh.ranks() > 1)
    os << "Collectives are those of the links; without NCCL Kiln moves them through "
          "host memory, which is slower.\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Object memoryJson(const Memory &memory) {
  auto bytes = [](double number) { return static_cast<int64_t>(number); };
  return json::Object{{"total_bytes", bytes(memory.total())},
                      {"weights_bytes", bytes(memory.weights)},
                      {"replicated_bytes", bytes(memory.replicated)},
                      {"state_bytes", bytes(memory.state)},
                      {"activations_bytes", bytes(memory.activations)},
                      {"workspace_bytes", bytes(memory.workspace)},
                      {"inputs_and_outputs_bytes", bytes(memory.inputsAndOutputs)}};
}

static json::Object programJson(const ProgramTime &time) {
  json::Array collectives;
  for (const CollectiveCount &count : time.counts)
    collectives.push_back(json::Object{{"kind", estimate::nameOf(count.kind)},
                                       {"algorithm", estimate::nameOf(count.algorithm)},
                                       {"count", count.count},
                                       {"bytes", count.bytes},
                                       {"seconds", count.seconds}});
  return json::Object{{"name", time.name},
                      {"seconds", time.seconds},
                      {"tokens", time.tokens},
                      {"kernel_seconds", time.kernels},
                      {"compute_seconds", time.compute},
                      {"memory_seconds", time.memory},
                      {"step_start_seconds", time.steps},
                      {"collective_seconds", time.collectives},
                      {"bubble", time.waiting},
                      {"bound_by", estimate::nameOf(time.limit)},
                      {"collectives", std::move(collectives)}};
}

static json::Object candidateJson(const Candidate &one) {
  bool isContext = one.mesh.division == Division::Context;
  json::Object object{{"mesh", one.mesh.str()},
                      {"tp", isContext ? one.mesh.weightRanks : one.mesh.tp},
                      {"cp", isContext ? one.mesh.tp / one.mesh.weightRanks : 1},
                      {"sequence", one.mesh.division == Division::Sequence},
                      {"divides_caches", one.mesh.dividesCaches},
                      {"pp", one.mesh.pp},
                      {"overlap", one.mesh.overlap()},
                      {"micro_batches", one.mesh.microBatches()},
                      {"ranks", one.mesh.ranks()},
                      {"possible", one.prediction.has_value()},
                      {"fits", one.fits}};
  if (!one.why.empty())
    object["why_not"] = json::fixUTF8(one.why);
  if (!one.prediction)
    return object;
  json::Array programs;
  for (const ProgramTime &time : one.prediction->programs)
    programs.push_back(programJson(time));
  object["memory"] = memoryJson(one.prediction->memory);
  object["programs"] = std::move(programs);
  object["request_seconds"] = one.seconds;
  return object;
}

static json::Array candidatesJson(ArrayRef<Candidate> list) {
  json::Array array;
  for (const Candidate &one : list)
    array.push_back(candidateJson(one));
  return array;
}

json::Object driver::estimateJson(const Estimate &estimate) {
  json::Object dims;
  for (const auto &[name, size] : estimate.dims)
    dims[json::fixUTF8(name)] = size;
  json::Object object{
      {"model", json::fixUTF8(estimate.model)},
      {"topology", json::Object{{"name", json::fixUTF8(estimate.topology.name)},
                                {"device", json::fixUTF8(estimate.topology.device.name)},
                                {"devices_per_node", estimate.topology.devicesPerNode},
                                {"nodes", estimate.topology.nodes},
                                {"memory_bytes", estimate.topology.device.memoryBytes}}},
      {"dims", std::move(dims)},
      {"runs", estimate.options.runs},
      {"new_tokens", estimate.options.newTokens},
      {"chosen", candidateJson(estimate.chosen)},
      {"ranking", candidatesJson(estimate.ranking)},
      {"rank_counts", candidatesJson(estimate.counts)}};
  if (!estimate.simulated.empty()) {
    object["simulated_seconds"] = json::Array(estimate.simulated);
    object["communication_hidden"] = json::Array(estimate.hidden);
  }
  if (!estimate.devicePrice)
    return object;
  json::Object costs;
  for (const ProgramTime &time : estimate.chosen.prediction->programs)
    if (time.tokens > 0)
      costs[time.name] =
          perMillionTokens(*estimate.devicePrice, double(estimate.chosen.mesh.ranks()),
                           time.seconds, time.tokens);
  object["cost_per_million_tokens"] = std::move(costs);
  object["currency"] = json::fixUTF8(estimate.currency);
  return object;
}
