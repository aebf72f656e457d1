//===- Images.cpp - Tile programs of every target to images ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Images.h"
#include "FindCode.h"
#include "kiln/Support/Error.h"
#include "llvm/Support/FileSystem.h"

using namespace kiln;
using namespace mlir;

static std::string configText(tile::KernelOp kernel) {
  std::string text;
  if (Attribute config = kernel.getConfigAttr())
    llvm::raw_string_ostream(text) << config;
  return text;
}

/// Adds what one target's image says about its kernels.
static llvm::Error addKernels(ModuleOp target, const HostImage &image, Images &images) {
  for (auto kernel : target.getOps<tile::KernelOp>()) {
    const HostImage::Entry *entry = image.find(kernel.getSymName());
    if (!entry) {
      Diagnosis diagnosis;
      diagnosis.where = kernel.getSymName().str();
      diagnosis.what = "the image has no entry for a kernel of the module";
      return makeError(std::move(diagnosis));
    }
    package::KernelImage &record = images.kernels[kernel.getSymName()];
    record.entries.push_back(entry->offset);
    record.scratch.push_back(toSymbolic(kernel, kernel.getScratch()));
    if (record.entries.size() > 1)
      continue;
    for (auto symbol : kernel.getSymbols().getAsRange<StringAttr>())
      record.symbols.push_back(symbol.str());
    record.hero = kernel.getHero().str();
    record.config = configText(kernel);
  }
  return llvm::Error::success();
}

llvm::Expected<Images> kiln::compileImages(ModuleOp module, const HostOptions &options) {
  Images images;
  for (auto target : module.getOps<ModuleOp>()) {
    llvm::Expected<TargetInfo> info = TargetInfo::get(target.getName().value_or(""));
    if (!info)
      return info.takeError();
    HostImage image;
    HostOptions own = options;
    if (!own.dumpFolder.empty()) {
      own.dumpFolder += "/" + info->name;
      // A folder that cannot be made shows when the first file is opened in it.
      (void)llvm::sys::fs::create_directories(own.dumpFolder);
    }
    if (llvm::Error error = compileToHostImage(target, *info, image, own))
      return std::move(error);
    if (llvm::Error error = addKernels(target, image, images))
      return std::move(error);
    images.targets.push_back({info->name, image.features});
    images.bytes.emplace_back(image.bytes.begin(), image.bytes.end());
  }
  return images;
}
