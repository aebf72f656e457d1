//===- CaseRunner.cpp - A kernel case on all its devices ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "CaseInputs.h"
#include "CasePackage.h"
#include "Comparisons.h"
#include "Models.h"
#include "SimulatedGpus.h"
#include "TileRuns.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Target/TargetInfo.h"
#include "kiln/Tuning/KernelCheck.h"
#include "llvm/TargetParser/Host.h"
#include <filesystem>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;
using tuning::KernelCheck;

CaseRunner::CaseRunner(const KernelCase &test)
    : test(test), source(test.model.write(folder.path, "case")),
      package(folder / "case.kiln"),
      hostPackage(test.forHost ? package : folder / "host.kiln") {}

void CaseRunner::run() {
  if (!compileCase(test, source, targetsOf(test), package))
    return;
  bool comparesHost = test.sameBits || test.nearHost;
  if (!test.forHost && comparesHost &&
      !compileCase(test, source, {"native"}, hostPackage))
    return;
  checkPackage(test, openPackage(package, targetsOf(test)[0]).get());
  for (const SymbolValues &values : test.at)
    runAt(values);
}

void CaseRunner::runAt(const SymbolValues &values) {
  Model model = openPackage(package, targetsOf(test)[0]);
  CaseInputs made(test, model.get(), values);
  const InputSet &inputs = made.set();
  Reference reference = referenceOf(test, source, inputs);
  std::optional<Outputs> ofHost;
  if (test.forHost || test.sameBits || test.nearHost) {
    ofHost = runOnHost(inputs);
    checkOutputs(*ofHost, reference, model.get());
  }
  if (test.interpreted)
    interpret(inputs);
  for (const std::string &gpu : test.gpus) {
    SCOPED_TRACE(gpu);
    Outputs found = runOnGpu(gpu, inputs);
    checkOutputs(found, reference, model.get());
    if (test.sameBits)
      expectSameBits(found, *ofHost, "the bits are not those of the host");
    if (test.nearHost)
      expectNear(found, *ofHost, test.nearHost);
  }
}

void CaseRunner::checkOutputs(const Outputs &found, const Reference &expected,
                              kiln_model *model) const {
  if (test.bound)
    expectNear(found, expected, test.bound);
  else
    expectRms(found, expected, precisionsOf(model), test.rms);
}

CaseRunner::Outputs CaseRunner::runOnHost(const InputSet &inputs) {
  SCOPED_TRACE("host");
  Model model = openPackage(hostPackage, "native");
  SessionSettings settings;
  settings.threads = 1;
  return checkedRun(model.get(), settings, inputs);
}

/// Returns the other targets that are CPUs, one of each instruction set, whose code runs
/// on this machine.
static std::vector<std::string> otherHosts() {
  llvm::StringMap<bool> here = llvm::sys::getHostCPUFeatures();
  std::string native = valueOf(TargetInfo::get("native")).name;
  std::vector<std::string> names;
  for (const HostCpu &cpu : hostCpus()) {
    TargetInfo info = valueOf(TargetInfo::get(cpu.name));
    bool isFirst = &hostCpuFor("", cpu.isa) == &cpu;
    bool runs = llvm::all_of(info.features, [&](const std::string &feature) {
      return here.lookup(feature);
    });
    if (runs && (isFirst || cpu.prefersBf16Dots()) && cpu.name != native)
      names.push_back(cpu.name.str());
  }
  return names;
}

void CaseRunner::interpret(const InputSet &inputs) {
  interpretRun(openPackage(hostPackage, "native").get(), targetsOf(test), inputs);
  for (const std::string &host : otherHosts()) {
    SCOPED_TRACE(host);
    std::string other = folder / (host + ".kiln");
    if (std::filesystem::exists(other) || compileCase(test, source, {host}, other))
      interpretRun(openPackage(other, host).get(), {host}, inputs);
  }
}

void CaseRunner::interpretRun(kiln_model *model, const std::vector<std::string> &targets,
                              const InputSet &inputs) {
  TileRuns runs(model, targets, inputs.symbols());
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 1;
  options.observer = TileRuns::observe;
  options.observer_user = &runs;
  Session session = valueOf(createSession(model, options));
  Outputs outputs = valueOf(Outputs::create(model, session.get(), inputs.tensors()));
  EXPECT_EQ(messageOf(runOnce(session.get(), inputs, outputs)), "");
  runs.expectRight();
  if (llvm::is_contained({"matmul", "gemv", "codes"}, test.family))
    EXPECT_GT(runs.numCompared(), 0u);
}

CaseRunner::Outputs CaseRunner::runOnGpu(const std::string &target,
                                         const InputSet &inputs) {
  Model model = openPackage(package, target);
  SessionSettings settings;
  settings.device = deviceOf(target);
  testing::internal::CaptureStderr();
  setSchedule(kSchedules[0]);
  Outputs found = checkedRun(model.get(), settings, inputs);
  if (test.checkLaunches)
    test.checkLaunches(countRun(model.get(), settings, inputs));
  else if (!test.traffic.empty())
    expectTraffic(countRun(model.get(), settings, inputs), test.traffic);
  else
    checkSchedules(model.get(), settings, inputs, found);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "the simulator's report";
  return found;
}

CaseRunner::Outputs CaseRunner::checkedRun(kiln_model *model,
                                           const SessionSettings &settings,
                                           const InputSet &inputs) {
  PackageGraph graph = valueOf(graphOf(model));
  KernelCheck check(model, graph, inputs.symbols(), std::nullopt);
  EXPECT_EQ(messageOf(check.checkMatch()), "");
  std::vector<kiln_dim_range> ranges = settings.ranges(model, inputs);
  kiln_session_options options = settings.options(ranges);
  options.observer = KernelCheck::observe;
  options.observer_user = &check;
  Session session = valueOf(createSession(model, options));
  Outputs outputs = valueOf(Outputs::create(model, session.get(), inputs.tensors()));
  EXPECT_EQ(messageOf(runOnce(session.get(), inputs, outputs)), "");
  EXPECT_EQ(messageOf(check.takeError()), "");
  EXPECT_EQ(check.results().size(), graph.kernelCount());
  for (const KernelCheck::StepResult &result : check.results())
    EXPECT_TRUE(result.passed) << "step " << result.step << " ("
                               << kiln_model_step(model, result.step)->hero
                               << ") is off by " << result.error << ", allowed is "
                               << result.tolerance;
  return outputs;
}

void CaseRunner::checkSchedules(kiln_model *model, const SessionSettings &settings,
                                const InputSet &inputs, const Outputs &expected) {
  std::vector<kiln_dim_range> ranges = settings.ranges(model, inputs);
  Session session = valueOf(createSession(model, settings.options(ranges)));
  for (const char *schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    setSchedule(schedule);
    Outputs outputs = valueOf(Outputs::create(model, session.get(), inputs.tensors()));
    EXPECT_EQ(messageOf(runOnce(session.get(), inputs, outputs)), "");
    expectSameBits(outputs, expected, "the bits depend on the schedule");
  }
}
