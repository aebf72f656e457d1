//===- instructions.cpp - The table of legal instruction forms -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/instructions.h"

#include <string>
#include <unordered_map>
#include <vector>

using namespace kiln::sim::ptx;

namespace {

/// The rows of the table; numbered() sets their indices.
const Row table[] = {
#define KILN_PTX_ROW(id, opcode, pattern, operands, ptx, sm, feature, reason)            \
  {0, id, Opcode::opcode, pattern, operands, ptx, sm, Feature::feature, reason},
#include "runtime/sim/ptx/instructions.def"
#undef KILN_PTX_ROW
};

std::string_view mnemonicOf(std::string_view pattern) {
  return pattern.substr(0, pattern.find_first_of(".{*"));
}

const std::vector<Row> &numbered() {
  static const std::vector<Row> all = [] {
    std::vector<Row> result(std::begin(table), std::end(table));
    for (size_t i = 0; i < result.size(); ++i)
      result[i].index = uint16_t(i);
    return result;
  }();
  return all;
}

} // namespace

std::span<const Row> kiln::sim::ptx::rows() { return numbered(); }

std::span<const uint16_t> kiln::sim::ptx::rowsOf(std::string_view mnemonic) {
  static const auto byMnemonic = [] {
    std::unordered_map<std::string_view, std::vector<uint16_t>> result;
    for (const Row &row : rows())
      result[mnemonicOf(row.pattern)].push_back(row.index);
    return result;
  }();
  auto it = byMnemonic.find(mnemonic);
  return it == byMnemonic.end() ? std::span<const uint16_t>() : it->second;
}

const Row *kiln::sim::ptx::findRow(std::string_view id) {
  static const auto byId = [] {
    std::unordered_map<std::string_view, const Row *> result;
    for (const Row &row : rows())
      result.emplace(row.id, &row);
    return result;
  }();
  auto it = byId.find(id);
  return it == byId.end() ? nullptr : it->second;
}

std::string_view kiln::sim::ptx::spelling(Opcode opcode) {
  static constexpr std::string_view names[] = {
#define KILN_PTX_OPCODE(name) #name,
#include "runtime/sim/ptx/opcodes.def"
#undef KILN_PTX_OPCODE
  };
  return opcode < Opcode::Count ? names[size_t(opcode)] : "";
}

const ModInfo &kiln::sim::ptx::info(Mod mod) {
  static constexpr ModInfo infos[] = {{"", ModKind::Flag, 0},
#define KILN_PTX_MOD(name, spelling, kind, value) {spelling, ModKind::kind, value},
#define KILN_PTX_TYPE(name, spelling, ...)                                               \
  {spelling, ModKind::Type, uint16_t(Type::name)},
#include "runtime/sim/ptx/modifiers.def"
                                      KILN_PTX_TYPES(KILN_PTX_TYPE)
#undef KILN_PTX_TYPE
#undef KILN_PTX_MOD
  };
  static_assert(std::size(infos) == size_t(Mod::Count));
  return infos[size_t(mod)];
}

std::string_view kiln::sim::ptx::spelling(Mod mod) { return info(mod).spelling; }

Mod kiln::sim::ptx::findMod(std::string_view spelling) {
  static const auto bySpelling = [] {
    std::unordered_map<std::string_view, Mod> result;
    for (size_t i = 1; i < size_t(Mod::Count); ++i)
      result.emplace(info(Mod(i)).spelling, Mod(i));
    return result;
  }();
  auto it = bySpelling.find(spelling);
  return it == bySpelling.end() ? Mod::None : it->second;
}

std::string_view kiln::sim::ptx::spelling(StateSpace space) {
  static constexpr std::string_view names[] = {
      "",      "reg",          "sreg",        "const",  "global",      "local",
      "param", "param::entry", "param::func", "shared", "shared::cta", "shared::cluster",
      "tex"};
  return names[size_t(space)];
}
