//===- Numbers.h - Elements as double ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_NUMBERS_H
#define KILN_EXECUTION_NUMBERS_H

#include "kiln/runtime.h"

namespace kiln::execution {

bool isFloat(kiln_dtype dtype);
/// Reads element `index` of dense memory; integers beyond 2^53 are rounded.
double readElement(kiln_dtype dtype, const void *data, uint64_t index);
/// Writes the nearest value that the type has.
void writeElement(kiln_dtype dtype, void *data, uint64_t index, double value);

} // namespace kiln::execution

#endif // KILN_EXECUTION_NUMBERS_H
