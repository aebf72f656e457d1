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

/// Tokens of a model that are the bytes of a text.
inline constexpr uint64_t kByteVocabulary = 256;

/// A decoder of one sequence as far as whoever predicts tokens needs it.
class Decoder {
public:
  virtual ~Decoder() = default;

  /// Tokens that a sequence may have.
  virtual uint64_t capacity() const = 0;
  /// Tokens that the model has logits for.
  virtual uint64_t vocabulary() const = 0;
  /// Forgets all tokens.
  virtual llvm::Error reset() = 0;
  /// Appends tokens, all of them by decode. use: gets the logits of each one's position.
  virtual llvm::Error appendEach(
      llvm::ArrayRef<int64_t> tokens,
      llvm::function_ref<void(size_t token, llvm::ArrayRef<float> logits)> use) = 0;
};

/// Runs the programs of a package with state.
class Generator final : public Decoder {
public:
  /// Opens one row on as many ranks as the package is for; capacity: 0 for 256, or what
  /// the package allows. Fails for a package without state.
  static llvm::Expected<Generator>
  create(kiln_model *model, const SessionSettings &settings, uint64_t capacity);

  /// Appends tokens; the logits of the last one's position.
  llvm::Expected<llvm::ArrayRef<float>> append(llvm::ArrayRef<int64_t> tokens);
  llvm::Error
  appendEach(llvm::ArrayRef<int64_t> tokens,
             llvm::function_ref<void(size_t token, llvm::ArrayRef<float>)> use) override;
  llvm::Error reset() override;

  uint64_t capacity() const override { return rowCapacity; }
  uint64_t length() const { return held; }
  uint64_t vocabulary() const override { return tokens; }
  /// The name of the model's input of token ids.
  const std::string &tokenInput() const { return ids; }
  const Runner &runner() const { return decode.runner; }
  /// Bytes that a step of one token reads and writes on all ranks, where the sequence
  /// is then so many tokens long, at most its capacity.
  llvm::Expected<uint64_t> stepBytes(uint64_t length) const;

private:
  /// One of the model's programs.
  struct Entry {
    kiln_model *model = nullptr;
    Runner runner;
    uint64_t maxTokens = 1; ///< of a run
  };

  llvm::Error findEntries(kiln_model *model);
  llvm::Error findRanges(uint64_t capacity);
  llvm::Error findTensors();
  llvm::Error open(kiln_model *model, const SessionSettings &settings);
  /// use: gets the number of every position that the entry has logits for, and these.
  llvm::Error run(const Entry &entry, llvm::ArrayRef<int64_t> tokens,
                  llvm::function_ref<void(size_t, llvm::ArrayRef<float>)> use);
  llvm::Error checkRoom(size_t tokens) const;

  Entry prefill, decode;
  std::string ids, output;
  kiln_dtype idType = KILN_DTYPE_I64;
  uint64_t rowCapacity = 0, held = 0, tokens = 0;
  std::vector<kiln_dim_range> ranges;
  std::vector<float> logits; ///< of one position
  std::vector<std::string> outputNames;
  std::vector<kiln_dtype> dtypes; ///< of the outputs
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_GENERATOR_H
