//===- run_case.cpp - One launch in its own process -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/bugs/run_case.h"

#include "test/sim/cuda/host/driver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::sim::bugs {
namespace {

using namespace kiln::sim::programs;

constexpr uint32_t SharedWithoutAsking = 48 * 1024, PortableCluster = 8;

/// Values of a launch's arguments, at addresses that stay valid while more are added.
struct Values {
  std::deque<uint64_t> words;
  std::deque<TensorMap> maps;
  std::map<std::string, uint64_t> buffers;
  std::vector<void *> pointers;
};

uint64_t makeBuffer(const Argument &argument) {
  const Driver &cuda = driver();
  DevicePointer pointer = 0;
  require(cuda.cuMemAlloc(&pointer, argument.value), "cuMemAlloc");
  if (argument.kind == Argument::Kind::Zeroed || argument.kind == Argument::Kind::Ones)
    require(
        cuda.cuMemsetD8(pointer, argument.kind == Argument::Kind::Ones, argument.value),
        "cuMemsetD8");
  if (argument.kind == Argument::Kind::Freed)
    require(cuda.cuMemFree(pointer), "cuMemFree");
  return pointer;
}

TensorMap makeMap(const Argument &argument, uint64_t base) {
  TensorMap out;
  uint64_t sizes[] = {argument.width, argument.height}, strides[] = {argument.width * 4};
  uint32_t box[] = {argument.boxWidth, argument.boxHeight}, ones[] = {1, 1};
  constexpr int Unsigned32 = 2;
  require(driver().cuTensorMapEncodeTiled(&out, Unsigned32, 2,
                                          reinterpret_cast<void *>(base), sizes, strides,
                                          box, ones, 0, 0, 0, 0),
          "cuTensorMapEncodeTiled");
  return out;
}

void addArgument(Values &values, const Argument &argument) {
  if (argument.kind == Argument::Kind::Tensor) {
    auto base = values.buffers.find(argument.base);
    if (base == values.buffers.end())
      throw Failure("no buffer is named " + argument.base);
    values.maps.push_back(makeMap(argument, base->second));
    values.pointers.push_back(&values.maps.back());
    return;
  }
  bool number = argument.kind == Argument::Kind::U32;
  values.words.push_back(number ? argument.value : makeBuffer(argument));
  values.buffers[argument.name] = values.words.back();
  values.pointers.push_back(&values.words.back());
}

Result launch(const Variant &variant, Function function, Values &values) {
  const Driver &cuda = driver();
  if (variant.shared > SharedWithoutAsking)
    if (Result result = cuda.cuFuncSetAttribute(function, FunctionMaxDynamicShared,
                                                int(variant.shared)))
      return result;
  if (variant.cluster > PortableCluster)
    if (Result result = cuda.cuFuncSetAttribute(function, FunctionNonPortableCluster, 1))
      return result;
  LaunchAttribute attributes[2];
  uint32_t count = 0;
  if (variant.cluster) {
    attributes[count].id = LaunchAttribute::ClusterDimension;
    attributes[count].words[0] = variant.cluster;
    attributes[count].words[1] = 1;
    attributes[count++].words[2] = 1;
  }
  if (variant.cooperative) {
    attributes[count].id = LaunchAttribute::Cooperative;
    attributes[count++].words[0] = 1;
  }
  LaunchConfig config = {variant.grid,   1,       1,          variant.block, 1, 1,
                         variant.shared, nullptr, attributes, count};
  if (Result result =
          cuda.cuLaunchKernelEx(&config, function, values.pointers.data(), nullptr))
    return result;
  return cuda.cuCtxSynchronize();
}

Result runHere(const Variant &variant) {
  const Driver &cuda = driver();
  int device = 0;
  Context context = nullptr;
  ModuleHandle module = nullptr;
  Function function = nullptr;
  require(cuda.cuInit(0), "cuInit");
  require(cuda.cuDeviceGet(&device, 0), "cuDeviceGet");
  require(cuda.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  require(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  require(cuda.cuModuleLoadData(&module, variant.ptx.c_str()), "cuModuleLoadData");
  require(cuda.cuModuleGetFunction(&function, module, "k"), "cuModuleGetFunction");
  Values values;
  for (const Argument &argument : variant.arguments)
    addArgument(values, argument);
  return launch(variant, function, values);
}

/// Runs in the child: writes messages to `messages` and the result to `answer`.
[[noreturn]] void runChild(const Variant &variant, const std::string &schedule,
                           std::FILE *messages, int answer) {
  setenv("KILN_SIM_SCHEDULE", schedule.c_str(), 1);
  setenv("KILN_SIM_CHECK", "all", 1);
  setenv("KILN_SIM_TIMEOUT", "60", 1);
  dup2(fileno(messages), STDERR_FILENO);
  int code = -1;
  try {
    code = runHere(variant);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  ssize_t written = write(answer, &code, sizeof code);
  std::fflush(nullptr);
  _exit(written == sizeof code ? 0 : 1);
}

std::string wholeFile(std::FILE *file) {
  std::string out;
  std::rewind(file);
  char block[4096];
  for (size_t count; (count = std::fread(block, 1, sizeof block, file)) > 0;)
    out.append(block, count);
  return out;
}

} // namespace

Ending runApart(const Variant &variant, const std::string &schedule) {
  Ending out;
  int answer[2];
  std::FILE *messages = std::tmpfile();
  if (!messages || pipe(answer))
    throw Failure("cannot make a file and a pipe for a child process");
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0)
    runChild(variant, schedule, messages, answer[1]);
  close(answer[1]);
  int status = 0;
  bool answered = read(answer[0], &out.code, sizeof out.code) == sizeof out.code;
  close(answer[0]);
  waitpid(child, &status, 0);
  out.signal = WIFSIGNALED(status)         ? WTERMSIG(status)
               : !answered || out.code < 0 ? -1
                                           : 0;
  out.messages = wholeFile(messages);
  std::fclose(messages);
  return out;
}

} // namespace kiln::sim::bugs
