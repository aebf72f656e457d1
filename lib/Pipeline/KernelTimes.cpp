//===- KernelTimes.cpp - Times to compile kernels -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTimes.h"
#include "dialects/Graph/Graph.h"

using namespace kiln;
using namespace mlir;

static std::vector<std::string> nodesOf(graph::KernelOp kernel) {
  std::vector<std::string> nodes;
  if (ArrayAttr names = kernel.getNodesAttr())
    for (auto name : names.getAsRange<StringAttr>())
      nodes.push_back(name.str());
  return nodes;
}

/// Returns, for each code, the nodes of the first kernel that uses it.
static llvm::StringMap<std::vector<std::string>> nodesByCode(ModuleOp module,
                                                             const Images &images) {
  llvm::StringMap<std::vector<std::string>> nodes;
  for (graph::KernelOp kernel : graph::kernelsOf(module))
    if (FlatSymbolRefAttr code = kernel.getCodeAttr())
      nodes.try_emplace(code.getValue(), nodesOf(kernel));
  // Variants are separate code for the same kernel.
  for (const auto &kernel : images.kernels)
    for (const auto &[targetAndName, variant] : kernel.second.variants)
      nodes.try_emplace(targetAndName.second, nodes.lookup(kernel.first()));
  return nodes;
}

void kiln::addKernelTimes(ModuleOp module, const Images &images, CompileReport &report) {
  llvm::StringMap<std::vector<std::string>> nodes = nodesByCode(module, images);
  std::vector<CompileReport::KernelTime> times = images.times;
  for (CompileReport::KernelTime &time : times)
    time.nodes = nodes.lookup(time.kernel);
  llvm::stable_sort(times,
                    [](const auto &a, const auto &b) { return a.seconds > b.seconds; });
  report.kernelTimes = std::move(times);
}
