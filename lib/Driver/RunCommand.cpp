//===- RunCommand.cpp - kiln run ------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "SessionOptions.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/Execution/Compare.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Support/Clock.h"
#include "lib/Driver/Support/Progress.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace llvm;

namespace {
enum class Stats { None, Text, Json };

struct RunSettings {
  std::string package, compareFolder;
  InputSettings inputs{"kiln run", {}, {}, 0};
  std::vector<TensorFile> outputs;
  SessionSettings session;
  uint64_t repeat = 1;
  std::optional<double> tolerance;
  Stats stats = Stats::None;
};

/// One run: its session or ranks, its inputs, and memory for its outputs.
struct Request {
  Model model;
  Runner runner;
  InputSet inputs;
  OutputSet outputs;
  std::vector<double> seconds;
};
} // namespace

static Expected<OptionTable::Outcome> parseRun(Arguments arguments,
                                               RunSettings &settings) {
  OptionTable table("run", "M.kiln [options]",
                    "run a package once on given or random inputs");
  table.positional("M.kiln", "the package", settings.package);
  declareSessionOptions(table, settings.session, settings.inputs);
  declareRanks(table, settings.session);
  declareTimeout(table, settings.session);
  table.value("output,o", "NAME=@FILE.npy", "write an output to a file",
              storeTensorFile("kiln run: --output", settings.outputs), /*repeat=*/true);
  table.text("compare", "DIR",
             "compare each output with DIR/NAME.npy; exit 1 if one differs",
             settings.compareFolder);
  table.real("tolerance", "X",
             "for --compare (default by type: f32 1e-4, f16 5e-3, bf16 4e-2; by\n"
             "--precision: tf32 and f16 1e-2, bf16 and int8 1e-1, of 4 bits 5e-1)",
             settings.tolerance, "1e-4");
  table.number("repeat", "N", "run N times and print the median time", 1, 1000000,
               settings.repeat);
  table.optionalValue("stats", "json", "print memory: arenas, their formulas, high water",
                      [&](StringRef text) -> Error {
                        if (!text.empty() && text != "json")
                          return usageError("kiln run: --stats", "is not a form", "json",
                                            "'" + text + "'",
                                            "write --stats or --stats=json");
                        settings.stats = text.empty() ? Stats::Text : Stats::Json;
                        return Error::success();
                      });
  table.epilog("Random inputs depend on the seed only: floats are uniform in [-1, 1); an "
               "input with\n"
               "\"mask\" in its name is all ones; other integers lie in [0, 99], below "
               "the size of a\n"
               "table they index. Dims that neither --dims nor an input gives are 1 for "
               "a batch and\n"
               "128 otherwise, within the compiled range.\n"
               "--compare: the error of an element is |y - r| / max(|r|, root mean "
               "square of r).\n");
  return table.parse(arguments);
}

/// Checks that outputs named by --output exist before anything is computed.
static Error checkOutputs(kiln_model *model, const RunSettings &settings) {
  for (const auto &[name, path] : settings.outputs) {
    std::vector<std::string> known;
    for (unsigned i = 0; i < outputCount(model); ++i)
      known.push_back(kiln_model_output(model, i)->name);
    if (!is_contained(known, name))
      return makeError({ErrorCode::TensorUnknown, "kiln run: --output",
                        "the model has no such output", join(known, " or "),
                        "'" + name + "'", "use one of those names"});
    KILN_CHECK(checkOutput(path));
  }
  return Error::success();
}

static Error prepare(const RunSettings &settings, Request &request) {
  kiln_model_options options = settings.session.modelOptions();
  Expected<Model> model = loadModel(settings.package, options, settings.session.entry);
  if (!model)
    return model.takeError();
  request.model = std::move(*model);
  KILN_CHECK(checkOutputs(request.model.get(), settings));
  Expected<InputSet> inputs = InputSet::create(request.model.get(), settings.inputs);
  if (!inputs)
    return inputs.takeError();
  request.inputs = std::move(*inputs);
  std::vector<kiln_dim_range> ranges =
      settings.session.ranges(request.model.get(), request.inputs);
  kiln_session_options sessionOptions = settings.session.options(ranges);
  sessionOptions.measure_memory = settings.stats != Stats::None;
  Expected<Runner> runner =
      Runner::create(request.model.get(), settings.session, sessionOptions);
  if (!runner)
    return runner.takeError();
  request.runner = std::move(*runner);
  Expected<OutputSet> outputs = OutputSet::create(
      request.model.get(), request.runner.session(), request.inputs.tensors());
  if (!outputs)
    return outputs.takeError();
  request.outputs = std::move(*outputs);
  return Error::success();
}

