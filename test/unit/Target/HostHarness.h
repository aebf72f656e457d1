//===- HostHarness.h - Compile tile programs and run them -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for tests of generated code: compile text to an image, and load the image into
// executable memory.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_TARGET_HOSTHARNESS_H
#define KILN_TEST_UNIT_TARGET_HOSTHARNESS_H

#include "dialects/Tile/Tile.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Host.h"
#include "kiln/abi.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kiln::test {

inline void loadTileDialects(mlir::MLIRContext &context) {
  context.loadDialect<tile::TileDialect, mlir::affine::AffineDialect,
                      mlir::arith::ArithDialect, mlir::math::MathDialect,
                      mlir::scf::SCFDialect>();
}

/// An image in executable memory.
class LoadedImage {
public:
  explicit LoadedImage(HostImage image) : image(std::move(image)) {
    size = this->image.bytes.size();
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memcpy(memory, this->image.bytes.data(), size);
    mprotect(memory, size, PROT_READ | PROT_EXEC);
  }
  ~LoadedImage() { munmap(memory, size); }
  LoadedImage(const LoadedImage &) = delete;

  kiln_host_kernel kernel(llvm::StringRef name) const {
    const HostImage::Entry *entry = image.find(name);
    if (!entry)
      return nullptr;
    return reinterpret_cast<kiln_host_kernel>(static_cast<char *>(memory) + entry->offset);
  }

  HostImage image;

private:
  void *memory = nullptr;
  size_t size = 0;
};

/// Requests permission to use AMX tile registers from Linux (arch_prctl).
inline bool mayUseTiles() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

/// Returns the target; nullopt if this machine cannot run it.
inline std::optional<TargetInfo> targetOrSkip(llvm::StringRef name) {
  llvm::Expected<TargetInfo> target = TargetInfo::get(name);
  llvm::Expected<TargetInfo> native = TargetInfo::get("native");
  bool runs = target && native && llvm::all_of(target->features, [&](const std::string &f) {
    return native->has(f);
  });
  if (runs && target->has("amx-tile"))
    runs = mayUseTiles();
  if (!target)
    llvm::consumeError(target.takeError());
  if (!native)
    llvm::consumeError(native.takeError());
  return runs ? std::optional(*target) : std::nullopt;
}

inline std::unique_ptr<LoadedImage> compile(mlir::ModuleOp module, const TargetInfo &target) {
  HostImage image;
  HostOptions options;
  if (const char *folder = std::getenv("KILN_TEST_DUMP"))
    options.texts = writeTextsTo(folder);
  if (llvm::Error error = compileToHostImage(module, target, image, options)) {
    ADD_FAILURE() << takeDiagnosis(std::move(error)).str();
    return nullptr;
  }
  return std::make_unique<LoadedImage>(std::move(image));
}

inline std::unique_ptr<LoadedImage> compile(mlir::MLIRContext &context, llvm::StringRef text,
                                            const TargetInfo &target) {
  loadTileDialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "the program cannot be parsed";
    return nullptr;
  }
  return compile(*module, target);
}

} // namespace kiln::test

#endif // KILN_TEST_UNIT_TARGET_HOSTHARNESS_H
