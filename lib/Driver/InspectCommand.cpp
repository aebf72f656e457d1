//===- InspectCommand.cpp - kiln inspect ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a JSON description of a package, which is printed as such or as text.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/Handles.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Tuning/Variants.h"
#include "kiln/group.h"
#include "lib/Driver/Support/Values.h"
#include "lib/Driver/Tables/BubbleText.h"
#include "lib/Driver/Tables/PrecisionTable.h"
#include "lib/Driver/Tables/RankTable.h"
#include "lib/Driver/Tables/StampTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::tuning;
using namespace kiln::execution;
using namespace llvm;

namespace {
struct InspectSettings {
  std::string package, ptx;
  bool json = false, kernels = false, memory = false, check = false, graph = false,
       precision = false, ranks = false, stamps = false;
};
} // namespace

static Expected<OptionTable::Outcome> parseInspect(Arguments arguments,
                                                   InspectSettings &settings) {
  OptionTable table("inspect", "M.kiln [options]", "show what is inside a package");
  table.positional("M.kiln", "the package", settings.package);
  table.flag("json", "print everything as JSON", settings.json);
  table.flag("kernels",
             "print the kernel of every step with its ONNX nodes, and those\n"
             "that GPUs run in place of one where rows are few",
             settings.kernels);
  table.flag("memory", "print only memory, with its formulas", settings.memory);
  table.flag("precision",
             "print only what each product is computed in and why, and what its\n"
             "weight took and takes",
             settings.precision);
  table.flag("ranks",
             "print only the bytes of each rank's weights, and the collectives of\n"
             "all programs",
             settings.ranks);
  table.flag("stamps",
             "M.kiln is a folder with the stamps of ranks (KILN_STAMPS): print which\n"
             "rank reached which collective, where they differ, and who is missing",
             settings.stamps);
  table.flag("graph", "print only the graph of kernels, as MLIR", settings.graph);
  table.value("ptx", "DIR",
              "write the PTX of every kernel, and of variants for skinny GEMMs, to\n"
              "DIR/TARGET/KERNEL.ptx",
              [&](StringRef text) {
                settings.ptx = text.str();
                return Error::success();
              });
  table.flag("check", "also check every hash, weights included", settings.check);
  table.epilog("Memory is what no dims exceed. Bytes and FLOPs of steps are those where "
               "every dim\nis at its largest.\n");
  return table.parse(arguments);
}

static json::Object tensorJson(const kiln_tensor_info &info) {
  json::Array dims;
  for (unsigned d = 0; d < info.rank; ++d)
    dims.push_back(json::Object{{"expr", info.dims[d].expr},
                                {"min", info.dims[d].min},
                                {"max", info.dims[d].max}});
  return json::Object{{"name", info.name},
                      {"dtype", kiln_dtype_name(info.dtype)},
                      {"dims", std::move(dims)}};
}

static json::Array tensorsJson(kiln_model *model, bool output) {
  json::Array list;
  for (unsigned i = 0, e = output ? outputCount(model) : inputCount(model); i < e; ++i)
    list.push_back(
        tensorJson(output ? *kiln_model_output(model, i) : *kiln_model_input(model, i)));
  return list;
}

static json::Array symbolsJson(kiln_model *model) {
  json::Array list;
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i) {
    const kiln_symbol_info &info = *kiln_model_symbol(model, i);
    list.push_back(
        json::Object{{"name", info.name}, {"min", info.min}, {"max", info.max}});
  }
  return list;
}

static json::Array arenasJson(kiln_model *model) {
  json::Array list;
  for (size_t i = 0; i < kiln_model_arena_count(model); ++i) {
    const kiln_arena_info &info = *kiln_model_arena(model, i);
    list.push_back(json::Object{{"kind", kiln_arena_kind_name(info.kind)},
                                {"formula", info.formula},
                                {"max_bytes", info.max_bytes}});
  }
  return list;
}

static json::Array targetsJson(kiln_model *model) {
  json::Array list;
  for (size_t i = 0; i < kiln_model_target_count(model); ++i) {
    const kiln_target_info &info = *kiln_model_target(model, i);
    json::Array features;
    for (size_t f = 0; f < info.feature_count; ++f)
      features.push_back(info.features[f]);
    list.push_back(json::Object{{"name", info.name},
                                {"features", std::move(features)},
                                {"missing_here", info.missing},
                                {"selected", info.selected != 0},
                                {"cubin_bytes", info.cubin_bytes}});
  }
  return list;
}

