//===- PassRemark.h - Remarks of passes -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way in which a pass says what it did, or why it did not
// (docs/hacking/opt.md#reasons). The description of the pass in its .td has a table of
// its remarks, which test/lint/remarks.py compares with the calls; so `name` is a string
// literal, and `pass` one, or a constant that is one.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_PASSREMARK_H
#define KILN_SUPPORT_PASSREMARK_H

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/Twine.h"

namespace kiln {

/// A remark that is sent when it goes out of scope; false where nobody listens. Values
/// are added by <<: remarkPassed(...) << RemarkValue("Bytes", 64).
using PendingRemark = mlir::remark::detail::InFlightRemark;
using RemarkValue = mlir::remark::detail::Remark::Arg;

/// Says what the pass, named by its option, did at a place in the model.
PendingRemark remarkPassed(mlir::Location loc, llvm::StringRef pass, llvm::StringRef name,
                           const llvm::Twine &what);
/// Says what the pass could have done and did not, and the rule that forbids it.
PendingRemark remarkMissed(mlir::Location loc, llvm::StringRef pass, llvm::StringRef name,
                           const llvm::Twine &why);
/// Says a fact that the pass found, which changes nothing.
PendingRemark remarkAnalysis(mlir::Location loc, llvm::StringRef pass,
                             llvm::StringRef name, const llvm::Twine &what);

} // namespace kiln

#endif // KILN_SUPPORT_PASSREMARK_H
