//===- match_operands.cpp - Matching operands with the table --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/constant.h"
#include "runtime/sim/ptx/match.h"
#include "runtime/sim/ptx/symbols.h"

#include <algorithm>

using namespace kiln::sim::ptx;
using Kind = OperandPattern::Kind;

bool kiln::sim::ptx::registerFits(Type reg, Type type, bool relaxed) {
  if (type == Type::Pred || reg == Type::Pred)
    return type == reg;
  if (relaxed ? bits(reg) < bits(type) : bits(reg) != bits(type))
    return false;
  if (isBits(type) && lanes(type) == 1)
    return true;
  if (isBits(reg))
    return true;
  if (isInteger(type) && lanes(type) == 1)
    return isInteger(reg);
  return reg == type;
}

namespace {

Type wider(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    return Type::None;
  }
}

bool hasShortAddresses(StateSpace space) {
  switch (space) {
  case StateSpace::Generic:
  case StateSpace::Global:
    return false;
  default:
    return true;
  }
}

bool isParam(StateSpace s) {
  return s == StateSpace::Param || s == StateSpace::ParamEntry ||
         s == StateSpace::ParamFunc;
}
bool sameSpace(StateSpace a, StateSpace b) {
  return a == b || (isParam(a) && isParam(b)) || (isShared(a) && isShared(b));
}

class Matcher {
public:
  Matcher(Instruction &instruction, const Row &row, const OperandContext &context,
          OperandProblem &problem)
      : instruction(instruction), patterns(pattern(row).operands), context(context),
        problem(problem) {}

  bool run() {
    chosen.assign(instruction.operands.size(), nullptr);
    if (!walk(0, 0))
      return false;
    for (size_t i = 0; i < chosen.size(); ++i)
      finish(instruction.operands[i], *chosen[i]);
    return true;
  }

private:
  /// Matches patterns from index `p` on with operands from index `o` on.
  bool walk(size_t p, size_t o) {
    if (p == patterns.size())
      return o == chosen.size() || fail(o, "too many operands");
    const OperandPattern &want = patterns[p];
    if (want.kind == Kind::Call) { // the parser checks it against the signature
      chosen.assign(chosen.size(), &want);
      return true;
    }
    if (want.condition != Mod::None && !instruction.has(want.condition))
      return walk(p + 1, o);
    if (o < chosen.size() && fits(instruction.operands[o], want, o)) {
      chosen[o] = &want;
      if (walk(p + 1, o + 1))
        return true;
    } else if (o == chosen.size() && want.group < 0) {
      return fail(o, "an operand is missing: " + describe(want));
    }
    return want.group >= 0 && walk(p + 1, o);
  }

  bool fail(size_t operand, std::string message) {
    if (problem.message.empty() || operand >= problem.operand)
      problem = {operand, std::move(message)};
    return false;
  }
  bool refuse(size_t operand, const OperandPattern &want) {
    return fail(operand, "expected " + describe(want));
  }

  Type typeOf(const OperandPattern &want) const {
    switch (want.from) {
    case OperandPattern::TypeFrom::Fixed:
      return want.type;
    case OperandPattern::TypeFrom::Modifier:
      return want.typeIndex < instruction.typeCount ? instruction.types[want.typeIndex]
                                                    : Type::None;
    case OperandPattern::TypeFrom::Wide:
      return wider(instruction.types[0]);
    case OperandPattern::TypeFrom::DotProduct:
      return isSigned(instruction.types[0]) || isSigned(instruction.types[1]) ? Type::S32
                                                                              : Type::U32;
    case OperandPattern::TypeFrom::Address:
      return Type::U64;
    }
    return Type::None;
  }

  std::string describe(const OperandPattern &want) const;
  bool fits(const Operand &operand, const OperandPattern &want, size_t o);
  bool pair(const Operand &operand, const OperandPattern &want, size_t o);
  bool single(const Operand &operand, const OperandPattern &want, size_t o);
  bool value(const Operand &operand, const OperandPattern &want, size_t o);
  bool symbolic(const Operand &operand, const OperandPattern &want, size_t o);
  bool vectorOf(const Operand &operand, const OperandPattern &want, unsigned count,
                Type type, size_t o);
  bool pack(const Operand &operand, const OperandPattern &want, size_t o);
  bool fragment(const Operand &operand, const OperandPattern &want, size_t o);
  bool constant(const Operand &operand, const OperandPattern &want, size_t o);
  bool address(const Operand &operand, StateSpace space, size_t o);
  bool tensor(const Operand &operand, const OperandPattern &want, size_t o);
  void finish(Operand &operand, const OperandPattern &want);
  void finishAs(Operand &operand, Type type);

