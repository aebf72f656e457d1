//===- Weights.cpp - Weight bytes of packages -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "QuantizedKey.h"
#include "dialects/Graph/IndexRows.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Reference/WeightBlocks.h"
#include "kiln/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

#include <cstring>
#include <optional>

using namespace kiln;
using namespace mlir;
using reference::Tensor;

namespace {
/// Source of weights in the model's files, of inline weights, and of calibration data.
class ModelWeights final : public reference::WeightSource {
public:
  ModelWeights(import::ImportedModel &model, const PrecisionPolicy &policy)
      : model(model), calibration(policy.calibration), ranges(policy.ranges),
        mapped(model.folder.empty() ? "." : model.folder,
               {model.file, model.externalDataFrom}) {}

  llvm::Expected<Tensor> get(graph::WeightOp weight) override {
    auto type = cast<RankedTensorType>(weight.getType());
    if (weight.getFile() == kCalibrationFile)
      return calibrated(weight);
    if (weight.getFile() != import::kInlineFile)
      return mapped.get(weight);
    return Tensor::borrow(type.getElementType(), type.getShape(),
                          model.inlineWeights.data() + *weight.getOffset());
  }

private:
  /// Maps a matrix while a tensor uses it, as all matrices together may exceed memory.
  llvm::Expected<Tensor> calibrated(graph::WeightOp weight) const;
  const CalibratedInput &findCalibrated(llvm::StringRef hash) const;

  import::ImportedModel &model;
  std::shared_ptr<const Calibration> calibration;
  std::shared_ptr<const ActivationRanges> ranges;
  reference::MappedWeights mapped;
};
} // namespace

const CalibratedInput &ModelWeights::findCalibrated(llvm::StringRef hash) const {
  if (calibration)
    for (const auto &[node, input] : *calibration)
      if (input->hash == hash)
        return *input;
  if (ranges)
    for (const auto &[node, range] : *ranges)
      if (range.scale->hash == hash)
        return *range.scale;
  llvm_unreachable("a pass names what it was given");
}

llvm::Expected<Tensor> ModelWeights::calibrated(graph::WeightOp weight) const {
  auto type = cast<RankedTensorType>(weight.getType());
  const CalibratedInput &found = findCalibrated(*weight.getHash());
  const std::string &path = found.file;
  uint64_t bytes = type.getNumElements() * sizeof(float), size = 0;
  uint64_t offset = found.offset;
  std::error_code failed = llvm::sys::fs::file_size(path, size);
  bool isWhole = !failed && offset <= size && bytes <= size - offset;
  // Mapping a slice beyond the end of a file would succeed, so the size is checked.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = failed;
  if (isWhole)
    buffer = llvm::MemoryBuffer::getFileSlice(path, bytes, offset);
  if (!isWhole || !buffer)
    return makeError({ErrorCode::FileReadFailed, path,
                      "a matrix of the calibration cannot be read",
                      "a file as it was written",
                      failed || isWhole ? buffer.getError().message() : "a shorter one",
                      "leave the folder alone while a model is compiled"});
  std::shared_ptr<llvm::MemoryBuffer> owner = std::move(*buffer);
  return Tensor::borrow(type.getElementType(), type.getShape(), owner->getBufferStart(),
                        owner);
}

namespace {
/// Source of the model's weights and of those that @bake computes, for one rank.
class AllWeights final : public reference::WeightSource {
public:
  AllWeights(ModuleOp module, std::shared_ptr<ModelWeights> files, int64_t rank,
             reference::QuantizationErrors *errors)
      : files(std::move(files)), baked(module, *this->files, rank, errors) {}
  llvm::Expected<Tensor> get(graph::WeightOp weight) override {
    return baked.get(weight);
  }
  llvm::Expected<reference::WeightBlocks> openBlocks(graph::WeightOp weight) override {
    return baked.openBlocks(weight);
  }

private:
  std::shared_ptr<ModelWeights> files;
  reference::BakedWeights baked;
};
} // namespace

std::unique_ptr<reference::WeightSource>
kiln::makeWeightSource(import::ImportedModel &model) {
  return std::make_unique<AllWeights>(
      *model.module, std::make_shared<ModelWeights>(model, PrecisionPolicy()), /*rank=*/0,
      /*errors=*/nullptr);
}

WeightSources kiln::makeWeightSources(import::ImportedModel &model,
                                      const PrecisionPolicy &policy,
                                      reference::QuantizationErrors *errors) {
  // Mapped once for all ranks.
  auto files = std::make_shared<ModelWeights>(model, policy);
  WeightSources sources;
  for (int64_t rank = 0; rank < graph::ranksOf(*model.module); ++rank)
    sources.push_back(std::make_unique<AllWeights>(*model.module, files, rank, errors));
  return sources;
}

