//===- Console.cpp - Console output ---------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/Console.h"

using namespace llvm;

static bool quietReports = false;
bool kiln::isQuiet() { return quietReports; }
void kiln::setQuiet(bool quiet) { quietReports = quiet; }
raw_ostream &kiln::text() { return quietReports ? nulls() : outs(); }
