//===- misc_test.cpp - Names, error texts and environment variables ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

using namespace kiln::sim::cu;

namespace {

struct Name {
  const char *symbol, *variant, *base;
  int since;
};

const Name Names[] = {
#define CALL(symbol, variant, base, since, implementation, kind, parameters, arguments)  \
  {#symbol, #variant, #base, since},
#include "runtime/sim/driver/api/calls.def"
#include "runtime/sim/driver/api/graph_calls.def"
#undef CALL
};

} // namespace

TEST(Names, EveryExportIsFoundByLookUp) {
  const Driver &cu = rawDriver(); // works before cuInit
  for (const Name &name : Names) {
    SCOPED_TRACE(name.symbol);
    void *symbol = cu.find(name.symbol), *got = nullptr;
    ASSERT_NE(symbol, nullptr);
    CUdriverProcAddressQueryResult status;
    EXPECT_OK(cu.cuGetProcAddress_v2(name.base, &got, 13000, 0, &status));
    EXPECT_NE(got, nullptr);
    EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
    EXPECT_OK(cu.cuGetProcAddress_v2(name.base, &got, name.since, 0, &status));
    EXPECT_EQ(got, symbol);
    if (strcmp(name.symbol, name.base)) {
      EXPECT_OK(cu.cuGetProcAddress(name.symbol, &got, 13000, 0));
      EXPECT_EQ(got, symbol);
    }
    if (!strcmp(name.variant, "None"))
      continue;
    std::string variant = name.variant;
    std::string perThread =
        std::string(name.symbol) + (variant == "Ptds" ? "_ptds" : "_ptsz");
    ASSERT_NE(cu.find(perThread.c_str()), nullptr);
    EXPECT_OK(cu.cuGetProcAddress_v2(name.base, &got, name.since, 2, &status));
    EXPECT_EQ(got, cu.find(perThread.c_str()));
  }
}

TEST(Names, LookUpChoosesByVersion) {
  const Driver &cu = rawDriver();
  void *got = nullptr;
  CUdriverProcAddressQueryResult status;
  EXPECT_OK(cu.cuGetProcAddress_v2("cuCtxCreate", &got, 11000, 0, &status));
  EXPECT_EQ(got, cu.find("cuCtxCreate_v2"));
  EXPECT_OK(cu.cuGetProcAddress_v2("cuCtxCreate", &got, 13000, 0, &status));
  EXPECT_EQ(got, cu.find("cuCtxCreate_v4"));
  EXPECT_OK(cu.cuGetProcAddress_v2("cuGraphAddNode", &got, 11000, 0, &status));
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT_EQ(got, nullptr);
  EXPECT_OK(cu.cuGetProcAddress_v2("cuNothing", &got, 13000, 0, &status));
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu.cuGetProcAddress("cuNothing", &got, 13000, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGetProcAddress(nullptr, &got, 13000, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGetProcAddress("cuInit", &got, 13000, 9));
}

TEST(Names, ErrorsHaveNamesAndTexts) {
  const Driver &cu = rawDriver();
  const char *name = nullptr, *text = nullptr;
  std::set<std::string> texts;
#define RESULT(code, number, words)                                                      \
  EXPECT_OK(cu.cuGetErrorName(code, &name));                                             \
  EXPECT_STREQ(name, #code);                                                             \
  EXPECT_OK(cu.cuGetErrorString(code, &text));                                           \
  EXPECT_TRUE(texts.insert(text).second) << text;
#include "runtime/sim/driver/api/results.def"
#undef RESULT
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGetErrorName(CUresult(12345), &name));
  EXPECT_EQ(name, nullptr);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuGetErrorString(CUDA_SUCCESS, nullptr));
}

TEST(Names, PrivateTablesAreRefusedAndTheProfilerDoesNothing) {
  const Driver &cu = driver();
  const void *table = &cu;
  CUuuid id = {};
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu.cuGetExportTable(&table, &id));
  EXPECT_EQ(table, nullptr);
  EXPECT_OK(cu.cuProfilerStart());
  EXPECT_OK(cu.cuProfilerStop());
}

TEST(Environment, DISABLED_NotInitialised) {
  const Driver &cu = rawDriver();
  int count;
  CUcontext context;
  EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cu.cuDeviceGetCount(&count));
  EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cu.cuCtxCreate_v2(&context, 0, 0));
  EXPECT_OK(cu.cuInit(0));
  EXPECT_OK(cu.cuDeviceGetCount(&count));
}

