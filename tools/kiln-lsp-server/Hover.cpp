//===- Hover.cpp - Documentation of ops under the pointer -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"
#include <algorithm>
#include <string>

using llvm::StringRef;
using llvm::lsp::Hover;

/// Pages of mlir-tblgen, one per .td file, with a section "### `graph.matmul` (class)"
/// per op.
static const char *const pages[] = {
#include "OpPages.inc"
};

/// Ends a section's summary, syntax and description: tables of traits and operands
/// follow.
static constexpr StringRef tables[] = {
    "\nTraits: ", "\nInterfaces: ", "\nEffects: ", "\n#### ", "\n### "};

/// Returns summary, syntax and description of the op in Markdown, or nothing where no
/// page has it.
static StringRef findDocumentation(StringRef op) {
  for (StringRef page : pages) {
    size_t title = page.find(("\n### `" + op + "` (").str());
    if (title == StringRef::npos)
      continue;
    StringRef section = page.substr(page.find("\n\n", title));
    size_t end = section.size();
    for (StringRef table : tables)
      end = std::min(end, section.find(table));
    return section.take_front(end).trim();
  }
  return "";
}

/// Returns the hover's text with the documentation behind its first line, if that names
/// an op as in `"func.func" : public @main`.
static std::string documented(StringRef text) {
  auto [heading, rest] = text.split("\n\n");
  StringRef op = heading.starts_with("\"") ? heading.drop_front().split('"').first : "";
  StringRef documentation = findDocumentation(op);
  if (documentation.empty())
    return text.str();
  return (heading + "\n\n" + documentation + "\n\n" + rest).str();
}

/// LLVM's toJSON(const Hover &).
llvm::json::Value
hoverToJSON(const Hover &hover) asm("__real__ZN4llvm3lsp6toJSONERKNS0_5HoverE");

/// Stands in for it in the server of MLIR.
llvm::json::Value
documentedHoverToJSON(const Hover &hover) asm("__wrap__ZN4llvm3lsp6toJSONERKNS0_5HoverE");

llvm::json::Value documentedHoverToJSON(const Hover &hover) {
  Hover result = hover;
  result.contents.value = documented(hover.contents.value);
  return hoverToJSON(result);
}