/// Returns the steps that a step depends on in the CUDA graph.
static json::Array afterJson(kiln_model *model, size_t step) {
  size_t count = 0;
  const uint32_t *before = kiln_model_step_dependencies(model, step, &count);
  return json::Array(ArrayRef(before, count));
}

static Expected<json::Array> stepsJson(kiln_model *model) {
  std::vector<int64_t> largest;
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i)
    largest.push_back(kiln_model_symbol(model, i)->max);
  json::Array list;
  for (size_t i = 0; i < kiln_model_step_count(model); ++i) {
    const kiln_step_info &info = *kiln_model_step(model, i);
    kiln_step_cost cost;
    if (Error error = toError(kiln_model_step_cost(model, i, largest.data(), &cost)))
      return error;
    json::Array nodes;
    for (size_t n = 0; n < info.node_count; ++n)
      nodes.push_back(info.nodes[n]);
    list.push_back(json::Object{{"kernel", info.kernel},
                                {"hero", info.hero},
                                {"config", info.config},
                                {"nodes", std::move(nodes)},
                                {"after", afterJson(model, i)},
                                {"tasks", cost.tasks},
                                {"bytes", cost.bytes},
                                {"flops", cost.flops}});
  }
  return list;
}

/// Returns the config of every kernel's code for all launches, on each target.
static json::Array configsJson(kiln_model *model) {
  json::Array list;
  for (size_t k = 0; k < kiln_model_kernel_count(model); ++k) {
    json::Object targets;
    for (size_t t = 0; t < kiln_model_target_count(model); ++t)
      targets[kiln_model_target(model, t)->name] = kiln_model_kernel_config(model, k, t);
    list.push_back(json::Object{{"kernel", kiln_model_kernel_name(model, k)},
                                {"targets", std::move(targets)}});
  }
  return list;
}

/// Returns variants by kernel, then by target, in the order in which they are tried.
static json::Array variantsJson(kiln_model *model) {
  json::Array list;
  for (size_t k = 0; k < kiln_model_kernel_count(model); ++k)
    for (size_t i = 0; i < kiln_model_variant_count(model, k); ++i) {
      const kiln_variant_info &info = *kiln_model_variant(model, k, i);
      json::Array when;
      for (const kiln_bound_info &bound : ArrayRef(info.when, info.bound_count))
        when.push_back(json::Object{{"value", bound.value}, {"max", bound.max}});
      list.push_back(json::Object{{"kernel", kiln_model_kernel_name(model, k)},
                                  {"code", info.name},
                                  {"target", kiln_model_target(model, info.target)->name},
                                  {"when", std::move(when)},
                                  {"condition", boundsText(info)},
                                  {"config", info.config}});
    }
  return list;
}

static bool hasGpuCode(kiln_model *model) {
  for (size_t t = 0; t < kiln_model_target_count(model); ++t)
    if (kiln_model_kernel_ptx(model, 0, t))
      return true;
  return false;
}

/// Returns the CUDA graph; null for a package without GPU code.
static Expected<json::Value> graphJson(kiln_model *model) {
  if (!hasGpuCode(model))
    return json::Value(nullptr);
  kiln_graph_info info;
  if (Error error = toError(kiln_model_graph(model, &info)))
    return error;
  return json::Object{{"nodes", info.nodes},   {"edges", info.edges},
                      {"depth", info.depth},   {"bytes_each", info.bytes},
                      {"memory", info.memory}, {"instances", info.instantiated}};
}

static json::Array statesJson(kiln_model *model) {
  json::Array list;
  for (size_t i = 0; i < kiln_model_state_count(model); ++i)
    list.push_back(tensorJson(*kiln_model_state(model, i)));
  return list;
}

/// Adds what differs between entry points: symbols, tensors, arenas, CUDA graph, steps,
/// configs.
static Error describeEntry(kiln_model *model, json::Object &object) {
  Expected<json::Array> steps = stepsJson(model);
  if (!steps)
    return steps.takeError();
  Expected<json::Value> graph = graphJson(model);
  if (!graph)
    return graph.takeError();
  object["entry"] = kiln_model_current_entry(model);
  object["symbols"] = symbolsJson(model);
  object["inputs"] = tensorsJson(model, false);
  object["outputs"] = tensorsJson(model, true);
  object["arenas"] = arenasJson(model);
  object["cuda_graph"] = std::move(*graph);
  object["steps"] = std::move(*steps);
  object["configs"] = configsJson(model);
  object["variants"] = variantsJson(model);
  return Error::success();
}