TEST(Environment, DISABLED_BadInit) {
  const Driver &cu = rawDriver();
  EXPECT_CU(CUDA_ERROR_NO_DEVICE, cu.cuInit(0));
  const char *variable = "", *found = "", *expected = "";
  EXPECT_EQ(cu.kilnSimMistake(&variable, &found, &expected), 1);
  EXPECT_TRUE(getenv(variable)) << variable;
  EXPECT_STRNE(found, "");
  EXPECT_STRNE(expected, "");
}

TEST(Environment, DISABLED_SmallMemory) {
  const Driver &cu = driver();
  CUcontext context;
  CUdeviceptr a = 0, b = 0;
  size_t free = 0, total = 0;
  const char *text = nullptr;
  EXPECT_EQ(cu.kilnSimMistake(&text, &text, &text), 0);
  EXPECT_EQ(text, nullptr);
  ASSERT_OK(cu.cuCtxCreate_v2(&context, 0, 0));
  EXPECT_OK(cu.cuMemGetInfo_v2(&free, &total));
  EXPECT_EQ(total, 1u << 20);
  EXPECT_OK(cu.cuMemAlloc_v2(&a, 1 << 19));
  EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu.cuMemAlloc_v2(&b, (1 << 19) + 1));
  EXPECT_OK(cu.cuMemAlloc_v2(&b, 1 << 19));
  EXPECT_OK(cu.cuCtxDestroy_v2(context));
}

TEST(Environment, DISABLED_ThirdCallFails) {
  const Driver &cu = driver();
  int count;
  EXPECT_OK(cu.cuDeviceGetCount(&count));
  EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu.cuDeviceGetCount(&count));
  EXPECT_OK(cu.cuDeviceGetCount(&count));
}

TEST(Environment, VariablesAreRead) {
  EXPECT_EQ(runChild("NotInitialised", {}).status, 0);
  Child child = runChild("SmallMemory", {{"KILN_SIM_MEMORY", "1M"}});
  EXPECT_EQ(child.status, 0) << child.output;
  for (const char *fault : {"3:OUT_OF_MEMORY", "3:2", "3:CUDA_ERROR_OUT_OF_MEMORY"}) {
    child = runChild("ThirdCallFails", {{"KILN_SIM_FAIL", fault}});
    EXPECT_EQ(child.status, 0) << child.output;
  }
}

TEST(Environment, MistakesAreNamed) {
  const std::pair<const char *, const char *> mistakes[] = {
      {"KILN_SIM_DEVICES", "h200,k80"},
      {"KILN_SIM_DEVICES", "/no/such.profile"},
      {"KILN_SIM_MEMORY", "lots"},
      {"KILN_SIM_MEMORY", "0"},
      {"KILN_SIM_MEMORY", "99999999T"},
      {"KILN_SIM_FAIL", "0"},
      {"KILN_SIM_FAIL", "2:NO_SUCH"},
      {"KILN_SIM_DELAY", "12"},
      {"KILN_SIM_DELAY", "0:5"},
      {"KILN_SIM_SCHEDULE", "soon"},
      {"KILN_SIM_SCHEDULE", "late,forward,x"}};
  for (auto [name, value] : mistakes) {
    Child child = runChild("BadInit", {{name, value}});
    EXPECT_EQ(child.status, 0) << name << "=" << value << "\n" << child.output;
    EXPECT_NE(child.output.find(std::string("kiln-sim: cuInit: ") + name),
              std::string::npos)
        << child.output;
  }
}

TEST(Environment, CallsAreTraced) {
  std::string path = testing::TempDir() + "kiln-sim.trace";
  Child child =
      runChild("SmallMemory", {{"KILN_SIM_MEMORY", "1M"}, {"KILN_SIM_TRACE", path}});
  EXPECT_EQ(child.status, 0) << child.output;
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text.rfind("cuInit(flags=0) = CUDA_SUCCESS\n", 0), 0u) << text;
  EXPECT_NE(text.find("bytesize=524288) = CUDA_SUCCESS, *dptr=0x3"), std::string::npos)
      << text;
  EXPECT_NE(text.find("bytesize=524289) = CUDA_ERROR_OUT_OF_MEMORY\n"),
            std::string::npos);
  remove(path.c_str());
  child = runChild("SmallMemory", {{"KILN_SIM_MEMORY", "1M"}, {"KILN_SIM_TRACE", "-"}});
  EXPECT_NE(child.output.find("cuMemGetInfo_v2(free="), std::string::npos)
      << child.output;
}
