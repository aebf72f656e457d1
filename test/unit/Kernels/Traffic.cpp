//===- Traffic.cpp - What a kernel reads and writes on a GPU --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include "Models.h"
#include "TestPackage.h"
#include "kiln/Execution/OutputSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

static constexpr uint64_t kSector = 32;
/// A row of as many bytes is spread over all banks of shared memory.
static constexpr int64_t kBankRow = 128;
static constexpr const char *kCounters = "KILN_SIM_COUNTERS";

namespace {
/// The counters of a launch that rows make statements on.
struct LaunchCounters {
  uint64_t bytes, sectors, distinctSectors;
  uint64_t localBytes;
  uint64_t sharedBytes, sharedAccesses, bankConflicts;
};
} // namespace

static uint64_t numberOf(const llvm::json::Object &line, llvm::StringRef space,
                         llvm::StringRef name) {
  const llvm::json::Object *counters = line.getObject(space);
  std::optional<int64_t> value = counters ? counters->getInteger(name) : std::nullopt;
  EXPECT_TRUE(value) << "there is no counter " << space.str() << "." << name.str();
  return value.value_or(0);
}

static LaunchCounters countersOf(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  const llvm::json::Object *line = parsed ? parsed->getAsObject() : nullptr;
  if (!line) {
    ADD_FAILURE() << "a line of counters is no object: " << text.str();
    llvm::consumeError(parsed.takeError());
    return {};
  }
  return {numberOf(*line, "global", "bytes"),
          numberOf(*line, "global", "sectors"),
          numberOf(*line, "global", "distinct_sectors"),
          numberOf(*line, "local", "bytes"),
          numberOf(*line, "shared", "bytes"),
          numberOf(*line, "shared", "reads") + numberOf(*line, "shared", "writes"),
          numberOf(*line, "shared", "bank_conflicts")};
}

/// Each launch of a run, in order. The simulator reads the variable when a module is
/// loaded.
static std::vector<LaunchCounters>
countRun(kiln_model *model, const SessionSettings &settings, const InputSet &inputs) {
  TempFolder folder;
  std::string path = folder / "counters.json";
  setenv(kCounters, path.c_str(), 1);
  std::vector<kiln_dim_range> ranges = settings.ranges(model, inputs);
  Session session = valueOf(createSession(model, settings.options(ranges)));
  OutputSet outputs = valueOf(OutputSet::create(model, session.get(), inputs.tensors()));
  EXPECT_EQ(messageOf(runOnce(session.get(), inputs, outputs)), "");
  unsetenv(kCounters);
  std::vector<LaunchCounters> launches;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    ADD_FAILURE() << "the simulator wrote no counters";
    return launches;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    launches.push_back(countersOf(line));
  return launches;
}

/// The sizes in "tile = [32, 32]" of a config.
static std::vector<int64_t> tileOf(llvm::StringRef config) {
  std::vector<int64_t> tile;
  llvm::StringRef list = config.split("tile = [").second.split(']').first;
  for (llvm::StringRef part : llvm::split(list, ", "))
    if (int64_t size = 0; !part.empty() && !part.getAsInteger(10, size))
      tile.push_back(size);
  return tile;
}

/// Bank conflicts per access that are allowed. Elements of one or two bytes in lines
/// shorter than a row of banks have some: no pitch keeps all out of each other's banks.
static double conflictsOf(const Traffic &expected, llvm::ArrayRef<int64_t> tile) {
  int64_t bytes = expected.transposition ? expected.transposition->elementBytes : 0;
  bool isShort = bytes && bytes <= 2 && tile.size() > 1 && tile[1] * bytes < kBankRow;
  return isShort ? std::max(expected.conflicts, 0.25) : expected.conflicts;
}

static void expectShared(const LaunchCounters &found, const Traffic &expected,
                         llvm::ArrayRef<int64_t> tile) {
  if (found.bankConflicts)
    EXPECT_LE(double(found.bankConflicts) / double(found.sharedAccesses),
              conflictsOf(expected, tile));
  if (!expected.usesShared)
    EXPECT_EQ(found.sharedBytes, 0u);
  EXPECT_GE(found.sharedBytes, expected.minSharedBytes);
  const auto &moved = expected.transposition;
  // Into shared memory and out of it once, if no tile is cut off.
  if (moved && tile.size() == 2 && moved->operandLine % tile[1] == 0 &&
      moved->resultLine % tile[0] == 0)
    EXPECT_EQ(found.sharedBytes, expected.bytes);
}

static void expectLaunch(const LaunchCounters &found, const Traffic &expected,
                         llvm::StringRef config) {
  if (expected.countsBytes)
    EXPECT_EQ(found.bytes, expected.bytes) << "that threads ask for";
  uint64_t touched = found.distinctSectors * kSector;
  EXPECT_GE(touched, expected.touchedBytes);
  EXPECT_LT(touched, expected.touchedBytes + expected.ends * kSector);
  EXPECT_EQ(found.localBytes, 0u) << "spilled registers";
  EXPECT_GE(double(found.bytes) / double(found.sectors * kSector), expected.efficiency);
  EXPECT_TRUE(expected.config.empty() || config.contains(expected.config + "_config"))
      << config.str();
  std::vector<int64_t> tile = tileOf(config);
  EXPECT_GE(tile.size(), expected.minTileDims) << config.str();
  EXPECT_LE(tile.size(), expected.maxTileDims) << config.str();
  expectShared(found, expected, tile);
}

void kiln::test::expectTraffic(kiln_model *model, const SessionSettings &settings,
                               const InputSet &inputs,
                               const std::vector<Traffic> &expected) {
  std::vector<LaunchCounters> launches = countRun(model, settings, inputs);
  ASSERT_EQ(launches.size(), expected.size());
  for (size_t i = 0; i < launches.size(); ++i) {
    SCOPED_TRACE("launch " + std::to_string(i));
    expectLaunch(launches[i], expected[i], kiln_model_step(model, i)->config);
  }
}
