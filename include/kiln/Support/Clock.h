//===- Clock.h - Monotonic time ---------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_CLOCK_H
#define KILN_SUPPORT_CLOCK_H

namespace kiln {

/// Monotonic seconds.
double now();

} // namespace kiln

#endif // KILN_SUPPORT_CLOCK_H
