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

/// Returns the number of allocations of the process so far.
long countAllocations();
/// Returns false if a sanitizer replaces malloc.
bool canCountAllocations();
/// Runs a session of scaleModel a thousand times, mostly with new dims, and expects no
/// allocation.
void expectNoAllocations(kiln_session *session);

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_COUNTALLOCATIONS_H
