//===- Activity.h - Activities of the compiler's threads --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps whose duration depends on the model register a name while they run, so that a
// time limit that stops the compile can report where it was.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_ACTIVITY_H
#define KILN_SUPPORT_ACTIVITY_H

#include "llvm/ADT/Twine.h"

#include <list>
#include <string>

namespace kiln {

/// An activity that lasts as long as the object, on one thread.
class Activity {
public:
  explicit Activity(const llvm::Twine &name);
  ~Activity();
  Activity(const Activity &) = delete;
  Activity &operator=(const Activity &) = delete;

  /// Returns the name of the oldest running activity; "" if there is none.
  static std::string longest();

private:
  std::list<std::string>::iterator place;
};

} // namespace kiln

#endif // KILN_SUPPORT_ACTIVITY_H
