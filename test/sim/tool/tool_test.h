//===- tool_test.h - Running kiln-ptx in a test -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_TOOL_TOOL_TEST_H
#define KILN_TEST_SIM_TOOL_TOOL_TEST_H

#include "runtime/sim/tool/tool.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace kiln::sim::tool {

struct Outcome {
  int code;
  std::string out, err;
};

inline Outcome kilnPtx(const Arguments &arguments) {
  std::ostringstream out, err;
  int code = run(arguments, out, err);
  return {code, out.str(), err.str()};
}

inline std::string input(const std::string &name) {
  return std::string(KILN_SIM_TOOL_INPUTS) + "/" + name;
}

/// A temporary folder, deleted after the test.
class Folder : public testing::Test {
protected:
  Folder() {
    std::string pattern = testing::TempDir() + "/kiln_tool_XXXXXX";
    path = ::mkdtemp(pattern.data());
  }
  ~Folder() override { std::filesystem::remove_all(path); }
  std::string file(const std::string &name) const { return (path / name).string(); }
  std::string file(const std::string &name, const std::string &content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }
  std::filesystem::path path;
};

} // namespace kiln::sim::tool

#endif // KILN_TEST_SIM_TOOL_TOOL_TEST_H