/// Describes the first entry point, with the others as a list.
static Expected<json::Object> describe(ArrayRef<kiln_model *> entries) {
  kiln_model *model = entries.front();
  json::Object provenance = provenanceOf(model);
  // The graph is as large as everything else together; --graph prints it.
  provenance.erase("graph");
  Expected<json::Array> ranks = ranksJson(model);
  if (!ranks)
    return ranks.takeError();
  json::Object object{
      {"package", kiln_model_path(model)},   {"file_bytes", kiln_model_file_bytes(model)},
      {"provenance", std::move(provenance)}, {"targets", targetsJson(model)},
      {"ranks", std::move(*ranks)},          {"states", statesJson(model)}};
  KILN_CHECK(describeEntry(model, object));
  json::Array others;
  for (kiln_model *entry : entries.drop_front()) {
    json::Object other;
    KILN_CHECK(describeEntry(entry, other));
    others.push_back(std::move(other));
  }
  object["other_entries"] = std::move(others);
  return object;
}

static void printFormulas(kiln_model *model) {
  Table table({"memory", "at most", "bytes"}, {false, true});
  for (size_t i = 0; i < kiln_model_arena_count(model); ++i) {
    const kiln_arena_info &info = *kiln_model_arena(model, i);
    table.add(
        {kiln_arena_kind_name(info.kind), formatBytes(info.max_bytes), info.formula});
  }
  table.print(outs());
}

/// Returns how often the ranks of a process allocate an arena: weights and inputs once,
/// others once per rank.
static uint64_t timesOf(kiln_arena_kind kind, uint32_t ranks) {
  return kind == KILN_ARENA_WEIGHTS || kind == KILN_ARENA_INPUT ? 1 : ranks;
}

/// Prints one line with the memory of the largest run of any entry point on all ranks, by
/// arena.
static void printMemory(ArrayRef<kiln_model *> entries) {
  MapVector<StringRef, uint64_t> arenas;
  uint32_t ranks = kiln_model_rank_count(entries.front());
  for (kiln_model *model : entries)
    for (size_t i = 0; i < kiln_model_arena_count(model); ++i) {
      const kiln_arena_info &info = *kiln_model_arena(model, i);
      uint64_t &bytes = arenas[kiln_arena_kind_name(info.kind)];
      bytes =
          std::max(bytes, SaturatingMultiply(info.max_bytes, timesOf(info.kind, ranks)));
    }
  uint64_t total = 0;
  std::vector<std::string> parts;
  for (const auto &[kind, bytes] : arenas) {
    total = SaturatingAdd(total, bytes);
    if (bytes)
      parts.push_back((kind + " " + formatBytes(bytes)).str());
  }
  text() << "  memory   at most " << formatBytes(total)
         << (ranks > 1 ? " on all ranks" : "") << ": " << join(parts, ", ")
         << "\n           (--memory prints the formulas)\n";
}

static void printTensors(kiln_model *model, bool output) {
  for (unsigned i = 0, e = output ? outputCount(model) : inputCount(model); i < e; ++i) {
    const kiln_tensor_info &info =
        output ? *kiln_model_output(model, i) : *kiln_model_input(model, i);
    text() << "  " << (output ? "output   " : "input    ")
           << withoutControls(std::string(info.name) + ' ' + typeText(info)) << '\n';
  }
}

