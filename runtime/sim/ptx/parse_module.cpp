//===- parse_module.cpp - Module-level directives -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"

#include <charconv>
#include <set>

using namespace kiln::sim::ptx;

/// Max text size: locations and indices are 32-bit.
static constexpr size_t maxText = size_t(1) << 28;

ParseResult kiln::sim::ptx::parse(std::string_view text, const ParseOptions &options) {
  if (text.size() > maxText) {
    ParseResult result;
    result.errors.push_back({Problem::Syntax, {1, 1}, "", "the text is over 256 MiB"});
    return result;
  }
  // Callers that pass the length of a C string often include the terminating zero.
  while (!text.empty() && text.back() == '\0')
    text.remove_suffix(1);
  ParserState state(text, options);
  return ModuleParser(state).run();
}

std::string kiln::sim::ptx::format(const Diagnostic &d) {
  std::string text = "line " + std::to_string(d.location.line) + ", column " +
                     std::to_string(d.location.column) + ": ";
  if (!d.token.empty())
    text += "`" + d.token + "`: ";
  return text + d.message;
}

ParseResult ModuleParser::run() {
  if (version() && target()) {
    while (token.kind != Token::Kind::End && !s.stopped())
      if (!topLevel()) {
        s.skipStatement();
        if (!s.accept("}"))
          s.accept(";"); // after values in braces
      }
    finishModule();
  }
  if (s.result.errors.empty())
    s.result.module = std::move(module);
  return std::move(s.result);
}

bool ModuleParser::version() {
  if (!token.isWord("version"))
    return s.unexpected("`.version`: a module starts with .version, then .target");
  s.take();
  std::string_view text = token.text;
  size_t dot = text.find('.');
  unsigned major = 0, minor = 0;
  if (token.kind != Token::Kind::Double || dot == std::string_view::npos ||
      std::from_chars(text.data(), text.data() + dot, major).ptr != text.data() + dot ||
      text.size() != dot + 2 || text[dot + 1] < '0' || text[dot + 1] > '9' || major > 99)
    return s.unexpected("a version such as 8.7");
  minor = unsigned(text[dot + 1] - '0');
  module->version = major * 10 + minor;
  Token at = s.take();
  if (module->version > s.options.newestPtx)
    return s.error(at,
                   "the modelled driver takes PTX up to " +
                       std::to_string(s.options.newestPtx / 10) + "." +
                       std::to_string(s.options.newestPtx % 10) +
                       "; compile for an older PTX version or model a newer driver",
                   Problem::Version);
  return true;
}

namespace {

struct KnownTarget {
  uint32_t sm, minPtx, minPtxArch, minPtxFamily; ///< 0: the architecture has no such
                                                 ///< suffix
};
constexpr KnownTarget knownTargets[] = {
    {20, 20, 0, 0},    {21, 20, 0, 0},    {30, 30, 0, 0},    {32, 40, 0, 0},
    {35, 31, 0, 0},    {37, 41, 0, 0},    {50, 40, 0, 0},    {52, 41, 0, 0},
    {53, 42, 0, 0},    {60, 50, 0, 0},    {61, 50, 0, 0},    {62, 50, 0, 0},
    {70, 60, 0, 0},    {72, 61, 0, 0},    {75, 63, 0, 0},    {80, 70, 0, 0},
    {86, 71, 0, 0},    {87, 74, 0, 0},    {88, 90, 0, 0},    {89, 78, 0, 0},
    {90, 78, 80, 0},   {100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88},
    {110, 90, 90, 90}, {120, 87, 87, 88}, {121, 88, 88, 88}};

} // namespace

bool ModuleParser::targetName(const Token &at) {
  std::string_view name = at.text.substr(3);
  char suffix =
      !name.empty() && (name.back() == 'a' || name.back() == 'f') ? name.back() : 0;
  if (suffix)
    name.remove_suffix(1);
  uint32_t sm = 0;
  auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), sm);
  if (problem != std::errc() || end != name.data() + name.size())
    return s.error(at, "unknown target; expected sm_80, sm_90a or the like");
  for (const KnownTarget &known : knownTargets) {
    if (known.sm != sm)
      continue;
    uint32_t needs = suffix == 'a'   ? known.minPtxArch
                     : suffix == 'f' ? known.minPtxFamily
                                     : known.minPtx;
    if (needs == 0)
      return s.error(at, std::string("this architecture has no target with the suffix ") +
                             suffix);
    if (module->version < needs)
      return s.error(at, "the target needs .version " + std::to_string(needs / 10) + "." +
                             std::to_string(needs % 10) + " or newer");
    if (module->target.sm)
      return s.error(at, "a module has one sm_ target");
    module->target.sm = sm;
    module->target.suffix = suffix;
    return true;
  }
  return s.error(at, "unknown target; expected sm_80, sm_90a or the like");
}

bool ModuleParser::target() {
  if (!token.isWord("target"))
    return s.unexpected("`.target` behind .version");
  Token directive = s.take();
  do {
    if (token.kind != Token::Kind::Identifier)
      return s.unexpected("a target such as sm_90a");
    Token name = s.take();
    if (name.text.starts_with("sm_")) {
      if (!targetName(name))
        return false;
    } else if (name.text == "texmode_independent") {
      module->target.texmodeIndependent = true;
    } else if (name.text == "debug") {
      module->target.debug = true;
    } else if (name.text == "map_f64_to_f32") {
      return s.error(name, "computing f64 as f32 is not modelled", Problem::Refused);
    } else if (name.text != "texmode_unified") {
      return s.error(name, "unknown target option");
    }
  } while (s.accept(","));
  return module->target.sm || s.error(directive, "the target names no sm_ architecture");
}

