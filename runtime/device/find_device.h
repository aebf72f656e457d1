//===- find_device.h - The devices of this build ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_FIND_DEVICE_H
#define KILN_DEVICE_FIND_DEVICE_H

#include "runtime/device/device.h"

namespace kiln::rt {

/// Finds a device by name; NULL means "cpu". Errors: KILN-E0702.
Status findDevice(const char *name, Device *&out);

} // namespace kiln::rt

#endif // KILN_DEVICE_FIND_DEVICE_H
