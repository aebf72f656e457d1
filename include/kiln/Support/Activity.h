//===- Activity.h - What the threads of the compiler are at -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps whose length depends on the model say their name while they last, so that what
// ends a compile from outside, such as a time limit, can tell where it was.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_ACTIVITY_H
#define KILN_SUPPORT_ACTIVITY_H

#include "llvm/ADT/Twine.h"

#include <list>
#include <string>

namespace kiln {

/// Lasts as long as the object, on one thread; several at once are one per thread.
class Activity {
public:
  explicit Activity(const llvm::Twine &name);
  ~Activity();
  Activity(const Activity &) = delete;
  Activity &operator=(const Activity &) = delete;

  /// The one that began first among those that last; "" if there is none.
  static std::string longest();

private:
  std::list<std::string>::iterator place;
};

} // namespace kiln

#endif // KILN_SUPPORT_ACTIVITY_H
