//===- main.cpp - Trials of the runtime, by family ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//  driver FAMILY PACKAGE ...     prints a line for each trial: its name, a tab, the
//  result
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <cstdio>
#include <map>

int main(int count, char **words) {
  const std::map<std::string, void (*)(const abuse::Arguments &)> families = {
      {"packages", abuse::packages}, {"allocations", abuse::allocations},
      {"calls", abuse::calls},       {"signals", abuse::signals},
      {"forks", abuse::forks},       {"exits", abuse::exits},
      {"limits", abuse::limits},     {"environments", abuse::environments},
      {"threads", abuse::threads},   {"files", abuse::files}};
  auto family = families.find(count > 2 ? words[1] : "");
  if (family == families.end()) {
    std::fprintf(stderr, "usage: driver FAMILY PACKAGE ...\n");
    return 2;
  }
  family->second(abuse::Arguments(words + 2, words + count));
  std::fflush(stdout);
  return 0;
}
