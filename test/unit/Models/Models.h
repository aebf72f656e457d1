//===- Models.h - Small models that tests compile ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_MODELS_MODELS_H
#define KILN_TEST_MODELS_MODELS_H

#include "TestPackage.h"
#include "kiln/Execution/Handles.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace kiln::test {

/// Returns the diagnosis of an error; fails the test if there is none.
Diagnosis problemOf(llvm::Error error);
template <typename T> Diagnosis problemOf(llvm::Expected<T> result) {
  if (!result)
    return problemOf(result.takeError());
  return problemOf(llvm::Error::success());
}
/// Returns the value of a result; if there is none, fails the test with the error and
/// ends the program.
template <typename T> T valueOf(llvm::Expected<T> result) {
  if (!result)
    llvm::report_fatal_error(llvm::StringRef(toString(result.takeError())));
  return std::move(*result);
}
/// Returns "" for success, otherwise the message.
std::string messageOf(llvm::Error error);

/// Returns "0.5, -0.25, ...": values in [-1, 1) that depend on the seed.
std::string numbersText(size_t count, unsigned seed);

/// Returns x [batch, 32] -> y [batch, 8] = tanh(x * up) * down, with a hidden width of
/// 64. The MatMul nodes are named "up" and "down". batch in 1..64.
std::string mlpText();
/// Width of its input, its hidden layer and its output.
inline constexpr int64_t kMlpIn = 32, kMlpHidden = 64, kMlpOut = 8;

/// Returns a decoder over bytes with one attention layer: ids [rows, sequence] -> logits
/// [rows, sequence, 256]. Its weights are wide enough to be quantized in blocks of 32.
std::string decoderText();

/// Writes the text and compiles it for this machine; fails the test on error. `change`
/// sets further options of the compile.
CompileReport compileText(const TempFolder &folder, const std::string &name,
                          const std::string &text,
                          const std::function<void(CompileOptions &)> &change = nullptr);
/// Loads the package.
execution::Model loadPackage(const std::string &path, const std::string &entry = {});

/// Writes an array of f32 or i64 as a .npy file.
void writeFloats(const std::string &path, std::vector<int64_t> shape,
                 std::vector<float> values);
void writeIntegers(const std::string &path, std::vector<int64_t> shape,
                   std::vector<int64_t> values);

} // namespace kiln::test

#endif // KILN_TEST_MODELS_MODELS_H
