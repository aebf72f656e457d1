//===- GraphAttrs.cpp - Shapes and symbolic types --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Graph.h"
#include "dialects/Types/FloatFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace kiln::graph;

//===----------------------------------------------------------------------===//
// ShapeAttr
//===----------------------------------------------------------------------===//

namespace {
/// Recursive descent over the text of SymbolicExpr::str: MLIR's syntax of affine
/// expressions, with min and max added:
///   sum     := product (('+' | '-') product)*
///   product := factor (('*' | 'floordiv' | 'ceildiv' | 'mod') factor)*
///   factor  := integer | '-' factor | '(' sum ')' | extremum | symbol
///   extremum := ('min' | 'max') '(' sum ',' sum ')'
class DimParser {
public:
  DimParser(AsmParser &parser, ArrayRef<std::string> symbols)
      : parser(parser), symbols(symbols) {}

  FailureOr<SymbolicExpr> sum() {
    FailureOr<SymbolicExpr> value = product();
    while (succeeded(value)) {
      bool isDifference = succeeded(parser.parseOptionalMinus());
      if (!isDifference && failed(parser.parseOptionalPlus()))
        break;
      FailureOr<SymbolicExpr> other = product();
      if (failed(other))
        return failure();
      value = isDifference ? *value - *other : *value + *other;
    }
    return value;
  }

private:
  FailureOr<SymbolicExpr> product() {
    FailureOr<SymbolicExpr> value = factor();
    while (succeeded(value)) {
      if (succeeded(parser.parseOptionalStar())) {
        FailureOr<SymbolicExpr> other = factor();
        if (failed(other))
          return failure();
        value = *value * *other;
        continue;
      }
      StringRef operation;
      if (failed(parser.parseOptionalKeyword(&operation, {"floordiv", "ceildiv", "mod"})))
        break;
      value = quotient(operation, *value);
    }
    return value;
  }

  FailureOr<SymbolicExpr> quotient(StringRef operation, const SymbolicExpr &value) {
    SMLoc place = parser.getCurrentLocation();
    FailureOr<SymbolicExpr> by = factor();
    if (failed(by))
      return failure();
    if (std::optional<int64_t> constant = by->getConstant(); constant && *constant <= 0)
      return parser.emitError(place, "expected a positive divisor, found ") << *constant;
    return operation == "floordiv"  ? value.floorDiv(*by)
           : operation == "ceildiv" ? value.ceilDiv(*by)
                                    : value.mod(*by);
  }

  FailureOr<SymbolicExpr> factor() {
    if (depth == kMaxDepth)
      return parser.emitError(parser.getCurrentLocation(), "expected at most ")
             << kMaxDepth << " levels of an expression";
    llvm::SaveAndRestore deeper(depth, depth + 1);
    int64_t constant;
    if (OptionalParseResult integer = parser.parseOptionalInteger(constant);
        integer.has_value())
      return *integer ? FailureOr<SymbolicExpr>(failure()) : SymbolicExpr(constant);
    if (succeeded(parser.parseOptionalMinus())) {
      FailureOr<SymbolicExpr> value = factor();
      return failed(value) ? value : SymbolicExpr(0) - *value;
    }
    if (succeeded(parser.parseOptionalLParen())) {
      FailureOr<SymbolicExpr> value = sum();
      if (failed(value) || parser.parseRParen())
        return failure();
      return value;
    }
    return symbolOrExtremum();
  }

  FailureOr<SymbolicExpr> symbolOrExtremum() {
    SMLoc place = parser.getCurrentLocation();
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    if ((name == "min" || name == "max") && succeeded(parser.parseOptionalLParen())) {
      FailureOr<SymbolicExpr> a = sum();
      if (failed(a) || parser.parseComma())
        return failure();
      FailureOr<SymbolicExpr> b = sum();
      if (failed(b) || parser.parseRParen())
        return failure();
      return name == "min" ? SymbolicExpr::min(*a, *b) : SymbolicExpr::max(*a, *b);
    }
    if (!llvm::is_contained(symbols, name))
      return parser.emitError(place, "use of undeclared symbol '") << name << "'";
    return SymbolicExpr::symbol(StringAttr::get(parser.getContext(), name));
  }

