//===- Configs.h - The config of a kernel, chosen or given ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A config says how an emitter tiles a kernel. kiln-choose-configs writes it onto the
// graph.kernel, per target, and emission reads it from there. It is the first of the
// kernel family's ranked list unless a configs file says otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_CONFIGS_H
#define KILN_CODEGEN_CONFIGS_H

#include "kiln/Codegen/KernelAnalysis.h"

#include <optional>
#include <string>

namespace kiln::codegen {

/// The attribute of a graph.kernel: a dictionary from targets to configs. Variants
/// have entries of their own, "sm_80/rows<=8".
inline constexpr llvm::StringLiteral kConfigsAttr = "tile.configs";

/// A text that is equal for two kernels exactly when one program computes both: hero,
/// types, and per op its name, attributes, operand numbers and types.
std::string fingerprint(graph::KernelOp kernel);

/// Key of a kernel in configs files: its hero and a hash of its fingerprint. Kernels of
/// different models that compute the same have the same key.
std::string problemKey(graph::KernelOp kernel);

/// "" or "/rows<=8": how a key or a target's name goes on for a variant.
std::string variantSuffix(const std::optional<Variant> &variant);

/// Name of a target in configs files: its own, and for "native" the level that the
/// machine has, as that decides the configs.
std::string configTarget(const TargetInfo &target);

/// Returns configs that are worth measuring, the chosen one first: what the family ranks,
/// and on hosts variations of them. Every one passes checkConfig.
llvm::SmallVector<mlir::Attribute> candidateConfigs(const KernelAnalysis &analysis,
                                                    const CodeRequest &request);

/// Returns the config that kiln-choose-configs wrote onto a kernel for a target of this
/// name; null: none.
mlir::Attribute configOn(graph::KernelOp kernel, llvm::StringRef target);
/// Returns the variants of a kernel that kiln-choose-configs wrote for a target of this
/// name, each with its config, in ascending order.
llvm::SmallVector<std::pair<Variant, mlir::Attribute>> variantsOn(graph::KernelOp kernel,
                                                                  llvm::StringRef target);

/// The families of configs that can be given from outside: "gemm", "gemv" ...
llvm::SmallVector<llvm::StringRef> configFamilies();
/// The family of a config, and its parameters as text: "mr = 6, nr = 16 ...".
std::string configFamily(mlir::Attribute config);
std::string configText(mlir::Attribute config);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_CONFIGS_H
