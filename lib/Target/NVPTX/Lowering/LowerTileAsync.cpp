//===- LowerTileAsync.cpp - Buffers, mbarriers, TMA, warp specialization --===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncLowering.h"
#include "dialects/Tile/TileHints.h"
#include "kiln/Target/NVPTX.h"
#include "lib/Target/NVPTX/Layout/TensorMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Size of an mbarrier object.
static constexpr int64_t kBarrierBytes = 8;

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

unsigned AsyncLowering::mapFor(tile::ViewOp view, ArrayRef<int64_t> box,
                               int64_t swizzle) {
  tile::TensorMapAttr map = describeTensor(program.kernel, view, box, swizzle);
  auto *it = llvm::find(tensorMaps, map);
  if (it == tensorMaps.end())
    it = tensorMaps.insert(it, map);
  return it - tensorMaps.begin();
}

bool AsyncLowering::findMaps() {
  // Copies first, so that tensor maps are in the order of the copies.
  program.kernel->walk([&](tile::AsyncCopyOp op) {
    mapOf[op] = mapFor(op.getView().getDefiningOp<tile::ViewOp>(), op.getPartBox(),
                       op.getBuffer().getType().getLayout().getSwizzle());
  });
  program.kernel->walk([&](tile::PrefetchBoxOp op) {
    mapOf[op] =
        mapFor(op.getView().getDefiningOp<tile::ViewOp>(), op.getBox(), op.getSwizzle());
  });
  program.kernel->walk([&](tile::AsyncStoreOp op) {
    mapOf[op] = mapFor(op.getView().getDefiningOp<tile::ViewOp>(), storeBox(op),
                       op.getBuffer().getType().getLayout().getSwizzle());
  });
  return !llvm::is_contained(tensorMaps, tile::TensorMapAttr());
}

/// Tensor maps follow the other parameters; the runtime fills them from kTensorMapsAttr.
void AsyncLowering::describe(LLVM::LLVMFuncOp function) {
  unsigned end = function.getFunctionType().getNumParams();
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), kMapBytes);
  for (unsigned i = end - tensorMaps.size(); i < end; ++i) {
    function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(kMapAlignment));
    // Without grid_constant, a thread would copy the map to its stack, where TMA cannot
    // read it.
    function.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
  }
  int32_t threads = *program.kernel.getThreads() + kGroupThreads;
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    b.getDenseI32ArrayAttr({threads}));
  if (clusterBlocks() > 1)
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      b.getDenseI32ArrayAttr({int32_t(clusterBlocks())}));
  // setmaxnreg needs a register count known to ptxas, which minnctapersm gives.
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), b.getI32IntegerAttr(1));
  SmallVector<Attribute> attributes(tensorMaps.begin(), tensorMaps.end());
  function->setAttr(tile::kTensorMapsAttr, b.getArrayAttr(attributes));
}

//===----------------------------------------------------------------------===//
// Buffers and barriers
//===----------------------------------------------------------------------===//

Value AsyncLowering::addressOf(Value pointer) {
  return LLVM::PtrToIntOp::create(b, b.getI32Type(), pointer);
}

Value AsyncLowering::sum(Value word, int64_t more) {
  return more == 0 ? word
                   : arith::AddIOp::create(b, word, program.word(more)).getResult();
}

void AsyncLowering::lower(tile::AllocOp op) {
  addresses[op] = addressOf(program.sharedFor(op));
}

void AsyncLowering::lower(tile::CreateBarriersOp op) {
  addresses[op] = addressOf(program.sharedFor(op));
  barriers.push_back(op);
}

Value AsyncLowering::stageAt(Value buffer, Value stage) {
  int64_t stride = stageStride(cast<tile::MemType>(buffer.getType()));
  return arith::AddIOp::create(b, addresses.lookup(buffer),
                               arith::MulIOp::create(b, stage, program.word(stride)));
}

Value AsyncLowering::barrierAt(Value barrier, Value index) {
  return arith::AddIOp::create(
      b, addresses.lookup(barrier),
      arith::MulIOp::create(b, index, program.word(kBarrierBytes)));
}

void AsyncLowering::lower(tile::WaitBarrierOp op) {
  // Blocks of a cluster arrive at each other's barriers.
  std::string scope = clusterBlocks() > 1 ? ".acquire.cluster" : "";
  program.assembly({},
                   {barrierAt(op.getBarrier(), program.scalar(op.getIndex())),
                    program.scalar(op.getParity())},
                   "{\n.reg .pred done;\nwaiting:\n"
                   "mbarrier.try_wait.parity" +
                       scope +
                       ".shared::cta.b64 done, [$0], $1;\n"
                       "@!done bra waiting;\n}",
                   "r,r,~{memory}");
}

Value AsyncLowering::rankInCluster() {
  return NVVM::ClusterId::create(b, b.getI32Type());
}

