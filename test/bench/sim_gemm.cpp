//===- sim_gemm.cpp - How fast the simulated GPU multiplies ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sim-gemm PTX: times the launch of a 128 x 768 x 768 bf16 GEMM, the program
// wgmma_pipeline, through the driver library in KILN_CUDA_DRIVER. Prints wall time and
// CPU time of all cores; KILN_SIM_CHECK and KILN_SIM_ISA apply. Fails if the CPU time
// exceeds two seconds, which other work on the machine does not affect.
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"
#include "test/sim/cuda/host/tensor.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>

using namespace kiln::sim::programs;

namespace {
constexpr int M = 128, N = 768, K = 768, Runs = 3;
constexpr double Limit = 2;

ModuleHandle load(const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file)
    throw Failure(std::string("cannot read ") + path);
  int device = 0;
  Context context = nullptr;
  ModuleHandle module = nullptr;
  require(driver().cuInit(0), "cuInit");
  require(driver().cuDeviceGet(&device, 0), "cuDeviceGet");
  require(driver().cuDevicePrimaryCtxRetain(&context, device),
          "cuDevicePrimaryCtxRetain");
  require(driver().cuCtxSetCurrent(context), "cuCtxSetCurrent");
  require(driver().cuModuleLoadData(&module, text.str().c_str()), "cuModuleLoadData");
  return module;
}

Tensor tensor(int rows, uint32_t box) {
  return {.element = Element::Bf16,
          .bytes = 2,
          .sizes = {uint64_t(K), uint64_t(rows)},
          .box = {64, box},
          .swizzle = SwizzleMode::Bytes128};
}

int run(const char *path) {
  Test test("wgmma_pipeline", "sm_90a", load(path));
  std::vector<uint16_t> ones(size_t(N) * K, 0x3f80);
  Buffer<uint16_t> a(std::vector<uint16_t>(ones.begin(), ones.begin() + M * K)), b(ones);
  Buffer<float> c(size_t(M) * N);
  Shape shape = {
      .grid = {N / 256, M / 128}, .block = {384}, .shared = 4 * (128 + 256) * 128 + 1024};
  Kernel kernel = test.kernel("wgmma_pipeline");
  TensorMap mapA = tensor(M, 128).map(a.address()),
            mapB = tensor(N, 256).map(b.address());
  double wall = 1e9, cores = 1e9;
  for (int i = 0; i < Runs; ++i) {
    std::clock_t busy = std::clock();
    auto start = std::chrono::steady_clock::now();
    kernel(shape, mapA, mapB, c, N, K);
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    wall = std::min(wall, passed.count());
    cores = std::min(cores, double(std::clock() - busy) / CLOCKS_PER_SEC);
  }
  test.equal(c.download(), std::vector<float>(size_t(M) * N, K), "wgmma_pipeline");
  std::printf("%d x %d x %d bf16: %.3f s, %.3f s of all cores, %.2f GFLOP/s a core\n", M,
              N, K, wall, cores, 2e-9 * M * N * K / cores);
  return test.failures || cores > Limit;
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: sim-gemm wgmma_pipeline.sm_90a.ptx\n");
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