static Error execute(Request &request, uint64_t repeat) {
  for (uint64_t i = 0; i < repeat; ++i) {
    double begin = now();
    KILN_CHECK(runOnce(request.runner, request.inputs, request.outputs));
    request.seconds.push_back(now() - begin);
  }
  llvm::sort(request.seconds);
  return Error::success();
}

static std::string digest(const TensorBuffer &buffer) {
  auto hash = SHA256::hash(
      {static_cast<const uint8_t *>(buffer.data()), static_cast<size_t>(buffer.bytes())});
  return toHex(ArrayRef(hash).take_front(6), /*LowerCase=*/true);
}

static std::string valueRangeText(const TensorBuffer &buffer) {
  if (!buffer.elements())
    return "empty";
  double lo = INFINITY, hi = -INFINITY;
  for (uint64_t i = 0; i < buffer.elements(); ++i) {
    double x = readElement(buffer.getDType(), buffer.data(), i);
    lo = std::min(lo, x);
    hi = std::max(hi, x);
  }
  std::string text;
  raw_string_ostream(text) << format("%.4g to %.4g", lo, hi);
  return text;
}

static void printOutputs(const Request &request) {
  raw_ostream &os = text();
  if (!request.inputs.random().empty())
    os << "random inputs: " << withoutControls(join(request.inputs.random(), ", "))
       << '\n';
  Table table({"output", "type", "sha256", "range"});
  for (const TensorBuffer &buffer : request.outputs.buffers())
    table.add({buffer.getName(), typeText(buffer.getDType(), buffer.getShape()),
               digest(buffer), valueRangeText(buffer)});
  table.print(os);
  const std::vector<double> &seconds = request.seconds;
  os << "time: " << formatSeconds(seconds[seconds.size() / 2])
     << (seconds.size() > 1 ? " median of " + std::to_string(seconds.size())
                            : " (first run)")
     << ", " << request.runner.threads() << " threads";
  if (size_t ranks = request.runner.rankCount(); ranks > 1)
    os << " of " << ranks << " ranks";
  os << '\n';
}

static Expected<std::vector<kiln_arena_usage>> arenaUsage(const Request &request) {
  std::vector<kiln_arena_usage> usage(kiln_model_arena_count(request.model.get()));
  for (size_t i = 0; i < usage.size(); ++i)
    if (Error error = toError(kiln_session_arena(request.runner.session(), i, &usage[i])))
      return error;
  return usage;
}

static json::Value statsJson(const Request &request, ArrayRef<kiln_arena_usage> usage) {
  json::Array arenas;
  for (auto [i, use] : enumerate(usage))
    arenas.push_back(
        json::Object{{"kind", kiln_arena_kind_name(use.kind)},
                     {"formula", kiln_model_arena(request.model.get(), i)->formula},
                     {"capacity_bytes", use.capacity},
                     {"formula_bytes", use.formula},
                     {"high_water_bytes", use.high_water},
                     {"measured_bytes", use.measured}});
  json::Object symbols;
  for (const auto &[name, value] : request.inputs.symbols())
    symbols[name] = value;
  return json::Object{{"dims", std::move(symbols)},
                      {"ranks", request.runner.rankCount()},
                      {"threads", request.runner.threads()},
                      {"median_seconds", request.seconds[request.seconds.size() / 2]},
                      {"arenas", std::move(arenas)}};
}

static Error printStats(const Request &request, Stats form) {
  Expected<std::vector<kiln_arena_usage>> usage = arenaUsage(request);
  if (!usage)
    return usage.takeError();
  if (form == Stats::Json) {
    outs() << formatv("{0:2}", statsJson(request, *usage)) << '\n';
    return Error::success();
  }
  Table table({"arena", "capacity", "formula", "high water", "measured", "formula text"},
              {false, true, true, true, true});
  for (auto [i, use] : enumerate(*usage))
    table.add({kiln_arena_kind_name(use.kind), std::to_string(use.capacity),
               std::to_string(use.formula), std::to_string(use.high_water),
               std::to_string(use.measured),
               kiln_model_arena(request.model.get(), i)->formula});
  table.print(outs());
  return Error::success();
}

