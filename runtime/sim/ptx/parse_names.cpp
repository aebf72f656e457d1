//===- parse_names.cpp - Names and their scopes ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"

using namespace kiln::sim::ptx;

bool ParserState::declare(std::string_view name, Name what) {
  Location at = what.location;
  if (name == "_")
    return true;
  auto &table = inFunction ? scopes.back().names : names;
  auto [it, isNew] = table.emplace(name, what);
  return isNew || error(at, name,
                        "the name is declared in line " +
                            std::to_string(it->second.location.line) + " already");
}

/// Splits %r12 into the declared prefix %r and 12. Prefixes may end in digits too.
static const Name *findRange(const Scope &scope,
                             const std::vector<RegisterDeclaration> &all,
                             std::string_view name, uint64_t &number) {
  constexpr size_t longest = 10; // digits of a 32-bit count
  uint64_t value = 0, scale = 1;
  for (size_t digits = 1; digits <= longest && digits < name.size(); ++digits) {
    char c = name[name.size() - digits];
    if (c < '0' || c > '9')
      break;
    value += scale * uint64_t(c - '0');
    scale *= 10;
    if (c == '0' && digits > 1)
      continue; // %r01 is not %r1
    auto it = scope.ranges.find(name.substr(0, name.size() - digits));
    if (it != scope.ranges.end() && value < all[it->second.index].count) {
      number = value;
      return &it->second;
    }
  }
  return nullptr;
}

/// Finds the innermost declaration of a name; sets `number` for a register in a range.
const Name *ParserState::lookUp(std::string_view name, uint64_t &number) const {
  number = 0;
  for (size_t i = scopes.size(); inFunction && i-- > 0;) {
    auto it = scopes[i].names.find(name);
    if (it != scopes[i].names.end())
      return &it->second;
    if (scopes[i].ranges.empty())
      continue;
    if (const Name *found = findRange(scopes[i], registerDeclarations, name, number))
      return found;
  }
  auto it = names.find(name);
  return it == names.end() ? nullptr : &it->second;
}

/// Returns the index of a register's first component in Function::registers, adding it if
/// needed.
uint32_t ParserState::materialize(uint32_t declaration, uint64_t number,
                                  std::string_view name) {
  RegisterDeclaration &r = registerDeclarations[declaration];
  auto [it, isNew] = r.indices.emplace(number, uint32_t(function.registers.size()));
  if (!isNew)
    return it->second;
  static constexpr std::string_view components = "xyzwabcd";
  for (unsigned i = 0; i < r.vector; ++i) {
    std::string full(name);
    if (r.vector > 1)
      full += std::string(".") + components[i];
    function.registers.push_back({std::move(full), r.type});
  }
  return it->second;
}

/// Resolves the block's labels; uses of undefined labels move to the enclosing block.
void ParserState::closeScope() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  for (LabelUse &use : scope.uses) {
    auto it = scope.labels.find(use.name);
    if (it == scope.labels.end()) {
      if (scopes.empty())
        error(use.location, use.name, "no such label in the function");
      else
        scopes.back().uses.push_back(use);
    } else if (use.table >= 0) {
      function.branchTables[size_t(use.table)].targets[use.operand] = it->second.first;
    } else {
      function.code[use.instruction].operands[use.operand].index = it->second.first;
    }
  }
}