  Type registerType(const Operand &operand) const {
    return context.function.registers[operand.index].type;
  }
  StateSpace spaceOf(const OperandPattern &want) const {
    return want.spaceIndex >= 0 ? instruction.spaces[want.spaceIndex] : want.space;
  }
  unsigned dimensions() const {
    for (unsigned d = 0; d < 5; ++d)
      if (instruction.has(Mod(unsigned(Mod::Dim1) + d)))
        return d + 1;
    return 0;
  }

  Instruction &instruction;
  const std::vector<OperandPattern> &patterns;
  const OperandContext &context;
  OperandProblem &problem;
  std::vector<const OperandPattern *> chosen;
};

/// Removes braces around a single element: loads, stores and scales of an mma accept `{
/// %r1 }` for %r1.
const Operand &withoutBraces(const Instruction &instruction, const Operand &operand) {
  bool braces = instruction.opcode == Opcode::Ld || instruction.opcode == Opcode::Ldu ||
                instruction.opcode == Opcode::St ||
                instruction.opcode == Opcode::MmaBlockScale;
  bool one = braces && operand.kind == Operand::Kind::Vector &&
             operand.elements.size() == 1 &&
             operand.elements[0].kind != Operand::Kind::Sink;
  return one ? operand.elements[0] : operand;
}

std::string dottedType(Type type) { return "." + std::string(spelling(type)); }

std::string Matcher::describe(const OperandPattern &want) const {
  switch (want.kind) {
  case Kind::Value:
    if (want.written)
      return "a register of type " + dottedType(typeOf(want)) + " to write" +
             (want.pair == OperandPattern::PairKind::Required ? ", `|` and a predicate"
                                                              : "");
    return (want.registerOnly ? "a register of type "
                              : "a register or constant of type ") +
           dottedType(typeOf(want));
  case Kind::Predicate:
    return want.pair == OperandPattern::PairKind::Required ? "two predicate registers p|q"
                                                           : "a .pred register";
  case Kind::Constant: {
    if (want.choices.empty())
      return "an integer constant from " + std::to_string(want.low) + " to " +
             std::to_string(want.high);
    std::string list;
    for (int64_t choice : want.choices)
      list += (list.empty() ? "" : ", ") + std::to_string(choice);
    return "an integer constant, one of " + list;
  }
  case Kind::Vector: {
    unsigned count = want.count ? want.count : instruction.vector;
    if (count > 1)
      return "a vector {...} of " + std::to_string(count) + " operands of type " +
             dottedType(typeOf(want));
    return "a register or constant of type " + dottedType(typeOf(want));
  }
  case Kind::Pack:
    return "a vector {...} of 2 or 4 registers that together make " +
           dottedType(typeOf(want));
  case Kind::Fragment: {
    Fragment f = fragmentOf(instruction, want.fragment);
    return "a vector {...} of " + std::to_string(f.count) + " registers of type " +
           dottedType(f.type);
  }
  case Kind::Address:
    return "an address [register], [variable] or either plus a constant";
  case Kind::Tensor:
    return "a tensor address [map, {coordinates}] with " + std::to_string(dimensions()) +
           " .s32 coordinates";
  case Kind::SinkOnly:
    return "the sink `_`: a remote barrier returns no state";
  case Kind::SizeOrPredicate:
    return "the number of bytes to read (.u32) or a predicate that ignores the source";
  case Kind::Label:
    return "a label";
  case Kind::Table:
    return "the name of a .branchtargets list";
  case Kind::Call:
    return "a callee";
  }
  return "";
}

bool Matcher::fits(const Operand &operand, const OperandPattern &want, size_t o) {
  if (want.pair == OperandPattern::PairKind::None)
    return single(operand, want, o);
  if (operand.kind == Operand::Kind::Pair)
    return pair(operand, want, o);
  if (want.pair == OperandPattern::PairKind::Required)
    return refuse(o, want);
  return single(operand, want, o);
}

bool Matcher::pair(const Operand &operand, const OperandPattern &want, size_t o) {
  OperandPattern second;
  second.kind = Kind::Predicate;
  second.type = Type::Pred;
  second.written = second.sink = true;
  return single(operand.elements[0], want, o) && single(operand.elements[1], second, o);
}

