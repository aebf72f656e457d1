//===- Grouping.cpp - Which ops form a kernel -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "dialects/Graph/BlockScaledWeight.h"
#include "dialects/Graph/Ranks.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Beyond this a kernel's body no longer fits the registers of any target and
/// compile time grows for nothing.
static constexpr size_t kMaxOps = 48;
/// A launch on a GPU has 4096 bytes of parameters, 8 per buffer and symbol; long before
/// that code of so many branches is slow to compile.
static constexpr size_t kMaxOperands = 128;
/// Limit of the parts of concats in a kernel, of which several may be one value: each
/// part is a branch of the code.
static constexpr size_t kMaxBranches = 128;

bool kiln::staysOutside(Operation *op) {
  return isa<GetWeightOp, KernelOp>(op) || collectiveRanks(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

/// A sum of iotas, such as the positions of windows: readers that see it need no index
/// from memory.
static bool isSumOfIotas(Operation *op) {
  auto sum = dyn_cast<BinaryOp>(op);
  return sum && sum.getKind() == BinaryKind::add &&
         isa<IntegerType>(getElementTypeOrSelf(sum.getResult())) &&
         llvm::all_of(sum->getOperands(), [](Value operand) {
           return operand.getDefiningOp<IotaOp>() != nullptr;
         });
}

/// A weight of 16 bits, or of bytes (kInKernelAttr), as f32: kernels widen it in
/// registers as they read it, contractions too, and a kernel of its own would write twice
/// the bytes, or four times, in every run.
static bool isWidenedWeight(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  if (!cast || !getElementTypeOrSelf(cast.getResult()).isF32())
    return false;
  if (!cast->hasAttr(kInKernelAttr) &&
      !isa<Float16Type, BFloat16Type>(getElementTypeOrSelf(cast.getInput())))
    return false;
  Operation *source = cast.getInput().getDefiningOp();
  while (source && (isView(source) || isa<UnpackOp>(source)))
    source = source->getOperand(0).getDefiningOp();
  return isa_and_nonnull<GetWeightOp>(source);
}

/// Whether the op makes a matrix of f32 from a weight's numbers and their scales per
/// block, both bytes, which kernels widen in registers.
static bool isBlockScaledWeight(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  std::optional<BlockScaledWeight> weight = BlockScaledWeight::of(op->getResult(0));
  return weight && isWidenedWeight(weight->numbers) && isWidenedWeight(weight->scales);
}

bool kiln::isCopiedIntoUsers(Operation *op) {
  return isView(op) || isa<ConstantOp, FillOp, IotaOp, DimsOp, UnpackOp>(op) ||
         isSumOfIotas(op) || isWidenedWeight(op) || isBlockScaledWeight(op);
}

/// A gather of windows, which moves elements and computes nothing.
static bool isWindowing(Operation *op) {
  auto gather = dyn_cast<GatherOp>(op);
  Operation *positions = gather ? gather.getIndices().getDefiningOp() : nullptr;
  return positions && isSumOfIotas(positions);
}

/// Whether an op reads elements of an operand several times, as gathered windows that
/// overlap do: what is computed is then computed as often.
static bool readsRepeatedly(OpOperand &operand) {
  auto gather = dyn_cast<GatherOp>(operand.getOwner());
  if (!gather || operand.getOperandNumber() != 0)
    return false;
  SymbolicExpr from = numElements(getDims(gather.getData()));
  SymbolicExpr to = numElements(getDims(gather.getResult()));
  return !from.dominates(to);
}

static bool isElementwise(Operation *op) { return op->hasTrait<graph::Elementwise>(); }

namespace {
/// The value behind a chain of views, and whether the chain is its only use.
struct Source {
  Value base;
  bool throughView = false;
  bool onlyUse = true;
  bool hasAllElements = true; ///< once each: views are transposes and reshapes
};

class Grouper {
public:
  Grouper(Block &block, HeroOf heroes) : block(block), heroes(heroes) {}
  SmallVector<Group> run();

private:
  Source sourceOf(Value value) const;
  /// The group that ends in the value behind `operand`, if `op` may join it.
  std::optional<unsigned> joinable(OpOperand &operand) const;
  bool mayJoin(const Group &group, OpOperand &operand, const Source &source) const;
  /// The product of which `op` and the groups that join it read all columns, in parts.
  std::optional<unsigned> partedProduct(Operation *op, ArrayRef<unsigned> joined) const;
  /// Returns the group of the matmul of which `part`, an operand, has some of the
  /// columns; nullopt if other ops than those of `own` read any.
  std::optional<unsigned> partedProduct(OpOperand &part, Operation *op,
                                        ArrayRef<Operation *> own) const;
  void place(Operation *op);
  void absorbTrailingViews(Group &group);

  Block &block;
  HeroOf heroes;
  SmallVector<Group> groups;
  DenseMap<Operation *, unsigned> groupOf;
};
} // namespace

/// All uses belong to one op (x * x reads x twice).
static bool hasOneUser(Value value) {
  return !value.use_empty() && llvm::all_equal(value.getUsers());
}

/// x in x == x ? x : y, if nothing else reads x: the comparison, whose only reader this
/// is, reads it once more. Static scales of f8E4M3FN write it.
static bool isReplacedNaN(OpOperand &operand) {
  auto select = dyn_cast<SelectOp>(operand.getOwner());
  Value x = operand.get();
  auto compare = select ? select.getCondition().getDefiningOp<CompareOp>() : CompareOp();
  return compare && compare.getKind() == CompareKind::equal && compare.getLhs() == x &&
         compare.getRhs() == x && hasOneUser(compare.getResult()) &&
         llvm::all_of(x.getUsers(),
                      [&](Operation *user) { return user == compare || user == select; });
}

Source Grouper::sourceOf(Value value) const {
  Source source{value};
  while (Operation *op = source.base.getDefiningOp()) {
    source.onlyUse &= hasOneUser(source.base);
    if (!isView(op))
      break;
    source.throughView = true;
    source.hasAllElements &= isa<TransposeOp, ReshapeOp>(op);
    source.base = op->getOperand(0);
  }
  return source;
}

/// Everything a hero's epilogue may hold.
static bool isEpilogue(const Group &group) {
  return group.hero->isPlain() && llvm::all_of(group.ops, isElementwise);
}

static unsigned elementBits(Value value) {
  return getElementTypeOrSelf(value).getIntOrFloatBitWidth();
}

/// Whether a hero's kernel computes an operand by the ops of a group.
static bool joinsPrologue(const Hero &hero, const Group &group, OpOperand &operand) {
  switch (hero.prologue) {
  case Hero::Prologue::All:
    return true;
  case Hero::Prologue::First:
    return operand.getOperandNumber() == 0;
  case Hero::Prologue::ByCost:
    return llvm::all_of(group.ops, isElementwise) &&
           hero.computesOperand(operand, group.ops);
  case Hero::Prologue::None:
    return false;
  }
  llvm_unreachable("all prologues handled");
}

bool Grouper::mayJoin(const Group &group, OpOperand &operand,
                      const Source &source) const {
  Operation *op = operand.getOwner();
  const Hero &hero = heroes(op);
  if (!hero.isPlain())
    return group.hero->isPlain() && joinsPrologue(hero, group, operand);
  // Windows of windows are one strided read.
  if (readsRepeatedly(operand) && !llvm::all_of(group.ops, isWindowing))
    return false;
  if (group.hero->isPlain())
    return true;
  bool endsInMemory = group.hero->epilogue == Hero::Epilogue::None;
  if (endsInMemory || !isElementwise(op))
    return false;
  if (source.throughView && !(group.hero->absorbsViews && source.hasAllElements))
    return false;
  Value result = op->getResult(0);
  if (group.hero->epilogue == Hero::Epilogue::NotWider &&
      elementBits(result) > elementBits(operand.get()))
    return false;
  return getDims(operand.get()) == getDims(result);
}

/// How many values a kernel of these ops reads.
static size_t countOperands(ArrayRef<Operation *> ops) {
  llvm::SmallDenseSet<Value> values;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(ops, operand.getDefiningOp()))
        values.insert(operand);
  return values.size();
}

/// How many branches the concats among these ops, which are in the block's order, become:
/// what a concat has as two of its parts is computed in two branches, with all the
/// branches of its own.
static size_t countBranches(ArrayRef<Operation *> ops) {
  DenseMap<Operation *, size_t> copies;
  size_t branches = 0;
  for (Operation *op : llvm::reverse(ops)) {
    size_t own = std::max<size_t>(copies.lookup(op), 1);
    bool isConcat = isa<ConcatOp>(op);
    branches += isConcat ? own * op->getNumOperands() : 0;
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      while (source && isView(source))
        source = source->getOperand(0).getDefiningOp();
      if (!source)
        continue;
      size_t &count = copies[source];
      count = isConcat ? count + own : std::max(count, own);
    }
  }
  return branches;
}

