//===- byte_flow.cpp - Byte-wise data flow of instructions -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/byte_flow.h"

#include <algorithm>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

using Bytes = std::vector<RegisterByte>;
constexpr unsigned BitsPerByte = 8;

class Flow {
public:
  Flow(const ptx::Function &function, const Instruction &i, std::vector<ByteFlow> &flows)
      : function(function), i(i), flows(flows) {}

  bool run() {
    if (i.operands.empty() || i.type() == Type::Pred)
      return false;
    switch (i.opcode) {
    case Opcode::Mov:
    case Opcode::Not:
      return each([&](unsigned byte) { return of({1}, byte); });
    case Opcode::Xor:
      return each([&](unsigned byte) { return of({1, 2}, byte); });
    case Opcode::And:
      return each([&](unsigned byte) { return masked(byte, 0x00); });
    case Opcode::Or:
      return each([&](unsigned byte) { return masked(byte, 0xff); });
    case Opcode::Selp:
      return each([&](unsigned byte) { return selected(byte); });
    case Opcode::Lop3:
      return i.operands[4].isImmediate() &&
             each([&](unsigned byte) { return lookedUp(byte); });
    case Opcode::Shl:
    case Opcode::Shr:
      return shift();
    case Opcode::Shf:
      return funnel();
    case Opcode::Bfe:
      return extract();
    case Opcode::Bfi:
      return insert();
    case Opcode::Prmt:
      return permute();
    case Opcode::Cvt:
      return convert();
    case Opcode::MovPack:
      return pack();
    case Opcode::MovUnpack:
      return unpack();
    case Opcode::Set:
      return ptx::lanes(i.types[1]) > 1 && elementwise(i.types[1], i.types[1]);
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Mad:
    case Opcode::Neg:
      return carries() ? upwards()
                       : ptx::lanes(i.type()) > 1 && elementwise(i.type(), i.type());
    case Opcode::Fma:
    case Opcode::Abs:
    case Opcode::Min:
    case Opcode::Max:
    case Opcode::Ex2:
    case Opcode::Tanh:
      return ptx::lanes(i.type()) > 1 && elementwise(i.type(), i.type());
    default:
      return false;
    }
  }

private:
  void add(Bytes &to, const Operand &operand, unsigned byte) const {
    if (operand.isRegister() && byte < registerBytes(function, operand.index) &&
        (to.empty() || to.back().index != operand.index || to.back().byte != byte))
      to.push_back({operand.index, byte});
  }
  Bytes of(std::initializer_list<size_t> operands, unsigned byte) const {
    Bytes result;
    for (size_t n : operands)
      add(result, i.operands[n], byte);
    return result;
  }
  /// Adds the flow of the only result, byte by byte.
  template <class F> bool each(F from) {
    if (!i.operands[0].isRegister())
      return false;
    ByteFlow flow{i.operands[0].index, {}};
    for (unsigned byte = 0; byte < registerBytes(function, flow.index); ++byte)
      flow.bytes.push_back(from(byte));
    flows.push_back(std::move(flow));
    return true;
  }
  static unsigned byteOf(const Operand &operand, unsigned byte) {
    return operand.bits >> byte * BitsPerByte & 0xff;
  }
  /// Whether a constant operand determines the byte: its value is `decisive` there.
  Bytes masked(unsigned byte, unsigned decisive) const {
    for (size_t n : {1, 2})
      if (i.operands[n].isImmediate() && byteOf(i.operands[n], byte) == decisive)
        return {};
    return of({1, 2}, byte);
  }
  /// Whether operand `n` of lop3 (1 to 3) affects a bit, given the constant operands.
  bool decides(size_t n, unsigned bit) const {
    constexpr unsigned inputs = 3;
    for (unsigned index = 0; index < 1u << inputs; ++index) {
      bool possible = true;
      for (size_t other = 1; other <= inputs; ++other)
        if (i.operands[other].isImmediate())
          possible &=
              (index >> (inputs - other) & 1) == (i.operands[other].bits >> bit & 1);
      unsigned flipped = index ^ 1u << (inputs - n);
      if (possible && ((i.operands[4].bits >> index ^ i.operands[4].bits >> flipped) & 1))
        return true;
    }
    return false;
  }
  Bytes lookedUp(unsigned byte) const {
    Bytes result;
    for (size_t n : {1, 2, 3})
      for (unsigned bit = 0; bit < BitsPerByte; ++bit)
        if (decides(n, byte * BitsPerByte + bit)) {
          add(result, i.operands[n], byte);
          break;
        }
    return result;
  }
  Bytes selected(unsigned byte) const {
    Bytes result = of({1, 2}, byte);
    add(result, i.operands[3], 0);
    return result;
  }
  /// Integer operations whose result bytes depend on no higher byte of the operands.
  bool carries() const {
    bool low = i.opcode == Opcode::Mul || i.opcode == Opcode::Mad ? i.has(Mod::Lo) : true;
    return ptx::isInteger(i.type()) && ptx::lanes(i.type()) == 1 && low && !i.sat();
  }
  bool upwards() {
    return each([&](unsigned byte) {
      Bytes result;
      for (size_t n = 1; n < i.operands.size(); ++n)
        for (unsigned lower = 0; lower <= byte; ++lower)
          add(result, i.operands[n], lower);
      return result;
    });
  }
  /// Origin of a result bit; operand 0: none.
  struct Bit {
    size_t operand = 0;
    unsigned bit = 0;
  };
  template <class F> bool eachBit(F from) {
    return each([&](unsigned byte) {
      Bytes result;
      for (unsigned bit = 0; bit < BitsPerByte; ++bit)
        if (Bit source = from(byte * BitsPerByte + bit); source.operand)
          add(result, i.operands[source.operand], source.bit / BitsPerByte);
      return result;
    });
  }
  unsigned bitCount() const { return ptx::bits(i.type()); }
  bool shift() {
    const Operand &by = i.operands[2];
    if (!by.isImmediate())
      return false;
    const auto distance = unsigned(std::min<uint64_t>(by.bits, bitCount()));
    const bool keepsSign = ptx::isSigned(i.type());
    if (i.opcode == Opcode::Shl)
      return eachBit(
          [&](unsigned bit) { return bit < distance ? Bit{} : Bit{1, bit - distance}; });
    return eachBit([&](unsigned bit) {
      if (bit + distance < bitCount())
        return Bit{1, bit + distance};
      return keepsSign ? Bit{1, bitCount() - 1} : Bit{};
    });
  }
  /// 32 bits of the concatenation of the second operand above the first, shifted.
  bool funnel() {
    constexpr unsigned word = 32;
    const Operand &by = i.operands[3];
    if (!by.isImmediate())
      return false;
    const auto distance =
        unsigned(i.has(Mod::Clamp) ? std::min<uint64_t>(by.bits, word) : by.bits % word);
    const unsigned first = i.has(Mod::Left) ? word - distance : distance;
    return eachBit([&](unsigned bit) {
      unsigned from = bit + first;
      return from < word ? Bit{1, from} : Bit{2, from - word};
    });
  }
  /// Reads a field's position and length; false unless both are constants.
  bool field(size_t at, unsigned &position, unsigned &length) const {
    if (!i.operands[at].isImmediate() || !i.operands[at + 1].isImmediate())
      return false;
    position = i.operands[at].bits & 0xff;
    length = i.operands[at + 1].bits & 0xff;
    return true;
  }
  bool extract() {
    unsigned position = 0, length = 0;
    if (!field(2, position, length))
      return false;
    const bool keepsSign = ptx::isSigned(i.type()) && length;
    return eachBit([&](unsigned bit) {
      if (bit >= length && !keepsSign)
        return Bit{};
      unsigned from = position + std::min(bit, length - 1);
      if (from < bitCount())
        return Bit{1, from};
      return keepsSign ? Bit{1, bitCount() - 1} : Bit{};
    });
  }
  bool insert() {
    unsigned position = 0, length = 0;
    return field(3, position, length) && eachBit([&](unsigned bit) {
             bool inside = bit >= position && bit - position < length;
             return inside ? Bit{1, bit - position} : Bit{2, bit};
           });
  }
  bool permute() {
    static constexpr Mod modes[] = {Mod::F4e, Mod::B4e, Mod::Rc8,
                                    Mod::Ecl, Mod::Ecr, Mod::Rc16};
    const Operand &selector = i.operands[3];
    if (!selector.isImmediate() ||
        std::any_of(std::begin(modes), std::end(modes), [&](Mod m) { return i.has(m); }))
      return false;
    return each([&](unsigned byte) {
      Bytes result;
      unsigned from = selector.bits >> 4 * byte & 7;
      add(result, i.operands[1 + from / 4], from % 4);
      return result;
    });
  }
  /// Adds all bytes of an element of `size` bytes.
  void addElement(Bytes &to, const Operand &operand, unsigned element,
                  unsigned size) const {
    if (operand.isRegister() && function.registers[operand.index].type == Type::Pred)
      add(to, operand, 0);
    for (unsigned n = 0; n < size; ++n)
      add(to, operand, element * size + n);
  }
  /// Packed types: each element depends on the operands' elements with the same index.
  bool elementwise(Type to, Type from) {
    const unsigned size = ptx::bytes(to) / ptx::lanes(to);
    const unsigned fromSize = ptx::bytes(from) / ptx::lanes(from);
    if (!size || !fromSize || ptx::lanes(to) != ptx::lanes(from))
      return false;
    return each([&](unsigned byte) {
      Bytes result;
      for (size_t n = 1; n < i.operands.size(); ++n)
        addElement(result, i.operands[n], byte / size, fromSize);
      return result;
    });
  }
  /// cvt.f16x2.f32 and the like: the first operand becomes the upper half.
  bool packTwo(Type to, Type from) {
    const unsigned size = ptx::bytes(to) / 2;
    return size && each([&](unsigned byte) {
             Bytes result;
             addElement(result, i.operands[byte < size ? 2 : 1], 0, ptx::bytes(from));
             return result;
           });
  }
  bool convert() {
    Type to = i.types[0], from = i.types[1];
    if (ptx::lanes(to) == 2 && ptx::lanes(from) == 1 && i.operands.size() == 3)
      return packTwo(to, from);
    if (ptx::lanes(to) > 1)
      return elementwise(to, from);
    return ptx::isInteger(to) && ptx::isInteger(from) && !i.sat() && resize(to, from);
  }
  /// Truncation or extension of integers.
  bool resize(Type to, Type from) {
    return each([&](unsigned byte) {
      Bytes result;
      if (byte >= ptx::bytes(to) && ptx::isSigned(to))
        byte = ptx::bytes(to) - 1;
      if (byte >= ptx::bytes(from) && ptx::isSigned(from))
        byte = ptx::bytes(from) - 1;
      if (byte < ptx::bytes(from) && byte < ptx::bytes(to))
        add(result, i.operands[1], byte);
      return result;
    });
  }
  bool pack() {
    const std::vector<Operand> &parts = i.operands[1].elements;
    unsigned size = ptx::bytes(i.type()) / unsigned(parts.size());
    return each([&](unsigned byte) {
      Bytes result;
      add(result, parts[byte / size], byte % size);
      return result;
    });
  }
  bool unpack() {
    const std::vector<Operand> &parts = i.operands[0].elements;
    unsigned size = ptx::bytes(i.type()) / unsigned(parts.size());
    for (unsigned part = 0; part < parts.size(); ++part) {
      if (!parts[part].isRegister())
        continue;
      ByteFlow flow{parts[part].index, {}};
      for (unsigned byte = 0; byte < size; ++byte)
        add(flow.bytes.emplace_back(), i.operands[1], part * size + byte);
      flows.push_back(std::move(flow));
    }
    return true;
  }

  const ptx::Function &function;
  const Instruction &i;
  std::vector<ByteFlow> &flows;
};
} // namespace

unsigned registerBytes(const ptx::Function &function, uint32_t index) {
  Type type = function.registers[index].type;
  return type == Type::Pred ? 1 : ptx::bytes(type);
}

bool byteFlow(const ptx::Function &function, const Instruction &instruction,
              std::vector<ByteFlow> &flows) {
  return Flow(function, instruction, flows).run();
}

} // namespace kiln::sim::exec
