//===- Models.cpp - Small models that tests compile -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "kiln/npy.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::test;

Diagnosis kiln::test::problemOf(llvm::Error error) {
  EXPECT_TRUE(bool(error)) << "there is no error";
  return error ? takeDiagnosis(std::move(error)) : Diagnosis();
}

std::string kiln::test::messageOf(llvm::Error error) {
  return error ? takeDiagnosis(std::move(error)).str() : std::string();
}

std::string kiln::test::numbersText(size_t count, unsigned seed) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    // A permutation of 64 steps, so that adjacent values differ.
    int step = static_cast<int>((i * 37 + i / 64 * 5 + seed * 11) % 64) - 32;
    text += (i ? ", " : "") + std::to_string(step / 32.0);
  }
  return text;
}

static std::string tensorText(const char *name, int64_t rows, int64_t columns,
                              unsigned seed) {
  return "float[" + std::to_string(rows) + ", " + std::to_string(columns) + "] " + name +
         " = {" + numbersText(static_cast<size_t>(rows * columns), seed) + "}";
}

std::string kiln::test::mlpText() {
  return R"(<ir_version: 10, opset_import: ["" : 17]>
mlp (float[batch, 32] x) => (float[batch, 8] y)
<)" + tensorText("w_up", kMlpIn, kMlpHidden, 1) +
         ", " + tensorText("w_down", kMlpHidden, kMlpOut, 2) + R"(>
{ [up] h = MatMul(x, w_up)
  a = Tanh(h)
  [down] y = MatMul(a, w_down) }
)";
}

std::string kiln::test::decoderText() {
  return R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
decoder (int64[batch, seq] ids, float[batch, 1, past, 16] past_0_key,
         float[batch, 1, past, 16] past_0_value, int32[batch] seqlens_k,
         int32 total_sequence_length)
  => (float[batch, seq, 256] logits, float[batch, 1, total, 16] present_0_key,
      float[batch, 1, total, 16] present_0_value)
<)" + tensorText("table", 256, 64, 3) +
         ", " + tensorText("head", 32, 256, 4) + R"(>
{ x = Gather(table, ids)
  y, present_0_key, present_0_value = com.microsoft.GroupQueryAttention
      <num_heads = 2, kv_num_heads = 1> (x, , , past_0_key, past_0_value, seqlens_k,
                                         total_sequence_length)
  logits = MatMul(y, head) }
)";
}

CompileReport
kiln::test::compileText(const TempFolder &folder, const std::string &name,
                        const std::string &text,
                        const std::function<void(CompileOptions &)> &change) {
  CompileOptions options;
  options.input = folder / (name + ".onnxtxt");
  options.output = folder / (name + ".kiln");
  options.threads = 2;
  writeFile(options.input, text);
  if (change)
    change(options);
  CompileReport report;
  EXPECT_EQ(messageOf(compile(options, report)), "");
  return report;
}

execution::Model kiln::test::loadPackage(const std::string &path,
                                         const std::string &entry) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  return valueOf(execution::loadModel(path, options, entry));
}

template <typename T>
static void writeArray(const std::string &path, kiln_dtype dtype,
                       const std::vector<int64_t> &shape, std::vector<T> &values) {
  kiln_tensor tensor = {nullptr,
                        values.data(),
                        values.size() * sizeof(T),
                        dtype,
                        static_cast<uint32_t>(shape.size()),
                        shape.data(),
                        KILN_MEMORY_HOST};
  StatusPtr failed = own(kiln_npy_write(path.c_str(), &tensor));
  ASSERT_FALSE(failed) << kiln_status_message(failed.get());
}

void kiln::test::writeFloats(const std::string &path, std::vector<int64_t> shape,
                             std::vector<float> values) {
  writeArray(path, KILN_DTYPE_F32, shape, values);
}

void kiln::test::writeIntegers(const std::string &path, std::vector<int64_t> shape,
                               std::vector<int64_t> values) {
  writeArray(path, KILN_DTYPE_I64, shape, values);
}