std::optional<unsigned> Grouper::joinable(OpOperand &operand) const {
  Source source = sourceOf(operand.get());
  Operation *producer = source.base.getDefiningOp();
  auto it = groupOf.find(producer);
  if (!producer || it == groupOf.end() || !(source.onlyUse || isReplacedNaN(operand)))
    return std::nullopt;
  const Group &group = groups[it->second];
  if (group.tail() != producer || !mayJoin(group, operand, source))
    return std::nullopt;
  // Sums of tensor cores that keep fewer bits than f32 stay f32, which they are compared
  // in (kiln verify): a code would be the next one.
  if (!source.onlyUse && llvm::any_of(group.ops, llvm::IsaPred<ScaledMatmulOp>))
    return std::nullopt;
  return it->second;
}

/// All that reads a value through views.
static void collectReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers())
    if (isView(user))
      collectReaders(user->getResult(0), readers);
    else
      readers.push_back(user);
}

std::optional<unsigned> Grouper::partedProduct(Operation *op,
                                               ArrayRef<unsigned> joined) const {
  if (!isElementwise(op))
    return std::nullopt;
  SmallVector<Operation *> own{op};
  for (unsigned i : joined)
    if (isEpilogue(groups[i]))
      llvm::append_range(own, groups[i].ops);
  for (Operation *reader : own)
    for (OpOperand &operand : reader->getOpOperands())
      if (auto product = partedProduct(operand, op, own))
        return product;
  return std::nullopt;
}

