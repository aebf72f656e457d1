//===- LowerTileMmaSync.cpp - Matrix multiplications by mma.sync ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers MMAs of f16 or bf16 with f32 accumulators to mma.sync.m16n8k16, and f32 as tf32
// to mma.sync.m16n8k8. The warps of the block are a grid over the accumulator. Operands
// are loaded by ldmatrix from swizzled tiles, four matrices per instruction, with .trans
// if lines run along the other axis, so that every order of dims costs the same; tf32
// words, which ldmatrix cannot transpose, are loaded one by one. MMAs with the same
// operand A read it once. Operand A in registers is the accumulator of an earlier MMA,
// whose layout matches; kiln-assign-layouts brings operand B in registers into the
// instruction's layout.
//
//===----------------------------------------------------------------------===//

#include "ProductLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <tuple>

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// M and N of the instruction, and rows of an 8x8 matrix.
static constexpr int64_t kMmaTileRows = 16, kMmaTileColumns = 8, kLines = 8;

/// Returns the K indices in 16 bytes, a row of an 8x8 matrix; an instruction's K is twice
/// that.
static int64_t matrixDepth(Type element) {
  return StagedLayout::kChunkBytes / tile::elementBytes(element);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

int64_t MatrixOperand::bytesOf(int64_t own, int64_t k) const {
  int64_t bytes = tile::elementBytes(element);
  return linesAreSteps ? chunks.plain(k, own * bytes) : chunks.plain(own, k * bytes);
}

/// Computes the addresses of a lane. For ldmatrix, lanes 0 to 7 hold the addresses of the
/// first matrix's rows, lanes 8 to 15 of the second's, and so on. When single elements
/// are loaded, lane 4g + t begins at row or column g and K index t.
MatrixOperand MmaSyncLowering::openMatrices(const LoweredStaged &operand, bool isLeft,
                                            const Layout &layout,
                                            ArrayRef<std::pair<int64_t, int64_t>> steps) {
  constexpr unsigned kLaneBits = 5;
  MatrixOperand result{operand.pointer,
                       operand.element,
                       *operand.chunks,
                       {},
                       isLeft == operand.isColumnMajor,
                       SmallVector<std::pair<int64_t, int64_t>>(steps)};
  SmallVector<uint32_t> ofBits;
  if (MatrixOperand::isByNumbers(result.element, result.linesAreSteps)) {
    for (int64_t k : {1, 2})
      ofBits.push_back(result.bytesOf(0, k));
    for (int64_t own : {1, 2, 4})
      ofBits.push_back(result.bytesOf(own, 0));
  } else {
    for (int64_t line : {1, 2, 4})
      ofBits.push_back(result.linesAreSteps ? result.bytesOf(0, line)
                                            : result.bytesOf(line, 0));
    for (auto [own, k] : steps)
      ofBits.push_back(result.bytesOf(own, k));
    ofBits.resize(kLaneBits, 0);
  }
  for (uint32_t base : layout.threads().drop_front(kLaneBits))
    ofBits.push_back(result.bytesOf(isLeft ? layout.row(base) : layout.column(base), 0));
  result.origin = program.chunkOrigin(result.chunks, ofBits);
  return result;
}

/// Computes the addresses of registers b0 and b1 of a tile, and also of the adjacent tile
/// or of the next K indices if one ldmatrix can load them too. `half`: K indices of b0.
MatrixOperand MmaSyncLowering::openRight(const LoweredStaged &operand,
                                         const Layout &layout, ArrayRef<int64_t> tiles,
                                         int64_t depth, int64_t half) {
  SmallVector<std::pair<int64_t, int64_t>> steps{{0, half}};
  bool byNumbers = MatrixOperand::isByNumbers(operand.element, !operand.isColumnMajor);
  if (!byNumbers && tiles.size() > 1)
    steps.push_back({tiles[1], 0});
  else if (!byNumbers && depth > 2 * half)
    steps.push_back({0, 2 * half});
  return openMatrices(operand, /*isLeft=*/false, layout, steps);
}

/// Loads the lane's words of every matrix of an ldmatrix as mma.sync takes them: pairs of
/// f16 or bf16, or tf32.
Values MmaSyncLowering::loadMatrices(const MatrixOperand &operand, int64_t own,
                                     int64_t k) {
  if (MatrixOperand::isByNumbers(operand.element, operand.linesAreSteps))
    return loadNumbers(operand, own, k);
  Value pointer = program.chunkPointer(operand.pointer, operand.chunks, operand.origin,
                                       operand.bytesOf(own, k));
  auto layout = operand.linesAreSteps ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), kLines, kLines);
  SmallVector<Type> words(operand.matrices(), b.getI32Type());
  Type type = LLVM::LLVMStructType::getLiteral(b.getContext(), words);
  Value loaded = NVVM::LdMatrixOp::create(b, type, pointer, operand.matrices(), layout,
                                          shape, NVVM::LdStMatrixEltType::B16);
  Values registers;
  for (int64_t i = 0; i < operand.matrices(); ++i) {
    Value word = LLVM::ExtractValueOp::create(b, loaded, i);
    if (operand.element.isF16()) // NVVM takes bf16 as i32
      word = LLVM::BitcastOp::create(b, VectorType::get(2, operand.element), word);
    if (operand.element.isF32())
      word = roundToTF32(LLVM::BitcastOp::create(b, operand.element, word));
    registers.push_back(word);
  }
  return registers;
}

