//===- LowerTileMmaSync.cpp - Matrix products by mma.sync -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of f16 or bf16 with f32 sums, by mma.sync.m16n8k16. The warps of the
// block are a grid over the accumulator; operands come by ldmatrix from tiles in
// chunks, four 8x8 matrices per instruction, transposed on the way where lines
// run along the other axis, so that every order of dims costs the same. Products
// with one left operand read it once.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <tuple>

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// The instruction's shape and that of the matrices ldmatrix brings.
static constexpr int64_t kTileRows = 16, kTileColumns = 8, kTileDepth = 16, kMatrix = 8;

//===----------------------------------------------------------------------===//
// Which products
//===----------------------------------------------------------------------===//

/// The op that stages an operand, in the load region of the pipeline if it is
/// an argument of its compute region.
static tile::StageOp stageOf(Value operand) {
  if (auto stage = operand.getDefiningOp<tile::StageOp>())
    return stage;
  auto argument = cast<BlockArgument>(operand);
  auto pipeline = cast<tile::PipelineOp>(argument.getOwner()->getParentOp());
  Operation *yield = pipeline.getLoad().front().getTerminator();
  return yield->getOperand(argument.getArgNumber() - 1).getDefiningOp<tile::StageOp>();
}

static bool isInTeamLoop(Operation *op) {
  for (; op; op = op->getParentOp())
    if (op->hasAttr(tile::kTeamAttr))
      return true;
  return false;
}

bool TileLowering::fitsTensorCores(tile::MmaOp op) {
  Type left = op.getLhs().getType().getElementType();
  Type right = op.getRhs().getType().getElementType();
  if (!target.gpu->hasMmaSync || left != right || !(left.isF16() || left.isBF16()) ||
      !op.getType().getElementType().isF32())
    return false;
  int64_t depth = op.getLhs().getType().getShape()[1];
  if (op.getType().getRows() < kTileRows || op.getType().getColumns() < kTileColumns ||
      depth < kTileDepth || !llvm::isPowerOf2_64(depth))
    return false;
  return !isInTeamLoop(op) && !isInScratch(stageOf(op.getLhs())) &&
         !isInScratch(stageOf(op.getRhs()));
}

namespace {
/// Warps along rows and columns of an accumulator.
struct WarpGrid {
  int64_t rows, columns;
};
} // namespace

/// The grid with the fewest tiles per warp, then the fewest bytes of operands
/// read from shared memory for `panels` accumulators side by side.
static WarpGrid chooseWarpGrid(int64_t rows, int64_t columns, int64_t panels,
                               int64_t warps, bool rowsStayInWarps) {
  WarpGrid best{warps, 1};
  auto cost = [&](WarpGrid grid) {
    int64_t tiles = std::max<int64_t>(rows / kTileRows / grid.rows, 1) *
                    std::max<int64_t>(columns / kTileColumns / grid.columns, 1);
    int64_t reads = grid.columns * rows + grid.rows * columns * panels;
    return std::tuple(tiles, reads);
  };
  for (int64_t across = 2; across <= warps && !rowsStayInWarps; across *= 2)
    if (WarpGrid grid{warps / across, across}; cost(grid) < cost(best))
      best = grid;
  return best;
}