static void printStates(kiln_model *model) {
  for (size_t i = 0; i < kiln_model_state_count(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_state(model, i);
    text() << "  state    "
           << withoutControls(std::string(info.name) + ' ' + typeText(info)) << '\n';
  }
}

static void printTargets(kiln_model *model) {
  for (size_t i = 0; i < kiln_model_target_count(model); ++i) {
    const kiln_target_info &info = *kiln_model_target(model, i);
    text() << "  target   " << info.name;
    if (*info.missing)
      text() << " (not for this machine: it lacks " << info.missing << ')';
    else
      text() << " (runs here)";
    if (info.cubin_bytes)
      text() << ", PTX and " << formatBytes(info.cubin_bytes) << " of cubins";
    text() << '\n';
    if (info.feature_count)
      text() << "           needs "
             << join(ArrayRef(info.features, info.feature_count), ", ") << '\n';
  }
}

/// Prints the model, its compiler and its options from the package's provenance.
static void printOrigin(const json::Object &provenance) {
  auto line = [](StringRef key, const Twine &value) {
    text() << "  " << left_justify(key, 8) << ' ' << withoutControls(value.str()) << '\n';
  };
  auto textOf = [](const json::Object &object, StringRef key) {
    return object.getString(key).value_or("").str();
  };
  if (const json::Object *model = provenance.getObject("model")) {
    line("model", Twine(model->getInteger("nodes").value_or(0)) + " ONNX nodes");
    line("sha256", textOf(*model, "sha256"));
  }
  line("compiler", textOf(provenance, "compiler"));
  std::string asked = "precision " + textOf(provenance, "precision");
  if (provenance.getBoolean("batch_invariant").value_or(false))
    asked += ", batch invariant";
  if (int64_t limit = provenance.getInteger("memory_limit").value_or(0))
    asked += ", memory limit " + formatBytes(uint64_t(limit));
  line("options", asked);
}

/// Prints dims that were fixed to one value: they are symbols of the model but not of the
/// package.
static void printFixedDims(const json::Object &provenance) {
  const json::Array *dims = provenance.getArray("dims");
  for (const json::Value &value : dims ? *dims : json::Array()) {
    const json::Object *dim = value.getAsObject();
    if (dim && dim->getInteger("lo") == dim->getInteger("hi"))
      text() << "  dim      "
             << withoutControls(dim->getString("name").value_or("").str()) << " = "
             << dim->getInteger("lo").value_or(0) << '\n';
  }
}

static void printDims(kiln_model *model) {
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i) {
    const kiln_symbol_info &info = *kiln_model_symbol(model, i);
    text() << "  dim      " << withoutControls(info.name) << " = " << info.min << ".."
           << info.max << '\n';
  }
}

/// Prints the number of steps by hero, the short form of --kernels.
static void printHeroes(const json::Array &steps) {
  std::map<std::string, unsigned> counts;
  for (const json::Value &step : steps) {
    const json::Object &object = *step.getAsObject();
    StringRef hero = *object.getString("hero");
    ++counts[(hero.empty() ? *object.getString("kernel") : hero).str()];
  }
  text() << "  steps    " << steps.size();
  StringRef separator = ": ";
  for (const auto &[hero, count] : counts) {
    text() << separator << count << ' ' << hero;
    separator = ", ";
  }
  text() << '\n';
}

/// Prints the CUDA graph, if there is one.
static void printCudaGraph(const json::Value &value) {
  const json::Object *graph = value.getAsObject();
  if (!graph)
    return;
  auto number = [&](StringRef key) { return *graph->getInteger(key); };
  text() << "  graph    " << number("nodes") << " nodes, " << number("edges")
         << " edges, " << number("depth") << " deep; a GPU session keeps "
         << number("instances") << " of " << formatBytes(uint64_t(number("bytes_each")))
         << " each ready, " << formatBytes(uint64_t(number("memory"))) << " allowed\n";
}

/// Prints the ranks, if there are several.
static void printRanks(const json::Array &ranks) {
  if (ranks.size() < 2)
    return;
  const json::Object &first = *ranks.front().getAsObject();
  auto bytes = [&](StringRef key) {
    return formatBytes(static_cast<uint64_t>(*first.getInteger(key)));
  };
  text() << "  ranks    " << ranks.size() << ", each with weights of "
         << bytes("weights_bytes") << ", " << bytes("replicated_bytes")
         << " of them on all (--ranks prints the collectives)\n";
}

/// Prints the pipeline stages, if there are several.
static void printPipelined(const json::Object &provenance) {
  const json::Array *programs = provenance.getArray("pipelined");
  StringRef key = "stages";
  for (const json::Value &value : programs ? *programs : json::Array()) {
    const json::Object *one = value.getAsObject();
    if (!one)
      continue;
    std::string name = one->getString("program").value_or("").str();
    text() << "  " << left_justify(key, 8) << ' '
           << bubbleText(name == "main" ? "a run" : withoutControls(name),
                         one->getInteger("micro_batches").value_or(1),
                         one->getNumber("bubble").value_or(0))
           << '\n';
    key = "";
  }
}

