//===- run_options.cpp - Options of kiln-ptx run --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tool/run_options.h"

#include <charconv>

using namespace kiln::sim::tool;

std::string kiln::sim::tool::defaultDevice() { return "h200"; }

static bool parseNumber(const char *&at, const char *end, uint32_t &value) {
  auto [next, error] = std::from_chars(at, end, value);
  at = next;
  return error == std::errc();
}

bool kiln::sim::tool::parseSizes(const std::string &text,
                                 std::array<uint32_t, 3> &sizes) {
  sizes = {1, 1, 1};
  const char *at = text.data(), *end = at + text.size();
  for (uint32_t &size : sizes) {
    if (!parseNumber(at, end, size) || size == 0)
      return false;
    if (at == end)
      return true;
    if (*at++ != ',')
      return false;
  }
  return false;
}

namespace {

struct SizesOption {
  const char *name;
  std::array<uint32_t, 3> RunOptions::*field;
};
struct TextOption {
  const char *name;
  std::string RunOptions::*field;
};

constexpr SizesOption sizesOptions[] = {{"--grid", &RunOptions::grid},
                                        {"--block", &RunOptions::block},
                                        {"--cluster", &RunOptions::cluster}};
constexpr TextOption textOptions[] = {{"--kernel", &RunOptions::kernel},
                                      {"--device", &RunOptions::device}};

/// Applies an option with a value. False if the option is unknown or its value invalid.
bool takeOption(const std::string &name, const std::string &value, RunOptions &options,
                std::string &problem) {
  for (const SizesOption &o : sizesOptions)
    if (name == o.name) {
      if (parseSizes(value, options.*o.field))
        return true;
      problem = name + " takes one to three sizes such as 16,8,1";
      return false;
    }
  for (const TextOption &o : textOptions)
    if (name == o.name) {
      options.*o.field = value;
      return true;
    }
  if (name == "--arg") {
    options.values.push_back(value);
    return true;
  }
  if (name == "--shared") {
    const char *at = value.data(), *end = at + value.size();
    if (parseNumber(at, end, options.shared) && at == end)
      return true;
    problem = "--shared takes a number of bytes";
    return false;
  }
  problem = "run has no option `" + name + "`";
  return false;
}

} // namespace

bool kiln::sim::tool::parseRunOptions(const Arguments &arguments, RunOptions &options,
                                      std::string &problem) {
  options.device = defaultDevice();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument == "--cooperative") {
      options.cooperative = true;
    } else if (argument.starts_with("--")) {
      if (i + 1 == arguments.size()) {
        problem = "`" + argument + "` needs a value";
        return false;
      }
      if (!takeOption(argument, arguments[++i], options, problem))
        return false;
    } else if (options.file.empty()) {
      options.file = argument;
    } else {
      problem = "run takes one file; arguments of the kernel follow --arg";
      return false;
    }
  }
  if (options.file.empty())
    problem = "run takes a PTX file";
  return !options.file.empty();
}
