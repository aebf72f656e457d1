//===- AllReduce.cpp - All-reduce over GPUs' peer memory ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-shot algorithm: a task writes its chunk of the operand into a staging buffer of
// every rank, sets a flag there, waits for the flags of the others, and adds up, in the
// order of the ranks, what they wrote into its own staging buffers. It synchronizes only
// with the tasks of the same number on other ranks.
//
// Two-shot algorithm, for larger operands: a chunk has one part per rank. A task writes
// each part into a staging buffer of that rank, reduces its own part, and sends the sum
// to all ranks in a second round (reduce-scatter, then all-gather).
//
// Each round has an epoch, whose lowest bit selects one of two halves of the staging
// buffers. A rank overwrites a half two epochs later; before that it has waited for the
// epoch in between, whose flags the others set only after they have read the half. So no
// acknowledgement of reads is needed.
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/AllReduce.h"
#include "Expression/Body.h"
#include "kiln/abi.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr int64_t kThreads = 256;
/// Elements per access, of at most 16 bytes.
static constexpr int64_t kVectorWidth = 8;

static Type elementOf(graph::AllReduceOp op) {
  return cast<RankedTensorType>(op.getInput().getType()).getElementType();
}

bool kiln::codegen::hasPeerKernel(graph::AllReduceOp op) {
  Type element = elementOf(op);
  return op.getKind() == graph::ReduceKind::sum && op.getRanks() >= 2 &&
         op.getRanks() <= KILN_PEER_RANKS &&
         (element.isF32() || element.isF16() || element.isBF16());
}

static SymbolicExpr countOf(graph::AllReduceOp op) {
  return graph::numElements(graph::getDims(op.getInput()));
}

std::string kiln::codegen::peerFingerprint(graph::AllReduceOp op) {
  std::string text;
  llvm::raw_string_ostream(text)
      << op.getRanks() << ' ' << elementOf(op) << ' ' << countOf(op).str();
  return text;
}

namespace {
class PeerKernel {
public:
  /// `splits`: two-shot algorithm.
  PeerKernel(graph::AllReduceOp op, bool splits, OpBuilder &builder)
      : b(builder), loc(op.getLoc()), ranks(op.getRanks()), element(elementOf(op)),
        stored(storageType(element)), count(countOf(op)),
        length(KILN_PEER_STAGING_BYTES / tile::elementBytes(stored)),
        parts(splits ? ranks : 1) {}

  tile::KernelOp emit(StringRef name);

private:
  /// Views of the kernel's arguments, in the order of kiln/abi.h.
  struct Memories {
    Value from, abort, to, state, staging, flags;
    SmallVector<Value> peerStaging, peerFlags;
  };
  tile::KernelOp createShell(StringRef name);
  Value countIn(tile::KernelOp shell);
  Memories memoriesOf(tile::KernelOp shell);
  void emitTask();
  /// A round's epoch, and the index of its staging buffers.
  struct Round {
    Value epoch, region;
  };
  Round after(Value epoch);
  void meet(const Round &round);
  Value sum(const Round &round);
  Value load(int64_t part);
  Value loadStaged(const Round &round, int64_t from);
  void storeStaged(const Round &round, int64_t to, Value value);
  void store(int64_t part, Value value);
  Value viewOf(Value buffer, ArrayRef<OpFoldResult> sizes);
  Value stateWord(Value at);
  /// Returns the first element of a part of the task's chunk.
  Value firstOf(int64_t part);

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value word(int64_t value) { return arith::ConstantIntOp::create(b, loc, value, 32); }
  tile::FragType fragOf(Type type) {
    return tile::FragType::get(b.getContext(), {length}, type);
  }

  OpBuilder &b;
  Location loc;
  int64_t ranks;
  Type element, stored;
  SymbolicExpr count;
  int64_t length; ///< elements per staging buffer
  int64_t parts;  ///< parts per chunk
  Memories memory;
  Value task, rank;
};
} // namespace

tile::KernelOp PeerKernel::createShell(StringRef name) {
  MLIRContext *context = b.getContext();
  SmallVector<StringAttr> symbols = count.getSymbols();
  llvm::sort(symbols,
             [](StringAttr l, StringAttr r) { return l.getValue() < r.getValue(); });
  auto names = llvm::map_to_vector(symbols, [](StringAttr s) { return s.getValue(); });
  auto mapOf = [&](const SymbolicExpr &expr) {
    return AffineMap::get(0, symbols.size(), expr.toAffine(symbols, context), context);
  };
  Type data = tile::BufferType::get(context, stored);
  Type words = tile::BufferType::get(context, b.getI32Type());
  SmallVector<Type> results = {data, words, data, words};
  results.append(ranks, data);
  results.append(ranks, words);
  auto shell = tile::KernelOp::create(b, loc, name, TypeRange{data, words}, results,
                                      names, mapOf(count.ceilDiv(length * parts)),
                                      mapOf(0), "all_reduce");
  shell.setThreads(kThreads);
  return shell;
}

/// Returns a row-major view of the buffer from its first element.
Value PeerKernel::viewOf(Value buffer, ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  int64_t stride = 1;
  for (size_t dim = sizes.size(); dim-- > 1;) {
    stride *= cast<IntegerAttr>(cast<Attribute>(sizes[dim])).getInt();
    strides[dim - 1] = b.getIndexAttr(stride);
  }
  return tile::ViewOp::create(b, loc, buffer, index(0), sizes, strides);
}

