//===- MakeRings.cpp - Circular caches for windows ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All rows of a run are written before any is read, so a circular buffer suffices for a
// window of w keys and n new rows if it has w + n - 1 rows. The position that a row holds
// follows from the last written position and determines a mask. With it, attention sums
// in the order of the buffer's rows, independent of how a prompt was divided into runs.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Graph.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"

#include <limits>

namespace kiln {
#define GEN_PASS_DEF_MAKERINGSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kMakeRingsPass = "kiln-make-rings";
/// As many positions as @decode takes at most can be rolled back, even if a run of this
/// model adds fewer: a draft may have been added by several runs.
static constexpr int64_t kMaxTokens = 16;

namespace {
/// Builds the mask of one attention.
class RingMask {
public:
  RingMask(AttentionOp op, KvWriteOp write, int64_t rows)
      : op(op), write(write), rows(rows), b(op), loc(op.getLoc()) {}

  Value build();
  /// Returns the number of written rows of the buffer, per sequence.
  Value lengths();

private:
  Value number(int64_t value);
  Value iota(ArrayRef<SymbolicExpr> dims, int64_t axis);
  Value binary(BinaryKind kind, Value lhs, Value rhs) {
    return BinaryOp::create(b, loc, kind, lhs, rhs);
  }
  Value wide(Value value);

  AttentionOp op;
  KvWriteOp write;
  int64_t rows;
  OpBuilder b;
  Location loc;
};

class RingMaker {
public:
  explicit RingMaker(func::FuncOp main) : main(main) {}
  /// Returns the number of caches that become circular buffers.
  unsigned run();

private:
  /// Return why a cache keeps all rows; empty if it can be a circular buffer.
  std::string whyNotState(KvWriteOp write);
  std::string whyNotCache(KvWriteOp write);
  void dropHalves();
  void collect();
  std::optional<int64_t> maxOf(const SymbolicExpr &dim);
  std::string whyNotSmaller();
  void rewrite(AttentionOp op);
  void rewrite(KvWriteOp write);

