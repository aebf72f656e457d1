//===- bits.cpp - Tensor cores against the simulator ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/bits.h"
#include "tools/gpu_check/vectors.h"
#include <filesystem>
#include <map>

using namespace kiln::gpucheck;

namespace {
using Sums = std::vector<std::vector<uint32_t>>;

constexpr size_t MaxDifferencesWritten = 4;

/// Runs one MMA instruction on one GPU.
class Runner {
public:
  Runner(const Gpu &gpu, const Product &product)
      : gpu(entered(gpu)), product(product), kernel(gpu, product.ptx(), "product") {}
  ~Runner() { (void)gpu.driver.setCurrent(nullptr); }

  /// Returns D for each of the operands, computed by one launch.
  Sums run(const std::vector<Operands> &operands) {
    gpu.enter();
    std::vector<uint8_t> a, b, c;
    for (const Operands &one : operands) {
      appendPacked(a, product.a, one.a);
      appendPacked(b, product.b, one.b);
      appendPacked(c, product.sum, one.c);
    }
    Buffer deviceA(gpu, a), deviceB(gpu, b), deviceC(gpu, c), deviceD(gpu, c.size());
    kernel.launch(unsigned(operands.size()), product.threads(),
                  {deviceA.address, deviceB.address, deviceC.address, deviceD.address});
    deviceD.download(c.data());
    Sums out;
    for (size_t i = 0; i < operands.size(); ++i)
      out.push_back(unpack(c.data() + i * product.bytesSum(), product.sum,
                           size_t(product.m * product.n)));
    return out;
  }

private:
  static const Gpu &entered(const Gpu &gpu) {
    gpu.enter();
    return gpu;
  }
  const Gpu &gpu;
  const Product &product;
  Kernel kernel;
};

/// Seed of an instruction and pattern (FNV-1a): its operands do not depend on what else
/// is checked.
uint64_t seedOf(uint64_t seed, const std::string &name) {
  uint64_t hash = 0xcbf29ce484222325 ^ seed;
  for (char c : name)
    hash = (hash ^ uint8_t(c)) * 0x100000001b3;
  return hash;
}

std::string fileName(const Product &product) {
  std::string name = product.instruction();
  for (const char *noise : {".sync.aligned", ".row.col"})
    if (size_t at = name.find(noise); at != std::string::npos)
      name.erase(at, std::string(noise).size());
  return name;
}

/// Compares all patterns of one instruction.
class Comparison {
public:
  Comparison(const Gpu &gpu, const Gpu &reference, const Product &product,
             const Options &options)
      : product(product), options(options), device(gpu, product),
        simulator(reference, product) {
    different.product = agreeing.product = &product;
    different.capability = agreeing.capability = gpu.capability;
    different.device = agreeing.device = gpu.name;
    result.instruction = product.instruction();
  }

  BitsResult run() {
    for (const Pattern &pattern : patterns())
      compare(pattern);
    write(different, "vectors", fileName(product) + ".txt");
    write(agreeing, "frozen",
          fileName(product) + "." + std::to_string(agreeing.capability) + ".txt");
    return result;
  }

private:
  void compare(const Pattern &pattern) {
    Random random(seedOf(options.seed, result.instruction + " " + pattern.name));
    std::vector<Operands> operands;
    for (uint32_t i = 0; i < options.vectors; ++i)
      operands.push_back(pattern.make(product, random));
    Sums got = device.run(operands), want = simulator.run(operands);
    uint64_t wrong = 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      bool same = got[i] == want[i];
      wrong += !same;
      result.inexact += std::string(pattern.name) == "whole" &&
                        got[i] != exactSums(product, operands[i]);
      bool written = same ? i < options.freeze : wrong <= MaxDifferencesWritten;
      if (written)
        (same ? agreeing : different)
            .vectors.push_back({pattern.name, i, operands[i], got[i],
                                same ? std::vector<uint32_t>() : want[i]});
    }
    result.vectors += operands.size();
    result.different += wrong;
    if (wrong)
      result.patterns += (result.patterns.empty() ? "" : " ") + std::string(pattern.name);
  }

  void write(const VectorFile &file, const char *folder, const std::string &name) {
    if (file.vectors.empty())
      return;
    std::filesystem::path place = std::filesystem::path(options.out) / folder;
    std::filesystem::create_directories(place);
    writeVectors((place / name).string(), file);
  }

  const Product &product;
  const Options &options;
  Runner device, simulator;
  VectorFile different, agreeing;
  BitsResult result;
};
} // namespace

void kiln::gpucheck::checkBits(const Gpu &gpu, const Gpu &reference,
                               const Options &options, Report &report) {
  for (const Product &product : products()) {
    std::string name = product.instruction();
    if (!options.matches(name))
      continue;
    if (!product.runsOn(gpu.capability) || !product.runsOn(reference.capability)) {
      report.skip("bits", name,
                  std::string("needs ") + product.target() + ", this is sm_" +
                      std::to_string(std::min(gpu.capability, reference.capability)));
      continue;
    }
    report.add(Comparison(gpu, reference, product, options).run());
  }
  gpu.enter();
}

void kiln::gpucheck::replayVectors(const Options &options, Report &report) {
  std::map<std::string, std::unique_ptr<Gpu>> gpus;
  for (const std::string &path : options.files) {
    VectorFile file = readVectors(path);
    std::string name =
        options.deviceGiven ? options.device : "sim:" + profileOf(file.capability);
    std::unique_ptr<Gpu> &gpu = gpus[name];
    DeviceName device(name);
    if (!gpu)
      gpu = device.simulated ? openReference(device.profile, 0) : openGpu(device);
    if (!file.product->runsOn(gpu->capability)) {
      report.skip("bits", path, std::string("needs ") + file.product->target());
      continue;
    }
    std::vector<Operands> operands;
    for (const Vector &vector : file.vectors)
      operands.push_back(vector.operands);
    Sums got = Runner(*gpu, *file.product).run(operands);
    BitsResult result{.instruction = path, .vectors = got.size()};
    for (size_t i = 0; i < got.size(); ++i) {
      bool same = got[i] == file.vectors[i].device;
      result.different += !same;
      const std::string &pattern = file.vectors[i].pattern;
      if (!same && result.patterns.find(pattern) == std::string::npos)
        result.patterns += (result.patterns.empty() ? "" : " ") + pattern;
    }
    report.add(result);
  }
}