/// Returns the number of elements as n * divisor, so that later passes see that a vector
/// is either inside or outside the operand.
Value PeerKernel::countIn(tile::KernelOp shell) {
  SmallVector<StringAttr> symbols(shell.getSymbols().getAsRange<StringAttr>());
  int64_t divisor = kVectorWidth;
  while (!count.exactDiv(divisor))
    divisor /= 2;
  AffineExpr expr = count.exactDiv(divisor)->toAffine(symbols, b.getContext());
  Value vectors = affine::AffineApplyOp::create(
      b, loc, AffineMap::get(0, symbols.size(), expr, b.getContext()),
      shell.getSymbolArguments());
  return arith::MulIOp::create(b, loc, vectors, index(divisor));
}

PeerKernel::Memories PeerKernel::memoriesOf(tile::KernelOp shell) {
  Value elements = countIn(shell);
  SmallVector<OpFoldResult> sizes = {b.getIndexAttr(2 * KILN_PEER_BLOCKS),
                                     b.getIndexAttr(ranks), b.getIndexAttr(length)};
  auto in = shell.getOperandBuffers(), out = shell.getResultBuffers();
  Memories result;
  result.from = viewOf(in[0], {elements});
  result.abort = in[1];
  result.to = viewOf(out[0], {elements});
  result.state = viewOf(out[1], {b.getIndexAttr(KILN_PEER_STATE_WORDS)});
  result.staging = viewOf(out[2], sizes);
  result.flags = out[3];
  for (Value peer : out.slice(4, ranks))
    result.peerStaging.push_back(viewOf(peer, sizes));
  llvm::append_range(result.peerFlags, out.slice(4 + ranks, ranks));
  return result;
}

Value PeerKernel::stateWord(Value at) {
  return tile::LoadOp::create(b, loc, b.getI32Type(), memory.state, ValueRange{at});
}

Value PeerKernel::firstOf(int64_t part) {
  Value piece = arith::MulIOp::create(b, loc, task, index(length * parts));
  return part ? arith::AddIOp::create(b, loc, piece, index(part * length)).getResult()
              : piece;
}

Value PeerKernel::load(int64_t part) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(stored));
  return tile::LoadOp::create(b, loc, fragOf(stored), memory.from,
                              ValueRange{firstOf(part)}, zero, ArrayRef<int64_t>{0});
}

void PeerKernel::store(int64_t part, Value value) {
  tile::StoreOp::create(b, loc, value, memory.to, ValueRange{firstOf(part)},
                        ArrayRef<int64_t>{0});
}

Value PeerKernel::loadStaged(const Round &round, int64_t from) {
  return tile::LoadOp::create(b, loc, fragOf(stored), memory.staging,
                              ValueRange{round.region, index(from), index(0)});
}

/// Stores to this rank's staging buffer on rank `to`.
void PeerKernel::storeStaged(const Round &round, int64_t to, Value value) {
  tile::StoreOp::create(b, loc, value, memory.peerStaging[to],
                        ValueRange{round.region, rank, index(0)});
}

PeerKernel::Round PeerKernel::after(Value before) {
  Value epoch = arith::AddIOp::create(b, loc, before, word(1));
  Value half = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                          arith::AndIOp::create(b, loc, epoch, word(1)));
  return {epoch, arith::AddIOp::create(
                     b, loc, arith::MulIOp::create(b, loc, half, index(KILN_PEER_BLOCKS)),
                     task)};
}

/// Sets this rank's flags and waits for those of all ranks, after which the round's
/// staging buffers are complete.
void PeerKernel::meet(const Round &round) {
  Value first = arith::MulIOp::create(b, loc, task, index(ranks));
  tile::PostOp::create(b, loc, round.epoch, memory.peerFlags,
                       arith::AddIOp::create(b, loc, first, rank));
  tile::AwaitOp::create(b, loc, round.epoch, memory.flags, first, memory.abort,
                        uint64_t(ranks));
}

/// Adds up what all ranks wrote into this rank's staging buffers, in f32 and in the order
/// of the ranks, so that results are bitwise equal on all ranks. Returns the stored type.
Value PeerKernel::sum(const Round &round) {
  Value result;
  for (int64_t from = 0; from < ranks; ++from) {
    Value part = loadStaged(round, from);
    if (!element.isF32())
      part = tile::ConvertOp::create(b, loc, fragOf(b.getF32Type()), part);
    if (result)
      part =
          tile::MapOp::create(
              b, loc, TypeRange{part.getType()}, ValueRange{result, part},
              [](OpBuilder &inner, Location at, ValueRange both) -> SmallVector<Value> {
                return {arith::AddFOp::create(inner, at, both[0], both[1])};
              })
              .getResult(0);
    result = part;
  }
  if (!element.isF32())
    result = tile::ConvertOp::create(b, loc, fragOf(stored), result);
  return result;
}

void PeerKernel::emitTask() {
  rank = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                    stateWord(index(KILN_PEER_BLOCKS)));
  Round round = after(stateWord(task));
  Value own = load(0);
  for (int64_t peer = 0; peer < ranks; ++peer)
    storeStaged(round, peer, parts == 1 || peer == 0 ? own : load(peer));
  meet(round);
  Value total = sum(round);
  if (parts > 1) {
    round = after(round.epoch);
    for (int64_t peer = 0; peer < ranks; ++peer)
      storeStaged(round, peer, total);
    meet(round);
  }
  for (int64_t part = 0; part < parts; ++part)
    store(part, parts > 1 ? loadStaged(round, part) : total);
  tile::StoreOp::create(b, loc, round.epoch, memory.state, ValueRange{task});
}

tile::KernelOp PeerKernel::emit(StringRef name) {
  tile::KernelOp shell = createShell(name);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&shell.getBlock());
  memory = memoriesOf(shell);
  task = shell.getTask();
  emitTask();
  return shell;
}

tile::KernelOp kiln::codegen::emitPeerKernel(graph::AllReduceOp op, bool splits,
                                             StringRef name, OpBuilder &builder) {
  return PeerKernel(op, splits, builder).emit(name);
}
