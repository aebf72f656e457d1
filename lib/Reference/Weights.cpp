//===- Weights.cpp - Sources of weights -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/Weights.h"
#include "Decisive.h"
#include "Ops.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Reference/Evaluator.h"
#include "kiln/Reference/Ranks.h"
#include "kiln/Reference/WeightBlocks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

static llvm::Error weightError(WeightOp weight, std::string what,
                               std::string expected = {}, std::string found = {},
                               std::string fix = {}) {
  return makeError({ErrorCode::WeightUnavailable,
                    "weight '" + weight.getSymName().str() + "'", std::move(what),
                    std::move(expected), std::move(found), std::move(fix)});
}

llvm::Expected<WeightBlocks> WeightSource::openBlocks(WeightOp weight) {
  llvm::Expected<Tensor> tensor = get(weight);
  if (!tensor)
    return tensor.takeError();
  return WeightBlocks(*tensor);
}

llvm::Expected<Tensor> NoWeights::get(WeightOp weight) {
  return weightError(weight, "this evaluation has no weights");
}

//===----------------------------------------------------------------------===//
// MappedWeights
//===----------------------------------------------------------------------===//

MappedWeights::MappedWeights(StringRef folder, bool checkHash)
    : folder(folder.empty() ? "." : folder), checkHash(checkHash) {}

MappedWeights::MappedWeights(StringRef folder, Links links) : MappedWeights(folder) {
  this->links = std::move(links);
}

/// Returns true if the file, after following links, is in the folder.
static bool liesIn(StringRef file, StringRef folder) {
  SmallString<256> realFile, realFolder;
  if (llvm::sys::fs::real_path(file, realFile) ||
      llvm::sys::fs::real_path(folder, realFolder))
    return false;
  if (!realFolder.ends_with("/"))
    realFolder += "/";
  return realFile.starts_with(realFolder);
}

llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> MappedWeights::open(WeightOp weight) {
  StringRef name = *weight.getFile();
  std::shared_ptr<llvm::MemoryBuffer> &file = files[name];
  if (file)
    return file;
  SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  bool climbs = llvm::is_contained(
      llvm::make_range(llvm::sys::path::begin(name), llvm::sys::path::end(name)), "..");
  if (llvm::sys::path::is_absolute(name) || climbs)
    return weightError(weight, "'" + name.str() + "' is outside the model's folder",
                       "a path inside the folder", {}, "move the file beside the model");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return weightError(weight, "'" + name.str() + "' cannot be opened", {},
                       buffer.getError().message(), "put the file beside the model");
  bool isAllowed = liesIn(path, folder) || name == links.file ||
                   (!links.folder.empty() && liesIn(path, links.folder));
  if (!isAllowed)
    return weightError(weight, "'" + name.str() + "' is a link out of the model's folder",
                       "a file inside the folder", {}, "move the file beside the model");
  file = std::move(*buffer);
  return file;
}

llvm::Expected<Tensor> MappedWeights::get(WeightOp weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  if (!weight.getFile())
    return weightError(weight, "the weight has no file", {}, {}, "bake it first");
  auto file = open(weight);
  if (!file)
    return file.takeError();
  // Offset and length come from the model file, so they are checked without overflow.
  uint64_t size = (*file)->getBufferSize();
  uint64_t offset = *weight.getOffset(), length = *weight.getLength();
  if (!isSupported(type.getElementType()) || !byteSize(type).isConstant(length))
    return weightError(weight, "the length does not fit the type",
                       byteSize(type).str() + " bytes", std::to_string(length));
  if (offset > size || length > size - offset)
    return weightError(weight, "'" + weight.getFile()->str() + "' is too short",
                       std::to_string(length) + " bytes at " + std::to_string(offset),
                       "a file of " + std::to_string(size) + " bytes",
                       "fetch the whole file again");
  const char *bytes = (*file)->getBufferStart() + offset;
  if (checkHash) {
    ArrayRef<uint8_t> range(reinterpret_cast<const uint8_t *>(bytes), length);
    std::string hash = llvm::toHex(llvm::SHA256::hash(range), /*LowerCase=*/true);
    if (hash != *weight.getHash())
      return weightError(weight, "'" + weight.getFile()->str() + "' has changed",
                         weight.getHash()->str(), hash, "import the model again");
  }
  return Tensor::borrow(type.getElementType(), type.getShape(), bytes, *file);
}

//===----------------------------------------------------------------------===//
// BakedWeights
//===----------------------------------------------------------------------===//

BakedWeights::BakedWeights(ModuleOp module, WeightSource &files, int64_t rank,
                           QuantizationErrors *errors)
    : module(module), files(files), rank(rank), errors(errors) {
  auto bake = module.lookupSymbol<func::FuncOp>("bake");
  if (!bake || bake.isExternal())
    return;
  decisive = decisiveOps(bake.getBody().front());
  for (auto set : bake.getOps<SetWeightOp>())
    setters[set.getWeight()] = set;
}

