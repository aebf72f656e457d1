//===- print.cpp - Printing a module as PTX -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/print.h"

#include "runtime/sim/ptx/symbols.h"

#include <algorithm>
#include <cstdio>
#include <set>

using namespace kiln::sim::ptx;

static std::string dotted(std::string_view word) { return "." + std::string(word); }

static std::string hex(uint64_t bits, unsigned digits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llX", int(digits), (unsigned long long)bits);
  return text;
}

std::string kiln::sim::ptx::spelling(const Instruction &i) {
  std::string_view pattern = i.row ? i.row->pattern : "";
  std::string text(pattern.substr(0, pattern.find_first_of(".{*")));
  for (Mod mod : i.mods) {
    if (mod != Mod::Shape) {
      text += dotted(spelling(mod));
      continue;
    }
    text += ".m" + std::to_string(i.shape.m) + "n" + std::to_string(i.shape.n);
    if (i.shape.k)
      text += "k" + std::to_string(i.shape.k);
  }
  return text;
}

namespace {

/// Returns letters that occur in no name of the module after its first character, so that
/// names made of them are new. Parameters in registers get such names.
std::string freshTag(const Module &module) {
  auto taken = [&](const std::string &tag) {
    auto has = [&](const std::string &name) {
      return name.compare(1, tag.size(), tag) == 0;
    };
    auto any = [&](const std::vector<Variable> &list) {
      return std::any_of(list.begin(), list.end(), [&](const Variable &v) {
        return v.space != StateSpace::Reg && has(v.name);
      });
    };
    return any(module.variables) ||
           std::any_of(module.functions.begin(), module.functions.end(),
                       [&](const Function &f) {
                         return has(f.name) || any(f.parameters) || any(f.returns);
                       });
  };
  std::string tag = "k";
  while (taken(tag))
    tag += 'k';
  return tag;
}

/// Names in the printed text: the source's, or new ones with a tag.
class Names {
public:
  Names(const Module &module, const Function &function, std::string tag = "")
      : module(module), function(function), tag(std::move(tag)) {}

  std::string registerName(uint32_t index) const {
    return tag.empty() ? function.registers[index].name : fresh('%', "", index);
  }
  std::string label(uint32_t index) const {
    if (tag.empty())
      for (const auto &[name, at] : function.labels)
        if (at == index)
          return name;
    return fresh('$', "L", index);
  }
  std::string table(bool calls, uint32_t index) const {
    if (tag.empty())
      return calls ? function.callTables[index].name : function.branchTables[index].name;
    return fresh('$', calls ? "C" : "T", index);
  }
  std::string prototype(uint32_t index) const {
    return tag.empty() ? function.prototypes[index].name : fresh('$', "P", index);
  }
  std::string variable(uint32_t index) const {
    return tag.empty() ? function.variables[index].name : fresh('$', "v", index);
  }
  std::string symbol(const Operand &o) const {
    return o.symbolKind == Operand::SymbolKind::FunctionVariable
               ? variable(o.index)
               : std::string(symbolName(o, module, function));
  }

private:
  std::string fresh(char first, std::string_view kind, uint32_t index) const {
    return first + tag + std::string(kind) + std::to_string(index);
  }

  const Module &module;
  const Function &function;
  std::string tag;
};

class Printer {
public:
  explicit Printer(const Names &names) : names(names) {}

  std::string instruction(const Instruction &i) const {
    std::string text;
    if (i.guard >= 0)
      text = std::string(i.guardNegated ? "@!" : "@") +
             names.registerName(uint32_t(i.guard)) + " ";
    text += spelling(i);
    if (i.opcode == Opcode::Call)
      return text + call(i);
    for (size_t o = 0; o < i.operands.size(); ++o)
      text += (o ? ", " : " ") + operand(i.operands[o], i);
    return text;
  }

private:
  std::string list(const Operand &o, const Instruction &i, char open, char close) const {
    std::string text(1, open);
    for (size_t e = 0; e < o.elements.size(); ++e)
      text += (e ? ", " : "") + operand(o.elements[e], i);
    return text + close;
  }

