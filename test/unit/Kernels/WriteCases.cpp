//===- WriteCases.cpp - The table as files for other programs -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteCases.h"
#include "CaseInputs.h"
#include "CasePackage.h"
#include "Models.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/Status.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

static void writeArray(const std::string &path, const kiln_tensor &tensor) {
  EXPECT_EQ(messageOf(toError(kiln_npy_write(path.c_str(), &tensor))), "");
}

/// Floats of 16 bits as f32, which holds all that a comparison can see.
static void writeOutput(const std::string &path, kiln_dtype dtype,
                        const OracleTensor &tensor) {
  bool isHalf = dtype == KILN_DTYPE_F16 || dtype == KILN_DTYPE_BF16;
  TensorBuffer buffer("y", isHalf ? KILN_DTYPE_F32 : dtype, tensor.shape);
  for (size_t i = 0; i < tensor.values.size(); ++i)
    writeElement(buffer.getDType(), buffer.data(), i, tensor.values[i]);
  writeArray(path, buffer.tensor());
}

/// The folder of one run: model.kiln, in0.npy ..., out0.npy ...
static void writeRun(const KernelCase &test, const std::string &place,
                     const SymbolValues &values) {
  EXPECT_FALSE(llvm::sys::fs::create_directories(place));
  std::string source = test.model.write(place, "model"), package = place + "/model.kiln";
  if (!compileCase(test, source, targetsOf(test), package))
    return;
  Model model = openPackage(package, targetsOf(test)[0]);
  CaseInputs inputs(test, model.get(), values);
  std::map<std::string, OracleTensor> outputs = referenceOf(test, source, inputs.set());
  for (const kiln_tensor &tensor : inputs.set().tensors())
    for (unsigned i = 0; i < inputCount(model.get()); ++i)
      if (llvm::StringRef(kiln_model_input(model.get(), i)->name) == tensor.name)
        writeArray(place + "/in" + std::to_string(i) + ".npy", tensor);
  for (unsigned i = 0; i < outputCount(model.get()); ++i) {
    const kiln_tensor_info &info = *kiln_model_output(model.get(), i);
    writeOutput(place + "/out" + std::to_string(i) + ".npy", info.dtype,
                outputs[info.name]);
  }
}

/// One kernel, whose outputs are within the tolerance of their type.
static bool isExact(const KernelCase &test) { return test.precision.precision == "f32"; }

void kiln::test::writeCases(const KernelTable &table, const std::string &folder,
                            const std::string &gpu) {
  std::string list = "# name package tolerance\n";
  for (const KernelCase &test : table) {
    if (!isExact(test) || !llvm::is_contained(test.gpus, gpu))
      continue;
    for (const auto &[number, values] : llvm::enumerate(test.at)) {
      std::string name =
          test.family + "." + test.name + (number ? "." + std::to_string(number) : "");
      SCOPED_TRACE(name);
      writeRun(test, folder + "/cases/" + name, values);
      list += name + " cases/" + name + "/model.kiln -\n";
    }
  }
  writeFile(folder + "/cases.txt", list);
}
