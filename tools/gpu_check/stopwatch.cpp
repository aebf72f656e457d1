//===- stopwatch.cpp - Contenders in turn ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/stopwatch.h"
#include <algorithm>

using namespace kiln::gpucheck;

OwnStream::OwnStream(const Gpu &gpu) : gpu(gpu) {
  gpu.driver.require(gpu.driver.streamCreate(&stream, StreamNonBlocking),
                     "cuStreamCreate");
}
OwnStream::~OwnStream() { (void)gpu.driver.streamDestroy(stream); }
void OwnStream::wait() const {
  gpu.driver.require(gpu.driver.streamSynchronize(stream), "cuStreamSynchronize");
}

Captured::Captured(const OwnStream &own, const std::function<void(Stream)> &enqueue)
    : stream(own) {
  const Driver &driver = own.gpu.driver;
  driver.require(driver.captureBegin(own.stream, CaptureRelaxed), "cuStreamBeginCapture");
  enqueue(own.stream);
  driver.require(driver.captureEnd(own.stream, &graph), "cuStreamEndCapture");
  driver.require(driver.graphInstantiate(&exec, graph, 0), "cuGraphInstantiate");
}
Captured::~Captured() {
  (void)stream.gpu.driver.graphExecDestroy(exec);
  (void)stream.gpu.driver.graphDestroy(graph);
}
void Captured::launch() const {
  const Driver &driver = stream.gpu.driver;
  driver.require(driver.graphLaunch(exec, stream.stream), "cuGraphLaunch");
}

namespace {
constexpr double TurnMicroseconds = 2000;
constexpr uint32_t MaxLaunches = 2000;

class OwnEvent {
public:
  explicit OwnEvent(const OwnStream &stream) : stream(stream) {
    const Driver &driver = stream.gpu.driver;
    driver.require(driver.eventCreate(&event, 0), "cuEventCreate");
  }
  ~OwnEvent() { (void)stream.gpu.driver.eventDestroy(event); }
  OwnEvent(const OwnEvent &) = delete;
  void record() {
    const Driver &driver = stream.gpu.driver;
    driver.require(driver.eventRecord(event, stream.stream), "cuEventRecord");
  }
  /// Waits for this event and returns the microseconds since `begin`.
  double since(const OwnEvent &begin) const {
    const Driver &driver = stream.gpu.driver;
    float milliseconds = 0;
    driver.require(driver.eventSynchronize(event), "cuEventSynchronize");
    driver.require(driver.eventElapsed(&milliseconds, begin.event, event),
                   "cuEventElapsedTime");
    return milliseconds * 1e3;
  }

private:
  const OwnStream &stream;
  Event event = nullptr;
};

double medianOf(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Runs one round of a contender; returns the microseconds per launch.
double turn(const OwnStream &stream, const Contender &contender, uint32_t launches,
            uint32_t sets, const Nvml &nvml, std::vector<double> &clocks) {
  OwnEvent begin(stream), end(stream);
  contender.launch(sets - 1); // lets the host run ahead before the first event
  begin.record();
  for (uint32_t i = 0; i < launches; ++i)
    contender.launch(i % sets);
  end.record();
  if (uint32_t clock = nvml.smClock())
    clocks.push_back(clock);
  return end.since(begin) / launches;
}
} // namespace

void kiln::gpucheck::measure(const OwnStream &stream, const Nvml &nvml,
                             std::vector<Contender *> contenders,
                             Measurement &measurement) {
  const uint32_t sets = measurement.sets;
  const bool simulated = stream.gpu.driver.simulated;
  std::vector<double> clocks;
  std::vector<uint32_t> launches;
  for (Contender *contender : contenders) {
    double once = turn(stream, *contender, sets, sets, nvml, clocks);
    double turns = simulated ? 1 : TurnMicroseconds / std::max(once * sets, 1.0);
    uint32_t wanted = sets * uint32_t(std::clamp(turns, 1.0, double(MaxLaunches)));
    launches.push_back(std::max(sets, std::min(wanted, MaxLaunches / sets * sets)));
  }
  clocks.clear();
  std::vector<std::vector<double>> times(contenders.size());
  uint32_t rounds = simulated ? 2 : measurement.rounds;
  for (uint32_t round = 0; round < rounds; ++round)
    for (size_t i = 0; i < contenders.size(); ++i) {
      size_t who = (i + round) % contenders.size();
      times[who].push_back(
          turn(stream, *contenders[who], launches[who], sets, nvml, clocks));
    }
  for (size_t i = 0; i < contenders.size(); ++i)
    contenders[i]->median = medianOf(times[i]);
  measurement.clockMhz = uint32_t(medianOf(clocks));
}
