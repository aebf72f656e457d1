//===- Registration.h - Registration of all dialects and passes -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that depends on all dialects and passes; tools need no others.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_REGISTRATION_H
#define KILN_PIPELINE_REGISTRATION_H

#include <string>

namespace mlir {
class DialectRegistry;
}

namespace kiln {

/// Registers Kiln's dialects and the upstream ones that its passes produce.
void registerAllDialects(mlir::DialectRegistry &registry);
/// Registers every pass and every phase's pipeline.
void registerAllPasses();

/// Returns the head of kiln-opt's --help: the pipelines of the phases, in their order.
std::string describePassDriver();

/// Hides the options that LLVM's libraries have registered so far from --help;
/// --help-hidden still lists them. A tool calls this before it registers its own options.
void hideLibraryOptions();

} // namespace kiln

#endif // KILN_PIPELINE_REGISTRATION_H
