//===- CountAllocations.h ---------------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked into a test, this replaces malloc.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_COUNTALLOCATIONS_H
#define KILN_TEST_RUNTIME_COUNTALLOCATIONS_H

#include "TestPackage.h"

namespace kiln::test {

/// Allocations of the process so far.
long countAllocations();
/// False where a sanitizer owns malloc.
bool canCountAllocations();
/// Runs a session of scaleModel a thousand times, most with dims that are new to it, and
/// expects no allocation.
void expectNoAllocations(kiln_session *session);

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_COUNTALLOCATIONS_H
