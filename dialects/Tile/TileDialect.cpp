//===- TileDialect.cpp - The tile dialect --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"
#include "dialects/Tile/TileHints.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kiln::tile;

#include "dialects/Tile/TileDialect.cpp.inc"
#include "dialects/Tile/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/TileTypes.cpp.inc"

void TileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/TileOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Tile/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Tile/TileTypes.cpp.inc"
      >();
}

int64_t kiln::tile::elementBytes(Type elementType) {
  if (elementType.isIndex())
    return 8;
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

//===----------------------------------------------------------------------===//
// Attributes of ops
//===----------------------------------------------------------------------===//

static bool isAtLeast(Attribute value, int64_t min) {
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && integer.getType().isInteger(64) && integer.getInt() >= min;
}

/// A config of a kernel, or one of a dialect that is not Kiln's.
static bool isConfig(Attribute value) {
  return isa<GemmConfigAttr, BlockGemmConfigAttr, WarpgroupGemmConfigAttr, GemvConfigAttr,
             BlockAttentionConfigAttr, WarpgroupAttentionConfigAttr, AttentionConfigAttr,
             PointwiseConfigAttr, StagingConfigAttr, ScatterConfigAttr>(value) ||
         !isa<BuiltinDialect, TileDialect>(value.getDialect());
}

static bool areConfigs(Attribute value) {
  auto entries = dyn_cast<DictionaryAttr>(value);
  return entries && llvm::all_of(entries, [](NamedAttribute entry) {
           return isConfig(entry.getValue());
         });
}

static bool areTensorMaps(Attribute value) {
  auto maps = dyn_cast<ArrayAttr>(value);
  return maps && llvm::all_of(maps, llvm::IsaPred<TensorMapAttr>);
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  constexpr int64_t kMaxThreads = 1024;
  StringRef name = attr.getName();
  Attribute value = attr.getValue();
  auto refuse = [&](const Twine &expected) {
    return op->emitOpError() << "carries " << name << " = " << value << "; expected "
                             << expected;
  };
  if (name == kTeamAttr)
    return isAtLeast(value, 1) && cast<IntegerAttr>(value).getInt() <= kMaxThreads
               ? success()
               : refuse("from 1 to " + Twine(kMaxThreads) + " threads");
  if (name == kWeightsAttr)
    return isa<PipelineOp>(op) && isa<UnitAttr>(value)
               ? success()
               : refuse("a unit attribute of a tile.pipeline");
  if (name == kConfigsAttr)
    return areConfigs(value) ? success()
                             : refuse("a dictionary from targets to configs of kernels");
  if (name == kSharedOffsetAttr || name == kSharedBytesAttr)
    return isAtLeast(value, 0) ? success() : refuse("bytes, an i64 of 0 or more");
  if (name == kTensorMapsAttr)
    return areTensorMaps(value) ? success() : refuse("a list of #tile.tensor_map");
  return op->emitOpError() << "carries the unknown attribute '" << name << "'";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isMemoryElement(Type type) {
  constexpr unsigned kMaxBits = 64;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && integer.getWidth() <= kMaxBits;
  return isa<Float32Type, Float64Type>(type) || kiln::floatFormatOf(type) ||
         kiln::isPowerOfTwoType(type);
}

/// True if tiles of this shape have no more elements than kernels can have at hand.
static bool fitsTile(ArrayRef<int64_t> shape) {
  constexpr int64_t kMaxElements = int64_t(1) << 30;
  int64_t elements = 1;
  return llvm::all_of(shape, [&](int64_t extent) {
    return ShapedType::isDynamic(extent) ||
           (!llvm::MulOverflow(elements, extent, elements) && elements <= kMaxElements);
  });
}

static LogicalResult verifyMemoryElement(function_ref<InFlightDiagnostic()> emitError,
                                         Type type) {
  if (isMemoryElement(type))
    return success();
  return emitError() << "expects a signless integer or float element, found " << type;
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type elementType) {
  return verifyMemoryElement(emitError, elementType);
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               ArrayRef<int64_t> strides) {
  if (shape.size() != strides.size())
    return emitError() << "expects one stride per extent, found " << strides.size()
                       << " strides for " << shape.size() << " extents";
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) && extent < 0)
      return emitError() << "expects extents >= 0, found " << extent;
  return verifyMemoryElement(emitError, elementType);
}

