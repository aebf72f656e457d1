//===- CountedLaunch.cpp - A launch and its counters ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountedLaunch.h"
#include "Models.h"
#include "TestPackage.h"
#include "kiln/Execution/OutputSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

static constexpr const char *kCounters = "KILN_SIM_COUNTERS";

static uint64_t numberOf(const llvm::json::Object &counters, llvm::StringRef name) {
  std::optional<int64_t> value = counters.getInteger(name);
  EXPECT_TRUE(value) << "there is no counter " << name.str();
  return value.value_or(0);
}

static const llvm::json::Object &objectOf(const llvm::json::Object &line,
                                          llvm::StringRef name) {
  static const llvm::json::Object none;
  const llvm::json::Object *object = line.getObject(name);
  EXPECT_TRUE(object) << "there are no counters of " << name.str();
  return object ? *object : none;
}

static void readShared(LaunchCounters &counters, const llvm::json::Object &shared) {
  counters.sharedBytes = numberOf(shared, "bytes");
  counters.sharedAccesses = numberOf(shared, "reads") + numberOf(shared, "writes");
  counters.bankConflicts = numberOf(shared, "bank_conflicts");
  const llvm::json::Array *lines = shared.getArray("conflict_lines");
  ASSERT_TRUE(lines) << "there are no lines of conflicts";
  for (const llvm::json::Value &entry : *lines) {
    const llvm::json::Array &pair = *entry.getAsArray();
    counters.conflictLines.emplace_back(*pair[0].getAsInteger(), *pair[1].getAsInteger());
  }
}

static LaunchCounters countersOf(const llvm::json::Object &line) {
  LaunchCounters counters;
  counters.kernel = line.getString("kernel").value_or("").str();
  if (const llvm::json::Array *grid = line.getArray("grid"))
    counters.blocks = grid->front().getAsInteger().value_or(0);
  counters.threads = numberOf(line, "threads");
  counters.warpInstructions = numberOf(line, "warp_instructions");
  // Kinds of operations that a kernel lacks are not listed.
  const llvm::json::Object &flops = objectOf(line, "flops");
  counters.tensorFlops = flops.getInteger("tensor").value_or(0);
  counters.f32Flops = flops.getInteger("f32").value_or(0);
  const llvm::json::Object &global = objectOf(line, "global");
  counters.bytes = numberOf(global, "bytes");
  counters.sectors = numberOf(global, "sectors");
  counters.distinctSectors = numberOf(global, "distinct_sectors");
  counters.localBytes = numberOf(objectOf(line, "local"), "bytes");
  readShared(counters, objectOf(line, "shared"));
  counters.atomics = numberOf(line, "atomics");
  const llvm::json::Object &bulk = objectOf(line, "tma");
  counters.bulkGlobalBytes = numberOf(bulk, "global_bytes");
  counters.bulkSharedBytes = numberOf(bulk, "shared_bytes");
  return counters;
}

static std::vector<LaunchCounters> readCounters(const std::string &path) {
  std::vector<LaunchCounters> launches;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    ADD_FAILURE() << "the simulator wrote no counters";
    return launches;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef text : lines) {
    llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
    if (!parsed) {
      ADD_FAILURE() << llvm::toString(parsed.takeError()) << ": " << text.str();
      continue;
    }
    launches.push_back(countersOf(*parsed->getAsObject()));
  }
  return launches;
}

/// Returns the PTX of the module with the kernel. The simulator's counters refer to its
/// lines.
static std::string ptxOf(kiln_model *model, llvm::StringRef kernel) {
  for (size_t k = 0; k < kiln_model_kernel_count(model); ++k) {
    llvm::StringRef ptx = kiln_model_kernel_ptx(model, k, /*target=*/0);
    if (ptx.contains((".entry " + kernel + "(").str()))
      return ptx.str();
  }
  ADD_FAILURE() << "no module has " << kernel.str();
  return "";
}

/// Returns the step that launches a kernel. Independent steps may be launched in another
/// order than the plan's; the code of each variant has another name.
static const kiln_step_info *stepOf(kiln_model *model, llvm::StringRef kernel,
                                    size_t place) {
  for (size_t i = place; i < place + kiln_model_step_count(model); ++i)
    if (auto *step = kiln_model_step(model, i % kiln_model_step_count(model));
        kernel == step->kernel)
      return step;
  return kiln_model_step(model, place);
}

std::vector<CountedLaunch> kiln::test::countRun(kiln_model *model,
                                                const SessionSettings &settings,
                                                const InputSet &inputs) {
  TempFolder folder;
  std::string path = folder / "counters.json";
  // The simulator reads the variable when it loads a module.
  setenv(kCounters, path.c_str(), 1);
  std::vector<kiln_dim_range> ranges = settings.ranges(model, inputs);
  Session session = valueOf(createSession(model, settings.options(ranges)));
  OutputSet outputs = valueOf(OutputSet::create(model, session.get(), inputs.tensors()));
  EXPECT_EQ(messageOf(runOnce(session.get(), inputs, outputs)), "");
  unsetenv(kCounters);
  std::vector<LaunchCounters> counters = readCounters(path);
  std::vector<CountedLaunch> launches;
  EXPECT_EQ(kiln_model_target_count(model), 1u);
  EXPECT_LE(counters.size(), kiln_model_step_count(model));
  for (const auto &[i, own] : llvm::enumerate(counters)) {
    const kiln_step_info *step = stepOf(model, own.kernel, i);
    std::string node = step->node_count ? step->nodes[0] : "";
    launches.push_back(
        {own, step->hero, node, LaunchConfig(step->config), ptxOf(model, own.kernel)});
  }
  return launches;
}
