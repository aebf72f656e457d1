//===- Annotations.h - ONNX multi-device annotations ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_IMPORT_ANNOTATIONS_H
#define KILN_IMPORT_ANNOTATIONS_H

#include "kiln/Support/ShardAnnotations.h"
#include "llvm/ADT/StringRef.h"

namespace kiln::import {

/// Reads the annotations of devices in a model (ONNX IR 11: DeviceConfigurationProto and
/// NodeDeviceConfigurationProto, onnx.proto): weights that are sharded or replicated, and
/// pipeline stages of nodes. Shardings of activations follow from those of weights; they
/// are only checked.
///
/// `configuration` names the device configuration; empty: the only one of the model.
/// Errors: KILN-E0001 for a configuration that the model lacks, KILN-E0106 for
/// annotations that contradict each other or the graph, KILN-E0122 for annotations that
/// Kiln does not support, and those of importModel.
llvm::Expected<ShardAnnotations> readAnnotations(llvm::StringRef path,
                                                 llvm::StringRef configuration);

} // namespace kiln::import

#endif // KILN_IMPORT_ANNOTATIONS_H