bool Matcher::single(const Operand &operand, const OperandPattern &want, size_t o) {
  switch (want.kind) {
  case Kind::Value:
  case Kind::Predicate:
    return value(operand, want, o);
  case Kind::Constant:
    return constant(operand, want, o);
  case Kind::Vector: {
    unsigned count = want.count ? want.count : instruction.vector;
    return count == 1 ? value(withoutBraces(instruction, operand), want, o)
                      : vectorOf(operand, want, count, typeOf(want), o);
  }
  case Kind::Pack:
    return pack(operand, want, o);
  case Kind::Fragment:
    return fragment(operand, want, o);
  case Kind::Address:
    return operand.kind == Operand::Kind::Address ? address(operand, spaceOf(want), o)
                                                  : refuse(o, want);
  case Kind::Tensor:
    return tensor(operand, want, o);
  case Kind::SinkOnly:
    return operand.kind == Operand::Kind::Sink || refuse(o, want);
  case Kind::SizeOrPredicate:
    if (operand.isRegister() && registerType(operand) == Type::Pred)
      return true;
    return !operand.negated && (value(operand, want, o) || refuse(o, want));
  case Kind::Label:
    return operand.kind == Operand::Kind::Label || refuse(o, want);
  case Kind::Table:
    return operand.kind == Operand::Kind::Table || refuse(o, want);
  case Kind::Call:
    return true;
  }
  return false;
}

bool Matcher::value(const Operand &operand, const OperandPattern &want, size_t o) {
  Type type = want.kind == Kind::Predicate ? Type::Pred : typeOf(want);
  if (operand.negated && type != Type::Pred)
    return fail(o, "`!` negates predicates only");
  switch (operand.kind) {
  case Operand::Kind::Register:
    if (want.written && operand.negated)
      return fail(o, "a predicate that is written cannot be negated");
    if (registerFits(registerType(operand), type, want.relaxed))
      return true;
    return fail(o, "register " + context.function.registers[operand.index].name +
                       " is declared " + dottedType(registerType(operand)) +
                       "; expected " + describe(want));
  case Operand::Kind::Immediate:
    if (want.written || want.registerOnly)
      return refuse(o, want);
    return constantFits(operand, type) ||
           fail(o, "the constant is not one of type " + dottedType(type) +
                       "; integer constants are not converted to floating point, and "
                       "f16 and bf16 take registers only");
  case Operand::Kind::Sink:
    return (want.written && want.sink) || refuse(o, want);
  case Operand::Kind::Special:
  case Operand::Kind::Symbol:
    return symbolic(operand, want, o);
  default:
    return refuse(o, want);
  }
}

bool Matcher::symbolic(const Operand &operand, const OperandPattern &want, size_t o) {
  Type type = want.kind == Kind::Predicate ? Type::Pred : typeOf(want);
  if (!want.symbolic)
    return fail(o, "a special register or variable's address is only allowed in mov, "
                   "cvta and cvt; move it to a register first");
  if (operand.kind == Operand::Kind::Special) {
    Type have = specialInfo(operand.special).type;
    if (have == Type::Pred || type == Type::Pred)
      return have == type || refuse(o, want);
    return (!isFloat(type) && bits(type) <= bits(have)) ||
           fail(o, "the special register has " + std::to_string(bits(have)) +
                       " bits and cannot be read as " + dottedType(type));
  }
  StateSpace space = symbolSpace(operand, context.module, context.function);
  if (isFloat(type) || bits(type) < 32 || bits(type) > 64 ||
      (bits(type) == 32 && !hasShortAddresses(space)))
    return fail(o, "an address here takes 64 bits; expected " + describe(want));
  StateSpace named = instruction.spaces[0];
  return named == StateSpace::Generic || sameSpace(named, space) ||
         fail(o, "the variable is in ." + std::string(spelling(space)) +
                     ", the instruction names ." + std::string(spelling(named)));
}

bool Matcher::vectorOf(const Operand &operand, const OperandPattern &want, unsigned count,
                       Type type, size_t o) {
  if (operand.kind != Operand::Kind::Vector || operand.elements.size() != count)
    return refuse(o, want);
  OperandPattern element;
  element.type = type;
  element.written = element.sink = want.written;
  element.relaxed = want.relaxed;
  element.registerOnly = want.registerOnly;
  for (const Operand &e : operand.elements)
    if (!value(e, element, o))
      return false;
  return true;
}

bool Matcher::pack(const Operand &operand, const OperandPattern &want, size_t o) {
  size_t count = operand.elements.size();
  unsigned total = bits(typeOf(want));
  if (operand.kind != Operand::Kind::Vector || (count != 2 && count != 4))
    return refuse(o, want);
  if (std::all_of(operand.elements.begin(), operand.elements.end(),
                  [](const Operand &e) { return e.kind == Operand::Kind::Sink; }))
    return fail(o, "at least one element is not the sink");
  unsigned each = total / unsigned(count);
  static constexpr Type parts[] = {Type::B8, Type::B16, Type::B32, Type::B64};
  for (Type part : parts)
    if (bits(part) == each)
      return vectorOf(operand, want, unsigned(count), part, o);
  return refuse(o, want);
}

