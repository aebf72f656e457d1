//===- AssignLayouts.cpp - Which thread holds which element ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fragment's layout is a function of its shape and its thread group: equal types have
// equal layouts in the entire kernel, so elementwise ops move no data. Tensor-core
// accumulators have the instruction's layout, results of reductions a slice of their
// operand's layout, and all others a layout that makes accesses to global memory
// contiguous.
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Passes.h"
#include "kiln/Target/TargetInfo.h"
#include "lib/Target/NVPTX/Layout/AccessAlignment.h"
#include "lib/Target/NVPTX/Layout/GpuKernels.h"
#include "lib/Target/NVPTX/Layout/LayoutTypes.h"
#include "lib/Target/NVPTX/Layout/Smem.h"
#include "lib/Target/NVPTX/Layout/TensorProducts.h"
#include "mlir/Pass/Pass.h"

namespace kiln {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Columns of a thread grid: a warp is 4 rows of 8 threads.
static constexpr int64_t kGridColumns = 8;

/// Returns the op that stages an operand, in a pipeline's load region or on its own.
static tile::StageOp stageOf(Value operand) {
  if (auto argument = dyn_cast<BlockArgument>(operand)) {
    auto pipeline = dyn_cast<tile::PipelineOp>(argument.getOwner()->getParentOp());
    Block *load = pipeline ? &pipeline.getLoad().front() : nullptr;
    if (!load || argument.getArgNumber() == 0 ||
        argument.getArgNumber() > load->getTerminator()->getNumOperands())
      return {};
    operand = load->getTerminator()->getOperand(argument.getArgNumber() - 1);
  }
  return operand.getDefiningOp<tile::StageOp>();
}

/// Returns true if the operand is staged with its first dim contiguous.
static bool liesAcross(Value operand) {
  tile::StageOp stage = stageOf(operand);
  if (!stage)
    return false;
  ArrayRef<int64_t> strides = stage.getView().getType().getStrides();
  return strides.back() != 1 && strides[strides.size() - 2] == 1;
}

/// Returns the layout of the result of a reduction along an axis, or of the operand of a
/// broadcast along it.
static Layout sliceOf(const Layout &whole, int64_t axis) {
  return axis == 1 ? whole.columnSlice() : whole.rowSlice();
}

static void setLayout(Value value, const Layout &layout) {
  auto type = cast<tile::FragType>(value.getType());
  value.setType(type.cloneWith(toAttribute(layout, type.getContext())));
}

namespace {
class LayoutAssignment {
public:
  LayoutAssignment(tile::KernelOp kernel, const GpuInfo &gpu);
  void run();

private:
  void findSlices();
  Layout layoutOf(tile::FragType type, int64_t threads);
  Type assigned(Type type, int64_t threads);
  void assignFragments(Operation *op);
  void assignTiles();
  void convertOperands(Operation *op);
  void convert(OpOperand &operand, const Layout &layout);