static package::WriteError toWriteError(llvm::Error error) {
  Diagnosis d = takeDiagnosis(std::move(error));
  return {static_cast<unsigned>(d.code), d.where, d.what, d.expected, d.found, d.fix};
}

namespace {
/// Passes the blocks of a weight to the writer in order while threads compute the next
/// blocks.
class BlockWriter {
public:
  BlockWriter(const reference::WeightBlocks &blocks, MLIRContext &context,
              package::WeightSink &sink)
      : blocks(blocks), context(context), sink(sink),
        boxes(reference::contiguousBoxes(
            blocks.getShape(),
            std::max<int64_t>(kBlockBytes / graph::elementBytes(blocks.getElementType()),
                              1))) {}

  package::WriteResult run();

private:
  /// Bounds on the memory of a compile: two groups of at most kMaxGroup blocks of this
  /// size, which are f64 during computation.
  static constexpr int64_t kBlockBytes = 512 << 10;
  static constexpr size_t kMaxGroup = 8;

  using Group = std::vector<std::optional<llvm::Expected<Tensor>>>;
  size_t groupSize() const;
  void compute(size_t number, std::optional<llvm::Expected<Tensor>> &result) {
    result.emplace(blocks.get(boxes[number]));
  }
  package::WriteResult write(Group &group);

  const reference::WeightBlocks &blocks;
  MLIRContext &context;
  package::WeightSink &sink;
  std::vector<reference::Box> boxes;
};
} // namespace

size_t BlockWriter::groupSize() const {
  if (!context.isMultithreadingEnabled())
    return 1;
  return std::min<size_t>(context.getThreadPool().getMaxConcurrency(), kMaxGroup);
}

/// Only the first error is returned.
package::WriteResult BlockWriter::write(Group &group) {
  package::WriteResult failed;
  for (std::optional<llvm::Expected<Tensor>> &block : group)
    if (failed || !*block)
      failed = failed ? (llvm::consumeError(block->takeError()), failed)
                      : toWriteError(block->takeError());
    else
      failed = sink.write((*block)->data(),
                          (*block)->getNumElements() * (*block)->getElementBytes());
  return failed;
}

package::WriteResult BlockWriter::run() {
  size_t size = groupSize();
  Group ready;
  for (size_t begin = 0; begin < boxes.size() || !ready.empty(); begin += size) {
    Group next(begin < boxes.size() ? std::min(size, boxes.size() - begin) : 0);
    package::WriteResult failed;
    if (size == 1) {
      if (!next.empty())
        compute(begin, next[0]);
      failed = write(ready);
    } else {
      llvm::ThreadPoolTaskGroup tasks(context.getThreadPool());
      for (size_t i = 0; i < next.size(); ++i)
        tasks.async([this, begin, i, &next] { compute(begin + i, next[i]); });
      failed = write(ready);
    }
    if (failed) {
      for (std::optional<llvm::Expected<Tensor>> &block : next)
        llvm::consumeError(block->takeError());
      return failed;
    }
    ready = std::move(next);
  }
  return std::nullopt;
}

/// Passes the bytes of a weight to the writer.
static package::WriteResult produce(graph::WeightOp weight,
                                    reference::WeightSource &source,
                                    package::WeightSink &sink) {
  llvm::Expected<reference::WeightBlocks> blocks = source.openBlocks(weight);
  if (!blocks)
    return toWriteError(blocks.takeError());
  return BlockWriter(*blocks, *weight.getContext(), sink).run();
}

namespace {
/// Forwards bytes and keeps a copy.
class KeepingSink final : public package::WeightSink {
public:
  explicit KeepingSink(package::WeightSink &sink) : sink(sink) {}
  package::WriteResult write(const void *data, size_t size) override {
    bytes.append(static_cast<const char *>(data), size);
    return sink.write(data, size);
  }

  std::string bytes;

private:
  package::WeightSink &sink;
};
} // namespace

namespace {
/// Cache of weights that several compiles quantize equally.
struct SharedWeights {
  ModuleOp module;
  ByteCache &cache;
  reference::QuantizationErrors &errors;

  package::WriteResult produce(graph::WeightOp weight, const std::string &key,
                               reference::WeightSource &source,
                               package::WeightSink &sink) const;

private:
  /// Cache the errors of a quantized weight together with its bytes.
  void keepErrors(graph::WeightOp weight, const std::string &key) const;
  void findErrors(graph::WeightOp weight, const std::string &key) const;
};
} // namespace

