//===- parse_initializer.cpp - Initial values of variables ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"

#include <bit>

using namespace kiln::sim::ptx;

/// Number of elements per index of dimension `dim`.
static uint64_t strideOf(const Variable &v, size_t dim) {
  uint64_t stride = v.vector;
  for (size_t i = dim + 1; i < v.dims.size(); ++i)
    if (__builtin_mul_overflow(stride, v.dims[i], &stride))
      return UINT64_MAX;
  return stride;
}

bool InitializerParser::initializer(Variable &v) {
  uint64_t element = 0;
  if (!v.array && v.vector == 1)
    return initializerItem(v, 0);
  if (!token.is("{"))
    return s.unexpected("`{`: an array or vector takes its values in braces");
  Token open = token;
  if (!initializerList(v, 0, element))
    return false;
  if (!v.dims.empty() && v.dims[0] == 0) {
    uint64_t stride = strideOf(v, 0);
    v.dims[0] = element / stride + (element % stride != 0);
    if (v.dims[0] == 0)
      return s.error(open, "an array without size needs at least one value");
  }
  return true;
}

/// Parses the values in one pair of braces. `element` is the index of their first element
/// and becomes the index after the last one.
bool InitializerParser::initializerList(Variable &v, size_t dim, uint64_t &element) {
  if (!s.expect("{", "opening the values"))
    return false;
  uint64_t first = element, stride = strideOf(v, dim);
  bool vectorBrace = dim >= v.dims.size();
  uint64_t count = vectorBrace ? v.vector : v.dims[dim];
  bool open = !vectorBrace && count == 0;
  uint64_t limit =
      open ? UINT64_MAX : first + count * (vectorBrace ? 1 : stride); // layOut checks it
  while (!token.is("}")) {
    if (element >= limit)
      return s.error(token, "there are more values than the variable holds");
    if (token.is("{")) {
      if (vectorBrace || (dim + 1 >= v.dims.size() && v.vector == 1))
        return s.error(token, "the values are nested deeper than the array");
      uint64_t start = element;
      if (!initializerList(v, dim + 1, element))
        return false;
      element = start + stride;
    } else {
      if (!vectorBrace && (dim + 1 < v.dims.size() || v.vector > 1))
        return s.error(token, "expected `{`: each row of an array has braces of its own");
      if (!initializerItem(v, element))
        return false;
      ++element;
    }
    if (!s.accept(","))
      break;
  }
  return s.expect("}", "closing the values");
}

bool InitializerParser::initializerItem(Variable &v, uint64_t element) {
  Initializer item;
  item.size = bytes(v.type);
  if (__builtin_mul_overflow(element, uint64_t(item.size), &item.offset))
    return s.error(token, "there are more values than the variable holds");
  if (token.kind == Token::Kind::Identifier && token.text != "WARP_SZ")
    return initializerAddress(v, item);
  if (token.kind == Token::Kind::Integer && s.peek().is("("))
    return initializerMask(v, item);
  Token at = token;
  Constant value;
  if (!expressions.expression(value))
    return false;
  Operand constant;
  constant.type = value.type;
  if (v.type == Type::F16 && isFloat(value.type))
    return s.error(at, "write f16 values as .b16 with their bits");
  if (!constantFits(constant, v.type))
    return s.error(at, "the value is not one of type ." + std::string(spelling(v.type)));
  item.bits = convert(value, v.type);
  if (item.size < 8)
    item.bits &= (uint64_t(1) << (8 * item.size)) - 1;
  if (item.bits)
    v.init.push_back(item);
  return true;
}

/// Parses symbol, symbol+4, generic(symbol), generic(symbol)+4.
bool InitializerParser::initializerAddress(Variable &v, Initializer item) {
  bool masked = item.maskByte >= 0;
  bool generic = token.text == "generic" && s.peek().is("(");
  if (generic) {
    s.take();
    s.take();
  }
  Token at = token;
  std::string_view name;
  if (!s.takeIdentifier(name, "the name of a variable or function"))
    return false;
  if (generic && !s.expect(")", "closing generic("))
    return false;
  auto it = s.names.find(name);
  if (it == s.names.end())
    return s.error(at, "the name is not declared before its address is taken");
  item.kind = generic ? Initializer::Kind::GenericAddress : Initializer::Kind::Address;
  if (it->second.kind == Name::Kind::Function)
    item.kind = Initializer::Kind::FunctionAddress;
  item.symbol = it->second.index;
  if (token.is("+")) {
    int64_t offset = 0;
    if (!expressions.integer(offset, "what is added to an address"))
      return false;
    item.bits = uint64_t(offset);
  }
  if (!masked && (item.size != 8 || !isInteger(v.type)))
    return s.error(at, "an address takes a .u64; a .u8 array can hold one as 0xFF(" +
                           std::string(name) + "), 0xFF00(...) and so on");
  v.init.push_back(item);
  return true;
}

/// Parses 0xFF00(symbol): one byte of an address.
bool InitializerParser::initializerMask(Variable &v, Initializer item) {
  Token at = token;
  uint64_t mask = s.take().bits;
  s.take(); // the parenthesis
  int byte = mask ? std::countr_zero(mask) / 8 : 8;
  if (byte > 7 || mask != uint64_t(0xFF) << (8 * byte))
    return s.error(at, "the mask must select one whole byte: 0xFF, 0xFF00, ...");
  if (item.size != 1 || !isInteger(v.type))
    return s.error(at, "bytes of an address go into .u8");
  if (module->version < 71)
    return s.error(at, "masked addresses need PTX 7.1");
  item.maskByte = int8_t(byte);
  return initializerAddress(v, item) && s.expect(")", "closing the mask");
}
