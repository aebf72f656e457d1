//===- main.cpp - kiln-ptx -------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tool/tool.h"

#include <iostream>

int main(int argc, char **argv) {
  return kiln::sim::tool::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
