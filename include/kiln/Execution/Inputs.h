//===- Inputs.h - Inputs from files or random -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_INPUTS_H
#define KILN_EXECUTION_INPUTS_H

#include "kiln/Execution/DimExpr.h"
#include "kiln/Execution/Handles.h"
#include <string>
#include <utility>
#include <vector>

namespace kiln::execution {

using TensorFile = std::pair<std::string, std::string>; ///< name, path

/// Values of generated inputs whose names contain "mask".
enum class MadeUpMasks {
  Ones,
  /// Row r along the last dim has pattern r mod 4: the first half is masked, the last
  /// half, all, every other element. Masked elements are 0 and visible ones 1. In float
  /// masks, which are added to scores, visible elements are 0 and masked ones -10000 or,
  /// in half of the rows, the type's lowest value.
  Patterns
};

struct InputSettings {
  std::string command;                ///< "kiln run", for messages
  std::vector<TensorFile> files = {}; ///< values of --input
  SymbolValues dims = {};             ///< values of --dims
  uint64_t seed = 0;
  std::vector<kiln_tensor> tensors = {}; ///< tensors with names; their memory must
                                         ///< outlive the set
  MadeUpMasks masks = MadeUpMasks::Ones;
};

/// All inputs of a model: those given, and random ones for the others.
///
/// A symbol takes its value from --dims, else from the shapes of the inputs given, else 1
/// if its name looks like a batch and 128 otherwise, within its range. Random values
/// depend only on the seed and the name of the input: floats are uniform in [-1, 1),
/// inputs with "mask" in the name are all ones, other integers are in [0, 99] and below
/// the size of a table that they index. All new rows of a decoder are valid.
class InputSet {
public:
  static llvm::Expected<InputSet> create(kiln_model *model,
                                         const InputSettings &settings);

  llvm::ArrayRef<kiln_tensor> tensors() const { return views; }
  const SymbolValues &symbols() const { return values; }
  /// Returns the values of the symbols in the model's order.
  std::vector<int64_t> symbolList(kiln_model *model) const;
  /// Names of the inputs that were generated.
  const std::vector<std::string> &random() const { return madeUp; }

private:
  llvm::Error readFiles(kiln_model *model, const InputSettings &settings);
  llvm::Error bindSymbols(kiln_model *model, const InputSettings &settings);
  llvm::Error bindFrom(const kiln_tensor_info &info, const kiln_tensor &tensor,
                       const InputSettings &settings);
  llvm::Error makeUp(kiln_model *model, const InputSettings &settings);

  std::vector<Npy> arrays;
  std::vector<TensorBuffer> buffers;
  std::vector<std::string> names; ///< names of `arrays`
  std::vector<kiln_tensor> views;
  SymbolValues values;
  std::vector<std::string> madeUp;
};

/// Whether the name is that of a mask, such as "attention_mask".
bool isMask(llvm::StringRef name);

/// Fills a buffer with random values; bound: exclusive upper bound of integers.
void fillRandom(const TensorBuffer &buffer, uint64_t seed, int64_t bound);

} // namespace kiln::execution

#endif // KILN_EXECUTION_INPUTS_H