static Error writeOutputs(const Request &request, const RunSettings &settings) {
  for (const auto &[name, path] : settings.outputs)
    for (const kiln_tensor &tensor : request.outputs.tensors())
      if (name == tensor.name)
        KILN_CHECK(toError(kiln_npy_write(path.c_str(), &tensor)));
  return Error::success();
}

static Error checkReference(const std::string &path, const TensorBuffer &buffer,
                            const kiln_tensor &reference) {
  ArrayRef shape(reference.shape, reference.rank);
  bool typeDiffers = !kiln_npy_reads_as(reference.dtype, buffer.getDType());
  if (!typeDiffers && shape == buffer.getShape())
    return Error::success();
  return makeError({typeDiffers ? ErrorCode::TensorDType : ErrorCode::DimMismatch, path,
                    "the reference does not fit output '" + buffer.getName() + "'",
                    typeText(buffer.getDType(), buffer.getShape()),
                    typeText(reference.dtype, shape),
                    "compare with an array of this type"});
}

/// Returns the path of NAME.npy in `folder`; '/' in names becomes '_'.
static std::string referencePath(StringRef folder, StringRef name) {
  SmallString<256> path(folder);
  std::string file = name.str();
  std::replace(file.begin(), file.end(), '/', '_');
  sys::path::append(path, file + ".npy");
  return std::string(path);
}

static Expected<bool> compareOutput(const TensorBuffer &buffer,
                                    const RunSettings &settings,
                                    ArrayRef<std::string> precisions, Table &table) {
  std::string path = referencePath(settings.compareFolder, buffer.getName());
  Expected<Npy> reference = readNpy(path);
  if (!reference)
    return reference.takeError();
  const kiln_tensor &expected = *kiln_npy_tensor(reference->get());
  if (Error error = checkReference(path, buffer, expected))
    return error;
  kiln_dtype dtype = buffer.getDType();
  Distance distance = compareElements(
      dtype, buffer.elements(),
      [&](uint64_t i) { return readElement(dtype, buffer.data(), i); },
      [&](uint64_t i) { return readElement(dtype, expected.data, i); });
  double tolerance = settings.tolerance.value_or(defaultTolerance(dtype, precisions));
  bool passed = distance.worst <= tolerance;
  std::string error, place, limit;
  raw_string_ostream(error) << format("%.3g", distance.worst);
  raw_string_ostream(limit) << format("%.3g", tolerance);
  raw_string_ostream(place) << "element " << distance.worstIndex
                            << format(": %.9g, expected %.9g", distance.found,
                                      distance.expected);
  table.add({buffer.getName(), error, limit, passed ? "PASSED" : "FAILED",
             passed ? "" : place});
  return passed;
}

static Expected<bool> compareOutputs(const Request &request,
                                     const RunSettings &settings) {
  Table table({"output", "max error", "tolerance", "result", ""}, {false, true, true});
  bool passed = true;
  std::vector<std::string> precisions = precisionsOf(request.model.get());
  for (const TensorBuffer &buffer : request.outputs.buffers()) {
    Expected<bool> one = compareOutput(buffer, settings, precisions, table);
    if (!one)
      return one.takeError();
    passed &= *one;
  }
  raw_ostream &os = settings.stats == Stats::Json && !isQuiet() ? errs() : text();
  table.print(os);
  os << (passed ? "PASSED\n" : "FAILED\n");
  return passed;
}

static Expected<int> runAndReport(RunSettings &settings) {
  Request request;
  KILN_CHECK(prepare(settings, request));
  KILN_CHECK(execute(request, settings.repeat));
  if (!request.runner.isFirst())
    return 0;
  KILN_CHECK(writeOutputs(request, settings));
  // With --stats=json, stdout has only the JSON text.
  if (settings.stats != Stats::Json)
    printOutputs(request);
  if (settings.stats != Stats::None)
    KILN_CHECK(printStats(request, settings.stats));
  if (settings.compareFolder.empty())
    return 0;
  Expected<bool> passed = compareOutputs(request, settings);
  if (!passed)
    return passed.takeError();
  return *passed ? 0 : 1;
}

int driver::runRun(Arguments arguments) {
  return runCommand(arguments, parseRun, runAndReport);
}