unsigned ViewType::getNumDynamicSizes() const {
  return llvm::count_if(getShape(), ShapedType::isDynamic);
}
unsigned ViewType::getNumDynamicStrides() const {
  return llvm::count_if(getStrides(), ShapedType::isDynamic);
}

LogicalResult StagedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 std::optional<StagedLayout>) {
  if (shape.size() != 2)
    return emitError() << "expects rank 2, found " << shape.size();
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) && extent <= 0)
      return emitError() << "expects extents > 0, found " << extent;
  if (!fitsTile(shape))
    return emitError() << "expects at most 2^30 elements";
  return verifyMemoryElement(emitError, elementType);
}

/// (C3) The bases of a layout of `elements` elements span all their bits.
static LogicalResult verifyCover(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, LinearLayoutAttr layout) {
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  SmallVector<int64_t> span; // reduced basis: no two have the same highest bit
  for (ArrayRef<int64_t> bases : {layout.getRegisters(), layout.getThreads()})
    for (int64_t basis : bases) {
      if (basis >= elements)
        return emitError() << "(C3) expects bases below " << elements << ", found "
                           << basis;
      for (int64_t known : span)
        basis = std::min(basis, basis ^ known);
      if (basis)
        span.push_back(basis);
    }
  if (!llvm::isPowerOf2_64(elements) || span.size() != llvm::Log2_64(elements))
    return emitError() << "(C3) expects a layout that reaches all " << elements
                       << " elements, found one that reaches "
                       << (int64_t(1) << span.size());
  return success();
}

LogicalResult LinearLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       ArrayRef<int64_t> registers,
                                       ArrayRef<int64_t> threads) {
  for (ArrayRef<int64_t> bases : {registers, threads})
    for (int64_t basis : bases)
      if (basis < 0 || basis >= int64_t(1) << 31)
        return emitError() << "expects bases from 0 to 2^31, found " << basis;
  return success();
}

static ParseResult parseBases(AsmParser &parser, StringRef name,
                              SmallVectorImpl<int64_t> &bases) {
  return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
                   return parser.parseInteger(bases.emplace_back());
                 }));
}

Attribute LinearLayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> registers, threads;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseBases(parser, "registers", registers) ||
      parser.parseComma() || parseBases(parser, "threads", threads) ||
      parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), registers,
                    threads);
}

void LinearLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<registers = [";
  llvm::interleaveComma(getRegisters(), printer);
  printer << "], threads = [";
  llvm::interleaveComma(getThreads(), printer);
  printer << "]>";
}

LogicalResult FragType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               LinearLayoutAttr layout) {
  if (shape.empty() || shape.size() > 2)
    return emitError() << "expects rank 1 or 2, found " << shape.size();
  for (int64_t extent : shape)
    if (ShapedType::isDynamic(extent) || extent <= 0)
      return emitError() << "expects static extents > 0";
  if (!fitsTile(shape))
    return emitError() << "expects at most 2^30 elements";
  if (!isMemoryElement(elementType) && !elementType.isIndex())
    return emitError() << "expects a signless integer, float or index element, found "
                       << elementType;
  return layout ? verifyCover(emitError, shape, layout) : success();
}

LogicalResult MemType::verify(function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<int64_t> shape, Type elementType,
                              MemLayoutAttr layout, MemorySpace) {
  if (shape.size() != 3 || llvm::any_of(shape, [](int64_t extent) { return extent < 1; }))
    return emitError() << "(C1) expects positive stages, rows and columns";
  if (!fitsTile(shape))
    return emitError() << "expects at most 2^30 elements";
  if (failed(verifyMemoryElement(emitError, elementType)))
    return failure();
  if (layout.getStaged())
    return success();
  int64_t bits = shape[1 + layout.getContiguous()] * elementType.getIntOrFloatBitWidth();
  if (bits % (layout.getSwizzle() * 8))
    return emitError() << "(C3) expects lines of a multiple of " << layout.getSwizzle()
                       << " bytes, found " << bits << " bits";
  return success();
}