  static constexpr unsigned kMaxDepth = 64;

  AsmParser &parser;
  ArrayRef<std::string> symbols;
  unsigned depth = 0;
};
} // namespace

Attribute ShapeAttr::parse(AsmParser &parser, Type) {
  SmallVector<std::string> names;
  SmallVector<SymbolicExpr> dims;
  auto parseName = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    names.push_back(std::move(name));
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseName) ||
      parser.parseArrow())
    return {};
  auto parseDim = [&]() -> ParseResult {
    FailureOr<SymbolicExpr> dim = DimParser(parser, names).sum();
    if (failed(dim))
      return failure();
    dims.push_back(*dim);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim) ||
      parser.parseGreater())
    return {};
  return makeShape(parser.getContext(), dims);
}

void ShapeAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getSymbols(), printer, [&](StringAttr symbol) {
    printer.printKeywordOrString(symbol.getValue());
  });
  printer << "] -> " << printDims(::kiln::graph::getDims(*this)) << ">";
}

LogicalResult ShapeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<StringAttr> symbols, AffineMap map) {
  if (map.getNumDims() || map.getNumSymbols() != symbols.size())
    return emitError() << "(C1) expected a map over " << symbols.size()
                       << " symbols, found one over " << map.getNumSymbols();
  for (auto [a, b] : llvm::zip(symbols.drop_back(symbols.empty() ? 0 : 1),
                               symbols.drop_front(symbols.empty() ? 0 : 1)))
    if (a.getValue() >= b.getValue())
      return emitError() << "(C1) symbols must be sorted and distinct, found '"
                         << a.getValue() << "' before '" << b.getValue() << "'";
  for (unsigned i = 0; i < symbols.size(); ++i)
    if (!map.isFunctionOfSymbol(i))
      return emitError() << "(C1) symbol '" << symbols[i].getValue() << "' is not used";
  return success();
}

LogicalResult ShapeAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                        function_ref<InFlightDiagnostic()> emitError) const {
  Dims dims = ::kiln::graph::getDims(*this);
  if (dims.size() != shape.size())
    return emitError() << "(C2) expected " << shape.size() << " dim expressions, found "
                       << dims.size();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    std::optional<int64_t> constant = dim.getConstant();
    bool dynamic = ShapedType::isDynamic(shape[i]);
    if (dynamic ? constant.has_value() : constant != shape[i])
      return emitError() << "(C2) dim " << i << ": the type says "
                         << (dynamic ? "?" : std::to_string(shape[i]))
                         << ", the expression is " << dim.str();
  }
  return success();
}