std::optional<unsigned> Grouper::partedProduct(OpOperand &part, Operation *op,
                                               ArrayRef<Operation *> own) const {
  Operation *product = sourceOf(part.get()).base.getDefiningOp();
  auto it = groupOf.find(product);
  if (!product || it == groupOf.end() || groups[it->second].tail() != product)
    return std::nullopt;
  const Hero &hero = *groups[it->second].hero;
  if (!hero.isColumnPart || !hero.isColumnPart(part.get(), product) ||
      getDims(part.get()) != getDims(op->getResult(0)))
    return std::nullopt;
  SmallVector<Operation *> readers;
  collectReaders(product->getResult(0), readers);
  bool isOwn =
      llvm::all_of(readers, [&](Operation *r) { return llvm::is_contained(own, r); });
  return isOwn ? std::optional(it->second) : std::nullopt;
}

void Grouper::place(Operation *op) {
  Group merged{&heroes(op), {}, {}};
  std::optional<unsigned> heroGroup;
  SmallVector<unsigned> joined;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<unsigned> index = joinable(operand);
    if (!index || llvm::is_contained(joined, *index))
      continue;
    // At most one hero; matmul before row when both could take the op.
    if (groups[*index].hero->isPlain()) {
      joined.push_back(*index);
    } else if (!heroGroup ||
               groups[*index].hero->precedence > groups[*heroGroup].hero->precedence) {
      heroGroup = *index;
    }
  }
  if (!heroGroup)
    heroGroup = partedProduct(op, joined);
  if (heroGroup) {
    // What else joins must be epilogue material of the hero's shape.
    llvm::erase_if(joined, [&](unsigned i) { return !isEpilogue(groups[i]); });
    joined.push_back(*heroGroup);
    merged.hero = groups[*heroGroup].hero;
  }
  SmallVector<Operation *> ops;
  for (unsigned i : joined)
    llvm::append_range(ops, groups[i].ops);
  ops.push_back(op);
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (ops.size() > kMaxOps || countOperands(ops) > kMaxOperands ||
      countBranches(ops) > kMaxBranches) {
    merged.hero = &heroes(op);
    merged.ops.push_back(op);
  } else {
    for (unsigned i : joined)
      groups[i].ops.clear();
    merged.ops = std::move(ops);
  }
  for (Operation *member : merged.ops)
    groupOf[member] = groups.size();
  groups.push_back(std::move(merged));
}

/// Whether the last dim stays the last one, so that contiguous elements stay contiguous.
static bool keepsLastDim(TransposeOp transpose) {
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  return permutation.empty() || permutation.back() + 1 == int64_t(permutation.size());
}

/// Attention and windows are written in the order their only reader wants: heads back
/// beside each other, and taps beside each other, cost nothing there and a copy anywhere
/// else.
void Grouper::absorbTrailingViews(Group &group) {
  bool movesWindows = llvm::all_of(group.ops, isWindowing);
  if (!group.hero->absorbsViews && !movesWindows)
    return;
  while (hasOneUser(group.tail()->getResult(0))) {
    Operation *user = *group.tail()->user_begin();
    if (!isa<TransposeOp, ReshapeOp>(user))
      return;
    auto transpose = dyn_cast<TransposeOp>(user);
    if (movesWindows && transpose && !keepsLastDim(transpose))
      return;
    group.ops.push_back(user);
  }
}

SmallVector<Group> Grouper::run() {
  for (Operation &op : block)
    if (!staysOutside(&op) && !isCopiedIntoUsers(&op))
      place(&op);
  llvm::erase_if(groups, [](const Group &group) { return group.ops.empty(); });
  for (Group &group : groups)
    absorbTrailingViews(group);
  return std::move(groups);
}

SmallVector<Group> kiln::formGroups(Block &block, HeroOf heroes, bool hasGpu) {
  SmallVector<Group> groups = Grouper(block, heroes).run();
  joinAttentionLse(groups);
  joinCacheWrites(groups);
  joinQuantizedRows(groups, hasGpu);
  return groups;
}
