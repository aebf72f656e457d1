//===- symbols.cpp - Names in operands ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/symbols.h"

#include <unordered_map>

using namespace kiln::sim::ptx;

static constexpr SpecialInfo specials[] = {
#define KILN_PTX_SPECIAL(name, spelling, type, components, ptx, sm)                      \
  {spelling, Type::type, components, ptx, sm},
#include "runtime/sim/ptx/specials.def"
#undef KILN_PTX_SPECIAL
};

const SpecialInfo &kiln::sim::ptx::specialInfo(Special special) {
  return specials[size_t(special)];
}

std::string_view kiln::sim::ptx::spelling(Special special) {
  return specialInfo(special).name;
}

bool kiln::sim::ptx::findSpecial(std::string_view name, Special &special) {
  static const auto byName = [] {
    std::unordered_map<std::string_view, Special> result;
    for (size_t i = 0; i < std::size(specials); ++i)
      result.emplace(specials[i].name, Special(i));
    return result;
  }();
  auto it = byName.find(name);
  if (it == byName.end())
    return false;
  special = it->second;
  return true;
}

const Variable *kiln::sim::ptx::symbolVariable(const Operand &operand,
                                               const Module &module,
                                               const Function &function) {
  switch (operand.symbolKind) {
  case Operand::SymbolKind::ModuleVariable:
    return &module.variables[operand.index];
  case Operand::SymbolKind::FunctionVariable:
    return &function.variables[operand.index];
  case Operand::SymbolKind::Parameter:
    return &function.parameters[operand.index];
  case Operand::SymbolKind::Return:
    return &function.returns[operand.index];
  case Operand::SymbolKind::Function:
    return nullptr;
  }
  return nullptr;
}

StateSpace kiln::sim::ptx::symbolSpace(const Operand &operand, const Module &module,
                                       const Function &function) {
  const Variable *variable = symbolVariable(operand, module, function);
  return variable ? variable->space : StateSpace::Generic;
}

std::string_view kiln::sim::ptx::symbolName(const Operand &operand, const Module &module,
                                            const Function &function) {
  if (const Variable *variable = symbolVariable(operand, module, function))
    return variable->name;
  return module.functions[operand.index].name;
}
