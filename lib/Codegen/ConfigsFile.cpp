//===- ConfigsFile.cpp - The configs file ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/ConfigsFile.h"
#include "kiln/Codegen/Configs.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/ErrorCodes/Usage.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr StringLiteral kShape = "KEY TARGET FAMILY NAME = VALUE, ...";

static llvm::Error malformed(const std::string &where, StringRef what, StringRef expected,
                             StringRef found) {
  return makeError({ErrorCode::ConfigsMalformed, where, what.str(), expected.str(),
                    "'" + found.str() + "'",
                    "write the line as kiln tune does, or delete it"});
}

namespace {
/// A config parameter that was renamed.
struct Renamed {
  StringLiteral family, before, now;
};
} // namespace

/// Parameter names in files that kiln tune wrote before December 2026.
static constexpr Renamed kRenamed[] = {
    {"gemm", "strip", "staged_epilogue"},
    {"block_gemm", "depth", "block_k"},
    {"block_gemm", "team", "row_threads"},
    {"warpgroup_gemm", "depth", "block_k"},
    {"warpgroup_gemm", "strip", "epilogue_panels"},
    {"warpgroup_gemm", "team", "row_threads"},
    {"gemv", "along_depth", "along_k"},
    {"gemv", "team", "row_threads"},
    {"pointwise", "team", "group_threads"},
    {"pointwise", "share", "reduce_split"},
    {"staging", "team", "group_threads"},
    {"staging", "share", "reduce_split"},
    {"scatter", "team", "group_threads"},
};

static std::string withNamesOfToday(StringRef family, StringRef text) {
  std::string result = text.str();
  for (const auto &[of, before, now] : kRenamed)
    if (of == family)
      result = llvm::Regex(("(^|[ ,<])" + before + "( *=)").str())
                   .sub(("\\1" + now + "\\2").str(), result);
  return result;
}

/// Returns null, with the parser's message in `why`, if the text is no config of the
/// family.
static Attribute parseConfig(StringRef family, StringRef text, MLIRContext *context,
                             std::string &why) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (why.empty())
      why = diagnostic.str();
    return success();
  });
  std::string spelled =
      ("#tile." + family + "_config<" + withNamesOfToday(family, text) + ">").str();
  size_t read = 0;
  Attribute config = parseAttribute(spelled, context, Type(), &read);
  if (config && read == spelled.size())
    return config;
  if (config)
    why = "text behind the config";
  return {};
}

static llvm::Expected<ConfigsFile::Line> parseLine(StringRef text, std::string where,
                                                   MLIRContext *context) {
  StringRef rest = text;
  auto word = [&] {
    rest = rest.ltrim();
    StringRef found = rest.take_until(llvm::isSpace);
    rest = rest.drop_front(found.size());
    return found;
  };
  StringRef key = word(), target = word(), family = word();
  rest = rest.trim();
  if (rest.empty())
    return malformed(where, "the line ends early", kShape, text);
  if (!llvm::is_contained(configFamilies(), family))
    return makeError({ErrorCode::ConfigFamilyUnknown, where,
                      "no kernel family has this name",
                      llvm::join(configFamilies(), ", "), "'" + family.str() + "'",
                      "choose one of these"});
  std::string why;
  if (Attribute config = parseConfig(family, rest, context, why))
    return ConfigsFile::Line{std::move(where), key.str(), target.str(), config};
  return malformed(where, "not a config of family " + family.str() + ": " + why,
                   "the parameters that kiln explain prints", rest);
}

llvm::Expected<ConfigsFile> ConfigsFile::parse(StringRef text, StringRef path,
                                               MLIRContext *context) {
  ConfigsFile file;
  SmallVector<StringRef> texts;
  text.split(texts, '\n');
  for (auto [i, line] : llvm::enumerate(texts)) {
    line = line.split('#').first.trim();
    if (line.empty())
      continue;
    auto parsed = parseLine(line, (path + ":" + Twine(i + 1)).str(), context);
    if (!parsed)
      return parsed.takeError();
    if (const Line *other = file.find(parsed->key, parsed->target))
      return makeError({ErrorCode::ConfigTwice, parsed->where,
                        "a second config for " + parsed->key + " on " + parsed->target,
                        "one line per problem and target", "the first at " + other->where,
                        "delete one of the two lines"});
    file.lines.push_back(std::move(*parsed));
  }
  for (Line &line : file.lines)
    line.isUsed = false;
  return file;
}

llvm::Expected<ConfigsFile> ConfigsFile::read(StringRef path, MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return makeError({ErrorCode::FileReadFailed, path.str(), "the file cannot be read",
                      "a configs file, as kiln tune writes it",
                      buffer.getError().message(),
                      "check the path, or write the file with kiln tune -o"});
  return parse((*buffer)->getBuffer(), path, context);
}

const ConfigsFile::Line *ConfigsFile::find(StringRef key, StringRef target) {
  for (Line &line : lines)
    if (line.key == key && line.target == target) {
      line.isUsed = true;
      return &line;
    }
  return nullptr;
}

std::string kiln::codegen::formatConfigLine(StringRef key, StringRef target,
                                            Attribute config) {
  return (key + " " + target + " " + configFamily(config) + " " + configText(config))
      .str();
}