/// Lane i of each warp arrives at block i's barrier.
void AsyncLowering::arriveInCluster(tile::ArriveBarrierOp op) {
  Value lane = arith::AndIOp::create(b, program.thread,
                                     program.word(program.target.gpu->warpThreads - 1));
  Value arrives = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, lane,
                                        program.word(clusterBlocks()));
  if (op.getCondition())
    arrives = arith::AndIOp::create(b, arrives, program.scalar(op.getCondition()));
  program.assembly(
      {},
      {barrierAt(op.getBarrier(), program.scalar(op.getIndex())), lane,
       arith::ExtUIOp::create(b, b.getI32Type(), arrives)},
      "{\n.reg .pred p;\n.reg .b32 there;\nsetp.ne.b32 p, $2, 0;\n"
      "@p mapa.shared::cluster.u32 there, $0, $1;\n"
      "@p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}",
      "r,r,r,~{memory}");
}

void AsyncLowering::lower(tile::ArriveBarrierOp op) {
  if (op.getCluster())
    return arriveInCluster(op);
  Value lane = arith::AndIOp::create(b, program.thread,
                                     program.word(program.target.gpu->warpThreads - 1));
  Value arrives =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, program.word(0));
  if (op.getCondition())
    arrives = arith::AndIOp::create(b, arrives, program.scalar(op.getCondition()));
  // Predicated: a branch would diverge the warp before the next wgmma.
  program.assembly({},
                   {barrierAt(op.getBarrier(), program.scalar(op.getIndex())),
                    arith::ExtUIOp::create(b, b.getI32Type(), arrives)},
                   "{\n.reg .pred p;\nsetp.ne.b32 p, $1, 0;\n"
                   "@p mbarrier.arrive.shared::cta.b64 _, [$0];\n}",
                   "r,r,~{memory}");
}

void AsyncLowering::lower(tile::ExpectBytesOp op) {
  program.assembly({},
                   {barrierAt(op.getBarrier(), program.scalar(op.getIndex())),
                    program.word(op.getBytes())},
                   "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;",
                   "r,r,~{memory}");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Appends the coordinates of a box to `operands` and returns the text that names them.
std::string AsyncLowering::coordinates(Value view, ValueRange indices, Values &operands) {
  std::string place;
  for (unsigned dim : mapOrder(view.getDefiningOp<tile::ViewOp>())) {
    place += (place.empty() ? "$" : ", $") + std::to_string(operands.size());
    operands.push_back(
        arith::IndexCastOp::create(b, b.getI32Type(), program.scalar(indices[dim])));
  }
  return place;
}

/// Returns the byte offset of a tile's row and column in a stage.
static int64_t offsetIn(tile::MemType type, int64_t row, int64_t column) {
  unsigned along = type.getLayout().getContiguous();
  WgmmaOperand lines = WgmmaOperand::of(type, /*depthDim=*/along);
  int64_t inLine = along == 1 ? column : row, line = along == 1 ? row : column;
  return inLine * tile::elementBytes(type.getElementType()) / lines.span *
             lines.pieceBytes +
         line * lines.span;
}

/// Returns the bytes between the parts of a multicast copy that the blocks of a cluster
/// load.
static int64_t partOffset(tile::AsyncCopyOp op, int64_t dim) {
  SmallVector<int64_t> part = op.getPartBox();
  int64_t rank = part.size(), row = op.getPlace()[0], column = op.getPlace()[1];
  tile::MemType type = op.getBuffer().getType();
  int64_t before = offsetIn(type, row, column);
  if (dim == rank - 2)
    row += part[dim];
  else if (dim == rank - 1)
    column += part[dim];
  else
    column += part[dim] * part.back();
  return offsetIn(type, row, column) - before;
}

void AsyncLowering::lower(tile::AsyncCopyOp op) {
  int64_t offset = offsetIn(op.getBuffer().getType(), op.getPlace()[0], op.getPlace()[1]);
  Value target = sum(stageAt(op.getBuffer(), program.scalar(op.getStage())), offset),
        rank;
  if (auto dim = op.getMulticast()) {
    rank = rankInCluster();
    target = arith::AddIOp::create(
        b, target, arith::MulIOp::create(b, rank, program.word(partOffset(op, *dim))));
  }
  Values operands{target, program.mapArgument(mapOf.lookup(op)),
                  barrierAt(op.getBarrier(), program.scalar(op.getStage()))};
  std::string place = coordinates(op.getView(), op.getIndices(), operands);
  std::string dims = std::to_string(operands.size() - 3), constraints = "r,l,r";
  for (size_t dim = 3; dim < operands.size(); ++dim)
    constraints += ",r";
  std::string multicast, mask;
  if (auto dim = op.getMulticast()) {
    auto order = mapOrder(op.getView().getDefiningOp<tile::ViewOp>());
    Value &at = operands[3 + (llvm::find(order, unsigned(*dim)) - order.begin())];
    at = arith::AddIOp::create(
        b, at, arith::MulIOp::create(b, rank, program.word(op.getPartBox()[*dim])));
    multicast = ".multicast::cluster";
    mask = ", $" + std::to_string(operands.size());
    operands.push_back(
        arith::ConstantIntOp::create(b, (int64_t(1) << clusterBlocks()) - 1, 16));
    constraints += ",h";
  }
  program.assembly({}, operands,
                   "cp.async.bulk.tensor." + dims +
                       "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes" +
                       multicast + " [$0], [$1, {" + place + "}], [$2]" + mask + ";",
                   constraints + ",~{memory}");
}

void AsyncLowering::lower(tile::PrefetchBoxOp op) {
  Values operands{program.mapArgument(mapOf.lookup(op))};
  std::string place = coordinates(op.getView(), op.getIndices(), operands);
  std::string constraints = "l";
  for (size_t dim = 1; dim < operands.size(); ++dim)
    constraints += ",r";
  program.assembly({}, operands,
                   "cp.async.bulk.prefetch.tensor." +
                       std::to_string(operands.size() - 1) + "d.L2.global.tile [$0, {" +
                       place + "}];",
                   constraints + ",~{memory}");
}

//===----------------------------------------------------------------------===//
// Warp specialization
//===----------------------------------------------------------------------===//

void AsyncLowering::initializeBarriers() {
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, program.thread, program.word(0));
  program.guarded(isFirst, [&] {
    for (tile::CreateBarriersOp op : barriers)
      for (int64_t i = 0; i < op.getType().getCount(); ++i)
        program.assembly({},
                         {sum(addresses.lookup(op), i * kBarrierBytes),
                          program.word(op.getArrivals())},
                         "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}");
    program.assembly({}, {}, "fence.mbarrier_init.release.cluster;", "~{memory}");
  });
  areBarriersReady = true;
}

