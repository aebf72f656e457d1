//===- bug_case.cpp - A planted bug and its clean twin --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/bugs/bug_case.h"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace kiln::sim::bugs {
namespace {

constexpr const char *Registers =
    "  .reg .pred %p<8>;\n  .reg .b16 %h<8>;\n  .reg .b32 %r<64>;\n  .reg .b64 %d<32>;\n"
    "  .reg .f32 %f<64>;\n  .reg .b32 %t;\n  mov.u32 %t, %tid.x;\n";

[[noreturn]] void fail(const std::string &what) { throw std::runtime_error(what); }

/// Whether the variant has the line; removes its mark.
bool selected(std::string &line, bool bug) {
  bool onlyBug = line.rfind("- ", 0) == 0, onlyTwin = line.rfind("+ ", 0) == 0;
  if (onlyBug || onlyTwin)
    line = line.substr(2);
  return !(bug ? onlyTwin : onlyBug);
}

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> out;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    out.push_back(part);
  return out;
}

std::pair<uint64_t, uint64_t> extent(const std::string &text) {
  auto parts = split(text, 'x');
  if (parts.size() != 2)
    fail("'" + text + "' is no extent, as in 32x8");
  return {std::stoull(parts[0]), std::stoull(parts[1])};
}

/// Parses name=kind:value, or name=tensor:buffer:32x8:16x4.
Argument parseArgument(const std::string &text) {
  auto equals = text.find('=');
  if (equals == std::string::npos)
    fail("'" + text + "' is no argument, as in out=zeroed:64");
  auto parts = split(text.substr(equals + 1), ':');
  Argument out;
  out.name = text.substr(0, equals);
  constexpr std::pair<const char *, Argument::Kind> Kinds[] = {
      {"fresh", Argument::Kind::Fresh}, {"zeroed", Argument::Kind::Zeroed},
      {"ones", Argument::Kind::Ones},   {"freed", Argument::Kind::Freed},
      {"u32", Argument::Kind::U32},     {"tensor", Argument::Kind::Tensor}};
  for (auto [name, kind] : Kinds) {
    if (parts[0] != name)
      continue;
    out.kind = kind;
    if (kind != Argument::Kind::Tensor && parts.size() == 2) {
      out.value = std::stoull(parts[1]);
      return out;
    }
    if (kind == Argument::Kind::Tensor && parts.size() == 4) {
      out.base = parts[1];
      std::tie(out.width, out.height) = extent(parts[2]);
      std::tie(out.boxWidth, out.boxHeight) = extent(parts[3]);
      return out;
    }
  }
  fail("'" + text + "' is no argument, as in out=zeroed:64 or map=tensor:out:32x8:16x4");
}

void parseLaunch(const std::string &text, Variant &out) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    auto equals = word.find('=');
    std::string name = word.substr(0, equals);
    uint32_t value =
        equals == std::string::npos ? 1 : uint32_t(std::stoul(word.substr(equals + 1)));
    if (name == "grid")
      out.grid = value;
    else if (name == "block")
      out.block = value;
    else if (name == "cluster")
      out.cluster = value;
    else if (name == "shared")
      out.shared = value;
    else if (name == "cooperative")
      out.cooperative = true;
    else
      fail("'" + word + "' is no launch setting");
  }
}

/// Parses "name: value" if the line has this key.
bool field(const std::string &line, const char *key, std::string &value) {
  std::string start = std::string(key) + ":";
  if (line.rfind(start, 0) != 0)
    return false;
  auto at = line.find_first_not_of(' ', start.size());
  value = at == std::string::npos ? "" : line.substr(at);
  return true;
}

std::string declare(const Argument &argument) {
  if (argument.kind == Argument::Kind::Tensor)
    return ".param .align 64 .b8 p_" + argument.name + "[128]";
  return std::string(argument.kind == Argument::Kind::U32 ? ".param .u32 p_"
                                                          : ".param .u64 p_") +
         argument.name;
}

/// Returns PTX that loads an argument into a register with its name.
std::string load(const Argument &argument) {
  std::string name = argument.name, target = "%" + name;
  if (argument.kind == Argument::Kind::U32)
    return "  .reg .b32 " + target + ";\n  ld.param.u32 " + target + ", [p_" + name +
           "];\n";
  std::string out = "  .reg .b64 " + target + ";\n";
  if (argument.kind == Argument::Kind::Tensor)
    return out + "  mov.b64 " + target + ", p_" + name + ";\n  cvta.param.u64 " + target +
           ", " + target + ";\n";
  return out + "  ld.param.u64 " + target + ", [p_" + name + "];\n  cvta.to.global.u64 " +
         target + ", " + target + ";\n";
}

