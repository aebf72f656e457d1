//===- Images.cpp - Machine code of all targets ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Images.h"
#include "FindCode.h"
#include "kiln/Support/Error.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln;
using namespace mlir;

static std::string configText(tile::KernelOp kernel) {
  std::string text;
  if (Attribute config = kernel.getConfigAttr())
    llvm::raw_string_ostream(text) << config;
  return text;
}

/// Resizes a record to `targets` targets, some of which may lack the kernel: GPUs have
/// kernels that hosts do not need.
static void padTo(size_t targets, package::KernelImage &record) {
  record.entries.resize(targets);
  record.blocks.resize(targets);
  record.configs.resize(targets);
}

/// Returns the record of a kernel, with the properties that are common to all targets and
/// the config of the current target.
static package::KernelImage &recordOf(tile::KernelOp kernel, Images &images) {
  auto [it, inserted] = images.kernels.try_emplace(kernel.getSymName());
  package::KernelImage &record = it->second;
  if (inserted) {
    padTo(images.targets.size(), record);
    for (auto symbol : kernel.getSymbols().getAsRange<StringAttr>())
      record.symbols.push_back(symbol.str());
    record.hero = kernel.getHero().str();
  }
  record.configs.push_back(configText(kernel));
  return record;
}

static llvm::Error addHost(ModuleOp module, const TargetInfo &target,
                           const KernelTextSink &texts, ByteCache *cache,
                           Images &images) {
  HostImage image;
  if (llvm::Error error =
          compileToHostImage(module, target, image, {texts, texts ? nullptr : cache}))
    return error;
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    const HostImage::Entry *entry = image.find(kernel.getSymName());
    if (!entry) {
      Diagnosis diagnosis;
      diagnosis.where = kernel.getSymName().str();
      diagnosis.what = "the image has no entry for a kernel of the module";
      return makeError(std::move(diagnosis));
    }
    images.times.push_back({entry->name, target.name, {}, entry->seconds});
    package::KernelImage &record = recordOf(kernel, images);
    record.entries.push_back(entry->offset);
    record.scratch.push_back(toSymbolic(kernel, kernel.getScratch()));
    record.blocks.emplace_back();
  }
  images.targets.push_back({target.name, image.features, /*isGpu=*/false});
  images.hostImages.emplace_back(image.bytes.begin(), image.bytes.end());
  images.unwindTables.emplace_back(image.unwindTable.begin(), image.unwindTable.end());
  return llvm::Error::success();
}

/// Converts a tensor map to the plan's form, in bytes.
static package::KernelImage::TensorMap toPlan(tile::KernelOp kernel,
                                              tile::TensorMapAttr map) {
  SmallVector<StringAttr> symbols(kernel.getSymbols().getAsRange<StringAttr>());
  int64_t bytes = tile::elementBytes(map.getElement());
  auto express = [&](AffineMapAttr attr) {
    std::vector<graph::SymbolicExpr> results;
    for (AffineExpr expr : attr.getValue().getResults())
      results.push_back(graph::SymbolicExpr::fromAffine(expr, symbols));
    return results;
  };
  package::KernelImage::TensorMap result;
  result.buffer = static_cast<uint32_t>(map.getBuffer());
  result.element = map.getElement();
  result.offset = express(map.getOffset()).front() * graph::SymbolicExpr(bytes);
  result.extents = express(map.getExtents());
  for (const graph::SymbolicExpr &stride : express(map.getStrides()))
    result.strides.push_back(stride * graph::SymbolicExpr(bytes));
  result.box.assign(map.getBox().asArrayRef().begin(), map.getBox().asArrayRef().end());
  result.swizzle = static_cast<uint32_t>(map.getSwizzle());
  return result;
}

static package::KernelImage::Block toPlan(tile::KernelOp kernel, const PtxKernel &ptx) {
  package::KernelImage::Block block;
  block.threads = static_cast<uint32_t>(ptx.threads);
  block.shared = toSymbolic(kernel, kernel.getScratch()) + ptx.sharedBytes;
  if (kernel.getWorkspace()) {
    block.workspace = toSymbolic(kernel, *kernel.getWorkspace());
    block.tickets = toSymbolic(kernel, *kernel.getTickets());
  }
  for (tile::TensorMapAttr map : ptx.maps)
    block.maps.push_back(toPlan(kernel, map));
  block.waits = ptx.waits;
  block.cluster = static_cast<uint32_t>(kernel.getCluster().value_or(1));
  return block;
}

/// Adds code to the record of the kernel or, for a variant, of the kernel it belongs to.
static void addCode(tile::KernelOp kernel, uint64_t entry,
                    package::KernelImage::Block block, Images &images) {
  if (std::optional<StringRef> place = kernel.getReplaces()) {
    auto number = int64_t(images.targets.size()); // index of the current target
    images.kernels[*place].variants[{number, kernel.getSymName().str()}] =
        {entry, std::move(block), configText(kernel)};
    return;
  }
  package::KernelImage &record = recordOf(kernel, images);
  record.entries.push_back(entry);
  record.blocks.push_back(std::move(block));
}

static llvm::Error addGpu(ModuleOp module, const TargetInfo &target,
                          const KernelTextSink &texts, bool cubin, Images &images) {
  std::vector<PtxKernel> compiled;
  if (llvm::Error error = compileToPtx(module, target, compiled, {texts, cubin}))
    return error;
  std::string ptxTexts, code;
  for (auto [kernel, ptx] : llvm::zip(module.getOps<tile::KernelOp>(), compiled)) {
    images.times.push_back({ptx.name, target.name, {}, ptx.seconds});
    code.resize(llvm::alignTo(code.size(), 64));
    package::KernelImage::Block block = toPlan(kernel, ptx);
    block.cubin = code.size();
    block.cubinSize = ptx.cubin.size();
    addCode(kernel, ptxTexts.size(), std::move(block), images);
    code += ptx.cubin;
    ptxTexts += ptx.text;
    ptxTexts.push_back('\0'); // a driver takes a text that ends so as it is
  }
  images.targets.push_back({target.name, target.features, /*isGpu=*/true});
  images.ptx.push_back(std::move(ptxTexts));
  if (cubin)
    images.cubins.push_back(std::move(code));
  return llvm::Error::success();
}

llvm::Expected<Images> kiln::compileImages(ModuleOp module, const std::string &dumpFolder,
                                           bool cubin, ByteCache *cache) {
  Images images;
  for (auto target : module.getOps<ModuleOp>()) {
    llvm::Expected<TargetInfo> info = TargetInfo::get(target.getName().value_or(""));
    if (!info)
      return info.takeError();
    KernelTextSink texts;
    if (!dumpFolder.empty())
      texts = writeTextsTo(dumpFolder + "/" + info->name);
    if (llvm::Error error = info->gpu ? addGpu(target, *info, texts, cubin, images)
                                      : addHost(target, *info, texts, cache, images))
      return std::move(error);
    for (auto &entry : images.kernels)
      padTo(images.targets.size(), entry.second);
  }
  return images;
}
