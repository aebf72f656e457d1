//===- toolkit_layout.cpp - Our declarations against the toolkit's own ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/api/structs.h"
// Makes cuda.h declare every version of every function under its exported name.
#define __CUDA_API_VERSION_INTERNAL
#include <cstddef>
#include <cuda.h>
#include <cudaProfiler.h>
#include <type_traits>

namespace ours = kiln::sim::cu;

#define ENUM(name) static_assert(sizeof(ours::name) == sizeof(::name));
#define VALUE(name, number) static_assert(int(ours::name) == int(::name), #name);
#define END()
#include "runtime/sim/driver/api/enums.def"
#undef ENUM
#undef VALUE
#undef END

#define RESULT(name, number, text) static_assert(int(ours::name) == int(::name), #name);
#include "runtime/sim/driver/api/results.def"
#undef RESULT

#define ATTRIBUTE(name, number, value)                                                   \
  static_assert(int(CU_DEVICE_ATTRIBUTE_##name) == number, #name);
#include "runtime/sim/driver/device_attributes.def"
#undef ATTRIBUTE

#define CALL(symbol, variant, base, since, implementation, kind, parameters, arguments)  \
  static_assert(std::is_same_v<decltype(&::symbol), CUresult(*) parameters>, #symbol);
#include "runtime/sim/driver/api/calls.def"
#include "runtime/sim/driver/api/graph_calls.def"
#undef CALL

#define SIZE(type)                                                                       \
  static_assert(sizeof(ours::type) == sizeof(::type) &&                                  \
                    alignof(ours::type) == alignof(::type),                              \
                #type);
#define FIELD(type, name)                                                                \
  static_assert(offsetof(ours::type, name) == offsetof(::type, name) &&                  \
                    sizeof(ours::type::name) == sizeof(::type::name),                    \
                #type "." #name);
#include "test/sim/driver/structs.def"
#undef SIZE
#undef FIELD
