//===- GemmBench.cpp - Speed of generated GEMM kernels --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the fraction of the multiply-add peak that each shape reaches with cold weights.
// The peak is measured before and after every timing in the same process. Not a test, as
// machines differ. Usage: GemmBench [target] [mr,group,mc,panels,kc,strip]
//
//===----------------------------------------------------------------------===//

#include "KernelHarness.h"
#include "kiln/Codegen/EmitKernel.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace kiln;
using namespace kiln::test;

/// CPU time of this thread, so that other processes do not count.
static double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Returns a loop of independent multiply-adds on full vector registers.
static std::string peakProgram(int64_t lanes) {
  std::string text = R"(tile.kernel @peak(%a: !tile.buffer<f32>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
      attributes {{symbols = [], hero = "peak", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {{
    %c0 = arith.constant 0 : index
    %k = arith.constant 4000 : index
    %zero = arith.constant 0.0 : f32
    %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<12x4000xf32, [0, 0]>
    %B = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4000x{0}xf32, [0, 1]>
    %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<12x{0}xf32, [{0}, 1]>
    %z = tile.fill %zero : f32 -> !tile.frag<12x{0}xf32>
    %r = tile.pipeline %c0 to %k step %k init(%z) : !tile.frag<12x{0}xf32> load {{
    ^bb0(%p: index):
      %sa = tile.stage %A[%c0, %c0] : !tile.view<12x4000xf32, [0, 0]> -> !tile.staged<12x4000xf32>
      %sb = tile.stage %B[%c0, %c0] : !tile.view<4000x{0}xf32, [0, 1]> -> !tile.staged<4000x{0}xf32>
      tile.yield %sa, %sb : !tile.staged<12x4000xf32>, !tile.staged<4000x{0}xf32>
    } compute {{
    ^bb0(%p: index, %sa: !tile.staged<12x4000xf32>, %sb: !tile.staged<4000x{0}xf32>, %x: !tile.frag<12x{0}xf32>):
      %n = tile.mma %sa, %sb, %x : !tile.staged<12x4000xf32>, !tile.staged<4000x{0}xf32>, !tile.frag<12x{0}xf32>
      tile.yield %n : !tile.frag<12x{0}xf32>
    }
    tile.store %r, %C[%c0, %c0] : !tile.frag<12x{0}xf32>, !tile.view<12x{0}xf32, [{0}, 1]>
  })";
  return llvm::formatv(text.c_str(), lanes).str();
}

int main(int argc, char **argv) {
  std::string name = argc > 1 ? argv[1] : "x86-64-v3";
  std::optional<TargetInfo> target = targetOrSkip(name);
  if (!target)
    return 1;
  mlir::MLIRContext context;
  int64_t lanes = target->lanes(4);
  std::unique_ptr<LoadedImage> peak = compile(context, peakProgram(lanes), *target);
  std::vector<float> ones(64, 1.f), sink(12 * 16);
  void *peakBuffers[] = {ones.data(), sink.data()};
  auto samplePeak = [&] {
    double start = now();
    for (int i = 0; i < 4; ++i)
      peak->kernel("peak")(peakBuffers, nullptr, 0, 1, nullptr);
    return 4 * 4000.0 * 12 * lanes * 2 / (now() - start);
  };
  struct Shape {
    int64_t m, k, n;
  };
  for (Shape s : {Shape{128, 768, 768}, {128, 768, 3072}, {128, 3072, 768}, {16, 384, 1536},
                  {128, 384, 384}, {128, 384, 1536}, {128, 1536, 384}, {7, 384, 1536},
                  {1, 768, 3072}}) {
    std::string text = llvm::formatv(R"(
      #x = #graph.shape<[m] -> [m, {0}]>
      #y = #graph.shape<[m] -> [m, {1}]>
      graph.symbol @m in [0, 512]
      func.func @main(%x: tensor<?x{0}xf32, #x>, %w: tensor<{2}x{0}x16xf32>, %v: tensor<{1}xf32>) {{
        %r = graph.kernel "matmul" (%a = %x, %b = %w, %bias = %v) : (tensor<?x{0}xf32, #x>, tensor<{2}x{0}x16xf32>, tensor<{1}xf32>) -> tensor<?x{1}xf32, #y> {{
          %u = graph.unpack %b : (tensor<{2}x{0}x16xf32>) -> tensor<{0}x{1}xf32>
          %p = graph.matmul %a, %u : (tensor<?x{0}xf32, #x>, tensor<{0}x{1}xf32>) -> tensor<?x{1}xf32, #y>
          %y = graph.binary add %p, %bias : (tensor<?x{1}xf32, #y>, tensor<{1}xf32>) -> tensor<?x{1}xf32, #y>
          graph.yield %y : tensor<?x{1}xf32, #y>
        }
        return
      })",
                                     s.k, s.n, s.n / 16)
                           .str();
    double compileStart = now();
    auto kernel = buildKernel(
        context, text, *target,
        [&](graph::KernelOp op, const TargetInfo &info,
            mlir::OpBuilder &builder) -> mlir::FailureOr<tile::KernelOp> {
          tile::GemmConfigAttr config;
          long v[6];
          if (argc > 2 && std::sscanf(argv[2], "%ld,%ld,%ld,%ld,%ld,%ld", v, v + 1, v + 2, v + 3,
                                      v + 4, v + 5) == 6)
            config = tile::GemmConfigAttr::get(&context, v[0], 16, v[2], v[3], v[4], 4, v[1],
                                               v[5] != 0);
          return codegen::emitKernel(op, info, builder, config);
        });
    if (!kernel)
      return 1;
    double compileTime = now() - compileStart;
    size_t copies = std::max<size_t>(160000000 / (s.k * s.n * 4), 1);
    std::vector<float> a = randomFloats(s.m * s.k, 1), bias(s.n), c(s.m * s.n);
    std::vector<float> w(copies * s.k * s.n + 1024, 0.5f);
    std::vector<double> rates, times;
    int64_t tasks = evaluate(kernel->kernel.getGrid(), {s.m});
    std::vector<char> scratch(evaluate(kernel->kernel.getScratch(), {s.m}) + 64);
    auto address = (reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64;
    auto function = kernel->image->kernel(kernel->kernel.getSymName());
    double until = now() + 1.5;
    for (size_t round = 0; now() < until; ++round) {
      auto *weights = reinterpret_cast<float *>(
          (reinterpret_cast<uintptr_t>(w.data() + round % copies * s.k * s.n) + 63) / 64 * 64);
      void *buffers[] = {a.data(), weights, bias.data(), c.data()};
      double before = samplePeak(), start = now();
      function(buffers, &s.m, 0, tasks, reinterpret_cast<void *>(address));
      double time = now() - start, rate = 2.0 * s.m * s.k * s.n / time;
      rates.push_back(rate / std::max(before, samplePeak()));
      times.push_back(time);
    }
    std::sort(rates.begin(), rates.end());
    std::sort(times.begin(), times.end());
    std::printf("%4ld,%4ld,%4ld: p50 %5.1f %%  p90 %5.1f %%  %8.1f us  %5.1f GF/s peak %5.1f (%zu rounds, "
                "%ld tasks, %zu bytes, compiled in %.0f ms)\n",
                s.m, s.k, s.n, rates[rates.size() / 2] * 100, rates[rates.size() * 9 / 10] * 100,
                times[times.size() / 2] * 1e6, 2e-9 * s.m * s.k * s.n / times[times.size() / 2],
                samplePeak() * 1e-9, rates.size(), tasks, kernel->image->image.bytes.size(), compileTime * 1e3);
    std::fflush(stdout);
  }
  return 0;
}
