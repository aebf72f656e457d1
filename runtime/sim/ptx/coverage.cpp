//===- coverage.cpp - Rows that tests executed ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/coverage.h"

#include "runtime/sim/ptx/instructions.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace kiln::sim::ptx;
namespace fs = std::filesystem;

bool kiln::sim::ptx::appendCoverage(const std::string &path,
                                    const std::vector<bool> &executed) {
  std::string text;
  for (const Row &row : rows())
    if (row.index < executed.size() && executed[row.index])
      text += std::string(row.id) + "\n";
  if (text.empty())
    return true;
  std::FILE *file = std::fopen(path.c_str(), "a");
  if (!file)
    return false;
  // Unbuffered, so that the text is written at once.
  std::setvbuf(file, nullptr, _IONBF, 0);
  bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return (std::fclose(file) == 0) && written;
}

static bool readFile(const fs::path &path, Coverage &coverage, std::string &problem) {
  constexpr std::string_view testLine = "# test ";
  std::ifstream file(path);
  std::string test = path.stem().string(), line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    if (line.starts_with(testLine)) {
      test = line.substr(testLine.size());
    } else if (findRow(line)) {
      coverage[line].insert(test);
    } else if (!line.empty()) {
      problem = path.string() + ":" + std::to_string(number) +
                ": the table has no row `" + line + "`";
      return false;
    }
  }
  if (file.eof())
    return true;
  problem = path.string() + ": cannot be read";
  return false;
}

bool kiln::sim::ptx::readCoverage(const std::string &path, Coverage &coverage,
                                  std::string &problem) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    return readFile(path, coverage, problem);
  fs::directory_iterator folder(path, error);
  if (error) {
    problem = path + ": " + error.message();
    return false;
  }
  for (const fs::directory_entry &entry : folder)
    if (entry.is_regular_file() && !readFile(entry.path(), coverage, problem))
      return false;
  return true;
}
