//===- run_command.cpp - kiln-ptx run -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/launch/run.h"
#include "runtime/sim/memory/memory.h"
#include "runtime/sim/profile/profile.h"
#include "runtime/sim/tool/arguments.h"
#include "runtime/sim/tool/run_options.h"
#include "runtime/sim/tool/tool.h"

#include <cstring>
#include <ostream>

using namespace kiln::sim;
using namespace kiln::sim::tool;

namespace {

/// One run: the module, its buffers and the launch.
class Run {
public:
  Run(const RunOptions &options, std::ostream &err) : options(options), err(err) {}

  int go() {
    for (int (Run::*step)() : {&Run::load, &Run::readArguments, &Run::passArguments,
                               &Run::launchKernel, &Run::writeOutputs})
      if (int code = (this->*step)())
        return code;
    return Success;
  }

private:
  int complain(const std::string &what, int code) {
    err << "kiln-ptx: " << what << "\n";
    return code;
  }

  int load() {
    profile = findProfile(options.device);
    if (!profile) {
      std::string names;
      for (const DeviceProfile &known : allProfiles())
        names += " " + known.id;
      return complain("there is no device `" + options.device + "`; known are" + names,
                      UsageError);
    }
    std::string text;
    if (!readText(options.file, text, err))
      return BadFile;
    Outcome outcome = loadCode(text, 0, *profile, memory, code);
    if (!outcome.ok())
      return complain(options.file + ": " + outcome.message, BadFile);
    return chooseKernel();
  }

  int chooseKernel() {
    std::vector<std::string> kernels = code->kernels();
    std::string name = options.kernel;
    if (name.empty() && kernels.size() == 1)
      name = kernels[0];
    launch.kernel = name.empty() ? nullptr : code->kernel(name);
    if (launch.kernel)
      return Success;
    std::string list;
    for (const std::string &kernel : kernels)
      list += " " + kernel;
    return complain(name.empty()
                        ? "the file has several kernels, choose with --kernel:" + list
                        : "the file has no kernel `" + name + "`, but" + list,
                    UsageError);
  }

  int readArguments() {
    std::string problem;
    for (const std::string &value : options.values) {
      arguments.emplace_back();
      if (!parseArgument(value, arguments.back(), problem))
        return complain(problem, BadFile);
    }
    size_t wanted = launch.kernel->parameterSizes.size();
    if (arguments.size() != wanted)
      return complain("the kernel takes " + std::to_string(wanted) + " arguments, " +
                          std::to_string(arguments.size()) + " are given with --arg",
                      UsageError);
    return Success;
  }

  int passArguments() {
    launch.parameters.assign(launch.kernel->parameterBytes, 0);
    for (size_t i = 0; i < arguments.size(); ++i) {
      std::vector<uint8_t> value = arguments[i].scalar;
      if (arguments[i].isBuffer) {
        if (!makeBuffer(arguments[i], value))
          return complain("out of memory for argument " + std::to_string(i + 1), Failure);
      } else {
        buffers.push_back(nullptr);
      }
      uint32_t size = launch.kernel->parameterSizes[i];
      if (value.size() != size)
        return complain("argument " + std::to_string(i + 1) + " has " +
                            std::to_string(value.size()) + " bytes, the kernel takes " +
                            std::to_string(size),
                        UsageError);
      std::memcpy(launch.parameters.data() + launch.kernel->parameterOffsets[i],
                  value.data(), size);
    }
    return Success;
  }

  bool makeBuffer(const KernelArgument &argument, std::vector<uint8_t> &address) {
    const std::vector<uint8_t> &bytes = argument.array.bytes;
    std::shared_ptr<Allocation> buffer =
        memory.allocate(Allocation::Kind::Global, 0, bytes.empty() ? 1 : bytes.size());
    if (!buffer)
      return false;
    if (!bytes.empty()) {
      std::memcpy(buffer->bytes, bytes.data(), bytes.size());
      buffer->markWritten(0, bytes.size());
    }
    address.resize(sizeof buffer->address);
    std::memcpy(address.data(), &buffer->address, sizeof buffer->address);
    buffers.push_back(std::move(buffer));
    return true;
  }

  int launchKernel() {
    launch.code = code.get();
    launch.profile = profile;
    launch.memory = &memory;
    launch.grid = options.grid;
    launch.block = options.block;
    launch.cluster = options.cluster;
    launch.dynamicShared = options.shared;
    launch.cooperative = options.cooperative;
    Outcome outcome = checkLaunch(launch);
    if (outcome.ok())
      outcome = kiln::sim::run(launch);
    if (outcome.ok())
      return Success;
    return complain("CUDA error " + std::to_string(outcome.cuda) + ": " + outcome.message,
                    Failure);
  }

  int writeOutputs() {
    std::string problem;
    for (size_t i = 0; i < arguments.size(); ++i) {
      KernelArgument &argument = arguments[i];
      if (argument.output.empty())
        continue;
      if (!argument.array.bytes.empty())
        std::memcpy(argument.array.bytes.data(), buffers[i]->bytes,
                    argument.array.bytes.size());
      if (!writeNpy(argument.output, argument.array, problem))
        return complain(problem, Failure);
    }
    return Success;
  }

  const RunOptions &options;
  std::ostream &err;
  const DeviceProfile *profile = nullptr;
  AddressSpace memory; ///< must outlive the code, whose variables are in it
  std::shared_ptr<Code> code;
  Launch launch;
  std::vector<KernelArgument> arguments;
  std::vector<std::shared_ptr<Allocation>> buffers; ///< by argument; null for scalars
};

} // namespace

int tool::runCommand(const Arguments &arguments, std::ostream &out, std::ostream &err) {
  RunOptions options;
  std::string problem;
  if (!parseRunOptions(arguments, options, problem))
    return usage(err, problem);
  if (EnvironmentMistake mistake = environmentMistake())
    return usage(err, mistake.text());
  return Run(options, err).go();
}