static void printSummary(kiln_model *model, const json::Object &description) {
  text() << withoutControls(kiln_model_path(model)) << ": "
         << formatBytes(kiln_model_file_bytes(model)) << '\n';
  json::Object provenance = provenanceOf(model);
  printOrigin(provenance);
  printTargets(model);
  printRanks(*description.getArray("ranks"));
  printPipelined(provenance);
  printFixedDims(provenance);
  printStates(model);
}

/// Prints an entry point. description: from describeEntry.
static void printEntry(kiln_model *model, const json::Object &description, bool isNamed) {
  if (isNamed)
    text() << "  entry    " << kiln_model_current_entry(model) << '\n';
  printDims(model);
  printTensors(model, false);
  printTensors(model, true);
  printHeroes(*description.getArray("steps"));
  printCudaGraph(*description.get("cuda_graph"));
}

static void printKernels(const json::Array &steps) {
  Table table({"step", "after", "kernel", "hero", "tasks", "bytes", "FLOPs", "config",
               "ONNX nodes"},
              {true, true, false, false, true, true, true});
  for (auto [i, value] : enumerate(steps)) {
    const json::Object &step = *value.getAsObject();
    std::vector<std::string> nodes, after;
    for (const json::Value &node : *step.getArray("nodes"))
      nodes.push_back(node.getAsString()->str());
    for (const json::Value &earlier : *step.getArray("after"))
      after.push_back(std::to_string(*earlier.getAsInteger()));
    auto count = [&](StringRef key) {
      return formatCount(static_cast<double>(*step.getInteger(key)));
    };
    table.add({std::to_string(i), join(after, ","), step.getString("kernel")->str(),
               step.getString("hero")->str(), count("tasks"), count("bytes"),
               count("flops"), step.getString("config")->str(), join(nodes, ", ")});
  }
  table.print(outs());
}

/// Prints configs, unless the list of steps contains them because there is only one
/// target.
static void printConfigs(kiln_model *model) {
  if (kiln_model_target_count(model) < 2)
    return;
  Table table({"kernel", "target", "config"}, {});
  for (size_t k = 0; k < kiln_model_kernel_count(model); ++k)
    for (size_t t = 0; t < kiln_model_target_count(model); ++t)
      table.add({kiln_model_kernel_name(model, k), kiln_model_target(model, t)->name,
                 kiln_model_kernel_config(model, k, t)});
  table.print(outs());
}

/// Prints variants, if there are any.
static void printVariants(const json::Array &variants) {
  if (variants.empty())
    return;
  Table table({"variant", "in place of", "target", "where", "config"}, {});
  for (const json::Value &value : variants) {
    const json::Object &one = *value.getAsObject();
    auto text = [&](StringRef key) { return one.getString(key)->str(); };
    table.add({text("code"), text("kernel"), text("target"), text("condition"),
               text("config")});
  }
  table.print(outs());
}

static Error printGraph(kiln_model *model) {
  Expected<std::string> text = graphTextOf(model);
  if (!text)
    return text.takeError();
  outs() << *text << '\n';
  return Error::success();
}

static Error writeFile(const Twine &path, StringRef text) {
  std::error_code code;
  raw_fd_ostream file(path.str(), code, sys::fs::OF_Text);
  if (!code) {
    file << text;
    file.close();
    code = file.error();
    file.clear_error();
  }
  if (!code)
    return Error::success();
  return makeError({ErrorCode::OutputNotWritable, path.str(),
                    "the file cannot be written", "", code.message(), ""});
}

/// Calls write(target, code, text) for every PTX text of one entry point.
static Error writePtx(kiln_model *model,
                      function_ref<Error(size_t, const char *, const char *)> write) {
  for (size_t k = 0; k < kiln_model_kernel_count(model); ++k) {
    for (size_t t = 0; t < kiln_model_target_count(model); ++t)
      if (const char *text = kiln_model_kernel_ptx(model, k, t))
        KILN_CHECK(write(t, kiln_model_kernel_name(model, k), text));
    for (size_t i = 0; i < kiln_model_variant_count(model, k); ++i) {
      const kiln_variant_info &info = *kiln_model_variant(model, k, i);
      KILN_CHECK(write(info.target, info.name, kiln_model_variant_ptx(model, k, i)));
    }
  }
  return Error::success();
}

