//===- handles.h - The table of live handles --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is a number that is never reused, not an address: each handle from a program
// is looked up, so that a destroyed or invalid handle is an error and never a wild
// access.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_HANDLES_H
#define KILN_SIM_DRIVER_HANDLES_H

#include "runtime/sim/driver/failure.h"
#include <memory>
#include <unordered_map>

namespace kiln::sim::driver {

class Handles;

/// Base of everything that a program names by a handle.
class Object {
public:
  virtual ~Object() = default;
  uint64_t number() const { return value; }
  /// False once the program destroyed the object; work in flight may still hold it.
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
  /// Returns null if the handle is no live T.
  template <class T> std::shared_ptr<T> find(const void *handle) const {
    auto entry = live.find(reinterpret_cast<uint64_t>(handle));
    return entry == live.end() ? nullptr : std::dynamic_pointer_cast<T>(entry->second);
  }
  void remove(Object &object) {
    // Clear `value` first: erasing may drop the last reference but the caller's.
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
