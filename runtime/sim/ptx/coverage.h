//===- coverage.h - Which rows tests executed --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A coverage file has one row id a line. A line `# test NAME` says whose rows follow;
// before the first one they are those of the file's name.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_COVERAGE_H
#define KILN_SIM_PTX_COVERAGE_H

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kiln::sim::ptx {

/// Appends the ids of the rows whose flag is set, in one write: programs that run at
/// the same time may share the file. Flags are by Row::index. False if the file cannot
/// be written.
bool appendCoverage(const std::string &path, const std::vector<bool> &rows);

/// Tests by row id.
using Coverage = std::map<std::string, std::set<std::string>, std::less<>>;

/// Reads one file, or every file of a folder, into `coverage`. On failure `problem`
/// says what is wrong: a file that cannot be read, an id that the table has not.
bool readCoverage(const std::string &path, Coverage &coverage, std::string &problem);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_COVERAGE_H