void TileLowering::chooseTensorProducts() {
  SmallVector<tile::MmaOp> products;
  kernel->walk([&](tile::MmaOp op) { products.push_back(op); });
  for (tile::MmaOp op : products)
    if (fitsTensorCores(op))
      onTensorCores.insert(op);
  // One shape has one layout, one staged tile one way to lie.
  auto clash = [&](tile::MmaOp a, tile::MmaOp b) {
    auto stages = [](tile::MmaOp op) {
      return std::array{stageOf(op.getLhs()), stageOf(op.getRhs())};
    };
    return a.getType().getShape() == b.getType().getShape() ||
           llvm::any_of(stages(a), [&](tile::StageOp s) {
             return llvm::is_contained(stages(b), s);
           });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (tile::MmaOp op : products)
      for (tile::MmaOp other : products)
        if (onTensorCores.contains(op) && !onTensorCores.contains(other) &&
            clash(op, other))
          changed |= onTensorCores.erase(op);
  }
  SmallVector<ArrayRef<int64_t>> reduced;
  kernel->walk(
      [&](tile::ReduceOp op) { reduced.push_back(op.getInput().getType().getShape()); });
  for (tile::MmaOp op : products) {
    if (!onTensorCores.contains(op))
      continue;
    onTensorCores.insert(stageOf(op.getLhs()));
    onTensorCores.insert(stageOf(op.getRhs()));
    int64_t panels = llvm::count_if(
        products, [&](tile::MmaOp other) { return other.getLhs() == op.getLhs(); });
    int64_t rows = op.getType().getRows(), columns = op.getType().getColumns();
    WarpGrid grid =
        chooseWarpGrid(rows, columns, panels, team.threads / target.gpu->warpThreads,
                       llvm::is_contained(reduced, op.getType().getShape()));
    accumulators.insert({{rows, columns},
                         Layout::mmaAccumulator(rows, columns, grid.rows, grid.columns)});
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

int64_t MatrixOperand::bytesOf(int64_t own, int64_t k) const {
  int64_t bytes = tile::elementBytes(element);
  return linesAreSteps ? chunks.plain(k, own * bytes) : chunks.plain(own, k * bytes);
}

/// Lanes 0 to 7 hold the addresses of the lines of the first matrix, and so on;
/// `steps` are how far (own axis, K) the second is from the first, and the third.
MatrixOperand TileLowering::openMatrices(const LoweredStaged &operand, bool isLeft,
                                         const Layout &layout,
                                         ArrayRef<std::pair<int64_t, int64_t>> steps) {
  constexpr unsigned kLineBits = 3, kLaneBits = 5;
  MatrixOperand result{operand.pointer,
                       operand.element,
                       *operand.chunks,
                       {},
                       isLeft == operand.isColumnMajor,
                       int64_t(1) << steps.size()};
  SmallVector<uint32_t> ofBits;
  for (unsigned bit = 0; bit < kLineBits; ++bit)
    ofBits.push_back(result.linesAreSteps ? result.bytesOf(0, 1 << bit)
                                          : result.bytesOf(1 << bit, 0));
  for (auto [own, k] : steps)
    ofBits.push_back(result.bytesOf(own, k));
  ofBits.resize(kLaneBits, 0);
  for (uint32_t base : layout.threads().drop_front(kLaneBits))
    ofBits.push_back(result.bytesOf(isLeft ? layout.row(base) : layout.column(base), 0));
  result.origin = chunkOrigin(result.chunks, ofBits);
  return result;
}

/// Registers a0 to a3: rows below come second, later steps of K third.
MatrixOperand TileLowering::openLeft(const LoweredStaged &operand, const Layout &layout) {
  return openMatrices(operand, /*isLeft=*/true, layout, {{kMatrix, 0}, {0, kMatrix}});
}

/// Registers b0 and b1 of a tile, and then those of the tile beside it, or of the
/// next steps of K, if there are any.
MatrixOperand TileLowering::openRight(const LoweredStaged &operand, const Layout &layout,
                                      ArrayRef<int64_t> tiles, int64_t depth) {
  SmallVector<std::pair<int64_t, int64_t>> steps{{0, kMatrix}};
  if (tiles.size() > 1)
    steps.push_back({tiles[1], 0});
  else if (depth > kTileDepth)
    steps.push_back({0, kTileDepth});
  return openMatrices(operand, /*isLeft=*/false, layout, steps);
}

TileLowering::Values TileLowering::loadMatrices(const MatrixOperand &operand, int64_t own,
                                                int64_t k) {
  Value pointer = chunkPointer(operand.pointer, operand.chunks, operand.origin,
                               operand.bytesOf(own, k));
  auto layout = operand.linesAreSteps ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), kMatrix, kMatrix);
  SmallVector<Type> words(operand.matrices, b.getI32Type());
  Type type = LLVM::LLVMStructType::getLiteral(b.getContext(), words);
  Value loaded = NVVM::LdMatrixOp::create(b, type, pointer, operand.matrices, layout,
                                          shape, NVVM::LdStMatrixEltType::B16);
  Values registers;
  for (int64_t i = 0; i < operand.matrices; ++i) {
    Value word = LLVM::ExtractValueOp::create(b, loaded, i);
    if (operand.element.isF16()) // bf16 travels as bits
      word = LLVM::BitcastOp::create(b, VectorType::get(2, operand.element), word);
    registers.push_back(word);
  }
  return registers;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// One instruction: 16 rows, 8 columns, 16 steps of K.
void TileLowering::multiplyTiles(Type element, ArrayRef<Value> left,
                                 ArrayRef<Value> right, MutableArrayRef<Value> sums) {
  SmallVector<Type> results(sums.size(), b.getF32Type());
  Type type = LLVM::LLVMStructType::getLiteral(b.getContext(), results);
  auto kind = element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  Value product = NVVM::MmaOp::create(
      b, type, left, right, ValueRange(sums),
      ArrayRef<int64_t>{kTileRows, kTileColumns, kTileDepth}, std::nullopt, std::nullopt,
      std::array{kind, kind}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = LLVM::ExtractValueOp::create(b, product, i);
}

/// Where a thread's 16x8 tiles begin, by their first register: rows or columns.
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

void TileLowering::lowerMmaSync(ArrayRef<tile::MmaOp> group,
                                SmallVectorImpl<Values> &sums) {
  converge();
  tile::MmaOp first = group.front();
  Layout layout = layoutOf(first.getType());
  int64_t depth = first.getLhs().getType().getShape()[1];
  SmallVector<int64_t> rows = tilesOf(layout, true), columns = tilesOf(layout, false);
  const LoweredStaged &lhs = staged.find(first.getLhs())->second;
  MatrixOperand left = openLeft(lhs, layout);
  SmallVector<MatrixOperand> right;
  for (tile::MmaOp mma : group)
    right.push_back(openRight(staged.find(mma.getRhs())->second, layout, columns, depth));
  // Columns that one load brings, and steps of K.
  size_t beside = columns.size() > 1 ? 2 : 1;
  int64_t ahead = right.front().matrices / 2 / beside;
  for (int64_t chunk = 0; chunk < depth; chunk += ahead * kTileDepth) {
    SmallVector<SmallVector<Values>> loaded(group.size()); // [product][load]
    for (auto [operand, loads] : llvm::zip(right, loaded))
      for (size_t c = 0; c < columns.size(); c += beside)
        loads.push_back(loadMatrices(operand, columns[c], chunk));
    for (int64_t step = 0; step < ahead; ++step) {
      SmallVector<Values> leftTiles;
      for (int64_t row : rows)
        leftTiles.push_back(loadMatrices(left, row, chunk + step * kTileDepth));
      for (auto [loads, registers] : llvm::zip(loaded, sums))
        for (size_t c = 0; c < columns.size(); ++c) {
          auto words =
              ArrayRef<Value>(loads[c / beside]).slice(2 * (c % beside + step), 2);
          for (size_t r = 0; r < rows.size(); ++r)
            multiplyTiles(
                lhs.element, leftTiles[r], words,
                MutableArrayRef<Value>(registers).slice(4 * (r * columns.size() + c), 4));
        }
    }
  }
}
