//===- checker.h - Independent proof of a memory plan -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory checker is independent of the planner: it has no code in common with it and
// derives lifetimes from what the steps read and write.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_CHECKER_H
#define KILN_PACKAGE_CHECKER_H

#include "runtime/package/layout.h"

namespace kiln::rt {

class MemoryChecker {
public:
  /// Checks the properties that do not depend on dims: every read finds the value that
  /// the plan intends, written before and not overwritten since, also by steps that
  /// overlap with a collective; weights and inputs are never written; declared lifetimes
  /// cover all uses. Errors: KILN-E0507.
  Status prepare(const Plan &plan, uint64_t weightsSize, const std::string &where);

  /// Checks the properties that depend on dims: buffers are inside their arenas, no two
  /// live ones overlap, tensors are as large as their buffers, scratch fits into the
  /// workspace, workspaces of steps are large enough for their blocks, and copies are
  /// between equal sizes. scratch: placed().size() elements. Allocates nothing unless it
  /// fails. O(n * simultaneously live buffers).
  Status check(const Plan &plan, const Layout &layout, std::span<uint32_t> scratch) const;

  /// Storages that have an offset in an arena, by arena and first use.
  std::span<const uint32_t> placed() const { return order; }

  /// Calls prepare, then check at both ends of the envelope; also checks that sizes of
  /// arenas and tensors are bounded over all dims. Errors: KILN-E0507, E0508.
  Status proveCorners(const Plan &plan, uint64_t weightsSize, const std::string &where);

private:
  /// Lifetime of a storage: of all buffers of an alias chain.
  struct Life {
    uint32_t first = UINT32_MAX, last = 0;
    bool used() const { return first != UINT32_MAX; }
    void extend(uint32_t step) {
      first = step < first ? step : first;
      last = step > last ? step : last;
    }
  };

  Status checkBounds(const Plan &plan) const;
  Failure fail(const std::string &part, std::string what, std::string expected = {},
               std::string found = {}) const;
  void findWriters(const Plan &plan);
  int64_t valueOf(const Plan &plan, uint32_t buffer) const;
  Status walkSteps(const Plan &plan);
  Status read(const Plan &plan, uint32_t step, uint32_t buffer);
  Status write(const Plan &plan, uint32_t step, uint32_t buffer);
  Status runBeside(const Plan &plan, uint32_t step);
  Status checkOutputs(const Plan &plan);
  void sortStorages(const Plan &plan);
  Status checkWeights(const Plan &plan, const Layout &layout) const;
  Status checkTensors(const Plan &plan, const Layout &layout) const;
  Status checkSteps(const Plan &plan, const Layout &layout) const;
  Status checkWorkspace(const Plan &plan, const Layout &layout, uint32_t step) const;
  Status checkCollective(const Plan &plan, const Layout &layout, uint32_t step) const;
  Status checkPlaces(const Plan &plan, const Layout &layout,
                     std::span<uint32_t> active) const;
  uint64_t extent(const Plan &plan, const Layout &layout, uint32_t s) const;
  bool intersect(const Plan &plan, const Layout &layout, uint32_t a, uint32_t b) const;

  std::string where;
  uint64_t weightsSize = 0;
  std::vector<Life> lives;         ///< by storage
  std::vector<bool> written;       ///< by buffer: a step writes it
  std::vector<int64_t> firstMade;  ///< by storage: its first written buffer, or -1
  std::vector<int64_t> current;    ///< by storage: buffer whose value it has, or -1
  std::vector<uint32_t> lastWrite; ///< by storage: step of the last write + 1
  /// By storage: a collective may read or write it until just before this step.
  std::vector<uint32_t> readUntil, writtenUntil;
  std::vector<std::vector<uint32_t>> members; ///< by storage: its buffers
  std::vector<uint32_t> order;
};

} // namespace kiln::rt

#endif // KILN_PACKAGE_CHECKER_H
