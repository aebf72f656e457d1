//===- ImportOnnx.h - kiln-translate --import-onnx --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TOOLS_KILN_TRANSLATE_IMPORTONNX_H
#define KILN_TOOLS_KILN_TRANSLATE_IMPORTONNX_H

namespace kiln {

/// Registers --import-onnx and its option --dims.
void registerImportOnnx();

} // namespace kiln

#endif // KILN_TOOLS_KILN_TRANSLATE_IMPORTONNX_H
