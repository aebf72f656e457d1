//===- trace.h - Lines of KILN_SIM_TRACE ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#ifndef KILN_SIM_DRIVER_TRACE_H
#define KILN_SIM_DRIVER_TRACE_H

#include "runtime/sim/driver/failure.h"
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace kiln::sim::driver {

bool tracing();

/// Line of the trace: "cuMemAlloc_v2(dptr=0x7ffd..., bytesize=64) = CUDA_SUCCESS,
/// *dptr=0x3000...".
class TraceLine {
public:
  /// `names`: "(a, b)", as written in the .def tables.
  TraceLine(const char *symbol, const char *names);
  ~TraceLine(); ///< writes the line

  template <class T> void argument(const T &value) { add(print(value)); }
  void result(CUresult code);
  /// Adds the value that the call wrote to its first parameter, if it is a handle or a
  /// number.
  template <class T> void outcome(const T &value) {
    if constexpr (std::is_pointer_v<T>) {
      using P = std::remove_pointer_t<T>;
      // char pointers are strings or opaque memory, whose length is unknown.
      constexpr bool number = std::is_same_v<P, int> || std::is_same_v<P, unsigned> ||
                              std::is_same_v<P, unsigned long> ||
                              std::is_same_v<P, unsigned long long>;
      if constexpr (number || (std::is_pointer_v<P> && !std::is_const_v<P>))
        if (value)
          addOutcome(print(*value));
    }
  }

private:
  static std::string hex(unsigned long long value);
  static std::string quoted(const char *text);
  template <class T> static std::string print(const T &value) {
    if constexpr (std::is_same_v<T, const char *>)
      return value ? quoted(value) : "null";
    else if constexpr (std::is_pointer_v<T>)
      return hex(reinterpret_cast<unsigned long long>(value));
    else if constexpr (std::is_same_v<T, unsigned long long>)
      return hex(value); // device addresses
    else if constexpr (std::is_enum_v<T>)
      return std::to_string(int(value));
    else if constexpr (std::is_class_v<T>)
      return "{...}";
    else
      return std::to_string(value);
  }
  void add(const std::string &value);
  void addOutcome(const std::string &value);
  std::string_view nextName();

  std::string line;
  std::string_view names, first;
  bool any = false;
};

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_TRACE_H
