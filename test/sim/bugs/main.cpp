//===- main.cpp - Runs planted bugs and their clean twins -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// planted-bugs FILE.bugs... [--list] [--only NAME] [--verbose] [--expand FOLDER]
// planted-bugs FILE.bugs... [--list] [--only NAME] [--verbose] [--expand FOLDER] [--open
// FILE]
// FILE lists the cases that are not detected yet, with the name first in each line. The
// run fails when one of them passes, so that the list stays up to date.
//
//===----------------------------------------------------------------------===//

#include "test/sim/bugs/run_case.h"

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace kiln::sim::bugs {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string only, expand;
  std::set<std::string> open; ///< cases that are known to fail
  bool list = false, verbose = false;
};

std::vector<std::string> schedules() {
  std::vector<std::string> out;
  for (const char *async : {"eager", "late", "random"})
    for (const char *warps : {"forward", "reverse", "random"})
      out.push_back(std::string(async) + "," + warps);
  return out;
}

/// Words in the reports of each detector; a detector may have several.
constexpr std::pair<const char *, const char *> Phrases[] = {
    {"bounds", "out of bounds"},
    {"bounds", "of parameter memory"},
    {"freed", "use after free"},
    {"align", "misaligned"},
    {"space", "which is a generic address of"},
    {"space", "which is constant"},
    {"init", "uninitialised"},
    {"race", "race"},
    {"proxy", "fence.proxy.async"},
    {"noncoherent", "non-coherent"},
    {"barrier", "barrier misuse"},
    {"mbarrier", "mbarrier"},
    {"collective", "member mask"},
    {"collective", "members of mask"},
    {"collective", "needs all"},
    {"collective", "of a warpgroup"},
    {"collective", "multicast mask"},
    {"copy", "two cp.async"},
    {"copy", "a bulk copy of"},
    {"wgmma", "in flight"},
    {"wgmma", "wgmma.fence"},
    {"pending", "unawaited"},
    {"deadlock", "deadlock"},
    {"livelock", "livelock"},
    {"launch", "kiln-sim:"},
};

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

bool reports(const std::string &messages, const Expectation &expected) {
  bool known = false, said = false;
  for (auto [detector, phrase] : Phrases)
    if (expected.detector == detector) {
      known = true;
      said |= has(messages, phrase);
    }
  if (!known)
    throw std::runtime_error("no detector is called " + expected.detector);
  return said && has(messages, expected.text);
}

/// Returns what is wrong with the outcome of a bug's run; empty if it was reported as
/// expected.
std::string judgeBug(const Case &each, const Ending &ending) {
  if (ending.signal)
    return "did not end by itself";
  if (ending.code == 0)
    return "was not found";
  if (each.code && ending.code != each.code)
    return "gave error " + std::to_string(ending.code) + ", expected " +
           std::to_string(each.code);
  for (const Expectation &expected : each.expected)
    if (reports(ending.messages, expected))
      return "";
  return "was reported in other words";
}

std::string judgeTwin(const Ending &ending) {
  if (ending.signal)
    return "did not end by itself";
  if (ending.code)
    return "gave error " + std::to_string(ending.code);
  return ending.messages.empty() ? "" : "was not silent";
}

struct Verdict {
  int wrong = 0, runs = 0;
  std::string first; ///< the first wrong run, for the message
};

Verdict runVariant(const Case &each, bool bug, bool verbose) {
  Verdict out;
  Variant variant = each.variant(bug);
  for (const std::string &schedule : schedules()) {
    Ending ending = runApart(variant, schedule);
    std::string problem = bug ? judgeBug(each, ending) : judgeTwin(ending);
    ++out.runs;
    if (verbose)
      std::printf("--- %s, %s, %s: code %d\n%s", each.name.c_str(), bug ? "bug" : "twin",
                  schedule.c_str(), ending.code, ending.messages.c_str());
    if (!problem.empty() && ++out.wrong == 1)
      out.first = std::string(bug ? "bug" : "twin") + " under " + schedule + " " +
                  problem + "\n" + ending.messages;
  }
  return out;
}

bool runCase(const Case &each, bool verbose) {
  Verdict bug = runVariant(each, true, verbose), twin = runVariant(each, false, verbose);
  bool found = each.everySchedule ? bug.wrong == 0 : bug.wrong < bug.runs;
  bool passed = found && twin.wrong == 0;
  std::printf("%s  %s: bug found in %d of %d runs, twin silent in %d of %d\n",
              passed ? "pass" : "FAIL", each.name.c_str(), bug.runs - bug.wrong, bug.runs,
              twin.runs - twin.wrong, twin.runs);
  if (!found)
    std::printf("      %s\n", bug.first.c_str());
  if (twin.wrong)
    std::printf("      %s\n", twin.first.c_str());
  return passed;
}

void expand(const Case &each, const std::string &folder) {
  for (bool bug : {true, false}) {
    Variant variant = each.variant(bug);
    std::ofstream file(folder + "/" + each.name + (bug ? ".bug.ptx" : ".twin.ptx"));
    file << variant.ptx;
    if (!file.flush())
      throw std::runtime_error("cannot write to " + folder);
  }
}

std::set<std::string> readNames(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::set<std::string> names;
  for (std::string line, name; std::getline(file, line);)
    if (std::istringstream words(line); words >> name && name[0] != '#')
      names.insert(name);
  return names;
}

/// Whether the case has the expected outcome: solved, or listed as open and failing.
bool runListed(const Case &each, const Options &options) {
  bool passed = runCase(each, options.verbose), open = options.open.count(each.name);
  if (open)
    std::printf("      %s\n", passed ? "is listed as open, take it off the list"
                                     : "known: listed as open");
  return passed != open;
}

Options parseOptions(int argc, char **argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--list")
      out.list = true;
    else if (word == "--verbose")
      out.verbose = true;
    else if ((word == "--only" || word == "--expand") && i + 1 < argc)
      (word == "--only" ? out.only : out.expand) = argv[++i];
    else if (word == "--open" && i + 1 < argc)
      out.open = readNames(argv[++i]);
    else if (word.rfind("--", 0) == 0)
      throw std::runtime_error("usage: planted-bugs FILE.bugs... [--list] [--only NAME] "
                               "[--verbose] [--expand FOLDER] [--open FILE]");
    else
      out.files.push_back(word);
  }
  return out;
}

int runAll(const Options &options) {
  int passed = 0, failed = 0;
  for (const std::string &file : options.files)
    for (const Case &each : readCases(file)) {
      if (!options.only.empty() && options.only != each.name)
        continue;
      if (options.list)
        std::printf("%s: %s (%s)\n", each.name.c_str(), each.about.c_str(),
                    each.expected[0].detector.c_str());
      else if (!options.expand.empty())
        expand(each, options.expand);
      else
        ++(runListed(each, options) ? passed : failed);
    }
  if (options.list || !options.expand.empty())
    return 0;
  std::printf("%d cases as expected (%zu listed as open), %d not\n", passed,
              options.open.size(), failed);
  return failed || !passed ? 1 : 0;
}

} // namespace
} // namespace kiln::sim::bugs

int main(int argc, char **argv) {
  try {
    return kiln::sim::bugs::runAll(kiln::sim::bugs::parseOptions(argc, argv));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
