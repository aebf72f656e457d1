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

/// Writes 16-bit floats as f32, which represents all that a comparison needs.
static void writeOutput(const std::string &path, kiln_dtype dtype,
                        const OracleTensor &tensor) {
  bool isHalf = dtype == KILN_DTYPE_F16 || dtype == KILN_DTYPE_BF16;
  TensorBuffer buffer("y", isHalf ? KILN_DTYPE_F32 : dtype, tensor.shape);
  for (size_t i = 0; i < tensor.values.size(); ++i)
    writeElement(buffer.getDType(), buffer.data(), i, tensor.values[i]);
  writeArray(path, buffer.tensor());
}

/// Writes the inputs and the expected outputs of one run: in0.npy ..., out0.npy ...
static void writeRun(const KernelCase &test, const std::string &source, kiln_model *model,
                     const SymbolValues &values, const std::string &place) {
  EXPECT_FALSE(llvm::sys::fs::create_directories(place));
  CaseInputs inputs(test, model, values);
  std::map<std::string, OracleTensor> outputs = referenceOf(test, source, inputs.set());
  for (const kiln_tensor &tensor : inputs.set().tensors())
    for (unsigned i = 0; i < inputCount(model); ++i)
      if (llvm::StringRef(kiln_model_input(model, i)->name) == tensor.name)
        writeArray(place + "/in" + std::to_string(i) + ".npy", tensor);
  for (unsigned i = 0; i < outputCount(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_output(model, i);
    writeOutput(place + "/out" + std::to_string(i) + ".npy", info.dtype,
                outputs[info.name]);
  }
}

/// Writes a case's package, and a folder for each of its runs; returns their lines of
/// cases.txt.
static std::string writeCase(const KernelCase &test, const std::string &folder) {
  std::string name = test.family + "." + test.name, place = "cases/" + name;
  EXPECT_FALSE(llvm::sys::fs::create_directories(folder + "/" + place));
  std::string source = test.model.write(folder + "/" + place, "model");
  std::string package = place + "/model.kiln", lines;
  if (!compileCase(test, source, targetsOf(test), folder + "/" + package))
    return lines;
  Model model = openPackage(folder + "/" + package, targetsOf(test)[0]);
  for (const auto &[number, values] : llvm::enumerate(test.at)) {
    std::string run = name + (number ? "." + std::to_string(number) : "");
    SCOPED_TRACE(run);
    writeRun(test, source, model.get(), values, folder + "/cases/" + run);
    lines += run + " " + package + " -\n";
  }
  return lines;
}

/// Whether outputs are within the tolerance of their type.
static bool isExact(const KernelCase &test) { return test.precision.precision == "f32"; }

void kiln::test::writeCases(const KernelTable &table, const std::string &folder,
                            const std::string &gpu) {
  std::string list = "# name package tolerance\n";
  for (const KernelCase &test : table)
    if (isExact(test) && llvm::is_contained(test.gpus, gpu))
      list += writeCase(test, folder);
  writeFile(folder + "/cases.txt", list);
}
