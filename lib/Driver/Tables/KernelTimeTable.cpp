//===- KernelTimeTable.cpp - Slowest kernels to compile -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTimeTable.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

/// Returns text such as " (/layer/MatMul and 2 more)".
static std::string nodesText(ArrayRef<std::string> nodes) {
  if (nodes.empty())
    return "";
  std::string text = " (" + withoutControls(nodes.front());
  if (nodes.size() > 1)
    text += " and " + std::to_string(nodes.size() - 1) + " more";
  return text + ")";
}

void driver::printKernelTimes(raw_ostream &os,
                              ArrayRef<CompileReport::KernelTime> times) {
  constexpr size_t kMaxLines = 10;
  double all = 0;
  for (const CompileReport::KernelTime &time : times)
    all += time.seconds;
  os << "  slowest  kernels to compile, of " << formatv("{0:f2}", all)
     << " CPU seconds for all " << times.size() << ":\n";
  for (const CompileReport::KernelTime &time : times.take_front(kMaxLines))
    os << formatv("           {0,6:f2} s ", time.seconds) << time.kernel << " for "
       << time.target << nodesText(time.nodes) << '\n';
}
