//===- enums.h - Enumerations of the driver interface -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_API_ENUMS_H
#define KILN_SIM_DRIVER_API_ENUMS_H

namespace kiln::sim::cu {

#define ENUM(name) enum name : int {
#define VALUE(name, number) name = number,
#define END()                                                                            \
  }                                                                                      \
  ;
#include "runtime/sim/driver/api/enums.def"
#undef ENUM
#undef VALUE
#undef END

enum CUresult : int {
#define RESULT(name, number, text) name = number,
#include "runtime/sim/driver/api/results.def"
#undef RESULT
};

/// The enumerators' numbers are in device_attributes.def, with their values.
enum CUdevice_attribute : int {};
/// Textures and arrays are not modelled.
enum CUarray_format : int {};

} // namespace kiln::sim::cu

#endif // KILN_SIM_DRIVER_API_ENUMS_H
