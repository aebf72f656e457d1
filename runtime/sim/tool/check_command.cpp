//===- check_command.cpp - kiln-ptx check ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser.h"
#include "runtime/sim/tool/tool.h"

#include <ostream>

using namespace kiln::sim;

/// Parses "8.7" as 87.
static bool parseVersion(const std::string &text, uint32_t &version) {
  if (text.size() != 3 || text[1] != '.' || text[0] < '1' || text[0] > '9' ||
      text[2] < '0' || text[2] > '9')
    return false;
  version = uint32_t(text[0] - '0') * 10 + uint32_t(text[2] - '0');
  return true;
}

static std::string summary(const ptx::Module &module) {
  size_t kernels = 0, instructions = 0;
  for (const ptx::Function &f : module.functions) {
    kernels += f.entry && f.defined;
    instructions += f.code.size();
  }
  return std::to_string(kernels) + (kernels == 1 ? " kernel, " : " kernels, ") +
         std::to_string(instructions) + " instructions";
}

int tool::checkCommand(const Arguments &arguments, std::ostream &out, std::ostream &err) {
  ptx::ParseOptions options;
  Arguments files;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--newest") {
      if (++i == arguments.size() || !parseVersion(arguments[i], options.newestPtx))
        return usage(err, "--newest takes a PTX version such as 8.7");
    } else if (arguments[i].starts_with("--")) {
      return usage(err, "check has no option `" + arguments[i] + "`");
    } else {
      files.push_back(arguments[i]);
    }
  }
  if (files.empty())
    return usage(err, "check takes one or more files");
  int code = Success;
  for (const std::string &file : files) {
    std::string text;
    if (!readText(file, text, err)) {
      code = BadFile;
      continue;
    }
    ptx::ParseResult result = ptx::parse(text, options);
    for (const ptx::Diagnostic &d : result.errors)
      err << file << ": " << ptx::format(d) << "\n";
    if (result.ok())
      out << file << ": " << summary(*result.module) << "\n";
    else
      code = BadFile;
  }
  return code;
}
