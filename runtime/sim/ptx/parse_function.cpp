//===- parse_function.cpp - Function headers ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"

using namespace kiln::sim::ptx;

/// Max bytes of kernel parameters, since PTX 8.1 and sm_70.
static constexpr uint64_t maxParameterBytes = 32764;

bool FunctionParser::functionItem(Linkage linkage) {
  Function header;
  header.entry = s.take().text == ".entry";
  header.linkage = linkage;
  if (!header.entry && token.is("(") && !parameters.parameters(header.returns, false))
    return false;
  Token at = token;
  std::string_view name;
  if (!s.takeIdentifier(name, "the name of the function"))
    return false;
  header.name = name;
  header.location = at.location;
  if (token.is("(") && !parameters.parameters(header.parameters, header.entry))
    return false;
  if (!directives.directives(header.directives, header.entry))
    return false;
  bool hasBody = token.is("{");
  if (!hasBody && !token.is(";"))
    return s.unexpected("`{` with the body or `;` behind a declaration");
  uint32_t index = 0;
  bool declared = declareFunction(std::move(header), at, index);
  s.take();
  if (!hasBody)
    return true;
  if (!declared) {
    s.skipBraces();
    return true;
  }
  return bodies.body(index);
}

/// Adds the function or, if it was declared before, checks that the headers agree.
bool FunctionParser::declareFunction(Function header, const Token &at, uint32_t &index) {
  bool hasBody = token.is("{");
  auto known = s.names.find(at.text);
  if (known == s.names.end()) {
    index = uint32_t(module->functions.size());
    s.names.emplace(at.text, Name{Name::Kind::Function, index, at.location});
    module->functions.push_back(std::move(header));
    return true;
  }
  if (known->second.kind != Name::Kind::Function)
    return s.error(at, "the name is that of a variable declared in line " +
                           std::to_string(known->second.location.line));
  index = known->second.index;
  Function &old = module->functions[index];
  if (hasBody && old.defined)
    return s.error(at, "the function has a body already, in line " +
                           std::to_string(old.location.line));
  if (old.entry != header.entry || !sameSignature(old.parameters, header.parameters) ||
      !sameSignature(old.returns, header.returns))
    return s.error(at, "the function was declared otherwise in line " +
                           std::to_string(old.location.line));
  if (hasBody)
    old = std::move(header);
  return true;
}

bool kiln::sim::ptx::sameSignature(const std::vector<Variable> &a,
                                   const std::vector<Variable> &b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].space != b[i].space || a[i].size != b[i].size ||
        (a[i].space == StateSpace::Reg && bits(a[i].type) != bits(b[i].type)))
      return false;
  return true;
}

/// Parses (.param .u64 a, .param .align 8 .b8 b[16]) or (.reg .b32 a). In a prototype the
/// names are `_`.
bool ParameterParser::parameters(std::vector<Variable> &list, bool entry) {
  s.take(); // the parenthesis
  if (s.accept(")"))
    return true;
  uint64_t offset = 0;
  do {
    if (!parameter(list, entry))
      return false;
    Variable &v = list.back();
    offset = (offset + v.align - 1) / v.align * v.align;
    v.offset = uint32_t(offset);
    offset += v.size;
    if (entry && offset > maxParameterBytes)
      return s.error(v.location, v.name,
                     "the kernel takes more than " + std::to_string(maxParameterBytes) +
                         " bytes of parameters");
  } while (s.accept(","));
  return s.expect(")", "closing the parameters");
}

bool ParameterParser::parameter(std::vector<Variable> &list, bool entry) {
  constexpr uint64_t maxParameter = uint64_t(1) << 30;
  Declaration d;
  if (token.isWord("param"))
    d.variable.space = StateSpace::Param;
  else if (token.isWord("reg") && !entry)
    d.variable.space = StateSpace::Reg;
  else
    return s.unexpected(entry ? "`.param`" : "`.param` or `.reg`");
  s.take();
  if (!declarations.qualifiers(d))
    return false;
  Token at = token;
  std::string_view name;
  if (!s.takeIdentifier(name, "the name of the parameter"))
    return false;
  d.variable.name = name;
  d.variable.location = at.location;
  if (!declarations.dimensions(d.variable) || !declarations.layOut(d, at.location))
    return false;
  if (d.variable.space == StateSpace::Param && d.variable.type == Type::Pred)
    return s.error(at, "predicates cannot be parameters in memory");
  if (d.variable.size > maxParameter)
    return s.error(at, "the parameter is too large");
  list.push_back(std::move(d.variable));
  return true;
}

//===----------------------------------------------------------------------===//
// Performance-tuning directives
//===----------------------------------------------------------------------===//

bool DirectiveParser::directives(Directives &directives, bool entry) {
  while (token.kind == Token::Kind::Word)
    if (!directive(directives, entry))
      return false;
  return directives.maxntid[0] == 0 || directives.reqntid[0] == 0 ||
         s.error(token, ".maxntid and .reqntid exclude each other; keep .reqntid");
}

bool DirectiveParser::directive(Directives &d, bool entry) {
  struct Single {
    std::string_view name;
    uint32_t Directives::*field;
  };
  static constexpr Single singles[] = {{"minnctapersm", &Directives::minnctapersm},
                                       {"maxnctapersm", &Directives::maxnctapersm},
                                       {"maxnreg", &Directives::maxnreg},
                                       {"maxclusterrank", &Directives::maxclusterrank}};
  if (token.isWord("pragma"))
    return pragma(d.pragmas);
  if (token.isWord("noreturn")) {
    if (entry)
      return s.error(token, ".noreturn is for .func");
    s.take();
    d.noreturn = true;
    return true;
  }
  if (!entry)
    return s.unexpected("the function's body");
  if (token.isWord("explicitcluster") || token.isWord("blocksareclusters")) {
    (token.isWord("explicitcluster") ? d.explicitcluster : d.blocksareclusters) = true;
    s.take();
    return true;
  }
  static constexpr std::pair<std::string_view, std::array<uint32_t, 3> Directives::*>
      triples[] = {{"maxntid", &Directives::maxntid},
                   {"reqntid", &Directives::reqntid},
                   {"reqnctapercluster", &Directives::reqnctapercluster}};
  for (auto [name, field] : triples)
    if (token.isWord(name)) {
      s.take();
      return triple(d.*field);
    }
  for (const Single &single : singles)
    if (token.isWord(single.name)) {
      s.take();
      uint64_t value = 0;
      if (!s.takeNumber(value, UINT32_MAX, "the limit"))
        return false;
      d.*single.field = uint32_t(value);
      return true;
    }
  return s.unexpected("a directive for tuning, such as .maxntid, or the body");
}

/// Parses one to three sizes; missing ones are 1.
bool DirectiveParser::triple(std::array<uint32_t, 3> &out) {
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  for (uint32_t &size : sizes) {
    uint64_t value = 0;
    Token at = token;
    if (!s.takeNumber(value, UINT32_MAX, "the size"))
      return false;
    if (value == 0)
      return s.error(at, "a size is at least 1");
    size = uint32_t(value);
    if (!s.accept(","))
      break;
  }
  out = sizes;
  return true;
}
