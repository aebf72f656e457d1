//===- packages.cpp - Packages that are not what they say -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <algorithm>
#include <chrono>
#include <filesystem>

using namespace abuse;

/// Loads a package in this process, and runs it in a child: a plan that is valid but
/// different may crash it.
static std::string result(const std::string &path) {
  Program program;
  if (kiln_status *status = program.load(path.c_str()))
    return codeOf(status);
  if (kiln_status *status = kiln_model_check_weights(program.model))
    return codeOf(status);
  return inChild([&] { return once(path.c_str(), 2, Dims::Smallest); });
}

/// Argument FOLDER: loads all of its files in one process, each within a second.
void abuse::packages(const Arguments &arguments) {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(arguments[0]))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path &file : files)
    report(file.filename(), result(file));
}
