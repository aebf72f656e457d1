//===- Provenance.h - Where a package comes from ----------------*- C++ -*-===//
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

/// The provenance section; an empty object if it is no JSON object.
llvm::json::Object provenanceOf(kiln_model *model);
/// The text of the graph in it. Errors: KILN-E0006.
llvm::Expected<std::string> graphTextOf(kiln_model *model);
/// Types that products are computed in: "f32", "bf16" ...; several of a policy.
std::vector<std::string> precisionsOf(kiln_model *model);
/// Type of activations that quantized weights are multiplied with: "bf16" or "f16";
/// empty: int8.
std::string activationsOf(kiln_model *model);
/// Graph of the entry that the model is.
llvm::Expected<PackageGraph> graphOf(kiln_model *model);

} // namespace kiln::execution

#endif // KILN_EXECUTION_PROVENANCE_H
