//===- Activity.cpp - Current activities of compiler threads --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/Activity.h"

#include <mutex>

namespace {
/// Names of running activities, in the order of their start.
struct Running {
  std::mutex mutex;
  std::list<std::string> names;
};
} // namespace

static Running &running() {
  static Running instance;
  return instance;
}

kiln::Activity::Activity(const llvm::Twine &name) {
  std::lock_guard<std::mutex> lock(running().mutex);
  place = running().names.insert(running().names.end(), name.str());
}

kiln::Activity::~Activity() {
  std::lock_guard<std::mutex> lock(running().mutex);
  running().names.erase(place);
}

std::string kiln::Activity::longest() {
  std::lock_guard<std::mutex> lock(running().mutex);
  return running().names.empty() ? "" : running().names.front();
}
