//===- SerializePlan.h - A plan as FlatBuffers objects ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_SERIALIZEPLAN_H
#define KILN_PACKAGE_SERIALIZEPLAN_H

#include "dialects/Plan/Plan.h"
#include "plan_generated.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln::package {

/// Offsets of a kernel's code in the image of each target, and other properties of the
/// kernel that the package stores.
struct KernelImage {
  std::vector<uint64_t> entries;            // byte offset into each target's image
  std::vector<graph::SymbolicExpr> scratch; // bytes per worker, per host target
  /// TensorMap of plan.fbs.
  struct TensorMap {
    uint32_t buffer = 0;
    mlir::Type element;
    graph::SymbolicExpr offset;                        // bytes
    std::vector<graph::SymbolicExpr> extents, strides; // elements, bytes
    std::vector<uint32_t> box;
    uint32_t swizzle = 0;
  };
  struct Block {
    uint32_t threads = 0;
    graph::SymbolicExpr shared = 0;               // bytes of dynamic shared memory
    std::vector<TensorMap> maps;                  // a kernel with maps is persistent
    bool waits = false;                           // the kernel itself waits for preceding
                                                  // kernels
    uint64_t cubin = 0, cubinSize = 0;            // in the target's cubin section
    std::optional<graph::SymbolicExpr> workspace; // bytes
    graph::SymbolicExpr tickets = 0;              // arrival counters, with a workspace
    uint32_t cluster = 1;                         // blocks per cluster
  };
  std::vector<Block> blocks; // per target; 0 threads for a host
  /// Code for a subset of launches, by the index of its target and its name.
  struct Variant {
    uint64_t entry = 0;
    Block block;
    std::string config;
  };
  std::map<std::pair<int64_t, std::string>, Variant> variants;
  std::vector<std::string> symbols; // in the order of the ABI
  std::string hero;
  std::vector<std::string> configs; // printed, per target
};

struct TargetImage {
  std::string name;
  std::vector<std::string> features;
  bool isGpu = false;
};

/// Serializes the plan of `program`, one of those of `module`, with the symbols that it
/// uses, or with all of the module if it is the only program. `kernels` maps the names
/// that launches use.
fb::PlanT serializePlan(mlir::ModuleOp module, plan::ProgramOp program,
                        const llvm::StringMap<KernelImage> &kernels,
                        llvm::ArrayRef<TargetImage> targets);

} // namespace kiln::package

#endif // KILN_PACKAGE_SERIALIZEPLAN_H