  std::string call(const Instruction &i) const {
    std::string text = " ";
    if (!i.operands[0].elements.empty())
      text += list(i.operands[0], i, '(', ')') + ", ";
    text += operand(i.operands[1], i);
    text += ", " + list(i.operands[2], i, '(', ')');
    for (size_t o = 3; o < i.operands.size(); ++o)
      text += ", " + operand(i.operands[o], i);
    return text;
  }

  static std::string offset(int64_t by) {
    return by == 0 ? "" : by < 0 ? "+" + std::to_string(by) : "+" + std::to_string(by);
  }

  static std::string constant(const Operand &o) {
    if (o.type == Type::F32)
      return "0f" + hex(o.bits, 8);
    if (o.type == Type::F64)
      return "0d" + hex(o.bits, 16);
    return std::to_string(int64_t(o.bits));
  }

  std::string operand(const Operand &o, const Instruction &i) const {
    std::string sign = o.negated ? "!" : "";
    switch (o.kind) {
    case Operand::Kind::Register:
      return sign + names.registerName(o.index);
    case Operand::Kind::Special: {
      std::string text(spelling(o.special));
      if (o.special == Special::Envreg)
        return text + std::to_string(o.component);
      if (specialInfo(o.special).components)
        text += std::string(".") + "xyzw"[o.component];
      return text;
    }
    case Operand::Kind::Immediate:
      return constant(o);
    case Operand::Kind::Sink:
      return "_";
    case Operand::Kind::Vector:
      return list(o, i, '{', '}');
    case Operand::Kind::Pair:
      return operand(o.elements[0], i) + "|" + operand(o.elements[1], i);
    case Operand::Kind::Address:
      return "[" + address(o) + "]";
    case Operand::Kind::TensorAddress: {
      std::string text = "[" + address(o.elements[0]);
      for (size_t e = 1; e < o.elements.size(); ++e)
        text += ", " + operand(o.elements[e], i);
      return text + "]";
    }
    case Operand::Kind::Symbol:
      return names.symbol(o) + offset(o.offset);
    case Operand::Kind::Label:
      return names.label(o.index);
    case Operand::Kind::Table:
      return names.table(i.opcode == Opcode::Call, o.index);
    case Operand::Kind::Prototype:
      return names.prototype(o.index);
    case Operand::Kind::List:
      return list(o, i, '(', ')');
    }
    return "";
  }

  std::string address(const Operand &o) const {
    switch (o.base) {
    case Operand::Base::Register:
      return names.registerName(o.index) + offset(o.offset);
    case Operand::Base::Symbol:
      return names.symbol(o) + offset(o.offset);
    case Operand::Base::Absolute:
      return std::to_string(o.offset);
    }
    return "";
  }

  const Names &names;
};

std::string linkage(Linkage l) {
  switch (l) {
  case Linkage::Internal:
    return "";
  case Linkage::Visible:
    return ".visible ";
  case Linkage::Extern:
    return ".extern ";
  case Linkage::Weak:
    return ".weak ";
  case Linkage::Common:
    return ".common ";
  }
  return "";
}

std::string declaration(const Variable &v, const std::string &name) {
  std::string text = dotted(spelling(v.space));
  if (v.managed)
    text += " .attribute(.managed)";
  if (v.space != StateSpace::Reg && !v.pointer)
    text += " .align " + std::to_string(v.align);
  if (v.vector > 1)
    text += " .v" + std::to_string(v.vector);
  text += " " + dotted(spelling(v.type));
  if (v.pointer) {
    text += " .ptr";
    if (v.pointer->space != StateSpace::Generic)
      text += " " + dotted(spelling(v.pointer->space));
    text += " .align " + std::to_string(v.pointer->align);
  }
  text += " " + name;
  for (uint64_t dim : v.dims)
    text += dim ? "[" + std::to_string(dim) + "]" : "[]";
  return text;
}

std::string parameters(const std::vector<Variable> &list, bool unnamed = false) {
  std::string text = "(";
  for (size_t i = 0; i < list.size(); ++i)
    text += (i ? ", " : "") + declaration(list[i], unnamed ? "_" : list[i].name);
  return text + ")";
}

std::string value(const Variable &v, const Initializer &item, const Module &module) {
  if (item.kind == Initializer::Kind::Bits) {
    if (v.type == Type::F32)
      return "0f" + hex(item.bits, 8);
    return v.type == Type::F64 ? "0d" + hex(item.bits, 16) : std::to_string(item.bits);
  }
  bool function = item.kind == Initializer::Kind::FunctionAddress;
  std::string text =
      function ? module.functions[item.symbol].name : module.variables[item.symbol].name;
  if (item.kind == Initializer::Kind::GenericAddress)
    text = "generic(" + text + ")";
  if (item.bits)
    text += "+" + std::to_string(int64_t(item.bits));
  if (item.maskByte >= 0)
    text = "0x" + hex(uint64_t(0xFF) << (8 * item.maskByte), 0) + "(" + text + ")";
  return text;
}

/// Prints initial values, with braces around every row.
class InitialValues {
public:
  InitialValues(const Variable &v, const Module &module) : v(v), module(module) {}

