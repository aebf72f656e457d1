//===- report.cpp - What was found ----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/report.h"
#include "tools/gpu_check/json.h"
#include <algorithm>
#include <ctime>
#include <fstream>

using namespace kiln::gpucheck;

void Report::describe(const Gpu &gpu, const std::string &comparedWith) {
  device = gpu.device;
  gpuName = gpu.name;
  capability = gpu.capability;
  multiprocessors = gpu.attribute(AttributeSmCount);
  driverVersion = gpu.driver.version;
  simulated = gpu.driver.simulated;
  reference = comparedWith;
  std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  date = text;
  std::printf("%s: %s, compute capability %d.%d, %d multiprocessors, driver %d.%d%s\n",
              device.c_str(), gpuName.c_str(), capability / 10, capability % 10,
              multiprocessors, driverVersion / 1000, driverVersion % 1000 / 10,
              simulated ? " (simulated: times are those of a model)" : "");
}

void Report::add(const VerifyResult &r) {
  verified.push_back(r);
  if (r.failure.empty())
    std::printf("verify  %-4s %-44s %-5s error %.2e of %.1e\n",
                r.passed() ? "ok" : "FAIL", (r.name + " " + r.output).c_str(),
                r.dtype.c_str(), r.error, r.tolerance);
  else
    std::printf("verify  FAIL %-44s %s\n", r.name.c_str(), r.failure.c_str());
  std::fflush(stdout);
}

void Report::add(const BitsResult &r) {
  bits.push_back(r);
  std::printf("bits    %-4s %-58s %6llu vectors", r.passed() ? "ok" : "FAIL",
              r.instruction.c_str(), (unsigned long long)r.vectors);
  if (r.different)
    std::printf(", %llu differ: %s", (unsigned long long)r.different, r.patterns.c_str());
  if (r.inexact)
    std::printf(", %llu sums of whole numbers are wrong", (unsigned long long)r.inexact);
  std::printf("\n");
  std::fflush(stdout);
}

static std::string column(const char *format, double value) {
  char text[32] = "-";
  if (value > 0)
    std::snprintf(text, sizeof text, format, value);
  return text;
}

void Report::add(const SpeedResult &r) {
  if (speeds.empty())
    std::printf("speed   %-10s %-30s %10s %10s %10s %8s %8s %9s %8s %s\n", "kind", "name",
                "kiln us", "peer us", "copy us", "/peer", "/copy", "TFLOP/s", "GB/s",
                "peer");
  speeds.push_back(r);
  if (!r.failure.empty()) {
    std::printf("speed   FAIL %s: %s\n", r.name.c_str(), r.failure.c_str());
    return;
  }
  std::printf("speed   %-10s %-30s %10.2f %10s %10s %8s %8s %9.1f %8.0f %s\n",
              r.kind.c_str(), r.name.c_str(), r.kiln, column("%.2f", r.peerTime).c_str(),
              column("%.2f", r.copy).c_str(), column("%.3f", r.peerTime / r.kiln).c_str(),
              column("%.3f", r.copy / r.kiln).c_str(), r.flops / r.kiln * 1e-6,
              r.bytes / r.kiln * 1e-3, r.peer.c_str());
  std::fflush(stdout);
}

void Report::skip(const std::string &part, const std::string &name,
                  const std::string &why) {
  skipped.push_back({part, name, why});
  std::printf("%-7s skip %s: %s\n", part.c_str(), name.c_str(), why.c_str());
}

void Report::note(const std::string &text) {
  notes.push_back(text);
  std::printf("note    %s\n", text.c_str());
}

bool Report::passed() const {
  auto good = [](const auto &result) { return result.passed(); };
  auto measured = [](const SpeedResult &result) { return result.failure.empty(); };
  return std::all_of(verified.begin(), verified.end(), good) &&
         std::all_of(bits.begin(), bits.end(), good) &&
         std::all_of(speeds.begin(), speeds.end(), measured) &&
         verified.size() + bits.size() + speeds.size() > 0;
}

