//===- TuneCommand.cpp - kiln tune ----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "ModelOptions.h"
#include "TuneMachine.h"
#include "kiln/Tuning/Tuner.h"
#include "lib/Driver/Support/Progress.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::tuning;
using namespace llvm;

namespace {
struct TuneCommandSettings : TuneSettings {
  bool machine = false; ///< measure the machine, and no model
};
} // namespace

static void declareRunOptions(OptionTable &table, TuneSettings &settings,
                              std::optional<double> &minutes) {
  table.text("device", "NAME",
             "where to measure: cpu (default), cuda, cuda:N, sim, sim:PROFILE",
             settings.session.device);
  table.value(
      "at", "NAME=VALUE,...",
      "dims to measure at; may be given again for more (default: a batch of 1 and 128\n"
      "of any other dim; on a CPU also 16 of any other, and a batch of 4)",
      [&settings](StringRef text) {
        return parseDims("kiln tune: --at", text, settings.points.emplace_back());
      },
      /*repeat=*/true);
  table.real("minutes", "N",
             "search for about so long (default 5); 0: write a file without configs",
             minutes, "5");
  table.text("entry", "NAME",
             "of a decoder: prefill or decode, whose kernels are measured (default: the\n"
             "first); lines of both files may stand in one",
             settings.session.entry);
  table.number("threads,t", "N", "measure with at most N threads (default: all)", 1, 4096,
               settings.session.threads);
  table.number("seed", "S", "of the random inputs (default 0)", 0, ~uint64_t(0),
               settings.seed);
}

static Expected<OptionTable::Outcome> parseTune(Arguments arguments,
                                                TuneCommandSettings &settings) {
  std::optional<double> minutes;
  OptionTable table("tune", "M.onnx -o FILE [options], or --machine",
                    "measure configs of kernels and write the best to a file");
  table.positional("M.onnx", "the model (.onnx or .onnxtxt)", settings.compile.input,
                   &settings.machine);
  table.flag(
      "machine",
      "in place of a model: measure the CPU for some seconds, and print its row of\n"
      "the table that targets come from (docs/guides/tune.md)",
      settings.machine);
  table.text("output,o", "FILE", "the configs file to write, for kiln compile --configs",
             settings.compile.output);
  settings.compile.targets.names.clear();
  declareRunOptions(table, settings, minutes);
  declareModelOptions(table, "tune", settings.compile);
  table.epilog(
      "Give the --target, --dims and --precision that you compile with: they decide "
      "what\n"
      "the kernels are. Without --target it is native, or all GPUs on a GPU.\n"
      "A config replaces the compiler's choice if it agrees with the reference, is "
      "faster by\n"
      "a margin at one of the dims and slower at none, twice, measured in turns with "
      "the\n"
      "untuned package. The file is complete at any moment: an interrupt keeps what was\n"
      "found before.\n");
  Expected<OptionTable::Outcome> outcome = table.parse(arguments);
  if (minutes)
    settings.seconds = *minutes * 60;
  return outcome;
}

static Error checkSettings(TuneSettings &settings) {
  Expected<Mesh> mesh = Mesh::parse(settings.compile.mesh.shard,
                                    settings.compile.mesh.ranks, "kiln tune: --shard");
  if (!mesh)
    return mesh.takeError();
  if (mesh->ranks() > 1)
    return usageError("kiln tune: --ranks", "kernels are timed in one session", "1",
                      std::to_string(mesh->ranks()),
                      "tune for one rank, and give the configs to kiln compile --ranks");
  CompileOptions &options = settings.compile;
  if (options.output.empty())
    return usageError("kiln tune", "no output is named", "-o FILE", "none",
                      "add -o and the name of the configs file");
  KILN_CHECK(checkOutput(options.output));
  if (sys::fs::equivalent(options.input, options.output))
    return usageError("kiln tune: --output", "would overwrite the model", "another file",
                      "'" + options.output + "'", "choose another name");
  if (options.targets.names.empty())
    options.targets.names = settings.session.device == "cpu"
                                ? std::vector<std::string>{"native"}
                                : gpuTargets();
  return Error::success();
}

static std::string percent(double ratio) {
  std::string text;
  raw_string_ostream(text) << format("%+.1f %%", (ratio - 1) * 100);
  return text;
}

static void printResult(const Tuner &tuner, const TuneSettings &settings) {
  Table table(
      {"kernel", "steps", "measured", "refused", "untuned", "tuned", "change", "config"},
      {false, true, true, true, true, true, true});
  unsigned winners = 0;
  for (const TuneProblem &problem : tuner.getProblems()) {
    winners += problem.best != 0;
    bool won = problem.best != 0;
    table.add({problem.code, std::to_string(problem.steps.size()),
               std::to_string(problem.measured), std::to_string(problem.refused),
               won ? formatSeconds(problem.before) : "",
               won ? formatSeconds(problem.after) : "", won ? percent(problem.ratio) : "",
               won ? problem.lines[problem.best] : "the compiler's choice"});
  }
  if (!tuner.getProblems().empty())
    table.print(text());
  text() << settings.compile.output << ": " << winners << " of "
         << tuner.getProblems().size() << " kernels have another config";
  text() << '\n';
  for (auto [inputs, pair] : zip(tuner.getPoints(), tuner.getWhole())) {
    text() << "a run";
    for (const auto &[name, value] : inputs.symbols())
      text() << ' ' << withoutControls(name) << '=' << value;
    text() << ": " << formatSeconds(pair.medianFirst()) << " -> "
           << formatSeconds(pair.medianSecond()) << " (" << percent(pair.medianRatio())
           << ")" << (winners ? "\n" : ", not kept\n");
  }
}

static Expected<int> tune(TuneCommandSettings &settings) {
  if (settings.machine)
    return tuneMachine();
  KILN_CHECK(checkSettings(settings));
  Progress progress(/*always=*/false);
  Tuner tuner(settings);
  tuner.progress = [&](const std::string &what) { progress.begin(what); };
  // Results that precede an error are already in the file.
  KILN_CHECK(tuner.run());
  printResult(tuner, settings);
  return 0;
}

int driver::runTune(Arguments arguments) {
  return runCommand(arguments, parseTune, tune);
}