/// Loads elements one by one. f8E4M3FN has fewer bits than tf32 and is not rounded.
Values MmaSyncLowering::loadNumbers(const MatrixOperand &operand, int64_t own,
                                    int64_t k) {
  Values registers;
  for (int64_t i = 0; i < operand.matrices(); ++i) {
    int64_t at = own, step = k;
    for (auto [bit, distance] : llvm::enumerate(operand.steps))
      if (i >> bit & 1)
        at += distance.first, step += distance.second;
    Value pointer = program.chunkPointer(operand.pointer, operand.chunks, operand.origin,
                                         operand.bytesOf(at, step));
    Value number = memory.loadValue(operand.element, pointer);
    registers.push_back(MatrixOperand::isBytes(operand.element)
                            ? LLVM::BitcastOp::create(b, b.getI32Type(), number)
                            : roundToTF32(number));
  }
  return registers;
}

Value MmaSyncLowering::roundToTF32(Value value) {
  return NVVM::ConvertFloatToTF32Op::create(b, b.getI32Type(), value,
                                            NVVM::FPRoundingMode::RNA);
}

//===----------------------------------------------------------------------===//
// Operand A
//===----------------------------------------------------------------------===//

SmallVector<Values> MmaSyncLowering::loadLeft(const MatrixOperand &operand,
                                              ArrayRef<int64_t> rows, int64_t k) {
  return llvm::map_to_vector(rows,
                             [&](int64_t row) { return loadMatrices(operand, row, k); });
}

/// Packs two adjacent elements into one register, the first in the lower half.
static Value packPair(ImplicitLocOpBuilder &b, Value low, Value high) {
  Type element = low.getType(), i32 = b.getI32Type();
  auto bits = [&](Value value) -> Value {
    Value half = arith::BitcastOp::create(b, b.getI16Type(), value);
    return arith::ExtUIOp::create(b, i32, half);
  };
  Value upper =
      arith::ShLIOp::create(b, bits(high), arith::ConstantIntOp::create(b, 16, 32));
  Value word = arith::OrIOp::create(b, bits(low), upper);
  return element.isF16()
             ? LLVM::BitcastOp::create(b, VectorType::get(2, element), word).getResult()
             : word;
}

/// Packs two adjacent 16x8 tiles of an accumulator into operand A of K = 16; the
/// registers correspond one to one.
SmallVector<Values> nvptx::packLeft(ThreadProgram &program, const Fragment &operand,
                                    size_t rowTiles, int64_t k) {
  constexpr size_t kRegisters = 4;
  size_t across = operand.registers.size() / kRegisters / rowTiles,
         first = k / kMmaTileColumns;
  SmallVector<Values> tiles(rowTiles);
  for (size_t r = 0; r < rowTiles; ++r)
    for (size_t tile : {first, first + 1})
      for (size_t pair : {0, 2}) {
        size_t reg = kRegisters * (r * across + tile) + pair;
        tiles[r].push_back(
            packPair(program.b, operand.registers[reg], operand.registers[reg + 1]));
      }
  return tiles;
}

//===----------------------------------------------------------------------===//
// Operand B
//===----------------------------------------------------------------------===//

/// Opens operand B of MMAs with the same operand A: all staged alike, or all in
/// registers.
RightOperands MmaSyncLowering::openRights(ArrayRef<tile::MmaOp> group,
                                          const Layout &layout,
                                          ArrayRef<int64_t> columns) {
  RightOperands result;
  tile::MmaOp first = group.front();
  if (isa<tile::FragType>(first.getRhs().getType()))
    return result;
  int64_t k = first.getRhsShape()[0];
  for (tile::MmaOp mma : group)
    result.staged.push_back(openRight(program.staged.find(mma.getRhs())->second, layout,
                                      columns, k, matrixDepth(first.getLhsElement())));
  int64_t matrices = result.staged.front().matrices();
  result.beside = matrices > 2 && columns.size() > 1 ? 2 : 1;
  result.ahead = matrices / 2 / result.beside;
  return result;
}

