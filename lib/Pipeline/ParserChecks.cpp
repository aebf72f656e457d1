//===- ParserChecks.cpp - What is checked around MLIR's parser ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR 22.1's parser crashes on some texts, and the mains of mlir-opt, mlir-translate and
// the language server have no hook in front of it. A program that defines a function
// which a shared library defines, too, has its own one called by both, so two functions
// of libMLIR are defined here: the one that all of its ways to parse a text end in, and
// the destructor of regions. test/Driver/parser-crashes.test fails where that does not
// work.
//
//===----------------------------------------------------------------------===//

#include "ParserChecks.h"
#include "TextCheck.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Region.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/SourceMgr.h"
#include <cassert>
#include <dlfcn.h>

using namespace kiln;
using namespace mlir;

void kiln::linkParserChecks() {}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Marks a thread that parses.
static thread_local bool isParsing = false;

using ParseText = LogicalResult (*)(const llvm::SourceMgr &, Block *,
                                    const ParserConfig &, AsmParserState *,
                                    AsmParserCodeCompleteContext *);

/// Returns the function of libMLIR that the one below stands in for.
static ParseText findParserOfMlir() {
  return reinterpret_cast<ParseText>(
      dlsym(RTLD_NEXT, "_ZN4mlir18parseAsmSourceFileERKN4llvm9SourceMgrEPNS_5BlockERKNS_"
                       "12ParserConfigEPNS_14AsmParserStateEPNS_"
                       "28AsmParserCodeCompleteContextE"));
}

/// Returns the text that the parser reads: a part of the main file, if that was split, is
/// the last buffer.
static StringRef findText(const llvm::SourceMgr &sources) {
  StringRef file = sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  StringRef last = sources.getMemoryBuffer(sources.getNumBuffers())->getBuffer();
  return file.begin() <= last.begin() && last.end() <= file.end() ? last : file;
}

static LogicalResult refuse(const TextProblem &problem, const char *place,
                            const llvm::SourceMgr &sources, MLIRContext *context) {
  unsigned file = sources.getMainFileID();
  auto [line, column] =
      sources.getLineAndColumn(llvm::SMLoc::getFromPointer(place), file);
  StringRef name = sources.getMemoryBuffer(file)->getBufferIdentifier();
  return emitError(FileLineColLoc::get(context, name, line, column), problem.message);
}

[[gnu::visibility("default")]] LogicalResult
mlir::parseAsmSourceFile(const llvm::SourceMgr &sources, Block *block,
                         const ParserConfig &config, AsmParserState *state,
                         AsmParserCodeCompleteContext *completion) {
  static const ParseText parse = findParserOfMlir();
  StringRef text = findText(sources);
  if (std::optional<TextProblem> problem = findTextProblem(text))
    return refuse(*problem, text.data() + problem->offset, sources, config.getContext());
  assert(parse && "libMLIR is a shared library");
  llvm::SaveAndRestore parsing(isParsing, true);
  return parse(sources, block, config, state, completion);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Ends the uses of what a region defines before it dies. Parsers that mlir-tblgen writes
/// own the regions of an op until the op is read to its end, as that of scf.index_switch
/// does: if it cannot be, they die while ops in front of it may use what they define.
[[gnu::visibility("default")]] mlir::Region::~Region() {
  dropAllReferences();
  if (isParsing)
    for (Block &block : *this)
      block.dropAllDefinedValueUses();
}
