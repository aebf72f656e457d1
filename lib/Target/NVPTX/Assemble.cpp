//===- Assemble.cpp - PTX to machine code ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assemble.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <array>

using namespace kiln;
using llvm::StringRef;

static llvm::Error failure(StringRef what, StringRef expected, StringRef found, StringRef fix) {
  return makeError({ErrorCode::CubinAssembly, "--cubin", what.str(), expected.str(),
                    found.str(), fix.str()});
}

static std::string contentsOf(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

llvm::Error nvptx::assemble(StringRef text, StringRef architecture, std::string &cubin) {
  llvm::ErrorOr<std::string> ptxas = llvm::sys::findProgramByName("ptxas");
  if (!ptxas)
    return failure("the assembler of the CUDA toolkit was not found", "ptxas in the PATH",
                   "none",
                   "install the CUDA toolkit, or compile without --cubin: a driver "
                   "assembles the PTX when it loads it");
  // The input, output and log files of ptxas; the FileRemovers delete them on every
  // return.
  std::array<llvm::SmallString<64>, 3> paths;
  std::array<StringRef, 3> suffixes{"ptx", "cubin", "log"};
  std::array<llvm::FileRemover, 3> removers;
  for (auto [path, suffix, remover] : llvm::zip(paths, suffixes, removers)) {
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("kiln", suffix, path))
      return failure("a temporary file cannot be made", "", code.message(),
                     "free space in the folder for temporary files");
    remover.setFile(path);
  }
  std::error_code code;
  llvm::raw_fd_ostream input(paths[0], code);
  input << text;
  input.close();
  std::string gpu = "--gpu-name=" + architecture.str();
  std::array<StringRef, 5> arguments{*ptxas, gpu, paths[0], "-o", paths[1]};
  std::array<std::optional<StringRef>, 3> streams{"", paths[2].str(), paths[2].str()};
  std::string why;
  int status = llvm::sys::ExecuteAndWait(*ptxas, arguments, std::nullopt, streams,
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0, &why);
  if (code || input.has_error() || status != 0)
    return failure("ptxas refuses the PTX for " + architecture.str(), "machine code",
                   why + contentsOf(paths[2]),
                   "compile without --cubin, and report this with the folder of "
                   "--save-temps");
  cubin = contentsOf(paths[1]);
  return llvm::Error::success();
}
