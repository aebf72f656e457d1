//===- Shapes.cpp - Smaller dims ------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "dialects/Graph/Graph.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include <map>

using namespace kiln::graph;
using namespace kiln;
using namespace kiln::reduce;
using namespace mlir;

/// New expression of a dim.
using DimMap = llvm::function_ref<SymbolicExpr(const SymbolicExpr &)>;

/// The first elements of data, or its one value, as a tensor of another type.
static DenseElementsAttr withType(DenseElementsAttr data, ShapedType type) {
  if (data.isSplat())
    return data.resizeSplat(type);
  SmallVector<Attribute> values;
  for (Attribute value : data.getValues<Attribute>())
    if (int64_t(values.size()) < type.getNumElements())
      values.push_back(value);
  if (int64_t(values.size()) < type.getNumElements())
    return data;
  return DenseElementsAttr::get(type, values);
}

/// Gives each dim of each tensor another size. Other tensors in attributes, such as those
/// of tile kernels, stay.
static void mapDims(ModuleOp module, DimMap map) {
  auto mapAll = [&](Dims dims) {
    for (SymbolicExpr &dim : dims)
      dim = map(dim);
    return dims;
  };
  auto mapType = [&](RankedTensorType type) {
    return makeTensorType(mapAll(getDims(Type(type))), type.getElementType());
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) {
    return std::pair(Type(mapType(type)), WalkResult::skip());
  });
  replacer.addReplacement([&](ShapeAttr shape) {
    return std::pair(Attribute(makeShape(shape.getContext(), mapAll(getDims(shape)))),
                     WalkResult::skip());
  });
  replacer.addReplacement([&](DenseElementsAttr data) {
    auto type = dyn_cast<RankedTensorType>(data.getType());
    return std::pair(Attribute(type ? withType(data, mapType(type)) : data),
                     WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false, /*replaceTypes=*/true);
  module.walk([](WeightOp weight) {
    if (std::optional<int64_t> bytes = byteSize(weight.getType()).getConstant();
        bytes && weight.getLength())
      weight.setLength(*bytes);
  });
}

//===----------------------------------------------------------------------===//
// Symbolic dims
//===----------------------------------------------------------------------===//

static void collectSymbols(ModuleOp module, Sites &sites) {
  for (SymbolOp symbol : module.getOps<SymbolOp>())
    sites.push_back({symbol});
}

static bool symbolsToOne(ModuleOp module, ArrayRef<Site> sites) {
  llvm::DenseSet<StringAttr> names;
  for (const Site &site : sites) {
    names.insert(cast<SymbolOp>(site.op).getSymNameAttr());
    site.op->erase();
  }
  mapDims(module, [&](const SymbolicExpr &dim) {
    return dim.substitute([&](StringAttr name) -> std::optional<SymbolicExpr> {
      if (!names.contains(name))
        return std::nullopt;
      return SymbolicExpr(1);
    });
  });
  return !sites.empty();
}

const ModuleEdit reduce::kSymbolsToOne = {"symbolic dims to 1", collectSymbols,
                                          symbolsToOne};

static void collectRanges(ModuleOp module, Sites &sites) {
  for (SymbolOp symbol : module.getOps<SymbolOp>())
    if (symbol.getMin() < symbol.getMax())
      sites.push_back({symbol});
}

static bool narrowSymbols(ModuleOp module, ArrayRef<Site> sites) {
  for (const Site &site : sites) {
    auto symbol = cast<SymbolOp>(site.op);
    symbol.setMax(symbol.getMin());
  }
  return !sites.empty();
}

const ModuleEdit reduce::kNarrowSymbols = {"narrow ranges of dims", collectRanges,
                                           narrowSymbols};

//===----------------------------------------------------------------------===//
// Static dims
//===----------------------------------------------------------------------===//

/// Sizes above 1 of the tensors of programs, the largest first.
static SmallVector<int64_t> sizesOf(ModuleOp module) {
  std::map<int64_t, bool, std::greater<>> sizes;
  AttrTypeWalker walker;
  walker.addWalk([&](RankedTensorType type) {
    for (int64_t size : type.getShape())
      if (size > 1)
        sizes[size] = true;
  });
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      walker.walk(type);
    for (Type type : op->getOperandTypes())
      walker.walk(type);
    if (auto weight = dyn_cast<WeightOp>(op))
      walker.walk(weight.getType());
  });
  return llvm::to_vector(llvm::make_first_range(sizes));
}

/// Three sites per size: all multiples of it divided by it, the size itself made 1, and
/// all multiples of it divided by 2.
static constexpr unsigned kWays = 3;

static void collectSizes(ModuleOp module, Sites &sites) {
  for (auto [number, size] : llvm::enumerate(sizesOf(module)))
    for (unsigned way = 0; way < kWays; ++way)
      if (way < 2 || size % 2 == 0)
        sites.push_back({module, unsigned(number * kWays + way)});
}

static int64_t shrink(int64_t size, int64_t by, unsigned way) {
  if (way == 1)
    return size == by ? 1 : size;
  if (size % by)
    return size;
  return size / (way == 0 ? by : 2);
}

static bool shrinkDims(ModuleOp module, ArrayRef<Site> sites) {
  SmallVector<int64_t> sizes = sizesOf(module);
  mapDims(module, [&](const SymbolicExpr &dim) {
    std::optional<int64_t> size = dim.getConstant();
    if (!size || *size < 2)
      return dim;
    for (const Site &site : sites)
      *size = shrink(*size, sizes[site.index / kWays], site.index % kWays);
    return SymbolicExpr(*size);
  });
  return !sites.empty();
}

const ModuleEdit reduce::kShrinkDims = {"shrink dims", collectSizes, shrinkDims};
