//===- CasePackage.cpp - A kernel case, compiled --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CasePackage.h"
#include "Models.h"
#include "kiln/Execution/Provenance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

bool kiln::test::compileCase(const KernelCase &test, const std::string &source,
                             const std::vector<std::string> &targets,
                             const std::string &package) {
  CompileOptions options;
  options.input = source;
  options.output = package;
  options.targets.names = targets;
  options.dims = test.dims;
  options.precision = test.precision;
  options.threads = 1;
  CompileReport report;
  std::string problem = messageOf(compile(options, report));
  EXPECT_EQ(problem, "");
  return problem.empty();
}

std::vector<std::string> kiln::test::targetsOf(const KernelCase &test) {
  std::vector<std::string> targets = test.gpus;
  if (test.forHost)
    targets.insert(targets.begin(), "native");
  return targets;
}

Model kiln::test::openPackage(const std::string &package, const std::string &target) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.target = target == "native" ? nullptr : target.c_str();
  return valueOf(execution::loadModel(package, options));
}

static void checkCode(const KernelCase &test, kiln_model *model, size_t target) {
  SCOPED_TRACE(kiln_model_target(model, target)->name);
  std::string code, configs;
  size_t count = 0;
  for (size_t k = 0; k < kiln_model_kernel_count(model); ++k) {
    code += kiln_model_kernel_ptx(model, k, target);
    llvm::StringRef config = kiln_model_kernel_config(model, k, target);
    configs += config.str() + "\n";
    count += config.contains(test.config);
  }
  for (const std::string &text : test.ptx)
    EXPECT_NE(code.find(text), std::string::npos) << "there is no " << text;
  for (const std::string &text : test.noPtx)
    EXPECT_EQ(code.find(text), std::string::npos) << "there is " << text;
  EXPECT_GE(count, test.configs) << test.config << " in\n" << configs;
}

static void checkGraph(const KernelCase &test, llvm::StringRef graph) {
  size_t count = 0;
  for (llvm::StringRef line : llvm::split(graph, '\n')) {
    if (!line.contains(test.graphOp))
      continue;
    ++count;
    for (const std::string &text : test.opHas)
      EXPECT_TRUE(line.contains(text)) << text << " is not in " << line.str();
    for (const std::string &text : test.opLacks)
      EXPECT_FALSE(line.contains(text)) << text << " is in " << line.str();
  }
  EXPECT_GT(count, 0u) << "there is no " << test.graphOp;
}

void kiln::test::checkPackage(const KernelCase &test, kiln_model *model) {
  std::vector<std::string> heroes;
  for (size_t i = 0; i < kiln_model_step_count(model); ++i)
    heroes.push_back(kiln_model_step(model, i)->hero);
  if (!test.heroes.empty())
    EXPECT_EQ(heroes, test.heroes);
  if (!test.graphOp.empty())
    checkGraph(test, valueOf(graphTextOf(model)));
  for (size_t t = 0; t < kiln_model_target_count(model); ++t)
    if (llvm::is_contained(test.gpus, kiln_model_target(model, t)->name))
      checkCode(test, model, t);
}