  std::string run() {
    if (v.init.empty())
      return "";
    return " = " + part(0);
  }

private:
  /// Prints one row of dimension `dim`; the elements of a vector count as one more
  /// dimension.
  std::string part(size_t dim) {
    if (dim == v.dims.size() + (v.vector > 1))
      return element();
    uint64_t count = dim < v.dims.size() ? v.dims[dim] : v.vector;
    std::string text = "{";
    for (uint64_t i = 0; i < count && next < v.init.size(); ++i)
      text += (i ? ", " : "") + part(dim + 1);
    // A row without initialisers is zero; only advance past it.
    at = start(dim) + strideOf(dim);
    return text + "}";
  }

  std::string element() {
    bool given = next < v.init.size() && v.init[next].offset == at;
    at += bytes(v.type);
    if (given)
      return value(v, v.init[next++], module);
    return isFloat(v.type) ? "0.0" : "0";
  }

  uint64_t strideOf(size_t dim) const {
    uint64_t stride = uint64_t(bytes(v.type)) * v.vector;
    if (dim >= v.dims.size())
      return stride;
    for (size_t i = dim; i < v.dims.size(); ++i)
      stride *= v.dims[i];
    return stride;
  }
  /// Byte at which the row with the last element starts.
  uint64_t start(size_t dim) const {
    uint64_t stride = strideOf(dim);
    return at == 0 ? 0 : (at - 1) / stride * stride;
  }