void AsyncLowering::lower(tile::SyncClusterOp op) {
  if (!areBarriersReady)
    initializeBarriers();
  program.assembly({}, {},
                   "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;",
                   "~{memory}");
}

void AsyncLowering::changeRegisters(int64_t count, bool more) {
  if (count > 0)
    NVVM::SetMaxRegisterOp::create(b, count,
                                   more ? NVVM::SetMaxRegisterAction::increase
                                        : NVVM::SetMaxRegisterAction::decrease);
}

void AsyncLowering::lower(tile::WarpSpecializeOp op) {
  Value number = arith::ShRUIOp::create(b, program.thread,
                                        program.word(llvm::Log2_64(kGroupThreads)));
  warpgroup = program.shuffleFrom(number, 0);
  if (!areBarriersReady) {
    initializeBarriers();
    NVVM::Barrier0Op::create(b);
  }
  int64_t consumers = consumerGroups();
  Value isProducer = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, warpgroup,
                                           program.word(consumers));
  auto branch = scf::IfOp::create(b, isProducer, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  changeRegisters(op.getProducerRegisters(), /*more=*/false);
  Value isLeader = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, program.thread,
                                         program.word(consumers * kGroupThreads));
  Team block = std::exchange(program.team, Team{1, program.index(0), program.index(0)});
  program.guarded(isLeader, [&] { lowerBlock(op.getProducer().front()); });
  program.team = block;
  if (program.failed)
    return;
  b.setInsertionPointToStart(branch.elseBlock());
  changeRegisters(op.getConsumerRegisters(), /*more=*/true);
  program.diverged = true;
  bool isOrdered = false;
  op.getConsumer().walk([&](tile::WaitOrderOp) { isOrdered = true; });
  if (isOrdered)
    beginOrder();
  lowerBlock(op.getConsumer().front());
  if (isOrdered)
    endOrder();
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool AsyncLowering::lower(Operation *op) {
  bool known = true;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::AllocOp alloc) {
        known = !alloc.getType().getLayout().getStaged(); // else cp.async fills it
        if (known)
          lower(alloc);
      })
      .Case<tile::CreateBarriersOp, tile::WaitBarrierOp, tile::ArriveBarrierOp,
            tile::ExpectBytesOp, tile::AsyncCopyOp, tile::PrefetchBoxOp,
            tile::WarpSpecializeOp, tile::IssueMmaOp, tile::PackOperandOp,
            tile::WaitMmaOp, tile::WriteBufferOp, tile::AsyncStoreOp, tile::WaitStoresOp,
            tile::SyncClusterOp, tile::WaitOrderOp, tile::ArriveOrderOp>(
          [&](auto concrete) { lower(concrete); })
      .Case([&](tile::PendingOp pending) {
        program.define(pending, program.fragment(pending.getValue()));
      })
      .Case([&](tile::WaitPriorOp) { program.waitForEarlierKernels(); })
      .Case([&](tile::FirstTaskOp first) {
        Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
        program.scalars.map(
            first.getResult(),
            arith::IndexCastUIOp::create(b, b.getIndexType(), block).getResult());
      })
      .Case([&](tile::TaskStrideOp stride) {
        Value blocks = NVVM::GridDimXOp::create(b, b.getI32Type());
        program.scalars.map(
            stride.getResult(),
            arith::IndexCastUIOp::create(b, b.getIndexType(), blocks).getResult());
      })
      .Default([&](Operation *) { known = false; });
  return known;
}
