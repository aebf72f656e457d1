//===- Provenance.h - Provenance of a package -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_PROVENANCE_H
#define KILN_EXECUTION_PROVENANCE_H

#include "kiln/Pipeline/Oracle.h"
#include "kiln/runtime.h"
#include "llvm/Support/JSON.h"

namespace kiln::execution {

/// Returns the provenance section; an empty object if it is not a JSON object.
llvm::json::Object provenanceOf(kiln_model *model);
/// Returns the text of the graph in the provenance. Errors: KILN-E0006.
llvm::Expected<std::string> graphTextOf(kiln_model *model);
/// Returns the types that matmuls are computed in: "f32", "bf16" ...; a precision policy
/// may have several.
std::vector<std::string> precisionsOf(kiln_model *model);
/// Returns the type of activations that are multiplied with quantized weights: "bf16" or
/// "f16"; empty: int8.
std::string activationsOf(kiln_model *model);
/// Returns the graph of the entry point that `model` selects.
llvm::Expected<PackageGraph> graphOf(kiln_model *model);

} // namespace kiln::execution

#endif // KILN_EXECUTION_PROVENANCE_H