  const Variable &v;
  const Module &module;
  size_t next = 0; ///< of v.init
  uint64_t at = 0; ///< byte of the variable
};

std::string sizes(std::string_view name, const std::array<uint32_t, 3> &of) {
  if (of[0] == 0)
    return "";
  return " ." + std::string(name) + " " + std::to_string(of[0]) + ", " +
         std::to_string(of[1]) + ", " + std::to_string(of[2]);
}

std::string directives(const Directives &d) {
  std::string text = sizes("maxntid", d.maxntid) + sizes("reqntid", d.reqntid) +
                     sizes("reqnctapercluster", d.reqnctapercluster);
  auto limit = [&](std::string_view name, uint32_t number) {
    if (number)
      text += " ." + std::string(name) + " " + std::to_string(number);
  };
  limit("minnctapersm", d.minnctapersm);
  limit("maxnctapersm", d.maxnctapersm);
  limit("maxnreg", d.maxnreg);
  limit("maxclusterrank", d.maxclusterrank);
  if (d.explicitcluster)
    text += " .explicitcluster";
  if (d.blocksareclusters)
    text += " .blocksareclusters";
  if (d.noreturn)
    text += " .noreturn";
  return text;
}

std::string header(const Function &f) {
  std::string text = linkage(f.linkage) + (f.entry ? ".entry " : ".func ");
  if (!f.returns.empty())
    text += parameters(f.returns) + " ";
  return text + f.name + parameters(f.parameters) + directives(f.directives);
}

/// Returns the indices of instructions that are branch targets.
std::set<uint32_t> targets(const Function &f) {
  std::set<uint32_t> result;
  for (const Instruction &i : f.code)
    for (const Operand &o : i.operands)
      if (o.kind == Operand::Kind::Label)
        result.insert(o.index);
  for (const TargetTable &table : f.branchTables)
    result.insert(table.targets.begin(), table.targets.end());
  return result;
}

std::string tables(const Function &f, const Names &names, const Module &module) {
  std::string text;
  for (uint32_t t = 0; t < f.branchTables.size(); ++t) {
    text += names.table(false, t) + ": .branchtargets";
    const std::vector<uint32_t> &list = f.branchTables[t].targets;
    for (size_t i = 0; i < list.size(); ++i)
      text += (i ? ", " : " ") + names.label(list[i]);
    text += ";\n";
  }
  for (uint32_t t = 0; t < f.callTables.size(); ++t) {
    text += names.table(true, t) + ": .calltargets";
    const std::vector<uint32_t> &list = f.callTables[t].targets;
    for (size_t i = 0; i < list.size(); ++i)
      text += (i ? ", " : " ") + module.functions[list[i]].name;
    text += ";\n";
  }
  for (uint32_t p = 0; p < f.prototypes.size(); ++p) {
    const Prototype &prototype = f.prototypes[p];
    text += names.prototype(p) + ": .callprototype ";
    if (!prototype.returns.empty())
      text += parameters(prototype.returns, true) + " ";
    text += "_ " + parameters(prototype.parameters, true) +
            (prototype.noreturn ? " .noreturn;\n" : ";\n");
  }
  return text;
}

std::string body(const Function &f, const Module &module, const std::string &tag) {
  Names names(module, f, tag);
  Printer printer(names);
  std::string text = "{\n";
  size_t inHeader = f.registerParameters.size() + f.registerReturns.size();
  for (uint32_t r = uint32_t(inHeader); r < f.registers.size(); ++r)
    text += ".reg " + dotted(spelling(f.registers[r].type)) + " " +
            names.registerName(r) + ";\n";
  for (uint32_t v = 0; v < f.variables.size(); ++v)
    text += linkage(f.variables[v].linkage) +
            declaration(f.variables[v], names.variable(v)) + ";\n";
  text += tables(f, names, module);
  std::set<uint32_t> labels = targets(f);
  for (uint32_t i = 0; i <= f.code.size(); ++i) {
    if (labels.count(i))
      text += names.label(i) + ":\n";
    if (i < f.code.size())
      text += printer.instruction(f.code[i]) + ";\n";
  }
  return text + "}\n";
}

/// Renames parameters in .reg space like registers of the body, which they are.
Function renamed(Function f, const std::string &tag) {
  for (size_t i = 0, r = 0; i < f.returns.size(); ++i)
    if (f.returns[i].space == StateSpace::Reg)
      f.returns[i].name = "%" + tag + std::to_string(f.registerReturns[r++]);
  for (size_t i = 0, r = 0; i < f.parameters.size(); ++i)
    if (f.parameters[i].space == StateSpace::Reg)
      f.parameters[i].name = "%" + tag + std::to_string(f.registerParameters[r++]);
  return f;
}

} // namespace

std::string kiln::sim::ptx::print(const Instruction &instruction,
                                  const Function &function, const Module &module) {
  Names names(module, function);
  return Printer(names).instruction(instruction);
}

std::string kiln::sim::ptx::print(const Module &module) {
  std::string tag = freshTag(module);
  std::string text = ".version " + std::to_string(module.version / 10) + "." +
                     std::to_string(module.version % 10) + "\n.target sm_" +
                     std::to_string(module.target.sm);
  if (module.target.suffix)
    text += module.target.suffix;
  if (module.target.texmodeIndependent)
    text += ", texmode_independent";
  text += "\n.address_size 64\n";
  for (const Function &f : module.functions)
    if (!f.entry)
      text += header(f.defined ? renamed(f, tag) : f) + ";\n";
  for (const Variable &v : module.variables)
    text += linkage(v.linkage) + declaration(v, v.name) + InitialValues(v, module).run() +
            ";\n";
  for (bool entries : {false, true})
    for (const Function &f : module.functions)
      if (f.defined && f.entry == entries)
        text += header(renamed(f, tag)) + "\n" + body(f, module, tag);
  for (const Function &f : module.functions)
    if (f.alias >= 0)
      text += ".alias " + f.name + ", " + module.functions[size_t(f.alias)].name + ";\n";
  return text;
}