ShapeAttr kiln::graph::makeShape(MLIRContext *context, ArrayRef<SymbolicExpr> dims) {
  SmallVector<StringAttr> symbols;
  for (const SymbolicExpr &dim : dims)
    llvm::append_range(symbols, dim.getSymbols());
  llvm::sort(symbols, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  symbols.erase(llvm::unique(symbols), symbols.end());
  SmallVector<AffineExpr> exprs;
  for (const SymbolicExpr &dim : dims)
    exprs.push_back(dim.toAffine(symbols, context));
  return ShapeAttr::get(context, symbols, AffineMap::get(0, symbols.size(), exprs, context));
}

Dims kiln::graph::getDims(ShapeAttr shape) {
  Dims dims;
  for (AffineExpr expr : shape.getDims())
    dims.push_back(SymbolicExpr::fromAffine(expr, shape.getSymbols()));
  return dims;
}

//===----------------------------------------------------------------------===//
// Symbolic types
//===----------------------------------------------------------------------===//

Dims kiln::graph::getDims(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (auto shape = dyn_cast_or_null<ShapeAttr>(tensor.getEncoding()))
    return getDims(shape);
  Dims dims;
  for (int64_t size : tensor.getShape()) {
    // IR that was not written by the importer may have dynamic dims without encoding;
    // each becomes the symbol "?".
    dims.push_back(ShapedType::isDynamic(size)
                       ? SymbolicExpr::symbol(StringAttr::get(type.getContext(), "?"))
                       : SymbolicExpr(size));
  }
  return dims;
}

RankedTensorType kiln::graph::makeTensorType(ArrayRef<SymbolicExpr> dims, Type elementType) {
  SmallVector<int64_t> shape;
  for (const SymbolicExpr &dim : dims)
    shape.push_back(dim.getConstant().value_or(ShapedType::kDynamic));
  Attribute encoding;
  if (llvm::is_contained(shape, ShapedType::kDynamic))
    encoding = makeShape(elementType.getContext(), dims);
  return RankedTensorType::get(shape, elementType, encoding);
}

SymbolicExpr kiln::graph::numElements(ArrayRef<SymbolicExpr> dims) {
  SymbolicExpr product = 1;
  for (const SymbolicExpr &dim : dims)
    product *= dim;
  return product;
}

bool kiln::graph::isNarrow(Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return integer.getWidth() == 2 || integer.getWidth() == 4;
  return kiln::isNarrowFloat(elementType);
}

bool kiln::graph::isElementType(Type type) {
  if (isNarrow(type))
    return !type.isSignedInteger();
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({8U, 16U, 32U, 64U}, integer.getWidth())
               ? !integer.isSigned()
               : type.isInteger(1);
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

bool kiln::graph::isModelTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isElementType(tensor.getElementType()) ||
      (tensor.getEncoding() && !isa<ShapeAttr>(tensor.getEncoding())))
    return false;
  int64_t bytes = elementBytes(tensor.getElementType());
  bool fits = true;
  for (int64_t size : tensor.getShape())
    if (size > 0) // with a dim of 0 in front, the others count all the same
      fits &= !llvm::MulOverflow(bytes, size, bytes) && bytes <= kMaxTensorBytes;
  return fits;
}

int64_t kiln::graph::elementBytes(Type elementType) {
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

SymbolicExpr kiln::graph::byteSize(Type tensorType) {
  return numElements(getDims(tensorType)) *
         SymbolicExpr(elementBytes(cast<RankedTensorType>(tensorType).getElementType()));
}

std::optional<Dims> kiln::graph::broadcastDims(ArrayRef<SymbolicExpr> lhs,
                                               ArrayRef<SymbolicExpr> rhs) {
  size_t rank = std::max(lhs.size(), rhs.size());
  Dims result(rank);
  for (size_t i = 0; i < rank; ++i) {
    // The last dims are aligned; missing leading dims count as 1.
    SymbolicExpr a = i < rank - lhs.size() ? 1 : lhs[i - (rank - lhs.size())];
    SymbolicExpr b = i < rank - rhs.size() ? 1 : rhs[i - (rank - rhs.size())];
    if (a != b && !a.isConstant(1) && !b.isConstant(1))
      return std::nullopt;
    result[i] = a.isConstant(1) ? b : a;
  }
  return result;
}

bool kiln::graph::broadcastsTo(ArrayRef<SymbolicExpr> from, ArrayRef<SymbolicExpr> to) {
  std::optional<Dims> dims = broadcastDims(from, to);
  return dims && ArrayRef<SymbolicExpr>(*dims) == to;
}

std::string kiln::graph::printDims(ArrayRef<SymbolicExpr> dims) {
  SmallVector<std::string> texts;
  for (const SymbolicExpr &dim : dims)
    texts.push_back(dim.str());
  return "[" + llvm::join(texts, ", ") + "]";
}
