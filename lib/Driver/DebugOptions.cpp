//===- DebugOptions.cpp - Options that show a compile at work -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugOptions.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <map>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

/// An option whose value is a list of names with commas between them.
static void declareNames(OptionTable &table, StringRef name, StringRef help,
                         std::vector<std::string> &names) {
  table.value(name, "PASS,...", help, [&names](StringRef text) -> Error {
    SmallVector<StringRef> parts;
    text.split(parts, ',');
    names.assign(parts.begin(), parts.end());
    return Error::success();
  });
}

/// Options that mean what they mean in mlir-opt.
static void declarePassOptions(OptionTable &table, PassPrinting &printing,
                               DebugSettings &settings) {
  declareNames(table, "mlir-print-ir-before",
               "print the IR in front of these passes, or of all, to stderr",
               printing.before);
  declareNames(table, "mlir-print-ir-after",
               "print the IR behind these passes, or behind all, to stderr",
               printing.after);
  table.flag("mlir-print-ir-after-change",
             "with --mlir-print-ir-after: only where the pass changed something",
             printing.onlyChanges);
  table.text("mlir-print-ir-tree-dir", "DIR",
             "with one of these: a file per pass in DIR, in place of stderr",
             printing.treeDir);
  table.flag("mlir-timing", "print the time of each pass", printing.timing);
  table.flag("mlir-pass-statistics", "print how many remarks each pass has left",
             settings.printCounts);
}

void driver::declareDebugOptions(OptionTable &table, CompileOptions &options,
                                 DebugSettings &settings) {
  table.text(
      "compile-from", "PHASE",
      "go on from IR that --compile-to or --save-temps wrote behind this phase\n"
      "(default for .mlir files: the phase that the IR records), with the options\n"
      "of that compile (docs/hacking/opt.md)",
      settings.compileFrom);
  table.text("compile-to", "PHASE",
             "stop after this phase, one of those below, and write its IR",
             options.compileTo);
  table.text("save-temps", "DIR",
             "also write the IR and the passes of each phase into DIR",
             options.saveTemps);
  table.text("print-pipeline", "PHASE",
             "write the passes of this phase as --pass-pipeline of kiln-opt takes them;\n"
             "all: a line per phase, its name and its passes. Nothing is compiled",
             options.printPipeline);
  table.value("print-plan-at", "NAME=VALUE,...",
              "print offset, size and live steps of each buffer where dims have these\n"
              "values, the others their largest",
              [&](StringRef text) -> Error {
                options.printPlanAt = text.str();
                return Error::success();
              });
  table.value("verify", "each",
              "verify behind each pass, and evaluate the graph before and after it",
              [&](StringRef text) -> Error {
                if (text != "each")
                  return usageError("kiln compile: --verify", "is not a mode", "each",
                                    "'" + text + "'", "write --verify=each");
                options.verifyEach = true;
                return Error::success();
              });
  table.text("remarks", "REGEX",
             "print the remarks whose PASS:NAME matches: what a pass did or refused to\n"
             "do, at which node, and why (-v: all)",
             options.remarks);
  table.text("remarks-file", "FILE",
             "write all remarks to FILE.yaml, for LLVM's opt-viewer, or FILE.json",
             settings.remarksFile);
  declarePassOptions(table, options.passPrinting, settings);
}

Error driver::checkDebugSettings(const DebugSettings &settings,
                                 const CompileOptions &options) {
  const PassPrinting &printing = options.passPrinting;
  if (!printing.printsIr() && (printing.onlyChanges || !printing.treeDir.empty()))
    return usageError(Twine("kiln compile: --mlir-print-ir-") +
                          (printing.onlyChanges ? "after-change" : "tree-dir"),
                      "no pass is named whose IR is printed",
                      "--mlir-print-ir-before or --mlir-print-ir-after", "neither",
                      "add --mlir-print-ir-after all");
  if (!options.printPipeline.empty() && !options.compileTo.empty())
    return usageError("kiln compile: --print-pipeline", "nothing is compiled",
                      "one of --print-pipeline and --compile-to", "both",
                      "leave one of them out");
  if (settings.remarksFile.empty())
    return Error::success();
  return checkRemarksFile("kiln compile: --remarks-file", settings.remarksFile);
}

/// Prints a line for each pass that left remarks, in the order of their names.
static void printCounts(ArrayRef<PassRemark> remarks) {
  std::map<std::string, std::array<unsigned, 3>> counts;
  for (const PassRemark &remark : remarks)
    ++counts[remark.pass][remark.kind];
  errs() << formatv("{0,-36}{1,8}{2,8}{3,10}\n", "pass", "passed", "missed", "analysis");
  for (const auto &[pass, count] : counts)
    errs() << formatv("{0,-36}{1,8}{2,8}{3,10}\n", pass, count[PassRemark::Passed],
                      count[PassRemark::Missed], count[PassRemark::Analysis]);
}

Error driver::showRemarks(const DebugSettings &settings, const CompileOptions &options,
                          const CompileReport &report) {
  if (settings.printCounts)
    printCounts(report.remarks);
  if (settings.remarksFile.empty())
    return Error::success();
  return writeRemarks(settings.remarksFile, options.input, report.remarks);
}