  func::FuncOp main;
  SmallVector<KvWriteOp> caches;
  SmallVector<AttentionOp> readers;
  int64_t rows = 0, window = 0; ///< rows of every buffer, and the largest window
};
} // namespace

//===----------------------------------------------------------------------===//
// Mask
//===----------------------------------------------------------------------===//

Value RingMask::number(int64_t value) {
  auto type = RankedTensorType::get({}, b.getI64Type());
  return ConstantOp::create(b, loc,
                            DenseElementsAttr::get(type, b.getI64IntegerAttr(value)));
}

Value RingMask::iota(ArrayRef<SymbolicExpr> dims, int64_t axis) {
  return IotaOp::create(b, loc, makeTensorType(dims, b.getI64Type()), axis,
                        llvm::APFloat(0.0), llvm::APFloat(1.0));
}

Value RingMask::wide(Value value) {
  if (elementTypeOf(value).isInteger(64))
    return value;
  return CastOp::create(b, loc, makeTensorType(getDims(value), b.getI64Type()), value);
}

Value RingMask::lengths() {
  Value total = binary(BinaryKind::add, wide(write.getStarts()), wide(write.getCounts()));
  return binary(BinaryKind::min, total, number(rows));
}

/// A row of a rejected draft, or one that has left the window, has undefined elements
/// until it is written again; the mask hides it from all results. Row j holds position p
/// = e - d, d = (e - j) mod rows, where e is the last written position. Query i is at q =
/// start + i and sees p in (q - w, q], if that is a valid position: 0 <= q - e + d < w
/// and d <= e.
Value RingMask::build() {
  SymbolicExpr queries = getDims(op.getQuery())[2];
  auto perSequence = [&](Value value) {
    Dims dims{getDims(value)[0], 1, 1, 1};
    return reshapeTo(b, loc, wide(value), dims);
  };
  Value start = perSequence(write.getStarts());
  Value total = binary(BinaryKind::add, start, perSequence(write.getCounts()));
  Value last = binary(BinaryKind::sub, total, number(1));
  Value row = iota({1, 1, 1, SymbolicExpr(rows)}, 3);
  Value back = binary(BinaryKind::mod, binary(BinaryKind::sub, last, row), number(rows));
  Value query = binary(BinaryKind::add, start, iota({1, 1, queries, 1}, 2));
  Value ahead = binary(BinaryKind::add, binary(BinaryKind::sub, query, last), back);
  auto compare = [&](CompareKind kind, Value lhs, Value rhs) -> Value {
    return CompareOp::create(b, loc, kind, lhs, rhs);
  };
  Value seen = binary(BinaryKind::logical_and,
                      compare(CompareKind::greater_equal, ahead, number(0)),
                      compare(CompareKind::less, ahead, number(*op.getWindow())));
  seen =
      binary(BinaryKind::logical_and, seen, compare(CompareKind::less_equal, back, last));
  Type f32 = b.getF32Type();
  return SelectOp::create(
      b, loc, seen, makeSplat(b, loc, f32, 0),
      makeSplat(b, loc, f32, -std::numeric_limits<double>::infinity()));
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Whether the value equals `dim` for all sizes.
static bool isNumber(Value value, const SymbolicExpr &dim) {
  if (auto dims = value.getDefiningOp<DimsOp>())
    return getDims(dims.getValue()) == Dims{dim};
  std::optional<double> number = splatOf(value);
  return number && dim.isConstant(int64_t(*number));
}

/// Checks that the queries are the new rows and see at most a window of the cache;
/// returns why not.
static std::string whyNotReader(AttentionOp op, KvWriteOp write) {
  if (!op.getWindow())
    return "an attention without a window reads it, too";
  if (op.getMask())
    return "a mask says for each position whether it is seen";
  SymbolicExpr added = getDims(write.getRows())[2];
  if (getDims(op.getQuery())[2] != added)
    return "the queries are not as many as the new rows";
  BinaryOp total =
      op.getLengths() ? asBinary(op.getLengths(), BinaryKind::add) : BinaryOp();
  if (!op.getFromLength() || !total || total.getLhs() != write.getStarts() ||
      !isNumber(total.getRhs(), added))
    return "the last query is not at the last of the new rows";
  return "";
}

std::string RingMaker::whyNotState(KvWriteOp write) {
  auto state = dyn_cast<BlockArgument>(write.getState());
  if (!state || !main.getArgAttr(state.getArgNumber(), kStateAttr))
    return "it is no state";
  if (!state.hasOneUse())
    return "the state before the write has other readers";
  if (write.getAxis() != 2 || rankOf(write.getResult()) != 4)
    return "its positions are not the third of four dims";
  return "";
}

std::string RingMaker::whyNotCache(KvWriteOp write) {
  std::string why = whyNotState(write);
  for (OpOperand &use : write.getResult().getUses()) {
    if (!why.empty() || isa<func::ReturnOp>(use.getOwner()))
      continue;
    auto op = dyn_cast<AttentionOp>(use.getOwner());
    bool isKeyOrValue = use.getOperandNumber() == 1 || use.getOperandNumber() == 2;
    why =
        op && isKeyOrValue
            ? whyNotReader(op, write)
            : (use.getOwner()->getName().getStringRef() + " reads all of its rows").str();
  }
  return why;
}

/// Whether any attention reads the cache through a window, the purpose of circular
/// buffers.
static bool isReadThroughWindow(KvWriteOp write) {
  return llvm::any_of(write.getResult().getUsers(), [](Operation *user) {
    auto op = dyn_cast<AttentionOp>(user);
    return op && op.getWindow();
  });
}

/// Drops caches whose other cache (keys or values) keeps all rows.
void RingMaker::dropHalves() {
  auto isCollected = [&](Value value) {
    auto write = value.getDefiningOp<KvWriteOp>();
    return write && llvm::is_contained(caches, write);
  };
  auto isPaired = [&](KvWriteOp write) {
    return llvm::all_of(write.getResult().getUsers(), [&](Operation *user) {
      auto op = dyn_cast<AttentionOp>(user);
      return !op || (isCollected(op.getKey()) && isCollected(op.getValue()));
    });
  };
  for (auto it = caches.begin();
       (it = llvm::find_if_not(caches, isPaired)) != caches.end();) {
    remarkMissed(it->getLoc(), kMakeRingsPass, "ring",
                 "an attention reads it beside a cache that is no ring");
    caches.erase(it);
  }
  for (AttentionOp op : main.front().getOps<AttentionOp>())
    if (isCollected(op.getKey()))
      readers.push_back(op);
}

/// Collects caches whose users all support circular buffers.
void RingMaker::collect() {
  for (KvWriteOp write : main.front().getOps<KvWriteOp>()) {
    if (!isReadThroughWindow(write))
      continue;
    std::string why = whyNotCache(write);
    if (why.empty())
      caches.push_back(write);
    else
      remarkMissed(write.getLoc(), kMakeRingsPass, "ring", why);
  }
  dropHalves();
}

std::optional<int64_t> RingMaker::maxOf(const SymbolicExpr &dim) {
  if (auto constant = dim.getConstant())
    return constant;
  StringAttr name = dim.getSymbol();
  auto symbol =
      name ? main->getParentOfType<ModuleOp>().lookupSymbol<SymbolOp>(name) : SymbolOp();
  return symbol ? std::optional<int64_t>(symbol.getMax()) : std::nullopt;
}

/// Sets the number of rows of the buffers; returns why they would not be smaller than the
/// capacity of a session.
std::string RingMaker::whyNotSmaller() {
  for (AttentionOp op : readers)
    window = std::max<int64_t>(window, *op.getWindow());
  KvWriteOp first = caches.front();
  SymbolicExpr added = getDims(first.getRows())[2];
  auto maxAdded = maxOf(added), capacity = maxOf(getDims(first.getState())[2]);
  if (!maxAdded || !capacity)
    return "the number of its new rows or its capacity is no symbol with a range";
  rows = window + (added.isConstant() ? *maxAdded : std::max(*maxAdded, kMaxTokens)) - 1;
  if (rows < *capacity)
    return "";
  return ("a ring of " + Twine(rows) + " rows, for a window of " + Twine(window) +
          " and as many new rows as a run adds, is no smaller than the capacity of " +
          Twine(*capacity))
      .str();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

void RingMaker::rewrite(AttentionOp op) {
  RingMask ring(op, op.getKey().getDefiningOp<KvWriteOp>(), rows);
  Value mask = ring.build(), lengths = ring.lengths();
  OpBuilder b(op);
  auto created = AttentionOp::create(
      b, op.getLoc(), op.getQuery(), op.getKey(), op.getValue(), mask, lengths,
      op.getSinks(), op.getKeyScales(), op.getValueScales(), /*keep=*/Value(),
      op.getScaleAttr(), /*causal=*/UnitAttr(), /*from_length=*/UnitAttr(),
      op.getMaskedZeroAttr(), op.getNanZeroAttr(), op.getSoftcapAttr(),
      /*window=*/IntegerAttr(), /*mask_hides=*/b.getUnitAttr());
  remarkPassed(created.getLoc(), kMakeRingsPass, "ring",
               "reads a ring of " + Twine(rows) +
                   " rows per sequence, in which a new row overwrites the oldest");
  replaceAndErase(op, created);
}

void RingMaker::rewrite(KvWriteOp write) {
  Dims dims = getDims(write.getState());
  dims[2] = rows;
  write.getState().setType(makeTensorType(dims, elementTypeOf(write.getState())));
  write.getResult().setType(write.getState().getType());
  write.setRing(true);
}

unsigned RingMaker::run() {
  collect();
  if (caches.empty())
    return 0;
  if (std::string why = whyNotSmaller(); !why.empty()) {
    for (KvWriteOp write : caches)
      remarkMissed(write.getLoc(), kMakeRingsPass, "ring", why);
    return 0;
  }
  // Writes are rewritten first, so that the types of new attentions are those of buffers.
  for (KvWriteOp write : caches)
    rewrite(write);
  for (AttentionOp op : readers)
    rewrite(op);
  Operation *ret = main.front().getTerminator();
  main.setFunctionType(FunctionType::get(
      main.getContext(), main.front().getArgumentTypes(), ret->getOperandTypes()));
  Builder b(main.getContext());
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto about = main.getArgAttrOfType<DictionaryAttr>(i, kCountsAttr)) {
      NamedAttrList attributes(about);
      attributes.set("ring", b.getI64IntegerAttr(rows));
      attributes.set("window", b.getI64IntegerAttr(window));
      main.setArgAttr(i, kCountsAttr, attributes.getDictionary(main.getContext()));
    }
  return caches.size();
}

namespace {
class MakeRingsPass : public kiln::impl::MakeRingsPassBase<MakeRingsPass> {
public:
  using MakeRingsPassBase::MakeRingsPassBase;

  void runOnGraph() override {
    if (auto main = mainOf(getOperation()))
      numRings += RingMaker(main).run();
  }
};
} // namespace
