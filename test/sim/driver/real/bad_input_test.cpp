//===- bad_input_test.cpp - Mistakes of programs ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses the library that programs load, including the interpreter: each mistake gives the
// driver's error and a message on stderr that names the cause, and the process survives.
//
#include "test/sim/driver/driver.h"
#include <gmock/gmock.h>

using namespace kiln::sim::cu;
using testing::HasSubstr;

namespace {

const std::string Header = ".version 8.8\n.target sm_90\n.address_size 64\n";
const std::string Kernels = Header + R"(
.extern .shared .align 16 .b8 dynamic[];
.global .u32 answer = 42;
.visible .entry fill(.param .u64 to, .param .u32 value) {
  .reg .b64 %d; .reg .b32 %r;
  ld.param.u64 %d, [to]; ld.param.u32 %r, [value]; st.global.u32 [%d], %r; ret;
}
.visible .entry dynamicShared() { .reg .b32 %r; mov.u32 %r, dynamic; ret; }
.visible .entry nothing() { ret; }
.visible .entry sixtyFour() .reqntid 64 { ret; }
.visible .entry pair() .reqnctapercluster 2 { ret; }
.visible .entry stuck() { again: bra again; }
.visible .entry endless() { .reg .b32 %r; mov.u32 %r, 0; again: add.u32 %r, %r, 1; bra again; }
)";

/// Returns a kernel with 120 values that are live at the same time.
std::string greedyKernel(const std::string &name, const std::string &directives) {
  std::string body = ".visible .entry " + name + "(.param .u64 to) " + directives +
                     " {\n.reg .b32 %r<121>; .reg .b64 %d;\n";
  for (int n = 0; n < 120; ++n)
    body += "mov.u32 %r" + std::to_string(n) + ", %clock;\n";
  body += "mov.u32 %r120, 0;\n";
  for (int n = 0; n < 120; ++n)
    body += "xor.b32 %r120, %r120, %r" + std::to_string(n) + ";\n";
  return body + "ld.param.u64 %d, [to]; st.global.u32 [%d], %r120; ret;\n}\n";
}

class BadInput : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_OK(cu.cuCtxCreate_v2(&context, 0, 0));
    std::string text =
        Kernels + greedyKernel("greedy", "") + greedyKernel("stated", ".maxntid 1024");
    ASSERT_OK(cu.cuModuleLoadData(&module, text.c_str()));
    testing::internal::CaptureStderr();
  }
  void TearDown() override {
    testing::internal::GetCapturedStderr();
    EXPECT_OK(cu.cuCtxDestroy_v2(context));
  }
  /// Returns the text printed to the standard error since the last call.
  std::string printed() {
    std::string text = testing::internal::GetCapturedStderr();
    testing::internal::CaptureStderr();
    return text;
  }
  CUfunction function(const char *name) {
    CUfunction result = nullptr;
    EXPECT_OK(cu.cuModuleGetFunction(&result, module, name));
    return result;
  }
  struct Shape {
    unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
  };
  CUresult launch(const char *name, const Shape &s, void **parameters = nullptr) {
    return cu.cuLaunchKernel(function(name), s.grid[0], s.grid[1], s.grid[2], s.block[0],
                             s.block[1], s.block[2], s.shared, nullptr, parameters,
                             nullptr);
  }
  /// Expects that the launch is refused and the context still works.
  void expectRefused(const char *name, const Shape &s, CUresult code, const char *why) {
    CUdeviceptr unused = 0;
    void *parameters[] = {&unused};
    EXPECT_CU(code, launch(name, s, parameters)) << name;
    EXPECT_THAT(printed(), HasSubstr(why)) << name;
    EXPECT_OK(launch("nothing", {}));
    EXPECT_OK(cu.cuCtxSynchronize());
  }
  const Driver &cu = driver();
  CUcontext context = nullptr;
  CUmodule module = nullptr;
};

TEST_F(BadInput, Modules) {
  CUmodule bad = nullptr;
  auto expect = [&](CUresult code, const std::string &text, const char *why) {
    EXPECT_CU(code, cu.cuModuleLoadData(&bad, text.c_str())) << text;
    EXPECT_THAT(printed(), HasSubstr(why)) << text;
  };
  expect(CUDA_ERROR_INVALID_PTX, Header + ".entry k() { frobnicate.u32 %r1; }",
         "line 4, column 14: `frobnicate`: unknown instruction");
  expect(CUDA_ERROR_INVALID_PTX, Header + ".entry k() { add.u32 %r1, 1, 2; }", "`%r1`");
  expect(CUDA_ERROR_INVALID_PTX, Header + ".entry k() {", "column");
  expect(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
         ".version 9.9\n.target sm_90\n.address_size 64\n.entry k() { ret; }",
         "`9.9`: the modelled driver takes PTX up to 9.0");
  expect(CUDA_ERROR_NO_BINARY_FOR_GPU,
         ".version 8.8\n.target sm_120\n.address_size 64\n.entry k() { ret; }",
         "the module is for sm_120, the device (h200) is sm_90");
  expect(CUDA_ERROR_NO_BINARY_FOR_GPU, std::string("\x7f") + "ELF\x02\x01\x01\x33",
         "cubin");
  EXPECT_OK(cu.cuModuleLoadData(&bad, Kernels.c_str()));
}

