//===- PassRemark.cpp - Remarks of passes ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/PassRemark.h"

using namespace kiln;
using namespace mlir;
using remark::RemarkOpts;

/// Adds the text, which is made only where somebody listens.
static PendingRemark withText(PendingRemark remark, StringRef key, const Twine &text) {
  if (remark)
    remark << RemarkValue(key, text.str());
  return remark;
}

PendingRemark kiln::remarkPassed(Location loc, StringRef pass, StringRef name,
                                 const Twine &what) {
  return withText(remark::passed(loc, RemarkOpts::name(name).category(pass)), "Remark",
                  what);
}

PendingRemark kiln::remarkMissed(Location loc, StringRef pass, StringRef name,
                                 const Twine &why) {
  return withText(remark::missed(loc, RemarkOpts::name(name).category(pass)), "Reason",
                  why);
}

PendingRemark kiln::remarkAnalysis(Location loc, StringRef pass, StringRef name,
                                   const Twine &what) {
  return withText(remark::analysis(loc, RemarkOpts::name(name).category(pass)), "Remark",
                  what);
}
