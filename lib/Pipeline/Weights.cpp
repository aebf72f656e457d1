//===- Weights.cpp - The bytes of a package's weights ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "dialects/Graph/IndexRows.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace mlir;
using reference::Tensor;

namespace {
/// Files of the model and the blob of inline weights.
class ModelWeights final : public reference::WeightSource {
public:
  explicit ModelWeights(import::ImportedModel &model)
      : model(model), mapped(model.folder.empty() ? "." : model.folder,
                             {model.file, model.externalDataFrom}) {}

  llvm::Expected<Tensor> get(graph::WeightOp weight) override {
    if (weight.getFile() != import::kInlineFile)
      return mapped.get(weight);
    auto type = cast<RankedTensorType>(weight.getType());
    return Tensor::borrow(type.getElementType(), type.getShape(),
                          model.inlineWeights.data() + *weight.getOffset());
  }

private:
  import::ImportedModel &model;
  reference::MappedWeights mapped;
};

/// The model's weights, and those that @bake computes from them.
class AllWeights final : public reference::WeightSource {
public:
  explicit AllWeights(import::ImportedModel &model)
      : files(model), baked(*model.module, files) {}
  llvm::Expected<Tensor> get(graph::WeightOp weight) override { return baked.get(weight); }

private:
  ModelWeights files;
  reference::BakedWeights baked;
};
} // namespace

std::unique_ptr<reference::WeightSource> kiln::makeWeightSource(import::ImportedModel &model) {
  return std::make_unique<AllWeights>(model);
}

static package::WriteError toWriteError(llvm::Error error) {
  Diagnosis d = takeDiagnosis(std::move(error));
  return {static_cast<unsigned>(d.code), d.where, d.what, d.expected, d.found, d.fix};
}

/// Hands the bytes of a weight to the writer.
static package::WriteResult produce(graph::WeightOp weight, reference::WeightSource &source,
                                    package::WeightSink &sink) {
  llvm::Expected<Tensor> tensor = source.get(weight);
  if (!tensor)
    return toWriteError(tensor.takeError());
  Tensor rounded = tensor->isWide() ? tensor->rounded() : *tensor;
  return sink.write(rounded.data(), rounded.getNumElements() * rounded.getElementBytes());
}

std::vector<package::Weight> kiln::listWeights(ModuleOp module,
                                               reference::WeightSource &source) {
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
    entry.offset = *buffer.getOffset();
    entry.size = *graph::getDims(buffer.getSize())[0].getConstant();
    entry.produce = [weight, &source](package::WeightSink &sink) {
      return produce(weight, source, sink);
    };
    list.push_back(std::move(entry));
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