/// Writes the PTX of every kernel and variant for every GPU target, one folder per
/// target.
static Error writePtx(ArrayRef<kiln_model *> entries, StringRef folder) {
  StringSet<> files;
  auto write = [&](size_t number, const char *code, const char *text) -> Error {
    std::string target =
        (folder + "/" + kiln_model_target(entries.front(), number)->name).str();
    if (std::error_code code = sys::fs::create_directories(target))
      return makeError({ErrorCode::OutputNotWritable, target, "the folder cannot be made",
                        "", code.message(), ""});
    // Entry points have kernels in common, which are written once.
    std::string path = target + "/" + code + ".ptx";
    return files.insert(path).second ? writeFile(path, text) : Error::success();
  };
  for (kiln_model *model : entries)
    KILN_CHECK(writePtx(model, write));
  outs() << files.size() << " PTX files in " << folder << '\n';
  return Error::success();
}

static void printText(const InspectSettings &settings, ArrayRef<kiln_model *> entries,
                      const json::Object &description) {
  std::vector<const json::Object *> parts{&description};
  for (const json::Value &other : *description.getArray("other_entries"))
    parts.push_back(other.getAsObject());
  bool isNamed = entries.size() > 1;
  if (!settings.memory || settings.kernels)
    printSummary(entries.front(), description);
  for (auto [model, part] : zip(entries, parts)) {
    if (!settings.memory || settings.kernels)
      printEntry(model, *part, isNamed);
    else if (isNamed)
      text() << "entry " << kiln_model_current_entry(model) << '\n';
    if (settings.memory)
      printFormulas(model);
  }
  if (!settings.memory)
    printMemory(entries);
  if (!settings.kernels)
    return;
  for (auto [model, part] : zip(entries, parts)) {
    if (isNamed)
      text() << "entry " << kiln_model_current_entry(model) << '\n';
    printKernels(*part->getArray("steps"));
    printConfigs(model);
    printVariants(*part->getArray("variants"));
  }
}

static Expected<int> inspectRanks(ArrayRef<kiln_model *> entries, bool isJson) {
  Expected<json::Object> table = rankTableJson(entries);
  if (!table)
    return table.takeError();
  if (isJson)
    outs() << formatv("{0:2}", json::Value(std::move(*table))) << '\n';
  else
    printRankTable(outs(), *table);
  return 0;
}

static Expected<int> inspectStamps(const InspectSettings &settings) {
  Expected<json::Object> stamps = stampTableJson(settings.package);
  if (!stamps)
    return stamps.takeError();
  if (settings.json)
    outs() << formatv("{0:2}", json::Value(std::move(*stamps))) << '\n';
  else
    printStampTable(outs(), *stamps);
  return 0;
}

static Expected<int> inspect(InspectSettings &settings) {
  if (settings.stamps)
    return inspectStamps(settings);
  if (settings.check)
    KILN_CHECK(toError(kiln_package_check(settings.package.c_str())));
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.inspect_only = 1;
  options.trust_weights = 1; // --check has compared the hashes
  Expected<Model> loaded = loadModel(settings.package, options);
  if (!loaded)
    return loaded.takeError();
  kiln_model *model = loaded->get();
  Expected<std::vector<kiln_model *>> entries = entriesOf(model);
  if (!entries)
    return entries.takeError();
  if (!settings.ptx.empty()) {
    KILN_CHECK(writePtx(*entries, settings.ptx));
    return 0;
  }
  if (settings.graph) {
    KILN_CHECK(printGraph(model));
    return 0;
  }
  if (settings.precision) {
    json::Object provenance = provenanceOf(model);
    if (settings.json)
      outs() << formatv("{0:2}", json::Value(precisionJson(provenance))) << '\n';
    else
      printPrecisionTable(text(), provenance);
    return 0;
  }
  if (settings.ranks)
    return inspectRanks(*entries, settings.json);
  Expected<json::Object> description = describe(*entries);
  if (!description)
    return description.takeError();
  if (settings.json)
    outs() << formatv("{0:2}", json::Value(std::move(*description))) << '\n';
  else
    printText(settings, *entries, *description);
  return 0;
}

int driver::runInspect(Arguments arguments) {
  return runCommand(arguments, parseInspect, inspect);
}
