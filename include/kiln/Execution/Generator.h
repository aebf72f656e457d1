//===- Generator.h - A decoder of one sequence ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_GENERATOR_H
#define KILN_EXECUTION_GENERATOR_H

#include "kiln/Execution/Runner.h"

namespace kiln::execution {

/// Vocabulary of a model whose tokens are the bytes of a text.
inline constexpr uint64_t kByteVocabulary = 256;

/// Decoder of one sequence: the part of the interface that predicting tokens needs.
class Decoder {
public:
  virtual ~Decoder() = default;

  /// Maximum length of a sequence in tokens.
  virtual uint64_t capacity() const = 0;
  /// Number of tokens of the vocabulary.
  virtual uint64_t vocabulary() const = 0;
  /// Removes all tokens.
  virtual llvm::Error reset() = 0;
  /// Appends tokens one by one with the decode program. use: receives the logits of each
  /// position.
  virtual llvm::Error appendEach(
      llvm::ArrayRef<int64_t> tokens,
      llvm::function_ref<void(size_t token, llvm::ArrayRef<float> logits)> use) = 0;
};

/// A decoder that runs the programs of a package with state.
class Generator final : public Decoder {
public:
  /// Opens a sequence on as many ranks as the package is compiled for; capacity 0: 256,
  /// or less if the package allows less. Fails for a package without state.
  static llvm::Expected<Generator>
  create(kiln_model *model, const SessionSettings &settings, uint64_t capacity);

  /// Appends tokens and returns the logits of the last position.
  llvm::Expected<llvm::ArrayRef<float>> append(llvm::ArrayRef<int64_t> tokens);
  llvm::Error
  appendEach(llvm::ArrayRef<int64_t> tokens,
             llvm::function_ref<void(size_t token, llvm::ArrayRef<float>)> use) override;
  llvm::Error reset() override;

  uint64_t capacity() const override { return rowCapacity; }
  uint64_t length() const { return held; }
  uint64_t vocabulary() const override { return tokens; }
  /// Name of the model's input of token ids.
  const std::string &tokenInput() const { return ids; }
  const Runner &runner() const { return decode.runner; }
  /// Returns the bytes that decoding one token reads and writes on all ranks when the
  /// sequence then has `length` tokens, at most its capacity.
  llvm::Expected<uint64_t> stepBytes(uint64_t length) const;

private:
  /// An entry point of the model.
  struct Entry {
    kiln_model *model = nullptr;
    Runner runner;
    uint64_t maxTokens = 1; ///< per run
  };

  llvm::Error findEntries(kiln_model *model);
  llvm::Error findRanges(uint64_t capacity);
  llvm::Error findTensors();
  llvm::Error open(kiln_model *model, const SessionSettings &settings);
  /// Runs the entry point. use: receives each position that has logits, and the logits.
  llvm::Error run(const Entry &entry, llvm::ArrayRef<int64_t> tokens,
                  llvm::function_ref<void(size_t, llvm::ArrayRef<float>)> use);
  llvm::Error checkRoom(size_t tokens) const;

  Entry prefill, decode;
  std::string ids, output;
  kiln_dtype idType = KILN_DTYPE_I64;
  uint64_t rowCapacity = 0, held = 0, tokens = 0;
  std::vector<kiln_dim_range> ranges;
  std::vector<float> logits; ///< logits of one position
  std::vector<std::string> outputNames;
  std::vector<kiln_dtype> dtypes; ///< types of the outputs
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_GENERATOR_H
