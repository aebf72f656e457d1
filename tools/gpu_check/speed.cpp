//===- speed.cpp - Kiln's kernels beside others ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/speed.h"
#include "tools/gpu_check/cudnn.h"
#include "tools/gpu_check/operands.h"
#include "tools/gpu_check/tensors.h"
#include "tools/gpu_check/workload.h"
#include <algorithm>
#include <functional>
#include <optional>

using namespace kiln::gpucheck;

namespace {
/// PTX of a copy: each thread copies four times 16 bytes; the blocks cover `d` times 16
/// bytes.
const char *const copyPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 a, .param .u64 b, .param .u64 c)
{
  .reg .b32 %x, %y, %v<4>;
  .reg .b64 %from, %to, %end, %i, %at;
  .reg .pred %p;
  ld.param.u64 %from, [a];
  ld.param.u64 %to, [b];
  ld.param.u64 %end, [c];
  cvta.to.global.u64 %from, %from;
  cvta.to.global.u64 %to, %to;
  mov.u32 %x, %tid.x;
  mov.u32 %y, %ctaid.x;
  mad.wide.u32 %i, %y, 1024, 0;
  cvt.u64.u32 %at, %x;
  add.u64 %i, %i, %at;
  mov.u32 %x, 0;
loop:
  setp.ge.u64 %p, %i, %end;
  @%p bra done;
  shl.b64 %at, %i, 4;
  add.u64 %at, %at, %from;
  ld.global.v4.b32 {%v0,%v1,%v2,%v3}, [%at];
  shl.b64 %at, %i, 4;
  add.u64 %at, %at, %to;
  st.global.v4.b32 [%at], {%v0,%v1,%v2,%v3};
  add.u64 %i, %i, 256;
  add.u32 %x, %x, 1;
  setp.lt.u32 %p, %x, 4;
  @%p bra loop;
done:
  ret;
}
)";
constexpr uint64_t CopyBlockBytes = 1024 * 16;

/// Copy kernels that read and write `bytes` in total, each on different memory.
class Copy {
public:
  Copy(const OwnStream &stream, uint64_t bytes, uint32_t sets)
      : kernel(stream.gpu, copyPtx, "copy") {
    uint64_t half = (bytes / 2 + 15) / 16 * 16;
    for (uint32_t i = 0; i < sets; ++i) {
      from.emplace_back(stream.gpu, half);
      to.emplace_back(stream.gpu, half);
      fillRandom(from.back());
      graphs.push_back(std::make_unique<Captured>(stream, [&](Stream captured) {
        kernel.launch(unsigned((half + CopyBlockBytes - 1) / CopyBlockBytes), 256,
                      {from.back().address, to.back().address, half / 16}, captured);
      }));
    }
    contender.launch = [this](uint32_t set) { graphs[set]->launch(); };
  }
  Contender contender;

private:
  static void fillRandom(Buffer &buffer) {
    static const std::vector<uint64_t> words = [] {
      Random random(11);
      std::vector<uint64_t> out(1 << 17);
      for (uint64_t &word : out)
        word = random.next();
      return out;
    }();
    size_t block = words.size() * sizeof(uint64_t);
    for (size_t at = 0; at < buffer.bytes; at += block)
      buffer.upload(words.data(), std::min(block, buffer.bytes - at), at);
  }

  Kernel kernel;
  std::vector<Buffer> from, to;
  std::vector<std::unique_ptr<Captured>> graphs;
};

/// A baseline library's kernel on the operands of a workload.
class Peer {
public:
  /// Enqueues the kernel for a set of operands.
  using Enqueue = std::function<void(uint32_t set, Stream stream, Address result)>;

  Peer(const OwnStream &stream, const Workload &work, std::string name, Enqueue enqueue)
      : name(std::move(name)) {
    for (uint32_t i = 0; i < work.sets(); ++i) {
      results.emplace_back(stream.gpu, work.outputBytes(0));
      auto into = [&](Stream stream) { enqueue(i, stream, results.back().address); };
      into(stream.stream); // modules that it loads on the first call cannot be captured
      stream.wait();
      graphs.push_back(std::make_unique<Captured>(stream, into));
    }
    contender.launch = [this](uint32_t set) { graphs[set]->launch(); };
  }
  Peer(const Peer &) = delete;

  /// Records the time, and the error of Kiln's result for the first set relative to this
  /// library's.
  void compare(const Workload &work, SpeedResult &result) const {
    result.peer = name;
    result.peerTime = contender.median;
    std::vector<uint8_t> bytes(results[0].bytes);
    results[0].download(bytes.data());
    result.error = largestError(
        work.output(0, 0), toNumbers(work.outputType(0), bytes.data(), bytes.size()));
    double allowed = toleranceOf(work.outputType(0));
    if (result.error > allowed)
      result.failure = "Kiln and " + name + " differ by " + std::to_string(result.error) +
                       ", more than " + std::to_string(allowed);
  }
  Contender contender;

private:
  std::string name;
  std::vector<Buffer> results;
  std::vector<std::unique_ptr<Captured>> graphs;
};

/// A parsed line of speed.txt.
struct Line {
  explicit Line(const std::vector<std::string> &row)
      : kind(row[0]), name(row[1]), package(row[2]), where(row[3]) {
    for (size_t i = 4; i < row.size(); ++i) {
      size_t equal = row[i].find('=');
      keys[row[i].substr(0, equal)] =
          equal == std::string::npos ? "" : row[i].substr(equal + 1);
    }
  }
  int number(const char *key) const {
    auto found = keys.find(key);
    return found == keys.end() ? 0 : std::atoi(found->second.c_str());
  }
  std::string text(const char *key) const {
    auto found = keys.find(key);
    return found == keys.end() ? "" : found->second;
  }
  std::string kind, name, package, where;
  std::map<std::string, std::string> keys;
};

