//===- module_test.cpp - Modules, libraries, functions and launches ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <cstring>
#include <fstream>

using namespace kiln::sim::cu;

TEST_F(DriverTest, FunctionsAndVariables) {
  CUfunction found = nullptr, again = nullptr;
  CUdeviceptr table = 0;
  size_t bytes = 0;
  unsigned count = 0;
  const char *name = nullptr;
  CUmodule owner = nullptr;
  CUfunctionLoadingState state;
  EXPECT_OK(cu.cuModuleGetFunction(&found, module, "add"));
  EXPECT_OK(cu.cuModuleGetFunction(&again, module, "add"));
  EXPECT_EQ(found, again);
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu.cuModuleGetFunction(&again, module, "sub"));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuModuleGetFunction(&again, module, nullptr));
  EXPECT_OK(cu.cuModuleGetGlobal_v2(&table, &bytes, module, "table"));
  EXPECT_EQ(bytes, 64u);
  EXPECT_OK(cu.cuMemsetD8_v2(table, 1, 64));
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu.cuModuleGetGlobal_v2(&table, &bytes, module, "x"));
  EXPECT_OK(cu.cuModuleGetFunctionCount(&count, module));
  EXPECT_EQ(count, 7u);
  std::vector<CUfunction> all(count);
  EXPECT_OK(cu.cuModuleEnumerateFunctions(all.data(), count, module));
  EXPECT_NE(std::find(all.begin(), all.end(), found), all.end());
  EXPECT_OK(cu.cuFuncGetName(&name, found));
  EXPECT_STREQ(name, "add");
  EXPECT_OK(cu.cuFuncGetModule(&owner, found));
  EXPECT_EQ(owner, module);
  EXPECT_OK(cu.cuFuncLoad(found));
  EXPECT_OK(cu.cuFuncIsLoaded(&state, found));
  EXPECT_EQ(state, CU_FUNCTION_LOADING_STATE_LOADED);
  EXPECT_OK(cu.cuModuleUnload(module));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuModuleUnload(module));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuFuncGetName(&name, found));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE,
            cu.cuLaunchKernel(found, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

TEST_F(DriverTest, ParameterInfo) {
  size_t offset = 9, size = 9;
  EXPECT_OK(cu.cuFuncGetParamInfo(function("set"), 2, &offset, &size));
  EXPECT_EQ(offset, 12u);
  EXPECT_EQ(size, 4u);
  EXPECT_OK(cu.cuFuncGetParamInfo(function("set"), 0, &offset, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuFuncGetParamInfo(function("set"), 3, &offset, &size));
}

TEST_F(DriverTest, FunctionAttributes) {
  CUfunction add = function("add");
  auto get = [&](CUfunction_attribute attribute) {
    int value = -9;
    EXPECT_OK(cu.cuFuncGetAttribute(&value, attribute, add));
    return value;
  };
  auto set = [&](CUfunction_attribute attribute, int value) {
    return cu.cuFuncSetAttribute(add, attribute, value);
  };
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 1024);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_NUM_REGS), 32);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_PTX_VERSION), 80);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_BINARY_VERSION), 90);
  constexpr auto Dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(get(Dynamic), 49152 - 1024);
  EXPECT_OK(set(Dynamic, 232448 - 1024));
  EXPECT_EQ(get(Dynamic), 232448 - 1024);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set(Dynamic, 232448 - 1023));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set(Dynamic, -1));
  EXPECT_OK(set(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            set(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set(CU_FUNC_ATTRIBUTE_NUM_REGS, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set(CUfunction_attribute(99), 1));
  EXPECT_OK(set(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2));
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH), 2);
  EXPECT_CU(CUDA_ERROR_NOT_PERMITTED,
            cu.cuFuncSetAttribute(function("cluster"),
                                  CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2));
  EXPECT_OK(cu.cuFuncSetCacheConfig(add, CU_FUNC_CACHE_PREFER_SHARED));
}

TEST_F(DriverTest, LoadErrorsAndLogs) {
  CUmodule bad = nullptr;
  char log[128] = "old", info[8] = "old";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_MAX_REGISTERS};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log), info,
                    reinterpret_cast<void *>(sizeof info), nullptr};
  EXPECT_CU(CUDA_ERROR_INVALID_PTX,
            cu.cuModuleLoadDataEx(&bad, "what", 5, options, values));
  EXPECT_STREQ(log, "line 1: 'what' is no fake PTX");
  EXPECT_EQ(values[1], reinterpret_cast<void *>(strlen(log)));
  values[1] = reinterpret_cast<void *>(5);
  EXPECT_CU(CUDA_ERROR_INVALID_PTX,
            cu.cuModuleLoadDataEx(&bad, "what", 2, options, values));
  EXPECT_STREQ(log, "line");
  options[0] = CUjit_option(1000);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuModuleLoadDataEx(&bad, Program, 1, options, values));
  EXPECT_CU(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
            cu.cuModuleLoadData(&bad, "error 222 too new"));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuModuleLoadData(&bad, nullptr));
  EXPECT_CU(CUDA_ERROR_NO_BINARY_FOR_GPU, cu.cuModuleLoadData(&bad, "\177ELF..."));
  EXPECT_CU(CUDA_ERROR_FILE_NOT_FOUND, cu.cuModuleLoad(&bad, "/nowhere/at.all"));
  EXPECT_EQ(bad, nullptr);
}