bool Matcher::fragment(const Operand &operand, const OperandPattern &want, size_t o) {
  Fragment f = fragmentOf(instruction, want.fragment);
  if (f.count == 0)
    return fail(o, "no such combination of shape and types");
  OperandPattern element = want;
  element.kind = Kind::Value;
  element.type = f.type;
  element.sink = want.written;
  element.registerOnly = want.fragment != 'C'; // C may be constant zeros
  if (operand.kind != Operand::Kind::Vector || operand.elements.size() != f.count)
    return refuse(o, want);
  for (const Operand &e : operand.elements)
    if (!value(e, element, o))
      return false;
  return true;
}

bool Matcher::constant(const Operand &operand, const OperandPattern &want, size_t o) {
  if (!operand.isImmediate() || isFloat(operand.type))
    return refuse(o, want);
  int64_t value = int64_t(operand.bits);
  if (want.choices.empty())
    return (value >= want.low && value <= want.high) || refuse(o, want);
  for (int64_t choice : want.choices)
    if (choice == value)
      return true;
  return refuse(o, want);
}

bool Matcher::address(const Operand &operand, StateSpace space, size_t o) {
  switch (operand.base) {
  case Operand::Base::Absolute:
    return space == StateSpace::Local ||
           fail(o, "a constant address is only allowed in .local; use a register");
  case Operand::Base::Register: {
    Type type = registerType(operand);
    if (lanes(type) != 1 || !(isBits(type) || isInteger(type)))
      return fail(o, "an address register must be an integer or .b64, not " +
                         dottedType(type));
    if (bits(type) == 64 || (bits(type) == 32 && hasShortAddresses(space)))
      return true;
    return fail(o, "the address register is declared " + dottedType(type) +
                       "; addresses here have 64 bits");
  }
  case Operand::Base::Symbol: {
    StateSpace have = symbolSpace(operand, context.module, context.function);
    if (operand.symbolKind == Operand::SymbolKind::Function)
      return fail(o, "a function is no memory");
    return space == StateSpace::Generic || sameSpace(space, have) ||
           fail(o, "the variable is in ." + std::string(spelling(have)) +
                       ", the instruction accesses ." + std::string(spelling(space)));
  }
  }
  return false;
}

bool Matcher::tensor(const Operand &operand, const OperandPattern &want, size_t o) {
  if (operand.kind != Operand::Kind::TensorAddress || operand.elements.size() != 2)
    return refuse(o, want);
  if (!address(operand.elements[0], StateSpace::Generic, o))
    return false;
  OperandPattern coordinate;
  return vectorOf(operand.elements[1], coordinate, dimensions(), Type::S32, o) ||
         refuse(o, want);
}

/// Sets the operand's type and converts constants to it.
void Matcher::finishAs(Operand &operand, Type type) {
  if (operand.isImmediate())
    convertConstant(operand, type);
  operand.type = type;
  for (Operand &element : operand.elements)
    finishAs(element, type);
}

void Matcher::finish(Operand &operand, const OperandPattern &want) {
  switch (want.kind) {
  case Kind::Value:
  case Kind::Vector:
  case Kind::Constant: {
    if (want.kind == Kind::Vector)
      if (const Operand &inner = withoutBraces(instruction, operand); &inner != &operand)
        operand = Operand(inner);
    Type type = want.kind == Kind::Constant ? want.type : typeOf(want);
    finishAs(operand, type);
    if (operand.kind == Operand::Kind::Pair)
      operand.elements[1].type = Type::Pred;
    return;
  }
  case Kind::Predicate:
    return finishAs(operand, Type::Pred);
  case Kind::SizeOrPredicate:
    return finishAs(operand, operand.isRegister() && registerType(operand) == Type::Pred
                                 ? Type::Pred
                                 : Type::U32);
  case Kind::Pack: {
    Type whole = typeOf(want);
    unsigned each = bits(whole) / unsigned(operand.elements.size());
    Type part = each == 8    ? Type::B8
                : each == 16 ? Type::B16
                : each == 32 ? Type::B32
                             : Type::B64;
    finishAs(operand, part);
    operand.type = whole;
    return;
  }
  case Kind::Fragment:
    return finishAs(operand, fragmentOf(instruction, want.fragment).type);
  case Kind::Tensor:
    return finishAs(operand.elements[1], Type::S32);
  case Kind::Address:
  case Kind::SinkOnly:
  case Kind::Label:
  case Kind::Table:
  case Kind::Call:
    return;
  }
}

} // namespace

bool kiln::sim::ptx::matchOperands(Instruction &instruction, const Row &row,
                                   const OperandContext &context,
                                   OperandProblem &problem) {
  return Matcher(instruction, row, context, problem).run();
}