static std::string errorKey(const std::string &key) { return key + " errors"; }

void SharedWeights::keepErrors(graph::WeightOp weight, const std::string &key) const {
  std::string bytes;
  for (Operation *op : quantizersOf(module, weight))
    if (std::optional<reference::SquaredError> sum = errors.sumOf(op))
      bytes.append(reinterpret_cast<const char *>(&*sum), sizeof *sum);
    else
      return;
  cache.add(errorKey(key), bytes);
}

void SharedWeights::findErrors(graph::WeightOp weight, const std::string &key) const {
  std::string bytes = cache.find(errorKey(key)).value_or("");
  reference::SquaredError sum;
  for (auto [i, op] : llvm::enumerate(quantizersOf(module, weight))) {
    if ((i + 1) * sizeof sum > bytes.size())
      return;
    std::memcpy(&sum, bytes.data() + i * sizeof sum, sizeof sum);
    errors.add(op, 0, sum);
  }
}

package::WriteResult SharedWeights::produce(graph::WeightOp weight,
                                            const std::string &key,
                                            reference::WeightSource &source,
                                            package::WeightSink &sink) const {
  if (std::optional<std::string> found = cache.find(key)) {
    findErrors(weight, key);
    return sink.write(found->data(), found->size());
  }
  KeepingSink keeping(sink);
  package::WriteResult failed = ::produce(weight, source, keeping);
  if (failed)
    return failed;
  keepErrors(weight, key);
  cache.add(key, keeping.bytes);
  return failed;
}

std::vector<package::Weight> kiln::listWeights(ModuleOp module,
                                               const WeightSources &sources,
                                               reference::QuantizationErrors &errors,
                                               ByteCache *cache) {
  if (sources.size() > 1)
    cache = nullptr; // keys do not identify the rank of a part
  std::vector<package::Weight> list;
  SymbolTable symbols(module);
  llvm::DenseSet<graph::WeightOp> known;
  auto add = [&](plan::BufferOp buffer) {
    if (!buffer.getOffset() || !buffer.getSource())
      return;
    auto weight = symbols.lookup<graph::WeightOp>(*buffer.getSource());
    if (!known.insert(weight).second)
      return;
    package::Weight entry;
    entry.name = buffer.getSource()->str();
    entry.size = *graph::getDims(buffer.getSize())[0].getConstant();
    std::string key = cache ? quantizedKey(module, weight) : std::string();
    uint64_t stride = buffer.getStride().value_or(0);
    graph::MeshAxis axis = plan::axisOf(buffer.getRanks(), int64_t(sources.size()));
    for (int64_t part = 0; part < (stride ? axis.size : 1); ++part) {
      reference::WeightSource &source = *sources[part * axis.stride];
      entry.offset = *buffer.getOffset() + uint64_t(part) * stride;
      entry.produce = [=, &source, &errors](package::WeightSink &sink) {
        if (key.empty())
          return produce(weight, source, sink);
        return SharedWeights{module, *cache, errors}.produce(weight, key, source, sink);
      };
      list.push_back(entry);
    }
  };
  for (auto program : module.getOps<plan::ProgramOp>())
    for (auto buffer : program.getBody().getOps<plan::BufferOp>())
      add(buffer);
  llvm::sort(list, [](const package::Weight &a, const package::Weight &b) {
    return a.offset < b.offset;
  });
  return list;
}

void kiln::writeWeightBounds(import::ImportedModel &model) {
  constexpr int64_t kMaxElements = 1 << 17;
  std::unique_ptr<reference::WeightSource> source = makeWeightSource(model);
  for (auto weight : model.module->getOps<graph::WeightOp>()) {
    auto type = cast<RankedTensorType>(weight.getType());
    if (!isa<IntegerType>(type.getElementType()) || !weight.getFile() ||
        type.getNumElements() > kMaxElements || type.getNumElements() == 0)
      continue;
    llvm::Expected<reference::Tensor> tensor = source->get(weight);
    if (!tensor) {
      llvm::consumeError(tensor.takeError());
      continue;
    }
    int64_t minimum = tensor->getInt(0), maximum = minimum;
    for (int64_t i = 1; i < tensor->getNumElements(); ++i) {
      minimum = std::min(minimum, tensor->getInt(i));
      maximum = std::max(maximum, tensor->getInt(i));
    }
    weight->setAttr(graph::kBoundsAttr,
                    DenseI64ArrayAttr::get(weight.getContext(), {minimum, maximum}));
  }
}
