//===- options.cpp - The command line -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/options.h"
#include "tools/gpu_check/failure.h"
#include <charconv>

using namespace kiln::gpucheck;

const char *kiln::gpucheck::helpText() {
  return R"(gpu-check: how Kiln's kernels do on the GPU of this machine

Usage: gpu-check run [options]
       gpu-check replay FILE... [--device NAME]

run      runs every package and compares with stored results (verify); compares what
         the tensor cores compute with the simulator, bit by bit (bits); measures
         beside cuBLAS, cuDNN and a copy (speed). Prints a table, writes report.json.
replay   computes vectors that an earlier run wrote once more and compares bits.

  --device NAME      cuda (default cuda:0), cuda:N, sim, sim:PROFILE; replay: the
                     simulator of the GPU that the vectors come from
  --out DIR          where report.json and vectors/ go (default gpu-check-out)
  --only PART        verify, bits or speed
  --match TEXT       only cases, instructions and measurements with TEXT in their name
  --archive DIR      the unpacked archive (default: the folder of this program)
  --target NAME      use this target's code of the packages (default: the GPU's best)
  --reference PROFILE  bits: the GPU that the simulator models (default: the same)
  --vectors N        bits: products per pattern (default 32)
  --freeze N         bits: also write the first N of each pattern that agree
  --seed N           bits: of the random operands (default 1)
  --rounds N         speed: turns of each contender (default 15)
  --cublas FILE      speed: libcublas to measure beside (default: as installed)
  --cudnn FILE       speed: libcudnn (9.13 or later) to measure beside
  -h, --help         this text

Exit status: 0 all is well, 1 something differs, 2 usage, 3 a file is at fault,
4 the machine is.
)";
}

namespace {
[[noreturn]] void refuse(const std::string &where, const std::string &expected,
                         const std::string &found) {
  throw Failure(Usage, "KILN-E0001", where, "the command line cannot be understood",
                expected, found, "gpu-check --help lists what there is");
}

template <typename T>
void parseNumber(const std::string &name, const std::string &text, T &out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size())
    refuse(name, "a number from 0 on", "'" + text + "'");
}

void setOption(Options &options, const std::string &name, const std::string &value) {
  const std::pair<const char *, std::string *> texts[] = {
      {"--device", &options.device},   {"--out", &options.out},
      {"--only", &options.only},       {"--match", &options.match},
      {"--archive", &options.archive}, {"--reference", &options.reference},
      {"--cublas", &options.cublas},   {"--cudnn", &options.cudnn},
      {"--target", &options.target}};
  for (auto [known, place] : texts)
    if (name == known) {
      *place = value;
      options.deviceGiven |= name == "--device";
      return;
    }
  if (name == "--vectors")
    return parseNumber(name, value, options.vectors);
  if (name == "--freeze")
    return parseNumber(name, value, options.freeze);
  if (name == "--rounds")
    return parseNumber(name, value, options.rounds);
  if (name == "--seed")
    return parseNumber(name, value, options.seed);
  refuse(name, "an option", "'" + name + "'");
}

void checkOptions(const Options &options) {
  if (options.command != "run" && options.command != "replay" &&
      options.command != "help")
    refuse("gpu-check", "run or replay", "'" + options.command + "'");
  if (!options.only.empty() && options.only != "verify" && options.only != "bits" &&
      options.only != "speed")
    refuse("--only", "verify, bits or speed", "'" + options.only + "'");
  if (!options.vectors || !options.rounds)
    refuse("--vectors and --rounds", "at least 1", "0");
  if ((options.command == "replay") == options.files.empty())
    refuse(options.command, options.files.empty() ? "files to replay" : "options only",
           options.files.empty() ? "none" : "'" + options.files[0] + "'");
}
} // namespace

Options kiln::gpucheck::parseOptions(int count, const char *const *words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    options.line += (options.line.empty() ? "" : " ") + word;
    if (word == "-h" || word == "--help") {
      options.command = "help";
      return options;
    }
    if (word.starts_with("-")) {
      if (i + 1 == count)
        refuse(word, "a value", "the end of the line");
      setOption(options, word, words[++i]);
      options.line += std::string(" ") + words[i];
    } else if (options.command.empty()) {
      options.command = word;
    } else {
      options.files.push_back(word);
    }
  }
  checkOptions(options);
  return options;
}