TEST_F(BadInput, LogsHoldTheMessage) {
  char log[256] = {};
  int options[] = {5, 6}; // CU_JIT_ERROR_LOG_BUFFER and its size
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  CUmodule bad = nullptr;
  std::string text = Header + ".entry k() { frobnicate; }";
  EXPECT_CU(CUDA_ERROR_INVALID_PTX,
            cu.cuModuleLoadDataEx(&bad, text.c_str(), 2,
                                  reinterpret_cast<CUjit_option *>(options), values));
  EXPECT_THAT(log, HasSubstr("`frobnicate`: unknown instruction"));
}

TEST_F(BadInput, ArgumentsOfTheWrongSize) {
  struct {
    CUdeviceptr to;
    uint32_t value, more;
  } block = {};
  for (size_t size : {8, 11, 16}) { // the kernel takes 12 bytes
    void *extra[] = {reinterpret_cast<void *>(1), &block, reinterpret_cast<void *>(2),
                     &size, nullptr};
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuLaunchKernel(function("fill"), 1, 1, 1, 1, 1,
                                                          1, 0, nullptr, nullptr, extra));
    EXPECT_THAT(printed(), HasSubstr("12")) << size;
  }
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch("fill", {}));
  void *hole[] = {&block.to, nullptr};
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch("fill", {}, hole));
}

TEST_F(BadInput, LaunchesOverEveryLimit) {
  for (unsigned n = 0; n < 3; ++n) {
    const unsigned most[] = {1024, 1024, 64};
    Shape none, blocks;
    none.grid[n] = 0;
    blocks.block[n] = most[n] + 1;
    expectRefused("nothing", none, CUDA_ERROR_INVALID_VALUE,
                  "dimension of grid or block is 0");
    expectRefused("nothing", blocks, CUDA_ERROR_INVALID_VALUE, "block dimension");
  }
  expectRefused("nothing", {.grid = {0x80000000, 1, 1}}, CUDA_ERROR_INVALID_VALUE,
                "grid dimension 0 is 2147483648; 1 to 2147483647 are possible");
  expectRefused("nothing", {.grid = {1, 65536, 1}}, CUDA_ERROR_INVALID_VALUE, "65535");
  expectRefused("nothing", {.grid = {1, 1, 65536}}, CUDA_ERROR_INVALID_VALUE, "65535");
  expectRefused("nothing", {.block = {64, 32, 1}}, CUDA_ERROR_INVALID_VALUE,
                "2048 threads per block");
  expectRefused("sixtyFour", {.block = {32, 1, 1}}, CUDA_ERROR_INVALID_VALUE, ".reqntid");
  expectRefused("dynamicShared", {.shared = 50000}, CUDA_ERROR_INVALID_VALUE,
                "shared memory");
  EXPECT_CU(
      CUDA_ERROR_INVALID_VALUE,
      cu.cuFuncSetAttribute(function("dynamicShared"), CUfunction_attribute(8), 232449));
  EXPECT_OK(
      cu.cuFuncSetAttribute(function("dynamicShared"), CUfunction_attribute(8), 232448));
  EXPECT_OK(launch("dynamicShared", {.shared = 232448}));
  expectRefused("dynamicShared", {.shared = 232449}, CUDA_ERROR_INVALID_VALUE,
                "shared memory");
  expectRefused("greedy", {.block = {1024, 1, 1}}, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                "not one block fits");
  // A kernel that declares its number of threads was compiled for it.
  for (auto [name, expected] : {std::pair("greedy", 0), std::pair("stated", 1)}) {
    int fit = -1;
    EXPECT_OK(
        cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&fit, function(name), 1024, 0));
    EXPECT_EQ(fit, expected) << name;
  }
  expectRefused("pair", {.grid = {3, 1, 1}}, CUDA_ERROR_INVALID_CLUSTER_SIZE, "cluster");
}