TEST_F(DriverTest, LoadsFilesAndFatBinaries) {
  struct {
    uint32_t magic = 0xba55ed50;
    uint16_t version = 1, headerSize = 16;
    uint64_t size = 64 + sizeof Program;
    uint16_t kind = 1, entryVersion = 0;
    uint32_t entryHeader = 64;
    uint64_t entrySize = sizeof Program;
    uint32_t compressed = 0, options = 0;
    uint16_t minor = 0, major = 9;
    uint32_t architecture = 80, nameOffset = 0, nameSize = 0;
    uint64_t flags = 0, zero = 0, whole = 0;
    char text[sizeof Program];
  } fat;
  static_assert(offsetof(decltype(fat), text) == 16 + 64);
  memcpy(fat.text, Program, sizeof Program);
  CUmodule loaded = nullptr;
  EXPECT_OK(cu.cuModuleLoadFatBinary(&loaded, &fat));
  struct {
    uint32_t magic = 0x466243b1, version = 1;
    const void *data;
    void *unused = nullptr;
  } wrapper;
  wrapper.data = &fat;
  EXPECT_OK(cu.cuModuleLoadFatBinary(&loaded, &wrapper));
  std::string path = testing::TempDir() + "kiln-sim.fatbin";
  auto save = [&](size_t bytes) {
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<char *>(&fat), bytes);
  };
  save(sizeof fat);
  EXPECT_OK(cu.cuModuleLoad(&loaded, path.c_str()));
  save(sizeof fat - 40);
  EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu.cuModuleLoad(&loaded, path.c_str()));
  std::ofstream(path) << Program;
  EXPECT_OK(cu.cuModuleLoad(&loaded, path.c_str()));
  remove(path.c_str());
  fat.flags = 0x8000;
  EXPECT_CU(CUDA_ERROR_NO_BINARY_FOR_GPU, cu.cuModuleLoadFatBinary(&loaded, &fat));
  fat.kind = 2;
  EXPECT_CU(CUDA_ERROR_NO_BINARY_FOR_GPU, cu.cuModuleLoadFatBinary(&loaded, &fat));
  fat.entrySize = 1 << 20;
  EXPECT_CU(CUDA_ERROR_INVALID_IMAGE, cu.cuModuleLoadFatBinary(&loaded, &fat));
}

TEST_F(DriverTest, Libraries) {
  CUlibrary library = nullptr, owner = nullptr;
  CUkernel kernel = nullptr, missing = nullptr;
  CUfunction found = nullptr;
  unsigned count = 0;
  const char *name = nullptr;
  size_t offset, size;
  int value = 0;
  ASSERT_OK(
      cu.cuLibraryLoadData(&library, Program, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_OK(cu.cuLibraryGetKernelCount(&count, library));
  EXPECT_EQ(count, 7u);
  ASSERT_OK(cu.cuLibraryGetKernel(&kernel, library, "set"));
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu.cuLibraryGetKernel(&missing, library, "none"));
  EXPECT_OK(cu.cuKernelGetFunction(&found, kernel));
  EXPECT_OK(cu.cuKernelGetName(&name, kernel));
  EXPECT_STREQ(name, "set");
  EXPECT_OK(cu.cuKernelGetLibrary(&owner, kernel));
  EXPECT_EQ(owner, library);
  EXPECT_OK(cu.cuKernelGetParamInfo(kernel, 1, &offset, &size));
  EXPECT_EQ(offset, 8u);
  EXPECT_OK(cu.cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    99999, kernel, 0));
  EXPECT_OK(cu.cuKernelGetAttribute(
      &value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel, 0));
  EXPECT_EQ(value, 99999);
  CUdeviceptr to = alloc(4);
  uint32_t word = 77, words = 4;
  void *parameters[] = {&to, &word, &words};
  // A CUkernel is accepted as a CUfunction, as by the real driver.
  EXPECT_OK(cu.cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0,
                              stream, parameters, nullptr));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(read(to, 4), std::vector<uint32_t>(4, 77));
  EXPECT_OK(cu.cuLibraryUnload(library));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuKernelGetFunction(&found, kernel));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuLibraryUnload(library));
}