/// Parses `"detector: text" | "detector: text"`.
std::vector<Expectation> parseExpectations(const std::string &text) {
  std::vector<Expectation> out;
  std::string rest = text;
  while (!rest.empty()) {
    auto bar = rest.find(" | ");
    std::string one = rest.substr(0, bar);
    rest = bar == std::string::npos ? "" : rest.substr(bar + 3);
    auto colon = one.find(':');
    if (colon == std::string::npos)
      fail("'" + one + "' expects nothing, as in 'race: st.shared'");
    auto at = one.find_first_not_of(' ', colon + 1);
    out.push_back({one.substr(0, colon), at == std::string::npos ? "" : one.substr(at)});
  }
  return out;
}

void applyHeader(Case &out, const std::string &line) {
  std::string value;
  if (field(line, "about", out.about) || field(line, "target", out.target) ||
      field(line, "entry", out.directives))
    return;
  if (field(line, "expect", value))
    out.expected = parseExpectations(value);
  else if (field(line, "code", value))
    out.code = std::stoi(value);
  else if (field(line, "schedules", value))
    out.everySchedule = value != "some";
  else
    out.settings.push_back(line);
}

} // namespace

Variant Case::variant(bool bug) const {
  Variant out;
  for (std::string line : settings) {
    std::string value;
    if (!selected(line, bug))
      continue;
    if (field(line, "launch", value))
      parseLaunch(value, out);
    else if (field(line, "args", value))
      for (const std::string &word : split(value, ' '))
        out.arguments.push_back(parseArgument(word));
    else
      fail(name + ": '" + line + "' is no header line");
  }
  std::string module, body, parameters, loads;
  for (std::string line : lines) {
    if (!selected(line, bug))
      continue;
    bool outside = line.rfind("@@ ", 0) == 0;
    (outside ? module : body) += (outside ? line.substr(3) : line) + "\n";
  }
  for (const Argument &argument : out.arguments) {
    parameters += (parameters.empty() ? "" : ", ") + declare(argument);
    loads += load(argument);
  }
  out.ptx = "// " + name + ", " + (bug ? "the bug" : "the clean twin") + ": " + about +
            "\n.version 9.0\n.target " + target + "\n.address_size 64\n" + module +
            ".visible .entry k(" + parameters + ") " + directives + "\n{\n" + Registers +
            loads + body + "  ret;\n}\n";
  return out;
}

namespace {

using Snippets = std::map<std::string, std::vector<std::string>>;

/// Replaces {{X}} lines by the lines of the case named "snippet X", which is not run.
void insertSnippets(Case &each, const Snippets &snippets) {
  std::vector<std::string> out;
  for (const std::string &line : each.lines) {
    auto open = line.find("{{"), close = line.find("}}");
    if (open == std::string::npos || close == std::string::npos) {
      out.push_back(line);
      continue;
    }
    auto found = snippets.find(line.substr(open + 2, close - open - 2));
    if (found == snippets.end())
      fail("case " + each.name + ": there is no snippet for " + line);
    for (const std::string &inserted : found->second)
      out.push_back(line.substr(0, open) + inserted);
  }
  each.lines = out;
}

std::vector<Case> finishCases(const std::string &path, const std::vector<Case> &all) {
  const std::string Mark = "snippet ";
  Snippets snippets;
  std::vector<Case> out;
  for (const Case &each : all)
    if (each.name.rfind(Mark, 0) == 0)
      snippets[each.name.substr(Mark.size())] = each.lines;
    else
      out.push_back(each);
  for (Case &each : out) {
    if (each.expected.empty() || each.lines.empty())
      fail(path + ": case " + each.name + " has no expectation or no body");
    insertSnippets(each, snippets);
  }
  return out;
}

} // namespace

std::vector<Case> readCases(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    fail("cannot read " + path);
  std::vector<Case> out;
  bool inBody = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    try {
      if (line.rfind("=== ", 0) == 0) {
        out.emplace_back();
        out.back().name = line.substr(4);
        inBody = line.rfind("=== snippet ", 0) == 0;
      } else if (out.empty()) {
        if (!line.empty() && line.rfind("//", 0) != 0)
          fail("text before the first case");
      } else if (line == "---") {
        inBody = true;
      } else if (inBody) {
        out.back().lines.push_back(line);
      } else if (!line.empty()) {
        applyHeader(out.back(), line);
      }
    } catch (const std::exception &error) {
      fail(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  return finishCases(path, out);
}

} // namespace kiln::sim::bugs
