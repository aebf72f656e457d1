//===- Configs.h - The config of a kernel, chosen or given ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A config says how an emitter tiles a kernel. kiln-choose-configs writes it onto the
// graph.kernel, per target, and emission reads it from there. Without a configs file, it
// is the first config that the kernel family ranks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_CONFIGS_H
#define KILN_CODEGEN_CONFIGS_H

#include "kiln/Codegen/KernelAnalysis.h"

#include <optional>
#include <string>

namespace kiln::codegen {

/// Returns a text that is equal for two kernels exactly when the same program computes
/// both: hero, types, and per op its name, attributes, operand numbers and types.
std::string fingerprint(graph::KernelOp kernel);

/// Returns the key of a kernel in configs files: its hero and a hash of its fingerprint.
/// Kernels of different models that compute the same have the same key.
std::string problemKey(graph::KernelOp kernel);

/// Suffix of a key or a target name for a variant: "" or "/rows<=8".
std::string variantSuffix(const std::optional<Variant> &variant);

/// Returns configs that are worth measuring, the chosen one first: those that the family
/// ranks, and on hosts variations of them. Every one passes checkConfig.
llvm::SmallVector<mlir::Attribute> candidateConfigs(const KernelAnalysis &analysis,
                                                    const CodeRequest &request);

/// Returns the config that kiln-choose-configs set on a kernel for a target of this name;
/// null if there is none.
mlir::Attribute configOn(graph::KernelOp kernel, llvm::StringRef target);
/// Returns the variants of a kernel that kiln-choose-configs set for a target of this
/// name, each with its config, in ascending order.
llvm::SmallVector<std::pair<Variant, mlir::Attribute>> variantsOn(graph::KernelOp kernel,
                                                                  llvm::StringRef target);

/// Names of the config families that configs files may use: "gemm", "gemv" ...
llvm::SmallVector<llvm::StringRef> configFamilies();
/// Returns the family of a config, and its parameters as text: "mr = 6, nr = 16 ...".
std::string configFamily(mlir::Attribute config);
std::string configText(mlir::Attribute config);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_CONFIGS_H
