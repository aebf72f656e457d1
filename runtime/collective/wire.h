//===- wire.h - The plugin that moves bytes between nodes -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_WIRE_H
#define KILN_COLLECTIVE_WIRE_H

#include "runtime/base/status.h"
#include "runtime/gloo/wire.h"

namespace kiln::rt {

/// Loads libkiln_gloo.so, or the library in KILN_GLOO_LIBRARY, and never unloads it.
/// Errors: KILN-E0702.
Status loadWire(const kiln_wire_table *&out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_WIRE_H