bool ModuleParser::topLevel() {
  if (token.kind != Token::Kind::Word)
    return s.unexpected("a directive such as .entry, .func or .global");
  std::string_view word = token.text.substr(1);
  if (word == "version" || word == "target")
    return s.error(s.take(), "a module has one ." + std::string(word));
  if (word == "address_size")
    return addressSize();
  if (word == "file")
    return file();
  if (word == "section")
    return section();
  if (word == "alias")
    return alias();
  if (word == "pragma")
    return directives.pragma(module->pragmas);
  return linkedItem();
}

bool ModuleParser::linkedItem() {
  static constexpr std::pair<std::string_view, Linkage> linkages[] = {
      {"visible", Linkage::Visible},
      {"extern", Linkage::Extern},
      {"weak", Linkage::Weak},
      {"common", Linkage::Common}};
  static constexpr std::pair<std::string_view, StateSpace> spaces[] = {
      {"global", StateSpace::Global},
      {"const", StateSpace::Const},
      {"shared", StateSpace::Shared}};
  Linkage linkage = Linkage::Internal;
  for (auto [word, value] : linkages)
    if (token.isWord(word)) {
      linkage = value;
      s.take();
      break;
    }
  if (token.isWord("entry") || token.isWord("func"))
    return functions.functionItem(linkage);
  for (auto [word, space] : spaces)
    if (token.isWord(word)) {
      s.take();
      return variables.variables(space, linkage);
    }
  if (token.isWord("local"))
    return s.error(token,
                   "local variables are declared in functions: each thread has its own "
                   "stack");
  if (token.isWord("tex"))
    return s.error(token, "textures and surfaces are not modelled", Problem::Refused);
  return s.unexpected(
      "a directive that may stand in a module, such as .entry or .global");
}

bool ModuleParser::addressSize() {
  s.take();
  Token at = token;
  uint64_t size = 0;
  if (!s.takeNumber(size, 64, "an address size"))
    return false;
  if (size == 32)
    return s.error(at, "32-bit addresses are not modelled; compile with -m64",
                   Problem::Refused);
  return size == 64 || s.error(at, "the address size is 64");
}

/// .file index "name" [, timestamp, size]
bool ModuleParser::file() {
  s.take();
  uint64_t index = 0, number = 0;
  if (!s.takeNumber(index, UINT32_MAX, "a file number"))
    return false;
  if (token.kind != Token::Kind::String)
    return s.unexpected("the name of the file in quotes");
  module->files.push_back({uint32_t(index), std::string(s.take().text)});
  for (int i = 0; i < 2 && s.accept(","); ++i)
    if (!s.takeNumber(number, UINT64_MAX, "a time stamp or size"))
      return false;
  return true;
}

/// Skips a debug section, which holds no code.
bool ModuleParser::section() {
  s.take();
  if (token.kind != Token::Kind::Word && token.kind != Token::Kind::Identifier)
    return s.unexpected("the name of the section");
  s.take();
  if (!s.expect("{", "opening the section"))
    return false;
  s.skipBraces();
  return true;
}

bool DirectiveParser::pragma(std::vector<std::string> &list) {
  s.take();
  do {
    if (token.kind != Token::Kind::String)
      return s.unexpected("a pragma in quotes");
    list.emplace_back(s.take().text);
  } while (s.accept(","));
  return s.expect(";", "behind .pragma");
}

/// .alias new, old;
bool ModuleParser::alias() {
  Token directive = s.take();
  Token first = token, second;
  std::string_view from, to;
  if (!s.takeIdentifier(from, "the name of the alias") ||
      !s.expect(",", "behind the alias"))
    return false;
  second = token;
  if (!s.takeIdentifier(to, "the name of a function") || !s.expect(";", "behind .alias"))
    return false;
  if (module->version < 63 || module->target.sm < 30)
    return s.error(directive, ".alias needs PTX 6.3");
  auto a = s.names.find(from), b = s.names.find(to);
  if (a == s.names.end() || a->second.kind != Name::Kind::Function)
    return s.error(first, "the alias must be declared as a .func before");
  if (b == s.names.end() || b->second.kind != Name::Kind::Function)
    return s.error(second, "the function must be declared before");
  if (module->functions[a->second.index].defined)
    return s.error(first, "the alias has a body of its own");
  module->functions[a->second.index].alias = int32_t(b->second.index);
  return true;
}

/// Gives unique names to variables of bodies that became module variables.
void ModuleParser::nameHoisted() {
  std::set<std::string> taken;
  for (uint32_t index : s.hoisted) {
    Variable &v = module->variables[index];
    std::string name = v.name;
    for (unsigned n = 1; s.names.count(name) || taken.count(name); ++n)
      name = v.name + "$" + std::to_string(n);
    taken.insert(name);
    v.name = std::move(name);
  }
}

/// Runs checks that need the entire module: extern variables and aliases.
void ModuleParser::finishModule() {
  nameHoisted();
  for (const Variable &v : module->variables)
    if (v.linkage == Linkage::Extern && v.space != StateSpace::Shared)
      s.error(v.location, v.name,
              "the variable is .extern and no module is linked that defines it");
  for (const Function &f : module->functions) {
    if (f.alias < 0)
      continue;
    const Function &body = module->functions[size_t(f.alias)];
    if (!body.defined || body.entry)
      s.error(f.location, f.name, "the alias means a function without a body");
  }
}
