//===- launch_attributes.h - Which launch attributes there are --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_LAUNCH_ATTRIBUTES_H
#define KILN_SIM_DRIVER_LAUNCH_ATTRIBUTES_H

#include "runtime/sim/driver/failure.h"

namespace kiln::sim::driver {

/// Throws if the attribute is not modelled or its value is invalid.
void checkLaunchAttribute(CUlaunchAttributeID id, const CUlaunchAttributeValue &value);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_LAUNCH_ATTRIBUTES_H
