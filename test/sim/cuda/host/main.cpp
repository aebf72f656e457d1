//===- main.cpp - Runs the CUDA programs ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda-programs --ptx FOLDER [--list] [--only NAME] [--digests]: runs each program in a
// process of its own, because a kernel's error is sticky.
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::sim::programs {

#define PROGRAM(name, archs) void run_##name(Test &test);
#include "test/sim/cuda/programs.def"
#undef PROGRAM

namespace {

struct Program {
  const char *name, *archs;
  void (*run)(Test &);
};
constexpr Program Programs[] = {
#define PROGRAM(name, archs) {#name, archs, run_##name},
#include "test/sim/cuda/programs.def"
#undef PROGRAM
};

struct Options {
  std::string folder, only;
  bool digests = false; ///< print a hash of what each program downloaded
};

enum class Ending { Passed, Skipped, Failed };

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file)
    throw Failure("cannot read " + path);
  return text.str();
}

/// Whether the device runs the code: sm_80 runs on 8.0 and newer, sm_90a only on 9.0.
bool runsOn(const std::string &arch, int capability) {
  int wanted = std::stoi(arch.substr(3));
  return arch.back() == 'a' ? capability == wanted : capability >= wanted;
}

int openDevice() {
  const Driver &cuda = driver();
  int device = 0, major = 0, minor = 0;
  Context context = nullptr;
  require(cuda.cuInit(0), "cuInit");
  require(cuda.cuDeviceGet(&device, 0), "cuDeviceGet");
  require(cuda.cuDeviceGetAttribute(&major, AttributeMajor, device),
          "cuDeviceGetAttribute");
  require(cuda.cuDeviceGetAttribute(&minor, AttributeMinor, device),
          "cuDeviceGetAttribute");
  require(cuda.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  require(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  return major * 10 + minor;
}

Ending runOne(const Program &program, const std::string &arch, const Options &options) {
  int capability = openDevice();
  if (!runsOn(arch, capability)) {
    std::printf("skip  %s %s: the device is sm_%d\n", program.name, arch.c_str(),
                capability);
    return Ending::Skipped;
  }
  std::string ptx = readFile(options.folder + "/" + program.name + "." + arch + ".ptx");
  ModuleHandle module = nullptr;
  require(driver().cuModuleLoadData(&module, ptx.c_str()), "cuModuleLoadData");
  Test test(program.name, arch, module);
  program.run(test);
  bool passed = test.checks && !test.failures;
  std::printf("%s  %s %s: %llu of %llu checks failed\n", passed ? "pass" : "FAIL",
              program.name, arch.c_str(), (unsigned long long)test.failures,
              (unsigned long long)test.checks);
  if (options.digests)
    std::printf("digest %s %s %016llx\n", program.name, arch.c_str(),
                (unsigned long long)downloads.value);
  return passed ? Ending::Passed : Ending::Failed;
}

int runChild(const Program &program, const std::string &arch, const Options &options) {
  try {
    return int(runOne(program, arch, options));
  } catch (const std::exception &error) {
    std::printf("FAIL  %s %s: %s\n", program.name, arch.c_str(), error.what());
    return int(Ending::Failed);
  }
}

Ending runApart(const Program &program, const std::string &arch, const Options &options) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    int ending = runChild(program, arch, options);
    std::fflush(nullptr);
    _exit(ending);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return Ending::Failed;
  if (WIFEXITED(status))
    return Ending(WEXITSTATUS(status));
  std::printf("FAIL  %s %s: ended by signal %d\n", program.name, arch.c_str(),
              WTERMSIG(status));
  return Ending::Failed;
}

int runAll(const Options &options) {
  int counts[3] = {}, chosen = 0;
  for (const Program &program : Programs) {
    if (!options.only.empty() && options.only != program.name)
      continue;
    ++chosen;
    std::istringstream archs(program.archs);
    for (std::string arch; archs >> arch;)
      ++counts[std::min(int(runApart(program, arch, options)), int(Ending::Failed))];
  }
  if (!chosen) {
    std::printf("no program is named %s; --list shows them\n", options.only.c_str());
    return 2;
  }
  std::printf("%d passed, %d skipped, %d failed\n", counts[0], counts[1], counts[2]);
  return counts[2] || !counts[0] ? 1 : 0;
}

} // namespace
} // namespace kiln::sim::programs

int main(int argc, char **argv) {
  using namespace kiln::sim::programs;
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    bool valued = (word == "--ptx" || word == "--only") && i + 1 < argc;
    if (word == "--list") {
      for (const Program &program : Programs)
        std::printf("%s %s\n", program.name, program.archs);
      return 0;
    }
    if (word == "--digests") {
      options.digests = true;
    } else if (valued) {
      (word == "--ptx" ? options.folder : options.only) = argv[++i];
    } else {
      std::fprintf(
          stderr,
          "usage: cuda-programs --ptx FOLDER [--only NAME] [--digests] | --list\n");
      return 2;
    }
  }
  return runAll(options);
}
