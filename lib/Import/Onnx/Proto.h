//===- Proto.h - The ONNX protobuf classes ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the message classes: nothing declared here throws.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_ONNX_PROTO_H
#define KILN_LIB_IMPORT_ONNX_PROTO_H

#include "onnx/onnx_pb.h"

#endif // KILN_LIB_IMPORT_ONNX_PROTO_H
