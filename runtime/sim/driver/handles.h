//===- handles.h - The table of live handles --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is a number that was never given out before, not an address: whatever a
// program passes in is looked up, so that a destroyed or made-up handle is an error and
// never a wild access.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_HANDLES_H
#define KILN_SIM_DRIVER_HANDLES_H

#include "runtime/sim/driver/failure.h"
#include <memory>
#include <unordered_map>

namespace kiln::sim::driver {

class Handles;

/// Anything that a program names by a handle.
class Object {
public:
  virtual ~Object() = default;
  uint64_t number() const { return value; }
  /// False once the program destroyed it; work in flight may still hold it.
  bool alive() const { return value != 0; }

private:
  friend class Handles;
  uint64_t value = 0;
};

class Handles {
public:
  template <class T> typename T::Handle add(const std::shared_ptr<T> &object) {
    object->value = next += Step;
    live[object->value] = object;
    return handle(*object);
  }
  template <class T> static typename T::Handle handle(const T &object) {
    return reinterpret_cast<typename T::Handle>(object.number());
  }
  /// Null if the handle is no live T.
  template <class T> std::shared_ptr<T> find(const void *handle) const {
    auto entry = live.find(reinterpret_cast<uint64_t>(handle));
    return entry == live.end() ? nullptr : std::dynamic_pointer_cast<T>(entry->second);
  }
  void remove(Object &object) {
    // The table's reference may be the last but the caller's; `value` goes first.
    auto entry = live.find(object.value);
    object.value = 0;
    if (entry != live.end())
      live.erase(entry);
  }

private:
  static constexpr uint64_t Step = 16;
  std::unordered_map<uint64_t, std::shared_ptr<Object>> live;
  uint64_t next = 0x10000;
};

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_HANDLES_H
