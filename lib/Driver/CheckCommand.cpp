//===- CheckCommand.cpp - kiln check --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "ModelOptions.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Pipeline/Compile.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

namespace {
struct CheckSettings {
  CompileOptions compile;
  bool json = false;
};

/// Fields of a location such as "node 'a' (com.microsoft.Attention, opset 1)"; empty if
/// it is not a node.
struct NodePlace {
  std::string node, domain, op;
  int64_t opset = 0;
};
} // namespace

static NodePlace parsePlace(StringRef where) {
  NodePlace place;
  StringRef rest = where;
  if (!rest.consume_front("node '") || !rest.consume_back(")"))
    return place;
  auto [name, type] = rest.rsplit("' (");
  auto [op, opset] = type.rsplit(", opset ");
  if (opset.getAsInteger(10, place.opset))
    return place;
  place.node = name.str();
  size_t dot = op.rfind('.');
  place.op = (dot == StringRef::npos ? op : op.drop_front(dot + 1)).str();
  place.domain = (dot == StringRef::npos ? "" : op.take_front(dot)).str();
  return place;
}

static json::Object describeGap(const Diagnosis &problem) {
  NodePlace place = parsePlace(problem.where);
  json::Object gap{{"code", codeName(problem.code)},
                   {"what", problem.what},
                   {"expected", problem.expected},
                   {"found", problem.found},
                   {"fix", problem.fix}};
  if (place.op.empty()) {
    gap["where"] = problem.where;
    return gap;
  }
  gap["node"] = place.node;
  gap["domain"] = place.domain;
  gap["op"] = place.op;
  gap["opset"] = place.opset;
  return gap;
}

/// Returns a warning if the model has so many different kernels that a compile takes
/// long; else "".
static std::string kernelWarning(const CheckReport &report) {
  constexpr uint64_t kMany = 200;
  return report.kernels <= kMany
             ? ""
             : std::to_string(report.kernels) +
                   " different kernels, each of which kiln compile compiles by itself: it may "
                   "take minutes, and -v lists those that take the most time";
}

static void printJson(const CheckSettings &settings, const CheckReport &report) {
  json::Array gaps, dims;
  for (const Diagnosis &problem : report.problems)
    gaps.push_back(describeGap(problem));
  for (const DimRange &dim : report.dims)
    dims.push_back(json::Object{{"name", dim.name}, {"lo", dim.lo}, {"hi", dim.hi}});
  json::Object object{{"model", json::fixUTF8(settings.compile.input)},
                      {"compiles", report.problems.empty()},
                      {"dims", std::move(dims)},
                      {"gaps", std::move(gaps)}};
  if (!report.warning.empty())
    object["warning"] = json::fixUTF8(report.warning);
  if (report.problems.empty())
    object["kernels"] = report.kernels;
  outs() << formatv("{0:2}", json::Value(std::move(object))) << '\n';
}

/// Prints unsupported nodes, grouped by op and reason.
static void printGaps(const std::vector<Diagnosis> &problems) {
  raw_ostream &os = text();
  StringMap<size_t> indices;
  std::vector<std::vector<const Diagnosis *>> groups;
  for (const Diagnosis &problem : problems) {
    NodePlace place = parsePlace(problem.where);
    std::string key = place.domain + ":" + place.op + ":" + codeName(problem.code) +
                      problem.what + (place.op.empty() ? problem.where : "");
    auto [it, isNew] = indices.try_emplace(key, groups.size());
    if (isNew)
      groups.emplace_back();
    groups[it->second].push_back(&problem);
  }
  constexpr size_t kMaxNodes = 4;
  for (const auto &group : groups) {
    const Diagnosis &first = *group.front();
    NodePlace place = parsePlace(first.where);
    std::string op = place.domain.empty() ? place.op : place.domain + "." + place.op;
    os << "\n  " << codeName(first.code) << "  "
       << withoutControls(op.empty() ? first.where : op) << ": "
       << withoutControls(first.what) << '\n';
    if (!first.found.empty())
      os << "    found     " << withoutControls(first.found) << '\n';
    if (!first.expected.empty())
      os << "    expected  " << withoutControls(first.expected) << '\n';
    if (!first.fix.empty())
      os << "    way out   " << withoutControls(first.fix) << '\n';
    if (op.empty())
      continue;
    os << "    nodes     ";
    for (size_t i = 0; i < std::min(group.size(), kMaxNodes); ++i)
      os << (i ? ", " : "") << withoutControls(parsePlace(group[i]->where).node);
    if (group.size() > kMaxNodes)
      os << " and " << group.size() - kMaxNodes << " more";
    os << '\n';
  }
}

static std::string rangeText(const DimRange &dim) {
  return dim.name + "=" + std::to_string(dim.lo) + ".." + std::to_string(dim.hi);
}

static void printText(const CheckSettings &settings, const CheckReport &report) {
  raw_ostream &os = text();
  os << withoutControls(settings.compile.input) << ": ";
  if (report.problems.empty()) {
    os << "compiles: " << report.nodes << " ONNX nodes, dims "
       << (report.dims.empty()
               ? "all fixed"
               : withoutControls(join(map_range(report.dims, rangeText), ",")))
       << '\n';
    if (!report.warning.empty())
      os << "warning: " << withoutControls(report.warning) << '\n';
    if (std::string warning = kernelWarning(report); !warning.empty())
      os << "warning: " << warning << '\n';
    return;
  }
  size_t gaps = report.problems.size();
  os << "does not compile: " << gaps << (gaps == 1 ? " gap\n" : " gaps\n");
  printGaps(report.problems);
  os << "\nkiln help CODE explains a code\n";
}

static Expected<OptionTable::Outcome> parseCheck(Arguments arguments,
                                                 CheckSettings &settings) {
  OptionTable table("check", "M.onnx [options]",
                    "say all that keeps a model from compiling, without compiling it");
  table.positional("M.onnx", "the model (.onnx or .onnxtxt)", settings.compile.input);
  declareModelOptions(table, "check", settings.compile);
  table.flag("json", "print the gaps as JSON", settings.json);
  table.epilog(
      "Exit status: 0 if kiln compile succeeds with the same options, else that of\n"
      "the first gap. Nodes that depend on a gap are not judged. If every node can be\n"
      "imported, fusion, code generation and planning run too; only machine code is\n"
      "not made and no weights are read.\n");
  return table.parse(arguments);
}

static Expected<int> checkAndReport(CheckSettings &settings) {
  CheckReport report = check(settings.compile);
  // Errors of options and of files that cannot be read are reported instead of listed.
  constexpr auto kFirstOfModel = static_cast<unsigned>(ErrorCode::NotAModel);
  for (const Diagnosis &problem : report.problems)
    if (static_cast<unsigned>(problem.code) < kFirstOfModel ||
        exitStatus(problem.code) == 2)
      return makeError(problem);
  if (settings.json)
    printJson(settings, report);
  else
    printText(settings, report);
  return report.problems.empty() ? 0 : exitStatus(report.problems.front().code);
}

int driver::runCheck(Arguments arguments) {
  return runCommand(arguments, parseCheck, checkAndReport);
}
