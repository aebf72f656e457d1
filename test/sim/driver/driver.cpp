//===- driver.cpp - The driver, as a plain program finds it ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln::sim::cu;

void *Driver::find(const char *name) const { return dlsym(library, name); }

static Driver load() {
  Driver driver;
  driver.library = dlopen(KILN_SIM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!driver.library) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
  auto resolve = [&](auto &pointer, const char *name) {
    pointer =
        reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(driver.find(name));
    if (!pointer) {
      fprintf(stderr, "%s is not exported\n", name);
      abort();
    }
  };
#define CALL(symbol, variant, base, since, implementation, kind, parameters, arguments)  \
  resolve(driver.symbol, #symbol);
#include "runtime/sim/driver/api/calls.def"
#include "runtime/sim/driver/api/graph_calls.def"
#undef CALL
  resolve(driver.kilnSimFailAt, "kilnSimFailAt");
  resolve(driver.kilnSimCallCount, "kilnSimCallCount");
  resolve(driver.kilnSimReadSchedule, "kilnSimReadSchedule");
  resolve(driver.kilnSimMistake, "kilnSimMistake");
  return driver;
}

const Driver &kiln::sim::cu::rawDriver() {
  static const Driver state = load();
  return state;
}

const Driver &kiln::sim::cu::driver() {
  static const CUresult ready = rawDriver().cuInit(0);
  if (ready != CUDA_SUCCESS)
    abort();
  return rawDriver();
}

void DriverTest::SetUp() {
  ASSERT_OK(cu.cuCtxCreate_v2(&context, 0, 0));
  ASSERT_OK(cu.cuModuleLoadData(&module, Program));
  ASSERT_OK(cu.cuStreamCreate(&stream, 1));
}

void DriverTest::TearDown() {
  if (context)
    EXPECT_OK(cu.cuCtxDestroy_v2(context));
}

CUdeviceptr DriverTest::alloc(size_t words) {
  CUdeviceptr address = 0;
  EXPECT_OK(cu.cuMemAlloc_v2(&address, words * 4));
  return address;
}

CUfunction DriverTest::function(const char *name) {
  CUfunction result = nullptr;
  EXPECT_OK(cu.cuModuleGetFunction(&result, module, name));
  return result;
}

std::vector<uint32_t> DriverTest::read(CUdeviceptr from, size_t words) {
  std::vector<uint32_t> out(words, 0xdeadbeef);
  EXPECT_OK(cu.cuMemcpyDtoH_v2(out.data(), from, words * 4));
  return out;
}

CUresult DriverTest::set(CUdeviceptr to, uint32_t value, uint32_t words, CUstream in) {
  void *parameters[] = {&to, &value, &words};
  return cu.cuLaunchKernel(function("set"), 1, 1, 1, 32, 1, 1, 0, in, parameters,
                           nullptr);
}

CUresult DriverTest::add(CUdeviceptr to, CUdeviceptr from, uint32_t words, CUstream in) {
  void *parameters[] = {&to, &from, &words};
  return cu.cuLaunchKernel(function("add"), 1, 1, 1, 32, 1, 1, 0, in, parameters,
                           nullptr);
}

Child kiln::sim::cu::runChild(const std::string &filter,
                              const std::map<std::string, std::string> &env) {
  int ends[2];
  Child child;
  if (pipe(ends))
    return child;
  std::string argument = "--gtest_filter=*" + filter;
  pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    for (const auto &[name, value] : env)
      setenv(name.c_str(), value.c_str(), 1);
    execl("/proc/self/exe", "driver-test", argument.c_str(),
          "--gtest_also_run_disabled_tests", nullptr);
    _exit(127);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    child.output.append(buffer, count);
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  child.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return child;
}
