//===- kernel_symbols.cpp - Names of generated code -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/kernel_symbols.h"
#include <algorithm>
#include <map>

using namespace kiln::rt;

/// Max characters of the list of nodes: tools cut long names, or print them in columns.
static constexpr size_t maxNodesText = 200;

namespace {
struct CodeOwner {
  std::string kernel;             ///< first kernel that has this code
  std::vector<std::string> nodes; ///< ONNX nodes of all kernels that have this code
};
} // namespace

/// Replaces spaces: files of profilers have one name per line, and most tools split the
/// line at spaces.
static std::string withoutSpaces(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f || c == ';')
      c = '_';
  return text;
}

/// Returns NAME of "node 'NAME' (MatMul, opset 17)".
static std::string nodeName(const std::string &node) {
  size_t begin = node.find('\''), end = node.rfind("' (");
  bool isQuoted = begin != node.npos && end != node.npos && begin < end;
  return isQuoted ? node.substr(begin + 1, end - begin - 1) : node;
}

static std::string nameOf(const CodeOwner &owner) {
  std::string nodes;
  size_t left = owner.nodes.size();
  for (const std::string &given : owner.nodes) {
    std::string node = nodeName(given);
    if (nodes.size() + node.size() > maxNodesText)
      break;
    nodes += (nodes.empty() ? "" : ",") + node;
    --left;
  }
  if (left)
    nodes += (nodes.empty() ? "+" : ",+") + std::to_string(left);
  return withoutSpaces("kiln:" + owner.kernel + (nodes.empty() ? "" : "[" + nodes + "]"));
}

static std::map<uint64_t, CodeOwner> ownersOf(std::span<const Plan *const> programs,
                                              size_t target) {
  std::map<uint64_t, CodeOwner> owners;
  for (const Plan *plan : programs) {
    for (const Kernel &kernel : plan->kernels)
      if (CodeOwner &owner = owners[kernel.entries[target]]; owner.kernel.empty())
        owner.kernel = kernel.name;
    for (const Step &step : plan->steps) {
      if (step.kind != StepKind::Launch)
        continue;
      auto &nodes = owners[plan->kernels[step.kernel].entries[target]].nodes;
      for (const std::string &node : step.nodes)
        if (std::ranges::find(nodes, node) == nodes.end())
          nodes.push_back(node);
    }
  }
  return owners;
}

std::vector<KernelSymbol> kiln::rt::kernelSymbols(const CodeImage &image,
                                                  std::span<const Plan *const> programs,
                                                  size_t target) {
  std::vector<KernelSymbol> symbols;
  for (const auto &[offset, owner] : ownersOf(programs, target)) {
    if (!symbols.empty() && !symbols.back().size)
      symbols.back().size = offset - symbols.back().offset;
    auto found = std::ranges::find(image.functions, offset, &CodeFunction::offset);
    CodeFunction function =
        found == image.functions.end() ? CodeFunction{offset, 0, 0, 0} : *found;
    symbols.push_back({offset, function.size, owner.kernel, nameOf(owner), function});
  }
  if (!symbols.empty() && !symbols.back().size)
    symbols.back().size = image.size() - symbols.back().offset;
  return symbols;
}
