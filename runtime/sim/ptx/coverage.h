//===- coverage.h - Rows that tests executed ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A coverage file has one row id per line. A line `# test NAME` names the test of the
// rows that follow; rows before the first such line belong to the file's name.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_COVERAGE_H
#define KILN_SIM_PTX_COVERAGE_H

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kiln::sim::ptx {

/// Appends the ids of the rows whose flag is set, in one write, as concurrent programs
/// may share the file. Flags are indexed by Row::index. False if the file cannot be
/// written.
bool appendCoverage(const std::string &path, const std::vector<bool> &rows);

/// Names of tests by row id.
using Coverage = std::map<std::string, std::set<std::string>, std::less<>>;

/// Reads one file, or every file of a folder, into `coverage`. On failure `problem` is
/// set: a file that cannot be read, or an id that is not in the table.
bool readCoverage(const std::string &path, Coverage &coverage, std::string &problem);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_COVERAGE_H
