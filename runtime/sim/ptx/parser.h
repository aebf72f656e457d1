//===- parser.h - Parser from PTX text to a checked module -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_PARSER_H
#define KILN_SIM_PTX_PARSER_H

#include "runtime/sim/ptx/module.h"

#include <memory>

namespace kiln::sim::ptx {

/// Class of a diagnostic, for which the driver has an error code.
enum class Problem : uint8_t {
  Syntax,  ///< CUDA_ERROR_INVALID_PTX
  Version, ///< .version is newer than `newestPtx`
  Target,  ///< .target cannot run on the device
  Refused, ///< legal PTX that the simulator does not model
};

struct Diagnostic {
  Problem problem = Problem::Syntax;
  Location location;
  std::string token;   ///< the token found there
  std::string message; ///< what was expected and how to fix it
};
/// "line 12, column 3: `.f33`: unknown type; ..."
std::string format(const Diagnostic &diagnostic);

struct ParseOptions {
  uint32_t newestPtx = 90; ///< max .version that the modelled driver accepts
  size_t maxErrors = 20;
};

struct ParseResult {
  std::shared_ptr<const Module> module; ///< null if there are errors
  std::vector<Diagnostic> errors;       ///< in order of the text
  bool ok() const { return errors.empty() && module; }
};

/// Parses and checks PTX text. Any input gives a module or errors; throws nothing but
/// std::bad_alloc.
ParseResult parse(std::string_view text, const ParseOptions &options = {});

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_PARSER_H