  tile::KernelOp kernel;
  const GpuInfo &gpu;
  bool isSpecialized;
  TensorProducts tensor;
  int64_t neighbours = 1;    ///< contiguous elements per thread, rank 1
  int64_t streamRun = 0;     ///< same for rank 2; 0: rank 2 has grid layouts
  bool dealsColumns = false; ///< a B operand is contiguous along K
  bool dealsRows = false;    ///< as is B, and no A operand is contiguous along M
  /// Rows and columns of accumulators of tile.scaled_mma.
  llvm::DenseSet<std::pair<int64_t, int64_t>> scaledAccumulators;
  /// Layouts of fragments of rank 1 that reductions produce or broadcasts read, by thread
  /// group and length.
  llvm::DenseMap<std::pair<int64_t, int64_t>, Layout> slices;
};
} // namespace

LayoutAssignment::LayoutAssignment(tile::KernelOp kernel, const GpuInfo &gpu)
    : kernel(kernel), gpu(gpu),
      isSpecialized(
          llvm::any_of(kernel.getBlock(), llvm::IsaPred<tile::WarpSpecializeOp>)) {
  bool multiplies = false;
  kernel->walk([&](tile::MmaOp) { multiplies = true; });
  if (!multiplies && !isSpecialized)
    streamRun = chooseRun(kernel, gpu, {2}).value_or(1);
  SmallVector<int64_t> ranks{1};
  if (!streamRun)
    ranks.push_back(2);
  neighbours = chooseRun(kernel, gpu, ranks).value_or(gpu.accessBytes);
  if (!isSpecialized) // a specialized kernel uses wgmma instead
    tensor = TensorProducts(kernel, gpu);
  kernel->walk([&](tile::ScaledMmaOp op) {
    scaledAccumulators.insert({op.getType().getRows(), op.getType().getColumns()});
  });
  bool isLeftAcross = false; // an A operand is contiguous along M
  kernel->walk([&](tile::MmaOp op) {
    isLeftAcross |= liesAcross(op.getLhs());
    dealsColumns |= liesAcross(op.getRhs());
  });
  // Cyclic rows: scores that are stored to scratch are then written to rows in other
  // banks.
  dealsRows = dealsColumns && !isLeftAcross;
  findSlices();
}

/// Finds `slices`. All fragments of rank 1 with the same thread group and length get the
/// same layout, even those that are not a reduction's result.
void LayoutAssignment::findSlices() {
  kernel->walk([&](tile::ReduceOp op) {
    if (op.getInput().getType().getRank() != 2)
      return;
    int64_t threads = tile::groupThreads(op);
    Layout input = layoutOf(op.getInput().getType(), threads);
    Layout left = sliceOf(input, op.getAxis());
    slices.insert({{threads, left.columns()}, left});
  });
  // A row that is broadcast to all rows, such as scales of columns, is loaded in the
  // layout of its use.
  kernel->walk([&](tile::BroadcastOp op) {
    if (op.getType().getRank() != 2 || op.getAxis() != 0)
      return;
    int64_t threads = tile::groupThreads(op);
    Layout row = layoutOf(op.getType(), threads).rowSlice();
    slices.insert({{threads, row.columns()}, row});
  });
}

Layout LayoutAssignment::layoutOf(tile::FragType type, int64_t threads) {
  int64_t rows = type.getRows(), columns = type.getColumns();
  if (type.getRank() == 1) {
    auto it = slices.find({threads, columns});
    return it != slices.end() ? it->second : Layout::row(columns, threads, neighbours);
  }
  if (isSpecialized)
    return Layout::mmaAccumulator(rows, columns, *kernel.getThreads() / gpu.warpThreads,
                                  /*warpColumns=*/1);
  if (threads == gpu.warpThreads && scaledAccumulators.contains({rows, columns}))
    return Layout::scaledAccumulator(rows);
  auto it = tensor.accumulators.find({rows, columns});
  if (it != tensor.accumulators.end() && threads == kernel.getThreads())
    return it->second;
  it = tensor.rights.find({rows, columns});
  if (it != tensor.rights.end() && threads == kernel.getThreads())
    return it->second;
  if (streamRun)
    return Layout::stream(rows, columns, threads, streamRun);
  int64_t across = std::min(kGridColumns, columns);
  return Layout::grid(rows, columns, threads, threads / across, dealsRows, dealsColumns);
}

Type LayoutAssignment::assigned(Type type, int64_t threads) {
  auto frag = dyn_cast<tile::FragType>(type);
  return frag ? frag.cloneWith(toAttribute(layoutOf(frag, threads), type.getContext()))
              : type;
}

/// Assigns layouts to the results of an op and to the arguments of its regions.
void LayoutAssignment::assignFragments(Operation *op) {
  int64_t threads = tile::groupThreads(op);
  for (Value result : op->getResults())
    result.setType(assigned(result.getType(), threads));
  if (auto reduce = dyn_cast<tile::ReduceOp>(op);
      reduce && reduce.getInput().getType().getRank() == 2) {
    Layout whole = layoutOf(reduce.getInput().getType(), threads);
    setLayout(reduce.getResult(), sliceOf(whole, reduce.getAxis()));
  }
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      argument.setType(assigned(argument.getType(), threads));
}

/// Marks MMAs for tensor cores and sets the shared-memory layouts of their operands.
void LayoutAssignment::assignTiles() {
  for (Operation *product : tensor.mmas)
    cast<tile::MmaOp>(product).setMmaSync(true);
  auto layoutOfStage = [&](tile::StageOp stage) {
    auto use = tensor.stages.find(stage);
    if (use == tensor.stages.end())
      return tile::StagedLayout::lines;
    // ldmatrix cannot transpose 4-byte elements that are not contiguous along K, and
    // 1-byte elements are converted one by one: both are read as words.
    int64_t bytes = tile::elementBytes(stage.getType().getElementType());
    bool isLeft = use->second;
    bool isWords = bytes == 1 || (bytes == 4 && isLeft == isColumnMajor(stage));
    return isWords ? tile::StagedLayout::words : tile::StagedLayout::matrices;
  };
  kernel->walk([&](tile::StageOp stage) {
    if (!isReadInPlace(stage))
      stage.getResult().setType(stage.getType().cloneWith(layoutOfStage(stage)));
  });
  kernel->walk([&](tile::PipelineOp pipeline) {
    ValueRange tiles = pipeline.getLoad().front().getTerminator()->getOperands();
    auto arguments = pipeline.getCompute().front().getArguments().drop_front();
    for (auto [tile, argument] : llvm::zip(tiles, arguments))
      argument.setType(tile.getType());
  });
}

void LayoutAssignment::convert(OpOperand &operand, const Layout &layout) {
  auto type = cast<tile::FragType>(operand.get().getType());
  tile::LinearLayoutAttr wanted = toAttribute(layout, type.getContext());
  if (type.getLayout() == wanted)
    return;
  OpBuilder builder(operand.getOwner());
  operand.set(tile::ConvertLayoutOp::create(builder, operand.getOwner()->getLoc(),
                                            type.cloneWith(wanted), operand.get()));
}

/// Returns true for operand B of mma.sync, in registers.
static bool isRightOperand(OpOperand &operand) {
  auto product = dyn_cast<tile::MmaOp>(operand.getOwner());
  return product && product.getMmaSync() && operand == product.getRhsMutable();
}

/// Inserts layout conversions for operands that other threads hold than those that run
/// the op, and for the operand of a broadcast.
void LayoutAssignment::convertOperands(Operation *op) {
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    return convert(broadcast.getInputMutable(),
                   sliceOf(layoutIn(broadcast.getType()), broadcast.getAxis()));
  int64_t threads = tile::groupThreads(op);
  for (OpOperand &operand : op->getOpOperands())
    if (auto frag = dyn_cast<tile::FragType>(operand.get().getType()))
      convert(operand, isRightOperand(operand) ? rightLayout(cast<tile::MmaOp>(op))
                                               : layoutOf(frag, threads));
}

void LayoutAssignment::run() {
  SmallVector<Operation *> ops;
  kernel.getBody().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    assignFragments(op);
  assignTiles();
  for (Operation *op : ops)
    convertOperands(op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct AssignLayoutsPass : public kiln::impl::AssignLayoutsPassBase<AssignLayoutsPass> {
  using AssignLayoutsPassBase::AssignLayoutsPassBase;

  void runOnOperation() override {
    auto each = [&](tile::KernelOp kernel, const TargetInfo &info) {
      return assign(kernel, *info.gpu);
    };
    if (failed(forEachGpuKernel(*this, getOperation(), target, each)))
      signalPassFailure();
  }

  LogicalResult assign(tile::KernelOp kernel, const GpuInfo &gpu) {
    if (failed(checkShapes(kernel, gpu)))
      return failure();
    LayoutAssignment(kernel, gpu).run();
    return success(nvptx::verifyLayouts(kernel));
  }

  LogicalResult checkShapes(tile::KernelOp kernel, const GpuInfo &gpu);
};
} // namespace

static LogicalResult refuseLayout(Operation *op, tile::KernelOp kernel, StringRef what) {
  return kiln::emitError(op->getLoc(),
                         {ErrorCode::NotLowerable,
                          "kernel '" + kernel.getSymName().str() + "'", what.str(), "",
                          op->getName().getStringRef().str(), ""});
}

/// Linear layouts need powers of two.
LogicalResult AssignLayoutsPass::checkShapes(tile::KernelOp kernel, const GpuInfo &gpu) {
  std::optional<int64_t> threads = kernel.getThreads();
  if (!threads || !llvm::isPowerOf2_64(*threads) || *threads < gpu.warpThreads ||
      *threads > gpu.maxBlockThreads)
    return refuseLayout(
        kernel, kernel,
        "a kernel for a GPU states its threads: a power of two from a warp to a block");
  WalkResult result = kernel->walk([&](Operation *op) {
    if (isa<tile::BufferStageOp>(op)) {
      (void)refuseLayout(op, kernel, "copies of kiln-pipeline-copies, which comes later");
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (auto frag = dyn_cast<tile::FragType>(type))
        if (!llvm::all_of(frag.getShape(), llvm::isPowerOf2_64)) {
          (void)refuseLayout(op, kernel, "a fragment whose extents are no powers of two");
          return WalkResult::interrupt();
        }
    return WalkResult::advance();
  });
  return success(!result.wasInterrupted());
}