TEST_F(BadInput, HandlesAfterTheirEnd) {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUmodule other = nullptr;
  CUfunction gone = nullptr;
  ASSERT_OK(cu.cuStreamCreate(&stream, 0));
  ASSERT_OK(cu.cuEventCreate(&event, 0));
  ASSERT_OK(cu.cuGraphCreate(&graph, 0));
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  ASSERT_OK(cu.cuModuleLoadData(&other, Kernels.c_str()));
  ASSERT_OK(cu.cuModuleGetFunction(&gone, other, "nothing"));
  EXPECT_OK(cu.cuStreamDestroy_v2(stream));
  EXPECT_OK(cu.cuEventDestroy_v2(event));
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_OK(cu.cuGraphDestroy(graph));
  EXPECT_OK(cu.cuModuleUnload(other));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuStreamSynchronize(stream));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuStreamDestroy_v2(stream));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuEventRecord(event, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuEventDestroy_v2(event));
  EXPECT_NE(CUDA_SUCCESS, cu.cuGraphLaunch(exec, nullptr));
  EXPECT_NE(CUDA_SUCCESS, cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuModuleGetFunction(&gone, other, "nothing"));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE,
            cu.cuLaunchKernel(gone, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_OK(launch("nothing", {}));
}

TEST_F(BadInput, FreedPointersInGraphs) {
  CUdeviceptr to = 0;
  uint32_t value = 7;
  ASSERT_OK(cu.cuMemAlloc_v2(&to, 4));
  void *parameters[] = {&to, &value};
  CUDA_KERNEL_NODE_PARAMS node = {};
  node.func = function("fill");
  node.gridDimX = node.gridDimY = node.gridDimZ = 1;
  node.blockDimX = node.blockDimY = node.blockDimZ = 1;
  node.kernelParams = parameters;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphNode made = nullptr;
  ASSERT_OK(cu.cuGraphCreate(&graph, 0));
  ASSERT_OK(cu.cuGraphAddKernelNode_v2(&made, graph, nullptr, 0, &node));
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_OK(cu.cuGraphLaunch(exec, nullptr));
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_OK(cu.cuMemFree_v2(to));
  printed();
  cu.cuGraphLaunch(exec, nullptr);
  EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu.cuCtxSynchronize());
  EXPECT_THAT(printed(), HasSubstr("use after free"));
  EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu.cuCtxSynchronize()) << "the error stays";
  // Another context is not affected.
  CUcontext fresh = nullptr;
  EXPECT_OK(cu.cuCtxCreate_v2(&fresh, 0, 0));
  EXPECT_OK(cu.cuMemAlloc_v2(&to, 4));
  EXPECT_OK(cu.cuCtxDestroy_v2(fresh));
  EXPECT_OK(cu.cuCtxSetCurrent(context));
}

TEST_F(BadInput, LoopsThatNothingCanEnd) {
  EXPECT_OK(launch("stuck", {}));
  EXPECT_CU(CUDA_ERROR_LAUNCH_FAILED, cu.cuCtxSynchronize());
  EXPECT_THAT(printed(), HasSubstr("livelock: kernel stuck"));
}

TEST_F(BadInput, DISABLED_Endless) {
  EXPECT_OK(launch("endless", {}));
  EXPECT_CU(CUDA_ERROR_LAUNCH_TIMEOUT, cu.cuCtxSynchronize());
  EXPECT_THAT(printed(), HasSubstr("timeout: kernel endless: not done after 1 s"));
  EXPECT_CU(CUDA_ERROR_LAUNCH_TIMEOUT, cu.cuCtxSynchronize());
}
TEST(Variables, DISABLED_BadInit) {
  EXPECT_CU(CUDA_ERROR_NO_DEVICE, rawDriver().cuInit(0));
}
TEST(Variables, MistakesAreNamed) {
  const std::pair<const char *, const char *> mistakes[] = {
      {"KILN_SIM_CHECK", "init,rases"},  {"KILN_SIM_SCHEDULE", "late,sideways"},
      {"KILN_SIM_TIMEOUT", "soon"},      {"KILN_SIM_TIMEOUT", "0"},
      {"KILN_SIM_TIMEOUT", "5 minutes"}, {"KILN_SIM_THREADS", "-1"},
      {"KILN_SIM_ISA", "avx1024"},       {"KILN_SIM_APPROX", "worst:x"},
      {"KILN_SIM_APPROX", "sloppy"}};
  for (auto [name, value] : mistakes) {
    Child child = runChild("Variables.DISABLED_BadInit", {{name, value}});
    EXPECT_EQ(child.status, 0) << name << "=" << value << "\n" << child.output;
    EXPECT_THAT(child.output,
                HasSubstr("kiln-sim: cuInit: " + std::string(name) + ": expected "));
    EXPECT_THAT(child.output, HasSubstr(", found '" + std::string(value) + "'"));
  }
}

TEST(Endless, ProgramsEndWithTheTimeout) {
  Child child = runChild("BadInput.DISABLED_Endless", {{"KILN_SIM_TIMEOUT", "1"}});
  EXPECT_EQ(child.status, 0) << child.output;
}

} // namespace