/// Loads operand B of every column tile of an MMA at K index `k`; one entry per load.
SmallVector<Values> MmaSyncLowering::loadRights(const RightOperands &operands,
                                                tile::MmaOp mma, size_t product,
                                                ArrayRef<int64_t> columns, int64_t k) {
  SmallVector<Values> loads;
  for (size_t c = 0; c < columns.size(); c += operands.beside)
    loads.push_back(operands.staged.empty()
                        ? packRight(program.fragment(mma.getRhs()), columns.size(), c, k)
                        : loadMatrices(operands.staged[product], columns[c], k));
  return loads;
}

/// Packs registers b0 and b1 of a 16x8 tile, which are adjacent in Layout::mmaRight.
Values MmaSyncLowering::packRight(const Fragment &operand, size_t tiles, size_t tile,
                                  int64_t k) {
  constexpr size_t kRegisters = 4, kSteps = 16;
  ArrayRef<Value> own = ArrayRef<Value>(operand.registers)
                            .slice(kRegisters * (k / kSteps * tiles + tile), kRegisters);
  return {packPair(b, own[0], own[1]), packPair(b, own[2], own[3])};
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

/// Emits one instruction: 16 rows, 8 columns, 32 bytes of K.
void MmaSyncLowering::multiplyTiles(Type element, ArrayRef<Value> left,
                                    ArrayRef<Value> right, MutableArrayRef<Value> sums) {
  SmallVector<Type> results(sums.size(), b.getF32Type());
  Type type = LLVM::LLVMStructType::getLiteral(b.getContext(), results);
  auto kind = element.isF16()    ? NVVM::MMATypes::f16
              : element.isBF16() ? NVVM::MMATypes::bf16
                                 : NVVM::MMATypes::tf32;
  Value product = NVVM::MmaOp::create(
      b, type, left, right, ValueRange(sums),
      ArrayRef<int64_t>{kMmaTileRows, kMmaTileColumns, 2 * matrixDepth(element)},
      std::nullopt, std::nullopt, std::array{kind, kind},
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = LLVM::ExtractValueOp::create(b, product, i);
}

/// Returns the first rows or columns of a thread's 16x8 tiles.
static SmallVector<int64_t> tilesOf(const Layout &layout, bool rows) {
  SmallVector<int64_t> tiles;
  for (int64_t reg = 0; reg < layout.numRegisters(); reg += 4) {
    int64_t element = layout.element(reg, 0);
    int64_t at = rows ? layout.row(element) : layout.column(element);
    if (!llvm::is_contained(tiles, at))
      tiles.push_back(at);
  }
  return tiles;
}

void MmaSyncLowering::lowerMmaSync(ArrayRef<tile::MmaOp> group,
                                   SmallVectorImpl<Values> &sums) {
  program.converge();
  tile::MmaOp first = group.front();
  Layout layout = program.layoutOf(first.getType());
  Type element = first.getLhsElement();
  int64_t depth = first.getLhsShape()[1], half = matrixDepth(element);
  SmallVector<int64_t> rows = tilesOf(layout, true), columns = tilesOf(layout, false);
  std::optional<MatrixOperand> left;
  // Order a0 to a3: row g, row g + 8, then both for later K.
  if (isa<tile::StagedType>(first.getLhs().getType()))
    left = openMatrices(program.staged.find(first.getLhs())->second, /*isLeft=*/true,
                        layout, {{kLines, 0}, {0, half}});
  RightOperands right = openRights(group, layout, columns);
  for (int64_t chunk = 0; chunk < depth; chunk += right.ahead * 2 * half) {
    SmallVector<SmallVector<Values>> loaded; // [product][load]
    for (size_t product = 0; product < group.size(); ++product)
      loaded.push_back(loadRights(right, group[product], product, columns, chunk));
    for (int64_t step = 0; step < right.ahead; ++step) {
      int64_t k = chunk + step * 2 * half;
      SmallVector<Values> leftTiles =
          left ? loadLeft(*left, rows, k)
               : packLeft(program, program.fragment(first.getLhs()), rows.size(), k);
      for (auto [loads, registers] : llvm::zip(loaded, sums))
        for (size_t c = 0; c < columns.size(); ++c) {
          auto words = ArrayRef<Value>(loads[c / right.beside])
                           .slice(2 * (c % right.beside + step), 2);
          for (size_t r = 0; r < rows.size(); ++r)
            multiplyTiles(
                element, leftTiles[r], words,
                MutableArrayRef<Value>(registers).slice(4 * (r * columns.size() + c), 4));
        }
    }
  }
}
