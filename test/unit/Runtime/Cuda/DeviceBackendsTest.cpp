//===- DeviceBackendsTest.cpp - Backend suite on simulated GPUs -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank is a thread with its own GPU. It makes the same calls in the same order as
// cuda::Collectives: all ranks enqueue, synchronize on the host, and wait for the stream
// while checking each other.
//
//===----------------------------------------------------------------------===//
#include "../BackendSuite.h"
#include "../CollectiveReference.h"
#include "kiln/abi.h"
#include "runtime/collective/thread_backend.h"
#include "runtime/device/cuda/nccl_backend.h"
#include "runtime/device/cuda/peer_backend.h"
#include <thread>

using namespace kiln::rt;
using namespace kiln::rt::cuda;
using namespace kiln::test;
using namespace std::chrono_literals;

//===----------------------------------------------------------------------===//
// A sum over peer memory
//===----------------------------------------------------------------------===//

static std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Returns an f32 kernel as kiln/abi.h defines it: one thread per block adds up to 1024
/// elements of all ranks in one shot. Every `@` is replaced by the number of a rank.
static std::string peerSumPtx(uint32_t ranks) {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".visible .entry sum(.param .u64 p0";
  for (uint32_t i = 1; i < 7 + 2 * ranks; ++i)
    text += ", .param .u64 p" + std::to_string(i);
  text += ")\n{\n.reg .b64 %a, %b, %c, %d, %n, %i, %t, %m;\n.reg .b32 %r, %q, %e, %k;\n"
          ".reg .f32 %x, %y;\n.reg .pred %p;\n"
          "mov.u32 %r, %ctaid.x;\nld.param.u64 %a, [p3];\nld.global.u32 %k, [%a+256];\n"
          "cvt.u64.u32 %b, %r;\nshl.b64 %t, %b, 2;\nadd.u64 %a, %a, %t;\n"
          "ld.global.u32 %e, [%a];\nadd.u32 %e, %e, 1;\nst.global.u32 [%a], %e;\n"
          // Elements of the block: %n of them, from byte %b on.
          "ld.param.u64 %n, [pSYMBOL];\nmul.lo.u64 %t, %b, 1024;\nsub.u64 %n, %n, %t;\n"
          "min.u64 %n, %n, 1024;\nshl.b64 %b, %t, 2;\n"
          // Start of the rank's staging buffers: in this epoch's half.
          "and.b32 %q, %e, 1;\nmul.lo.u32 %q, %q, 64;\nadd.u32 %q, %q, %r;\n"
          "mul.lo.u32 %q, %q, RANKS;\ncvt.u64.u32 %m, %q;\nshl.b64 %m, %m, 12;\n";
  const std::string give =
      "ld.param.u64 %c, [pSTAGING];\nadd.u64 %c, %c, %m;\ncvt.u64.u32 %t, %k;\n"
      "shl.b64 %t, %t, 12;\nadd.u64 %c, %c, %t;\nld.param.u64 %a, [p0];\n"
      "add.u64 %a, %a, %b;\nmov.u64 %i, 0;\n"
      "GIVE@: ld.global.f32 %x, [%a];\nst.global.f32 [%c], %x;\nadd.u64 %a, %a, 4;\n"
      "add.u64 %c, %c, 4;\nadd.u64 %i, %i, 1;\nsetp.lt.u64 %p, %i, %n;\n@%p bra GIVE@;\n"
      "ld.param.u64 %d, [pFLAGS];\nmul.lo.u32 %q, %r, RANKS;\nadd.u32 %q, %q, %k;\n"
      "cvt.u64.u32 %t, %q;\nshl.b64 %t, %t, 2;\nadd.u64 %d, %d, %t;\n"
      "st.release.sys.global.u32 [%d], %e;\n";
  const std::string await =
      "ld.param.u64 %d, [p5];\nmul.lo.u32 %q, %r, RANKS;\nadd.u32 %q, %q, @;\n"
      "cvt.u64.u32 %t, %q;\nshl.b64 %t, %t, 2;\nadd.u64 %d, %d, %t;\n"
      "AWAIT@: ld.acquire.sys.global.b32 %q, [%d];\nsub.s32 %q, %q, %e;\n"
      "setp.ge.s32 %p, %q, 0;\n@%p bra CAME@;\nld.param.u64 %c, [p1];\n"
      "ld.relaxed.sys.global.b32 %q, [%c];\nsetp.eq.s32 %p, %q, 0;\n@%p bra AWAIT@;\n"
      "bra DONE;\nCAME@:\n";
  auto ofRank = [&](std::string part, uint32_t rank) {
    part = replaced(part, "STAGING", std::to_string(6 + rank));
    part = replaced(part, "FLAGS", std::to_string(6 + ranks + rank));
    return replaced(replaced(replaced(part, "@%p", "?%p"), "@", std::to_string(rank)),
                    "?%p", "@%p");
  };
  for (const std::string *part : {&give, &await})
    for (uint32_t rank = 0; rank < ranks; ++rank)
      text += ofRank(*part, rank);
  text += "ld.param.u64 %c, [p4];\nadd.u64 %c, %c, %m;\nld.param.u64 %a, [p2];\n"
          "add.u64 %a, %a, %b;\nmov.u64 %i, 0;\nSUM: ld.global.f32 %y, [%c];\n";
  for (uint32_t rank = 1; rank < ranks; ++rank)
    text += "ld.global.f32 %x, [%c+" + std::to_string(rank * 4096) +
            "];\nadd.rn.f32 %y, %y, %x;\n";
  text += "st.global.f32 [%a], %y;\nadd.u64 %a, %a, 4;\nadd.u64 %c, %c, 4;\n"
          "add.u64 %i, %i, 1;\nsetp.lt.u64 %p, %i, %n;\n@%p bra SUM;\nDONE:\nret;\n}\n";
  text = replaced(text, "SYMBOL", std::to_string(6 + 2 * ranks));
  return replaced(text, "RANKS", std::to_string(ranks));
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

namespace {
constexpr uint32_t gpus = 4;

/// Returns the GPUs of this program, opened by the first test.
std::shared_ptr<const Context> contextOf(uint32_t rank) {
  static std::vector<std::shared_ptr<const Context>> contexts = [] {
    setenv("KILN_SIM_DEVICES", "a100,a100,a100,a100", 1);
    setenv("KILN_NCCL_LIBRARY", KILN_TEST_SIM_NCCL, 1);
    std::vector<std::shared_ptr<const Context>> all(gpus);
    std::shared_ptr<const Driver> driver;
    Status opened = Driver::open(KILN_TEST_SIM_DRIVER, "cuda", "", driver);
    EXPECT_TRUE(opened.ok()) << opened.message();
    for (uint32_t i = 0; i < gpus; ++i) {
      Status made = Context::create(driver, static_cast<int>(i), "cuda", all[i]);
      EXPECT_TRUE(made.ok()) << made.message();
    }
    return all;
  }();
  return contexts[rank];
}

class GpuRankUnderTest final : public TestRank {
public:
  /// Makes a rank in two stages if there are four ranks, otherwise in one.
  explicit GpuRankUnderTest(const ProcessGroup &group)
      : group(group), perStage(group.size() < 4 ? group.size() : group.size() / 2),
        context(contextOf(group.rank())), driver(*context->driver) {}

  Status open(const GpuBackend &row) {
    Current current(*context);
    KILN_TRY(row.open({context, group, perStage}, /*isRequired=*/true, backend));
    EXPECT_STREQ(backend->name(), row.name);
    KILN_TRY(driver.check(driver.streamCreate(&stream, CU_STREAM_NON_BLOCKING),
                          "cuStreamCreate", "a test"));
    KILN_TRY(driver.check(driver.eventCreate(&done, CU_EVENT_DISABLE_TIMING),
                          "cuEventCreate", "a test"));
    return loadKernel();
  }
  Status begin() {
    Current current(*context);
    RunForm form = RunForm::Steps;
    return backend->begin(form);
  }
  ~GpuRankUnderTest() override {
    Current current(*context);
    backend.reset();
    if (stream)
      (void)driver.streamDestroy(stream);
    if (done)
      (void)driver.eventDestroy(done);
    if (module)
      (void)driver.moduleUnload(module);
  }

  uint32_t rank() const override { return group.rank(); }
  bool supports(const CollectiveCall &given) const override {
    return backend->supports(withKernels(given));
  }
  void fail(const Failure &what) override { group.backend().fail(rank(), what); }
  void noteStep() override { group.noteStep(); }

  Status run(const CollectiveCall &given) override {
    Current current(*context);
    CollectiveCall call = withKernels(given.resolved(group.size()));
    Memory from, to; // freed when no work on the GPU is pending
    Status ended = runOnGpu(call, from, to);
    if (!ended.ok())
      backend->abort();
    (void)driver.streamSynchronize(stream);
    return ended;
  }

private:
  Status loadKernel() {
    std::string ptx = peerSumPtx(perStage);
    KILN_TRY(
        driver.check(driver.moduleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr),
                     "cuModuleLoadDataEx", "a test"));
    KILN_TRY(driver.check(driver.moduleGetFunction(&code.function, module, "sum"),
                          "cuModuleGetFunction", "a test"));
    block.threads = 1;
    code.block = &block;
    kernels.whole = &code;
    kernels.symbols = symbols;
    kernels.words.resize(7 + 2 * perStage);
    for (uint64_t &word : kernels.words)
      kernels.parameters.push_back(&word);
    return {};
  }

  /// A package has kernels for f32 sums over a stage.
  CollectiveCall withKernels(CollectiveCall call) const {
    bool hasKernel = call.kind == CollectiveKind::AllReduce &&
                     call.reduction == Reduction::Sum && call.dtype == KILN_DTYPE_F32 &&
                     call.members == call.count;
    call.kernels = hasKernel ? &kernels : nullptr;
    return call;
  }

  Status runOnGpu(CollectiveCall call, Memory &from, Memory &to) {
    auto size = kiln_dtype_size(call.dtype);
    size_t fromBytes = static_cast<size_t>(operandCount(call)) * size;
    size_t toBytes = static_cast<size_t>(resultCount(call)) * size;
    void *result = call.to;
    bool isInPlace = call.from == call.to;
    KILN_TRY(Memory::onDevice(context, fromBytes, "an operand", from));
    KILN_TRY(Memory::onDevice(context, isInPlace ? 0 : toBytes, "a result", to));
    if (fromBytes)
      KILN_TRY(driver.check(
          driver.memcpyHtoDAsync(from.device(), call.from, fromBytes, stream),
          "cuMemcpyHtoDAsync", "a test"));
    CUdeviceptr target = isInPlace ? from.device() : to.device();
    call.from = reinterpret_cast<const void *>(from.device());
    call.to = reinterpret_cast<void *>(target);
    KILN_TRY(enqueue(call));
    KILN_TRY(group.barrier(call.step));
    KILN_TRY(await(call.step));
    if (call.receives(rank()) && toBytes)
      KILN_TRY(driver.check(driver.memcpyDtoHAsync(result, target, toBytes, stream),
                            "cuMemcpyDtoHAsync", "a test"));
    return driver.check(driver.streamSynchronize(stream), "cuStreamSynchronize",
                        "a test");
  }

  Status enqueue(const CollectiveCall &call) {
    auto where = [&] { return placeText(rank(), call.step); };
    KILN_TRY(group.health(call.step));
    const int64_t count = call.outer * call.inner;
    if (call.kernels)
      call.kernels->bind({&count, 1});
    if (call.bytes())
      KILN_TRY(backend->enqueue(call, stream, where));
    return driver.check(driver.eventRecord(done, stream), "cuEventRecord", where);
  }

  Status await(uint32_t step) {
    for (auto end = std::chrono::steady_clock::now() + 30s;;) {
      CUresult result = driver.eventQuery(done);
      if (result == CUDA_SUCCESS)
        return {};
      if (result != CUDA_ERROR_NOT_READY)
        return driver.check(result, "cuEventQuery", "a test");
      KILN_TRY(group.health(step));
      KILN_TRY(backend->health(step));
      if (std::chrono::steady_clock::now() > end)
        return Failure{Code::RankLate, placeText(rank(), step), backend->advice()};
      std::this_thread::sleep_for(50us);
    }
  }

  const ProcessGroup group;
  const uint32_t perStage;
  const std::shared_ptr<const Context> context;
  const Driver &driver;
  std::unique_ptr<DeviceBackend> backend;
  CUstream stream = nullptr;
  CUevent done = nullptr;
  CUmodule module = nullptr;
  Block block = {};
  DeviceCode code;
  const uint32_t symbols[1] = {0};
  mutable CollectiveKernels kernels; ///< bound by a run
};

/// A group whose ranks are threads of this process.
template <auto row> class Gpus final : public TestGroup {
public:
  Gpus(uint32_t size, std::chrono::milliseconds timeout) : world(size, timeout) {
    for (uint32_t rank = 0; rank < size; ++rank) {
      ranks.push_back(std::make_unique<GpuRankUnderTest>(
          ProcessGroup(rank, size, world.backend(rank))));
      Status opened = ranks.back()->open(gpuBackends()[row]);
      EXPECT_TRUE(opened.ok()) << opened.message();
    }
  }
  std::vector<std::string> onAll(const RankBody &body) override {
    world.begin();
    std::vector<std::string> texts(world.size());
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < world.size(); ++rank)
      threads.emplace_back([&, rank] {
        Status begun = ranks[rank]->begin();
        texts[rank] = begun.ok() ? body(*ranks[rank]) : begun.message();
      });
    for (std::thread &thread : threads)
      thread.join();
    return texts;
  }
  bool recovers() const override { return true; }

private:
  ThreadWorld world;
  std::vector<std::unique_ptr<GpuRankUnderTest>> ranks;
};

template <auto row>
std::unique_ptr<TestGroup> startGpus(uint32_t ranks, std::chrono::milliseconds timeout) {
  return std::make_unique<Gpus<row>>(ranks, timeout);
}
} // namespace

INSTANTIATE_TEST_SUITE_P(Device, BackendSuite,
                         testing::Values(BackendUnderTest{.name = "peer",
                                                          .obstacle = noObstacle,
                                                          .start = startGpus<0>,
                                                          .sizes = {2, 3},
                                                          .takesLarge = false,
                                                          .comparesCalls = false},
                                         BackendUnderTest{.name = "nccl",
                                                          .obstacle = noObstacle,
                                                          .start = startGpus<1>,
                                                          .sizes = {2, 3},
                                                          .comparesCalls = false}),
                         nameOf);