void Report::printSummary() const {
  auto count = [](const auto &results) {
    return std::count_if(results.begin(), results.end(),
                         [](const auto &result) { return result.passed(); });
  };
  std::printf(
      "%zd of %zu outputs verified, %zd of %zu instructions agree bit by bit, %zu "
      "measured, %zu skipped: %s\n",
      count(verified), verified.size(), count(bits), bits.size(), speeds.size(),
      skipped.size(), passed() ? "PASSED" : "FAILED");
}

namespace {
Json toJson(const VerifyResult &r) {
  return Json::object({{"name", Json::text(r.name)},
                       {"output", Json::text(r.output)},
                       {"dtype", Json::text(r.dtype)},
                       {"error", Json::number(r.error)},
                       {"tolerance", Json::number(r.tolerance)},
                       {"failure", Json::text(r.failure)},
                       {"passed", Json::boolean(r.passed())}});
}

Json toJson(const BitsResult &r) {
  return Json::object({{"instruction", Json::text(r.instruction)},
                       {"vectors", Json::count(r.vectors)},
                       {"different", Json::count(r.different)},
                       {"inexact", Json::count(r.inexact)},
                       {"patterns", Json::text(r.patterns)},
                       {"passed", Json::boolean(r.passed())}});
}

/// Returns a ratio of times; null if one is missing.
Json ratio(double other, double kiln) {
  return Json::number(other > 0 && kiln > 0 ? other / kiln : INFINITY);
}

Json toJson(const SpeedResult &r) {
  return Json::object({{"kind", Json::text(r.kind)},
                       {"name", Json::text(r.name)},
                       {"kiln_us", Json::number(r.kiln)},
                       {"peer", Json::text(r.peer)},
                       {"peer_us", Json::number(r.peerTime)},
                       {"copy_us", Json::number(r.copy)},
                       {"roofline_us", Json::number(r.roofline)},
                       {"ratio_peer", ratio(r.peerTime, r.kiln)},
                       {"ratio_copy", ratio(r.copy, r.kiln)},
                       {"ratio_roofline", ratio(r.roofline, r.kiln)},
                       {"flops", Json::number(r.flops)},
                       {"bytes", Json::number(r.bytes)},
                       {"error_peer", Json::number(r.error)},
                       {"sm_clock_mhz", Json::count(r.clockMhz)},
                       {"operand_sets", Json::count(r.sets)},
                       {"failure", Json::text(r.failure)}});
}

template <typename T> Json toList(const std::vector<T> &results) {
  std::vector<Json> out;
  for (const T &result : results)
    out.push_back(toJson(result));
  return Json::list(out);
}
} // namespace

void Report::write(const std::string &path) const {
  std::vector<Json> left, said;
  for (const Skipped &one : skipped)
    left.push_back(Json::object({{"part", Json::text(one.part)},
                                 {"name", Json::text(one.name)},
                                 {"why", Json::text(one.why)}}));
  for (const std::string &text : notes)
    said.push_back(Json::text(text));
  Json whole = Json::object({{"format", Json::text("kiln-gpu-check 1")},
                             {"command", Json::text(command)},
                             {"date", Json::text(date)},
                             {"kiln", Json::text(kiln_version())},
                             {"device", Json::text(device)},
                             {"gpu", Json::text(gpuName)},
                             {"simulated", Json::boolean(simulated)},
                             {"capability", Json::count(uint64_t(capability))},
                             {"multiprocessors", Json::count(uint64_t(multiprocessors))},
                             {"driver", Json::count(uint64_t(driverVersion))},
                             {"reference", Json::text(reference)},
                             {"passed", Json::boolean(passed())},
                             {"verify", toList(verified)},
                             {"bits", toList(bits)},
                             {"speed", toList(speeds)},
                             {"skipped", Json::list(left)},
                             {"notes", Json::list(said)}});
  std::ofstream out(path, std::ios::binary);
  out << whole.string() << '\n';
  out.close();
  if (!out)
    throw Failure(Machine, "KILN-E0003", path, "the report cannot be written",
                  "a folder with room", "a failed write", "choose another --out folder");
}
