//===- GraphFormats.cpp - Text of the formats of quantized operands -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Graph.h"
#include "dialects/Types/FloatFormat.h"

using namespace mlir;
using namespace kiln::graph;

int64_t FormatAttr::getBits() const {
  int64_t width = getElement().getIntOrFloatBitWidth();
  return width == 6 ? 8 : width;
}

int64_t FormatAttr::getDefaultZero() const {
  return isFloat4() ? kiln::kE2m1Zero : int64_t(1) << (getBits() - 1);
}

bool FormatAttr::isFloat8() const { return kiln::isFloat8(getElement()); }

bool FormatAttr::isFloat4() const { return kiln::isFloat4(getElement()); }

bool FormatAttr::hasFloatCodes() const {
  return is<Float4E2M1FNType, Float6E2M3FNType>();
}

Type FormatAttr::getCodeType() const {
  if (is<Float6E2M3FNType>())
    return IntegerType::get(getContext(), getBits(), IntegerType::Unsigned);
  return getElement();
}

FormatAttr FormatAttr::withPerRow(Type scale) const {
  return get(getContext(), getElement(), getBlock(), getScale(), getZeroPoint(), scale,
             getPerTensor());
}

FormatAttr FormatAttr::withPerTensor(Type scale) const {
  return get(getContext(), getElement(), getBlock(), getScale(), getZeroPoint(),
             getPerRow(), scale);
}

static bool isElement(Type type) {
  return type.isSignlessInteger(8) || type.isUnsignedInteger(4) ||
         type.isUnsignedInteger(8) ||
         isa<Float16Type, BFloat16Type, Float8E4M3FNType, Float6E2M3FNType,
             Float6E3M2FNType, Float4E2M1FNType>(type);
}

static bool isScale(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float8E4M3FNType, Float8E8M0FNUType>(
      type);
}

LogicalResult FormatAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type element, int64_t block, Type scale, bool zeroPoint,
                                 Type perRow, Type perTensor) {
  if (!element || !isElement(element))
    return emitError() << "(C1) expected a format of i8, ui4, ui8, f16, bf16, f8E4M3FN, "
                          "f6E2M3FN, f6E3M2FN or f4E2M1FN, found "
                       << element;
  if (block < 0 || (block > 0) != bool(scale))
    return emitError() << "(C2) expected a block of at least 1 step with a type of its "
                          "scale, found block "
                       << block << (scale ? " with" : " without") << " a scale";
  if (scale && !isScale(scale))
    return emitError() << "(C2) expected scales of f16, bf16, f32, f8E4M3FN or "
                          "f8E8M0FNU, found "
                       << scale;
  if (zeroPoint && (!element.isUnsignedInteger() || block == 0))
    return emitError() << "(C3) expected zero points of blocks of ui4 or ui8, found "
                       << element << " in blocks of " << block;
  bool standsForItself = element.isF16() || element.isBF16();
  for (Type outer : {perRow, perTensor})
    if (outer && (!outer.isF32() || standsForItself))
      return emitError() << "(C4) expected a scale of f32 per row or tensor, and none of "
                            "f16 and bf16, found "
                         << outer << " of " << element;
  if (standsForItself && block > 0)
    return emitError() << "(C4) expected " << element << " to have no scales, found a "
                       << "block of " << block;
  return success();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

Attribute FormatAttr::parse(AsmParser &parser, Type) {
  Type element, scale, perRow, perTensor;
  int64_t block = 0;
  bool zeroPoint = false;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(element))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return {};
    if (word == "block") {
      if (parser.parseInteger(block))
        return {};
      if (block < 1)
        return parser.emitError(at, "(C2) expected a block of at least 1 step, found ")
                   << block,
               Attribute();
    } else if (word == "zero_point") {
      zeroPoint = true;
    } else if (Type *type = llvm::StringSwitch<Type *>(word)
                                .Case("scale", &scale)
                                .Case("per_row", &perRow)
                                .Case("per_tensor", &perTensor)
                                .Default(nullptr)) {
      if (parser.parseType(*type))
        return {};
    } else {
      parser.emitError(at, "expected block, scale, zero_point, per_row or per_tensor, "
                           "found '")
          << word << "'";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<FormatAttr>(loc, parser.getContext(), element, block, scale,
                                       zeroPoint, perRow, perTensor);
}

void FormatAttr::print(AsmPrinter &printer) const {
  printer << "<" << getElement();
  if (hasBlocks())
    printer << ", block " << getBlock() << ", scale " << getScale();
  if (getZeroPoint())
    printer << ", zero_point";
  if (getPerRow())
    printer << ", per_row " << getPerRow();
  if (getPerTensor())
    printer << ", per_tensor " << getPerTensor();
  printer << ">";
}