LogicalResult MemLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                    int64_t contiguous, int64_t swizzle,
                                    std::optional<StagedLayout> staged) {
  if (contiguous != 0 && contiguous != 1)
    return emitError() << "expects dim 0 or 1 to be contiguous, found " << contiguous;
  if (!staged && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "expects a swizzle of 32, 64 or 128 bytes, found " << swizzle;
  return success();
}

Attribute MemLayoutAttr::parse(AsmParser &parser, Type) {
  int64_t contiguous = 0, swizzle = 0;
  std::optional<StagedLayout> staged;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword("contiguous") || parser.parseEqual() ||
      parser.parseInteger(contiguous) || parser.parseComma())
    return {};
  if (succeeded(parser.parseOptionalKeyword("swizzle"))) {
    if (parser.parseEqual() || parser.parseInteger(swizzle))
      return {};
  } else {
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return {};
    staged = symbolizeStagedLayout(keyword);
    if (!staged) {
      parser.emitError(loc, "expects swizzle, lines, matrices or words, found ")
          << keyword;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    contiguous, swizzle, staged);
}

void MemLayoutAttr::print(AsmPrinter &printer) const {
  printer << "<contiguous = " << getContiguous() << ", ";
  if (getStaged())
    printer << stringifyStagedLayout(*getStaged());
  else
    printer << "swizzle = " << getSwizzle();
  printer << '>';
}

LogicalResult BarrierType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t count) {
  if (count < 1)
    return emitError() << "(C1) expects at least one barrier, found " << count;
  return success();
}

LogicalResult PendingType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType) {
  if (shape.size() != 2 || llvm::any_of(shape, [](int64_t extent) { return extent < 1; }))
    return emitError() << "(C1) expects two positive extents";
  if (!fitsTile(shape))
    return emitError() << "expects at most 2^30 elements";
  return verifyMemoryElement(emitError, elementType);
}

LogicalResult OperandType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType) {
  if (shape.size() != 2 || llvm::any_of(shape, [](int64_t extent) { return extent < 1; }))
    return emitError() << "(C1) expects two positive extents";
  if (!fitsTile(shape))
    return emitError() << "expects at most 2^30 elements";
  if (!isMemoryElement(elementType) || elementType.getIntOrFloatBitWidth() != 16)
    return emitError() << "(C2) expects an element of 16 bits, found " << elementType;
  return success();
}

LogicalResult GemvConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                     int64_t columns, int64_t across, int64_t split,
                                     int64_t vector, int64_t unroll, bool alongDepth,
                                     int64_t team) {
  for (int64_t value : {columns, across, split, vector, team})
    if (value <= 0 || !llvm::isPowerOf2_64(value))
      return emitError() << "expects powers of two, found " << value;
  if (unroll <= 0)
    return emitError() << "expects unroll > 0, found " << unroll;
  if (!alongDepth && (columns < vector || columns > kLanes * vector))
    return emitError() << "expects from " << vector << " to " << kLanes * vector
                       << " columns for a warp that reads " << vector
                       << " at once, found " << columns;
  return success();
}

LogicalResult PointwiseConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          int64_t lanes, int64_t grain, bool stage,
                                          int64_t threads, int64_t team, int64_t share,
                                          int64_t positions) {
  if (positions < 1 || (positions > 1 && threads))
    return emitError()
           << "expects one position at a time on a GPU, and at least one, found "
           << positions;
  if (share == 1)
    return success();
  for (int64_t value : {lanes, threads, team, share})
    if (value <= 0 || !llvm::isPowerOf2_64(value))
      return emitError() << "expects powers of two where teams share a reduction, found "
                         << value;
  if (team * share > threads)
    return emitError() << "expects at most " << threads / team << " teams of " << team
                       << " threads to share a reduction, found " << share;
  return success();
}

