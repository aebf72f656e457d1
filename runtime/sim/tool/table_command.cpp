//===- table_command.cpp - kiln-ptx table ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/coverage.h"
#include "runtime/sim/ptx/instructions.h"
#include "runtime/sim/tool/tool.h"

#include <iomanip>
#include <ostream>

using namespace kiln::sim;

namespace {

struct TableOptions {
  tool::Arguments tests;
  bool uncovered = false;
  std::string prefix;
};

std::string target(const ptx::Row &row) {
  std::string sm = "sm_" + std::to_string(row.minSm);
  switch (row.feature) {
  case ptx::Feature::None:
    return row.minSm ? sm : "any";
  case ptx::Feature::Exact:
    return sm + "a only";
  case ptx::Feature::Specific:
    return sm + "a/f";
  case ptx::Feature::Family100:
    return sm + "a/f 10x";
  case ptx::Feature::Family120:
    return sm + "a/f 12x";
  }
  return sm;
}

std::string version(const ptx::Row &row) {
  return std::to_string(row.minPtx / 10) + "." + std::to_string(row.minPtx % 10);
}

void printRow(const ptx::Row &row, const std::set<std::string> *tests, bool withTests,
              std::ostream &out) {
  constexpr int idWidth = 36, versionWidth = 5, targetWidth = 14;
  out << std::left << std::setw(idWidth) << row.id << " ";
  if (!row.executable()) {
    out << "refused: " << row.refused << "\n";
    return;
  }
  out << std::setw(versionWidth) << version(row) << std::setw(targetWidth) << target(row)
      << "executed  " << row.pattern;
  if (!row.operands.empty())
    out << "  " << row.operands;
  out << "\n";
  if (!withTests)
    return;
  if (!tests) {
    out << "    no test\n";
    return;
  }
  for (const std::string &test : *tests)
    out << "    " << test << "\n";
}

} // namespace

int tool::tableCommand(const Arguments &arguments, std::ostream &out, std::ostream &err) {
  TableOptions options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--tests") {
      if (++i == arguments.size())
        return usage(err, "--tests takes a file or folder");
      options.tests.push_back(arguments[i]);
    } else if (arguments[i] == "--uncovered") {
      options.uncovered = true;
    } else if (arguments[i].starts_with("--")) {
      return usage(err, "table has no option `" + arguments[i] + "`");
    } else if (options.prefix.empty()) {
      options.prefix = arguments[i];
    } else {
      return usage(err, "table takes one prefix");
    }
  }
  if (options.uncovered && options.tests.empty())
    return usage(err, "--uncovered needs --tests");
  ptx::Coverage coverage;
  std::string problem;
  for (const std::string &path : options.tests)
    if (!ptx::readCoverage(path, coverage, problem)) {
      err << "kiln-ptx: " << problem << "\n";
      return BadFile;
    }
  size_t executed = 0, covered = 0;
  for (const ptx::Row &row : ptx::rows()) {
    if (!row.id.starts_with(options.prefix))
      continue;
    auto it = coverage.find(row.id);
    bool reached = it != coverage.end();
    executed += row.executable();
    covered += row.executable() && reached;
    if (!options.uncovered || (row.executable() && !reached))
      printRow(row, reached ? &it->second : nullptr, !options.tests.empty(), out);
  }
  if (!options.tests.empty())
    out << covered << " of " << executed << " executed forms were reached by a test\n";
  return options.uncovered && covered < executed ? Uncovered : Success;
}
