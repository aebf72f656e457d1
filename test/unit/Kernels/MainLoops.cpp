//===- MainLoops.cpp - Loops of PTX that wait for operands ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MainLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace kiln::test;
using Lines = llvm::SmallVector<llvm::StringRef>;

static bool waits(llvm::StringRef line) {
  return line.contains("cp.async.wait_group") || line.contains("mbarrier.try_wait");
}

static bool waitsIn(const Lines &lines, LineRange range) {
  return std::any_of(lines.begin() + (range.first - 1), lines.begin() + range.last,
                     waits);
}

/// Returns the label that a line branches to: "$L__BB0_3"; empty for other lines.
static llvm::StringRef branchOf(llvm::StringRef line) {
  if (!line.contains("bra"))
    return "";
  size_t label = line.find("$L");
  return label == llvm::StringRef::npos ? "" : line.drop_front(label).split(';').first;
}

/// Finds every loop by its backward branch.
static std::vector<LineRange> loopsOf(const Lines &lines) {
  llvm::StringMap<size_t> labels;
  std::vector<LineRange> loops;
  for (auto [index, line] : llvm::enumerate(lines)) {
    if (line.starts_with("$L"))
      labels[line.split(':').first] = index + 1;
    // Labels that were not seen yet are forward targets.
    auto target = labels.find(branchOf(line));
    if (!line.starts_with("$L") && target != labels.end())
      loops.push_back({target->second, index + 1});
  }
  return loops;
}

std::vector<LineRange> kiln::test::mainLoopsOf(llvm::StringRef ptx) {
  Lines lines(llvm::split(ptx, '\n'));
  if (llvm::none_of(lines, waits))
    return {};
  std::vector<LineRange> waiting, innermost;
  for (LineRange loop : loopsOf(lines))
    if (waitsIn(lines, loop))
      waiting.push_back(loop);
  for (LineRange loop : waiting)
    if (llvm::none_of(waiting, [&](LineRange other) {
          return loop.first < other.first && other.last < loop.last;
        }))
      innermost.push_back(loop);
  if (!innermost.empty())
    return innermost;
  auto ticket = llvm::find_if(
      lines, [](llvm::StringRef line) { return line.contains("atom.acq_rel"); });
  size_t end = ticket == lines.end() ? lines.size() : ticket - lines.begin() + 1;
  return {{1, end}};
}
