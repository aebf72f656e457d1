//===- AccuracyRepair.cpp - Search for matmuls to keep in full precision --===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccuracyRepair.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace kiln;
using namespace kiln::quantization;
using namespace llvm;

namespace {
class Repair {
public:
  Repair(const RepairTask &task, MeasureLoss loss, MeasureLoss quick)
      : task(task), loss(loss), quick(quick) {}
  Expected<RepairResult> run();

private:
  BlameGroup groupOf(size_t begin, size_t end) const;
  std::vector<BlameGroup> firstGroups() const;
  Error blame(BlameGroup &group, double base);
  Error judgeWorstAlone(double base);
  Error findCount();
  std::vector<size_t> productsOf(size_t count) const;
  size_t predictedCount() const;

  const RepairTask &task;
  MeasureLoss loss, quick;
  size_t blames = 0; ///< number of measurements
  RepairResult result;
};
} // namespace

/// Orders groups by blame per byte, then by their order in the model.
static bool isWorse(const BlameGroup &a, const BlameGroup &b) {
  double left = a.blame / double(std::max<uint64_t>(a.bytes, 1)),
         right = b.blame / double(std::max<uint64_t>(b.bytes, 1));
  return left != right ? left > right : a.begin < b.begin;
}

BlameGroup Repair::groupOf(size_t begin, size_t end) const {
  ArrayRef<uint64_t> bytes = ArrayRef(task.bytes).slice(begin, end - begin);
  return {begin, end, std::accumulate(bytes.begin(), bytes.end(), uint64_t(0))};
}

/// Returns groups of one matmul each, or, if there are too many matmuls, larger groups
/// that leave half of the measurements for single matmuls.
std::vector<BlameGroup> Repair::firstGroups() const {
  size_t products = task.bytes.size();
  size_t count =
      products <= task.maxBlames ? products : std::max<size_t>(task.maxBlames / 2, 1);
  std::vector<BlameGroup> groups;
  for (size_t i = 0; i < count; ++i)
    groups.push_back(groupOf(products * i / count, products * (i + 1) / count));
  return groups;
}

Error Repair::blame(BlameGroup &group, double base) {
  std::vector<size_t> products(group.size());
  std::iota(products.begin(), products.end(), group.begin);
  Expected<double> found = quick(products);
  if (!found)
    return found.takeError();
  ++blames;
  group.blame = base - *found;
  return Error::success();
}

/// Replaces groups by their single matmuls, from the highest blame per byte on, while
/// measurements are left.
Error Repair::judgeWorstAlone(double base) {
  std::vector<BlameGroup> groups = std::move(result.groups);
  result.groups.clear();
  for (BlameGroup &group : groups) {
    if (group.size() == 1 || blames + group.size() > task.maxBlames) {
      result.groups.push_back(group);
      continue;
    }
    for (size_t product = group.begin; product < group.end; ++product) {
      result.groups.push_back(groupOf(product, product + 1));
      KILN_CHECK(blame(result.groups.back(), base));
    }
  }
  sort(result.groups, isWorse);
  return Error::success();
}

std::vector<size_t> Repair::productsOf(size_t count) const {
  std::vector<size_t> products;
  for (const BlameGroup &group : ArrayRef(result.groups).take_front(count))
    for (size_t product = group.begin; product < group.end; ++product)
      products.push_back(product);
  sort(products);
  return products;
}

/// Returns the minimum number of groups to keep such that the budget holds if blames are
/// additive.
size_t Repair::predictedCount() const {
  double left = result.quantized;
  size_t count = 0;
  while (count < result.groups.size() && left > task.allowed)
    left -= result.groups[count++].blame;
  return count;
}

/// Finds the number of groups to keep between `few`, which does not hold, and `enough`,
/// which holds or is all groups. Galloping search from the predicted number, then
/// bisection.
Error Repair::findCount() {
  size_t few = 0, enough = result.groups.size(), step = 1;
  result.repaired = result.quantized;
  size_t count = std::min(predictedCount(), enough - 1);
  while (enough - few > 1) {
    count = std::clamp(count, few + 1, enough - 1);
    Expected<double> found = loss(productsOf(count));
    if (!found)
      return found.takeError();
    bool holds = *found <= task.allowed;
    (holds ? enough : few) = count;
    if (holds || !result.holds)
      result.repaired = *found;
    result.holds |= holds;
    size_t next = std::min(step, (enough - few) / 2);
    count = holds ? enough - next : few + next;
    step *= 2;
  }
  size_t kept = result.holds ? enough : few;
  for (BlameGroup &group : MutableArrayRef(result.groups).take_front(kept)) {
    group.kept = true;
    result.predicted -= group.blame;
  }
  result.kept = productsOf(kept);
  return Error::success();
}

Expected<RepairResult> Repair::run() {
  Expected<double> first = loss({});
  if (!first)
    return first.takeError();
  result.quantized = result.repaired = result.predicted = *first;
  result.holds = *first <= task.allowed;
  if (result.holds || task.bytes.empty())
    return std::move(result);
  Expected<double> base = quick({});
  if (!base)
    return base.takeError();
  result.groups = firstGroups();
  for (BlameGroup &group : result.groups)
    if (Error error = blame(group, *base))
      return std::move(error);
  sort(result.groups, isWorse);
  if (Error error = judgeWorstAlone(*base))
    return std::move(error);
  if (Error error = findCount())
    return std::move(error);
  return std::move(result);
}

Expected<RepairResult> quantization::repairAccuracy(const RepairTask &task,
                                                    MeasureLoss loss, MeasureLoss quick) {
  return Repair(task, loss, quick).run();
}