TEST_F(DriverTest, LaunchChecksShapesAndArguments) {
  CUdeviceptr to = alloc(4);
  uint32_t word = 1, words = 4;
  void *good[] = {&to, &word, &words}, *hole[] = {&to, nullptr, &words};
  CUfunction set = function("set");
  auto launch = [&](unsigned grid, unsigned block, unsigned shared, void **parameters,
                    void **extra) {
    return cu.cuLaunchKernel(set, grid, 1, 1, block, 1, 1, shared, stream, parameters,
                             extra);
  };
  EXPECT_OK(launch(1, 1024, 48128, good, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(0, 1, 0, good, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(1, 1025, 0, good, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 48129, good, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 0, nullptr, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 0, hole, nullptr));
  struct {
    CUdeviceptr to;
    uint32_t value, words;
  } block = {to, 5, 4};
  size_t size = sizeof block;
  void *extra[] = {(void *)1, &block, (void *)2, &size, nullptr};
  EXPECT_OK(launch(1, 1, 0, nullptr, extra));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(read(to, 4), std::vector<uint32_t>(4, 5));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 0, good, extra));
  size--;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 0, nullptr, extra));
  extra[0] = (void *)7;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch(1, 1, 0, nullptr, extra));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE,
            cu.cuLaunchKernel(reinterpret_cast<CUfunction>(stream), 1, 1, 1, 1, 1, 1, 0,
                              stream, good, nullptr));
}

TEST_F(DriverTest, LaunchAttributes) {
  CUdeviceptr to = alloc(1);
  uint32_t word = 0, words = 1;
  void *parameters[] = {&to, &word, &words};
  CUlaunchAttribute attributes[3] = {};
  CUlaunchConfig config = {8, 1, 1, 1, 1, 1, 0, stream, attributes, 0};
  auto launch = [&](const char *name) {
    return cu.cuLaunchKernelEx(&config, function(name), parameters, nullptr);
  };
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[0].value.clusterDim = {4, 1, 1};
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attributes[1].value.programmaticStreamSerializationAllowed = 1;
  attributes[2].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[2].value.cooperative = 1;
  config.numAttrs = 3;
  EXPECT_OK(launch("count"));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(read(to, 1)[0], 8 * 4 + 3000u);
  attributes[0].value.clusterDim.x = 3;
  EXPECT_CU(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch("count"));
  attributes[0].value.clusterDim.x = 0;
  EXPECT_CU(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch("count"));
  attributes[0].value.clusterDim.x = 16;
  config.gridDimX = 16;
  EXPECT_CU(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch("count"));
  EXPECT_OK(cu.cuFuncSetAttribute(
      function("count"), CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  EXPECT_OK(launch("count"));
  attributes[1].id = CUlaunchAttributeID(40);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch("count"));
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[1].value = attributes[0].value;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, launch("count")); // twice
  config.numAttrs = 0;
  config.gridDimX = 3;
  EXPECT_CU(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch("cluster"));
  config.gridDimX = 4;
  EXPECT_OK(launch("cluster"));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuLaunchKernelEx(nullptr, function("count"), parameters, nullptr));
  EXPECT_OK(cu.cuLaunchCooperativeKernel(function("count"), 2, 1, 1, 1, 1, 1, 0, stream,
                                         parameters));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(read(to, 1)[0], 1002u);
  EXPECT_CU(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
            cu.cuLaunchCooperativeKernel(function("count"), 1 << 20, 1, 1, 1024, 1, 1, 0,
                                         stream, parameters));
}

TEST_F(DriverTest, Occupancy) {
  CUfunction add = function("add");
  int blocks = 0, grid = 0, size = 0, clusters = 0;
  size_t bytes = 0;
  EXPECT_OK(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
  EXPECT_EQ(blocks, 8);
  EXPECT_OK(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 1024, 200000));
  EXPECT_EQ(blocks, 1);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 0, 0));
  EXPECT_OK(cu.cuOccupancyMaxPotentialBlockSize(&grid, &size, add, nullptr, 0, 0));
  EXPECT_EQ(size, 1024);
  EXPECT_EQ(grid, 264);
  EXPECT_OK(cu.cuOccupancyMaxPotentialBlockSize(
      &grid, &size, add, [](int threads) -> size_t { return threads > 512 ? 300000 : 0; },
      0, 0));
  EXPECT_EQ(size, 512);
  EXPECT_OK(cu.cuOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 2, 128));
  EXPECT_EQ(bytes, 233472u / 2 - 2048);
  CUlaunchConfig config = {8, 1, 1, 128, 1, 1, 0, stream, nullptr, 0};
  EXPECT_OK(cu.cuOccupancyMaxPotentialClusterSize(&clusters, add, &config));
  EXPECT_EQ(clusters, 8);
  EXPECT_OK(cu.cuOccupancyMaxActiveClusters(&clusters, add, &config));
  EXPECT_EQ(clusters, 132 * 16);
}
