//===- SourceRecord.cpp - The model of a compile, in its dumps ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceRecord.h"

using namespace kiln;

using Pairs = std::vector<std::pair<std::string, std::string>>;

static std::vector<std::string> joinPairs(const Pairs &pairs) {
  std::vector<std::string> texts;
  for (const auto &[key, value] : pairs)
    texts.push_back(key + "=" + value);
  return texts;
}

/// Keys have no '=', as the command line takes them.
static Pairs splitPairs(const std::vector<std::string> &texts) {
  Pairs pairs;
  for (llvm::StringRef text : texts) {
    auto [key, value] = text.split('=');
    pairs.emplace_back(key.str(), value.str());
  }
  return pairs;
}

/// Leaves out what will be gone when the process ends.
static void addFile(const CalibratedInput &input, std::vector<CalibratedFile> &files) {
  if (llvm::StringRef(input.file).starts_with("/proc/self/fd/"))
    return;
  bool isKnown = llvm::any_of(
      files, [&](const CalibratedFile &file) { return file.hash == input.hash; });
  if (!isKnown)
    files.push_back({input.hash, input.file, input.offset});
}

static std::vector<CalibratedFile> filesOf(const PrecisionPolicy &policy) {
  std::vector<CalibratedFile> files;
  if (policy.calibration)
    for (const auto &[node, input] : *policy.calibration)
      addFile(*input, files);
  if (policy.ranges)
    for (const auto &[node, range] : *policy.ranges)
      addFile(*range.scale, files);
  return files;
}

SourceRecord SourceRecord::of(const CompileOptions &options, std::string sha256) {
  SourceRecord record;
  record.model = options.input;
  record.sha256 = std::move(sha256);
  record.dims = options.dims;
  record.outputs = options.outputs;
  record.frozen = joinPairs(options.frozen);
  record.externalDataFrom = options.externalDataFrom;
  record.labels = joinPairs(options.labels);
  record.cubin = options.targets.cubin;
  record.graphMemory = options.limits.graphMemory;
  record.calibrated = filesOf(options.precision);
  record.accuracy = options.accuracy;
  return record;
}

/// Returns the input with the file of its bytes, which passes do not record.
static std::shared_ptr<const CalibratedInput>
withFile(const CalibratedInput &input, const std::vector<CalibratedFile> &files) {
  auto found = std::make_shared<CalibratedInput>(input);
  for (const CalibratedFile &file : files)
    if (file.hash == input.hash) {
      found->file = file.file;
      found->offset = file.offset;
    }
  return found;
}

static void setFiles(PrecisionPolicy &policy, const std::vector<CalibratedFile> &files) {
  if (policy.calibration) {
    Calibration calibration = *policy.calibration;
    for (auto &[node, input] : calibration)
      input = withFile(*input, files);
    policy.calibration = std::make_shared<Calibration>(std::move(calibration));
  }
  if (policy.ranges) {
    ActivationRanges ranges = *policy.ranges;
    for (auto &[node, range] : ranges)
      range.scale = withFile(*range.scale, files);
    policy.ranges = std::make_shared<ActivationRanges>(std::move(ranges));
  }
}

bool kiln::lacksSamples(const PrecisionPolicy &policy) {
  auto isGone = [](const CalibratedInput &input) { return input.file.empty(); };
  bool lacks = false;
  if (policy.calibration)
    for (const auto &[node, input] : *policy.calibration)
      lacks |= isGone(*input);
  if (policy.ranges)
    for (const auto &[node, range] : *policy.ranges)
      lacks |= isGone(*range.scale);
  return lacks;
}

void SourceRecord::setOptions(CompileOptions &options) const {
  options.dims = dims;
  options.outputs = outputs;
  options.frozen = splitPairs(frozen);
  options.externalDataFrom = externalDataFrom;
  options.labels = splitPairs(labels);
  options.targets.cubin = cubin;
  options.limits.graphMemory = graphMemory;
  setFiles(options.precision, calibrated);
  options.accuracy = accuracy;
}