/// Returns the ops of @bake that a value needs, in program order.
static llvm::SmallVector<Operation *> opsFor(Operation *last) {
  llvm::SmallVector<Operation *> ops, todo{last};
  llvm::SmallPtrSet<Operation *, 16> seen{last};
  while (!todo.empty()) {
    ops.push_back(todo.pop_back_val());
    for (Value operand : ops.back()->getOperands())
      if (Operation *op = operand.getDefiningOp(); op && seen.insert(op).second)
        todo.push_back(op);
  }
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// Returns the value of an SSA value of @bake; other values are released after their last
/// use.
llvm::Expected<Tensor> reference::valueOf(Value value, WeightSource &weights,
                                          const Options &options) {
  Operation *last = value.getDefiningOp();
  llvm::SmallVector<Operation *> ops =
      last ? opsFor(last) : llvm::SmallVector<Operation *>();
  llvm::DenseMap<Value, unsigned> uses;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      ++uses[operand];
  llvm::DenseMap<Value, Tensor> live;
  for (Operation *op : ops) {
    Results operands;
    for (Value operand : op->getOperands()) {
      auto it = live.find(operand);
      if (it == live.end())
        return makeError({ErrorCode::BakeInvalid,
                          "@bake",
                          "the function has arguments",
                          {},
                          {},
                          "read weights with graph.get_weight"});
      operands.push_back(it->second);
      if (--uses[operand] == 0)
        live.erase(it);
    }
    llvm::Expected<Results> results =
        evaluateOp(op, operands, Symbols(), weights, options);
    if (!results)
      return results.takeError();
    for (auto [result, tensor] : llvm::zip(op->getResults(), *results))
      live[result] = std::move(tensor);
  }
  auto it = live.find(value);
  if (it == live.end())
    return makeError({ErrorCode::BakeInvalid,
                      "@bake",
                      "the function has arguments",
                      {},
                      {},
                      "read weights with graph.get_weight"});
  return std::move(it->second);
}

llvm::Expected<Value> BakedWeights::findValue(WeightOp weight) const {
  StringRef name = weight.getSymName();
  std::string where = "weight '" + name.str() + "'";
  auto setter = setters.find(name);
  if (setter == setters.end())
    return makeError({ErrorCode::BakeInvalid,
                      where,
                      "the weight has neither a file nor a value",
                      "a graph.set_weight in @bake",
                      "none",
                      {}});
  if (llvm::is_contained(active, name))
    return makeError({ErrorCode::BakeInvalid,
                      where,
                      "the weight is baked from itself",
                      "weights baked from files",
                      llvm::join(active, " from "),
                      {}});
  graph::SetWeightOp set = setter->second;
  return set.getValue();
}

llvm::Expected<Tensor> BakedWeights::cut(WeightOp part) {
  std::optional<WeightPart> about = graph::partOf(part);
  auto whole = module.lookupSymbol<WeightOp>(about->of.getAttr());
  llvm::Expected<Tensor> tensor = get(whole);
  if (!tensor)
    return tensor;
  MeshAxis ranks = graph::axisOfPart(part);
  return rankPart(*tensor, about->axis, ranks.numberOf(rank), ranks.size);
}

llvm::Expected<Tensor> BakedWeights::get(WeightOp weight) {
  if (weight.getFile())
    return files.get(weight);
  if (weight->hasAttr(kPartAttr))
    return cut(weight);
  llvm::Expected<Value> value = findValue(weight);
  if (!value)
    return value.takeError();
  active.push_back(weight.getSymName());
  Options options;
  options.rounded = &decisive;
  llvm::Expected<Tensor> tensor = valueOf(*value, *this, options);
  active.pop_back();
  if (!tensor)
    return tensor.takeError();
  return tensor->rounded();
}

llvm::Expected<WeightBlocks> BakedWeights::openBlocks(WeightOp weight) {
  if (weight.getFile())
    return files.openBlocks(weight);
  if (std::optional<WeightPart> about = graph::partOf(weight)) {
    auto whole = module.lookupSymbol<WeightOp>(about->of.getAttr());
    llvm::Expected<WeightBlocks> blocks = openBlocks(whole);
    if (!blocks)
      return blocks;
    MeshAxis ranks = graph::axisOfPart(weight);
    return blocks->part(
        rankBox(blocks->getShape(), about->axis, ranks.numberOf(rank), ranks.size));
  }
  llvm::Expected<Value> value = findValue(weight);
  if (!value)
    return value.takeError();
  active.push_back(weight.getSymName());
  Options options;
  options.rounded = &decisive;
  options.kept = &kept;
  options.errors = errors;
  llvm::Expected<WeightBlocks> blocks = WeightBlocks::open(*value, *this, options);
  active.pop_back();
  return blocks;
}
