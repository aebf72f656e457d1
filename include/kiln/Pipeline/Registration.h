//===- Registration.h - Every dialect and pass ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place that knows everything; tools call these and nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_REGISTRATION_H
#define KILN_PIPELINE_REGISTRATION_H

namespace mlir {
class DialectRegistry;
}

namespace kiln {

/// Kiln's dialects and the upstream ones its passes produce.
void registerAllDialects(mlir::DialectRegistry &registry);
/// Every pass and every phase's pipeline under its name.
void registerAllPasses();

} // namespace kiln

#endif // KILN_PIPELINE_REGISTRATION_H
