//===- SampleRecord.cpp - Samples as module attributes --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Reports.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "llvm/ADT/MapVector.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
/// An input of matmuls with its statistic or range over samples, and the nodes of the
/// matmuls. All nodes refer to one CalibratedInput, which becomes one weight.
struct SampledInput {
  CalibratedInput input = {};
  ActivationRange range = {};
  std::vector<std::string> nodes = {};

  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    CalibratedInput::visit(self.input, visitor);
    ActivationRange::visit(self.range, visitor);
    visitor("nodes", self.nodes);
  }
};

/// Inputs ordered by the name of their first node.
using SampledInputs = llvm::MapVector<const CalibratedInput *, SampledInput>;
} // namespace

static void setInputs(ModuleOp module, StringRef attribute, SampledInputs inputs) {
  std::vector<SampledInput> list;
  for (auto &[ignored, input] : inputs)
    list.push_back(std::move(input));
  module->removeAttr(attribute);
  addToReport(module, attribute, list);
}

void kiln::recordSamples(ModuleOp module, const PrecisionPolicy &policy) {
  SampledInputs inputs, ranges;
  if (policy.calibration)
    for (const auto &[node, input] : *policy.calibration) {
      SampledInput &one = inputs[input.get()];
      one.input = *input;
      one.nodes.push_back(node);
    }
  if (policy.ranges)
    for (const auto &[node, range] : *policy.ranges) {
      SampledInput &one = ranges[range.scale.get()];
      one.input.hash = range.scale->hash;
      one.range = range;
      one.nodes.push_back(node);
    }
  setInputs(module, kCalibrationAttr, std::move(inputs));
  setInputs(module, kActivationRangesAttr, std::move(ranges));
}

void kiln::readSamples(ModuleOp module, PrecisionPolicy &policy) {
  auto calibration = std::make_shared<Calibration>();
  for (const auto &one : readReport<SampledInput>(module, kCalibrationAttr)) {
    auto input = std::make_shared<CalibratedInput>(one.input);
    for (const std::string &node : one.nodes)
      (*calibration)[node] = input;
  }
  auto ranges = std::make_shared<ActivationRanges>();
  for (const auto &one : readReport<SampledInput>(module, kActivationRangesAttr)) {
    ActivationRange range = one.range;
    range.scale = std::make_shared<CalibratedInput>(one.input);
    for (const std::string &node : one.nodes)
      (*ranges)[node] = range;
  }
  if (!calibration->empty())
    policy.calibration = std::move(calibration);
  if (!ranges->empty())
    policy.ranges = std::move(ranges);
}