LogicalResult StagingConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                        DenseI64ArrayAttr tile, DenseI64ArrayAttr pads,
                                        PointwiseConfigAttr compute) {
  for (int64_t length : tile.asArrayRef())
    if (length <= 0)
      return emitError() << "expects positions > 0 of every loop of a tile, found "
                         << length;
  for (int64_t pad : pads.asArrayRef())
    if (pad < 0 || pad >= kUnitBytes)
      return emitError() << "expects from 0 to " << kUnitBytes - 1
                         << " elements between lines, found " << pad;
  if (!compute)
    return emitError() << "expects a config of the rows of a tile";
  int64_t threads = compute.getThreads(), group = compute.getGroupThreads();
  if (!threads) // config of the host
    return success();
  for (int64_t value : {threads, group})
    if (value <= 0 || !llvm::isPowerOf2_64(value))
      return emitError() << "expects powers of two, found " << value;
  if (group > threads)
    return emitError() << "expects a thread group of at most " << threads
                       << " threads, found " << group;
  return success();
}

/// Prints `2x?xf32`.
static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape, Type elementType) {
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      printer << "?x";
    else
      printer << extent << 'x';
  }
  printer << elementType;
}

/// Parses `<2x?xf32` and stops behind the element type.
static ParseResult parseShape(AsmParser &parser, SmallVectorImpl<int64_t> &shape,
                              Type &elementType) {
  return failure(parser.parseLess() || parser.parseDimensionList(shape) ||
                 parser.parseType(elementType));
}

template <typename ShapedTileType> static Type parseShaped(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parseShape(parser, shape, elementType) || parser.parseGreater())
    return {};
  return ShapedTileType::getChecked([&] { return parser.emitError(loc); },
                                    parser.getContext(), shape, elementType);
}

Type StagedType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  std::optional<StagedLayout> layout;
  SMLoc loc = parser.getCurrentLocation();
  if (parseShape(parser, shape, elementType))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    if (parser.parseKeyword(&name))
      return {};
    layout = symbolizeStagedLayout(name);
    if (!layout)
      return parser.emitError(loc, "expects lines, matrices or words, found ") << name,
             Type();
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape,
                    elementType, layout);
}
void StagedType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  if (getLayout())
    printer << ", " << stringifyStagedLayout(*getLayout());
  printer << '>';
}

Type FragType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  LinearLayoutAttr layout;
  SMLoc loc = parser.getCurrentLocation();
  if (parseShape(parser, shape, elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape,
                    elementType, layout);
}
void FragType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  if (getLayout())
    printer << ", " << getLayout();
  printer << '>';
}

Type PendingType::parse(AsmParser &parser) { return parseShaped<PendingType>(parser); }
void PendingType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  printer << '>';
}

Type OperandType::parse(AsmParser &parser) { return parseShaped<OperandType>(parser); }
void OperandType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  printer << '>';
}

Type MemType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  MemLayoutAttr layout;
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parseShape(parser, shape, elementType) || parser.parseComma() ||
      parser.parseAttribute(layout) || parser.parseComma() ||
      parser.parseKeyword(&keyword) || parser.parseGreater())
    return {};
  std::optional<MemorySpace> space = symbolizeMemorySpace(keyword);
  if (!space) {
    parser.emitError(loc, "expects global, shared or tensor, found ") << keyword;
    return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape,
                    elementType, layout, *space);
}

void MemType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  printer << ", " << getLayout() << ", " << stringifyMemorySpace(getSpace()) << '>';
}

static ParseResult parseStride(AsmParser &parser, int64_t &stride) {
  if (succeeded(parser.parseOptionalQuestion())) {
    stride = ShapedType::kDynamic;
    return success();
  }
  return parser.parseInteger(stride);
}

Type ViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, strides;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOne = [&] { return parseStride(parser, strides.emplace_back()); };
  if (parseShape(parser, shape, elementType) || parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
      parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape,
                    elementType, strides);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  printer << ", [";
  llvm::interleaveComma(getStrides(), printer, [&](int64_t stride) {
    if (ShapedType::isDynamic(stride))
      printer << '?';
    else
      printer << stride;
  });
  printer << "]>";
}
