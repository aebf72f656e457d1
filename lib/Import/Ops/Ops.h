//===- Ops.h - The handlers of ONNX ops -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each handler imports one node as graph ops, or reports why it cannot. Families of
// handlers are defined in the files of this folder.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_OPS_H
#define KILN_LIB_IMPORT_OPS_OPS_H

#include "lib/Import/Node.h"

namespace kiln::import {

#define KILN_ONNX_OP(domain, op, version, handler) mlir::LogicalResult handler(Node &n);
#include "lib/Import/Ops/Ops.def"

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_OPS_H