class Speed {
public:
  Speed(const Gpu &gpu, const Options &options, Report &report)
      : gpu(gpu), options(options), report(report), stream(gpu), nvml(gpu),
        cublas(gpu, options.cublas), cudnn(gpu, options.cudnn) {}

  void run() {
    describe();
    measureCopy();
    auto rows = readTable(options.archive + "/speed.txt", 4);
    // Entire models come last: their rooflines use the peak rates that the others have
    // reached.
    std::stable_partition(rows.begin(), rows.end(),
                          [](const auto &row) { return row[0] != "model"; });
    for (const auto &row : rows) {
      Line line(row);
      bool here =
          line.where == "both" || line.where == (gpu.driver.simulated ? "sim" : "gpu");
      if (!here || !options.matches(line.name))
        continue;
      SpeedResult result{.kind = line.kind, .name = line.name};
      try {
        measureLine(line, result);
      } catch (const Failure &failure) {
        result.failure = failure.what();
      }
      report.add(result);
    }
  }

private:
  void describe() {
    if (gpu.driver.simulated)
      report.note("times are modelled by the simulator and predict nothing");
    if (!cublas.problem().empty())
      report.skip("speed", "cuBLAS", cublas.problem());
    if (!nvml.problem().empty())
      report.skip("speed", "SM clock", nvml.problem());
    if (!cudnn.problem().empty())
      report.skip("speed", "cuDNN", cudnn.problem());
  }

  /// Measures the bandwidth that all results are compared with.
  void measureCopy() {
    uint64_t bytes = gpu.driver.simulated ? 1 << 20 : uint64_t(1) << 30;
    Copy copy(stream, bytes, 1);
    Measurement measurement{.rounds = options.rounds};
    measure(stream, nvml, {&copy.contender}, measurement);
    bytesPerMicrosecond = double(bytes) / copy.contender.median;
    SpeedResult result{.kind = "copy", .name = "copy_1GiB"};
    if (gpu.driver.simulated)
      result.name = "copy_1MiB";
    result.kiln = result.copy = copy.contender.median;
    result.bytes = double(bytes);
    result.clockMhz = measurement.clockMhz;
    result.sets = 1;
    report.add(result);
  }

  void measureLine(const Line &line, SpeedResult &result) {
    double scale = line.keys.count("scale") ? std::atof(line.text("scale").c_str()) : 1;
    Workload work(stream, loadModel(options.archive + "/" + line.package, options.target),
                  parseDims(line.text("dims"), line.name), scale);
    for (StepCost cost : work.costs()) {
      result.bytes += cost.bytes;
      result.flops += cost.flops;
    }
    Contender kiln{[&](uint32_t set) { work.launch(set); }};
    std::vector<Contender *> contenders = {&kiln};
    std::optional<Copy> copy;
    if (line.kind == "gemv" || line.kind == "rows")
      contenders.push_back(
          &copy.emplace(stream, uint64_t(result.bytes), work.sets()).contender);
    std::unique_ptr<Peer> peer = peerOf(line, work);
    if (peer)
      contenders.push_back(&peer->contender);
    Measurement measurement{.sets = work.sets(), .rounds = options.rounds};
    measure(stream, nvml, contenders, measurement);
    result.kiln = kiln.median;
    result.copy = copy ? copy->contender.median : 0;
    result.clockMhz = measurement.clockMhz;
    result.sets = work.sets();
    if (peer)
      peer->compare(work, result);
    flopsPerMicrosecond =
        std::max({flopsPerMicrosecond, result.flops / result.kiln,
                  result.peerTime > 0 ? result.flops / result.peerTime : 0.0});
    for (StepCost cost : work.costs())
      result.roofline +=
          std::max(cost.bytes / bytesPerMicrosecond, cost.flops / flopsPerMicrosecond);
  }

  /// Returns the baseline library for a line; null if there is none, or if it has no
  /// kernel for this line, which is reported.
  std::unique_ptr<Peer> peerOf(const Line &line, const Workload &work) {
    if (line.number("m") && cublas.problem().empty())
      return std::make_unique<Peer>(
          stream, work, "cuBLAS", [&](uint32_t set, Stream into, Address result) {
            cublas.multiply(into, line.number("m"), line.number("n"), line.number("k"),
                            line.text("layout") == "nt", work.input(set, 0),
                            work.input(set, 1), result);
          });
    if (line.kind != "attention" || !cudnn.problem().empty())
      return nullptr;
    AttentionShape shape{line.number("batch"), line.number("heads"),
                         line.number("length"), line.number("size")};
    try {
      auto attention = std::make_shared<CudnnAttention>(cudnn, gpu, shape);
      return std::make_unique<Peer>(
          stream, work, "cuDNN",
          [&, attention](uint32_t set, Stream into, Address result) {
            attention->run(into, work.input(set, 0), work.input(set, 1),
                           work.input(set, 2), result);
          });
    } catch (const Failure &failure) {
      report.skip("speed", "cuDNN for " + line.name, failure.what());
      return nullptr;
    }
  }

  const Gpu &gpu;
  const Options &options;
  Report &report;
  OwnStream stream;
  Nvml nvml;
  Cublas cublas;
  Cudnn cudnn;
  double bytesPerMicrosecond = 0, flopsPerMicrosecond = 0; ///< best rates of this run
};
} // namespace

void kiln::gpucheck::measureSpeed(const Gpu &gpu, const Options &options,
                                  Report &report) {
  Speed(gpu, options, report).run();
}
