//===- collective_call.cpp - A collective that a rank calls ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/collective_call.h"

using namespace kiln::rt;

bool CollectiveCall::matches(const CollectiveCall &other) const {
  return kind == other.kind && reduction == other.reduction && dtype == other.dtype &&
         outer == other.outer && inner == other.inner && step == other.step &&
         first == other.first && count == other.count && members == other.members &&
         stride == other.stride && destinations == other.destinations;
}

std::string kiln::rt::rankText(uint32_t rank) { return "rank " + std::to_string(rank); }

std::string kiln::rt::placeText(uint32_t rank, uint32_t step) {
  return step >= runStep ? rankText(rank)
                         : rankText(rank) + ", step " + std::to_string(step);
}

std::string kiln::rt::callText(const CollectiveCall &call) {
  if (call.step == runStep)
    return "a run";
  if (call.step == noStep && call.kind == CollectiveKind::Broadcast)
    return "a broadcast of " + std::to_string(call.bytes()) + " bytes";
  std::string text = std::string(collectiveName(call.kind)) + " of " +
                     std::to_string(call.outer) + " x " + std::to_string(call.inner) +
                     ' ' + kiln_dtype_name(call.dtype);
  return call.isStep() ? text + " at step " + std::to_string(call.step) : text;
}
