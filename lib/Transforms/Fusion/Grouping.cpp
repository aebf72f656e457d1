//===- Grouping.cpp - Grouping of ops into kernels ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "dialects/Graph/BlockScaledWeight.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassRemark.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// A larger kernel does not fit the registers of any target and only increases compile
/// time.
static constexpr size_t kMaxOps = 48;
/// A GPU launch has 4096 bytes of parameters, 8 per buffer and symbol; code with this
/// many branches is already slow to compile.
static constexpr size_t kMaxOperands = 128;
/// Maximum number of concatenated parts in a kernel, counting repeated values: each part
/// is a branch of the code.
static constexpr size_t kMaxBranches = 128;

bool kiln::staysOutside(Operation *op) {
  return isa<GetWeightOp, KernelOp>(op) || collectiveRanks(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

/// Whether the op is a sum of iotas, such as the positions of windows. Code that sees the
/// sum computes indices instead of loading them.
static bool isSumOfIotas(Operation *op) {
  auto sum = dyn_cast<BinaryOp>(op);
  return sum && sum.getKind() == BinaryKind::add &&
         isa<IntegerType>(getElementTypeOrSelf(sum.getResult())) &&
         llvm::all_of(sum->getOperands(), [](Value operand) {
           return operand.getDefiningOp<IotaOp>() != nullptr;
         });
}

/// Whether the op widens a 16-bit weight, or one of bytes (kInKernelAttr), to f32.
/// Kernels including contractions do so in registers when they read it; a separate kernel
/// would write two or four times the bytes in every run.
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

/// Whether the op computes an f32 matrix from a weight's elements and block scales, both
/// bytes, which kernels widen in registers.
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

/// Whether the op gathers windows, which only moves elements.
static bool isWindowing(Operation *op) {
  auto gather = dyn_cast<GatherOp>(op);
  Operation *positions = gather ? gather.getIndices().getDefiningOp() : nullptr;
  return positions && isSumOfIotas(positions);
}

/// Whether an op reads elements of an operand repeatedly, as gathers of overlapping
/// windows do, so that a fused producer would be recomputed.
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
/// The value that a chain of views starts from, and whether the chain is its only use.
struct Source {
  Value base;
  bool throughView = false;
  bool onlyUse = true;
  bool hasAllElements = true; ///< the views are transposes and reshapes
};

/// An op, the op that computes one of its operands, and why one kernel was not formed of
/// both. Later rules may join them after all.
struct Apart {
  Operation *op, *producer;
  StringRef why;
};

class Grouper {
public:
  Grouper(Block &block, HeroOf heroes) : block(block), heroes(heroes) {}
  SmallVector<Group> run();

  SmallVector<Apart> apart;

private:
  Source sourceOf(Value value) const;
  /// Returns the group whose result `operand` reads, through views, if `op` may join it.
  std::optional<unsigned> joinable(OpOperand &operand);
  /// Returns why the reader of `operand` may not join the group that computes it; empty
  /// if it may.
  StringRef whyApart(const Group &group, OpOperand &operand, const Source &source) const;
  StringRef whyNoEpilogue(const Group &group, OpOperand &operand,
                          const Source &source) const;
  /// The product of which `op` and the groups that join it read all columns, in parts.
  std::optional<unsigned> partedProduct(Operation *op, ArrayRef<unsigned> joined) const;
  /// Returns the group of the matmul of which the operand `part` reads some columns;
  /// nullopt if ops outside of `own` read any of them.
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

/// Whether all uses belong to one op (x * x uses x twice).
static bool hasOneUser(Value value) {
  return !value.use_empty() && llvm::all_equal(value.getUsers());
}

/// Whether the operand is x in x == x ? x : y and x has no users other than the select
/// and the comparison. Static scales of f8E4M3FN produce this pattern.
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

/// Whether all ops of the group may be in a hero's epilogue.
static bool isEpilogue(const Group &group) {
  return group.hero->isPlain() && llvm::all_of(group.ops, isElementwise);
}

static unsigned elementBits(Value value) {
  return getElementTypeOrSelf(value).getIntOrFloatBitWidth();
}

/// Whether a hero's kernel computes an operand with the ops of a group.
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

StringRef Grouper::whyApart(const Group &group, OpOperand &operand,
                            const Source &source) const {
  const Hero &hero = heroes(operand.getOwner());
  if (!hero.isPlain() && !group.hero->isPlain())
    return "both ops are heroes (products, attentions, norms and the like), of which a "
           "kernel has one";
  if (!hero.isPlain())
    return joinsPrologue(hero, group, operand)
               ? ""
               : "its kernel reads this operand from memory, as it would compute "
                 "elements of "
                 "it more than once";
  // Windows of windows are one strided read.
  if (readsRepeatedly(operand) && !llvm::all_of(group.ops, isWindowing))
    return "it reads elements of the operand several times, and would compute them as "
           "often";
  return group.hero->isPlain() ? "" : whyNoEpilogue(group, operand, source);
}

StringRef Grouper::whyNoEpilogue(const Group &group, OpOperand &operand,
                                 const Source &source) const {
  Operation *op = operand.getOwner();
  if (group.hero->epilogue == Hero::Epilogue::None)
    return "the kernel that computes the operand takes no ops behind its hero";
  if (!isElementwise(op))
    return "only elementwise ops join a hero's epilogue";
  if (source.throughView && !(group.hero->absorbsViews && source.hasAllElements))
    return "it reads the operand in another order, or only a part of it, so the epilogue "
           "of "
           "the kernel that computes the operand cannot have it";
  Value result = op->getResult(0);
  if (group.hero->epilogue == Hero::Epilogue::NotWider &&
      elementBits(result) > elementBits(operand.get()))
    return "its result has wider elements than the operand, and the epilogue of that "
           "kernel "
           "keeps results in the registers of its accumulators";
  return getDims(operand.get()) == getDims(result)
             ? ""
             : "its result has another shape than the operand";
}

/// Returns the number of values that a kernel of these ops reads.
static size_t countOperands(ArrayRef<Operation *> ops) {
  llvm::SmallDenseSet<Value> values;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(ops, operand.getDefiningOp()))
        values.insert(operand);
  return values.size();
}

/// Returns the number of branches for the concats among these ops, which are in the
/// block's order: a value that is two parts of a concat is computed in two branches, each
/// with all its own branches.
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

std::optional<unsigned> Grouper::joinable(OpOperand &operand) {
  Source source = sourceOf(operand.get());
  Operation *producer = source.base.getDefiningOp();
  auto it = groupOf.find(producer);
  if (!producer || it == groupOf.end())
    return std::nullopt;
  const Group &group = groups[it->second];
  StringRef why;
  if (!(source.onlyUse || isReplacedNaN(operand)))
    why = "other ops read the operand too, or it is a result of the model, so the kernel "
          "that computes it has to store it";
  else if (group.tail() != producer)
    why = "the kernel that computes the operand has other ops behind it, and stores only "
          "the result of the last";
  else
    why = whyApart(group, operand, source);
  // Sums of tensor cores that keep fewer bits than f32 stay f32, which they are compared
  // in (kiln verify): a code would be the next one.
  if (why.empty() && !source.onlyUse &&
      llvm::any_of(group.ops, llvm::IsaPred<ScaledMatmulOp>))
    why = "sums of block-scaled products are stored as f32 where two ops read them";
  if (why.empty())
    return it->second;
  apart.push_back({operand.getOwner(), producer, why});
  return std::nullopt;
}

/// Collects all ops that read a value, directly or through views.
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
    // A group has at most one hero; matmuls take precedence over rows.
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
    // All other groups that join must be valid epilogues of the hero.
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
    apart.push_back({op, ops.front(),
                     "one kernel of both would have too many ops, operands or branches "
                     "of concats"});
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

/// Whether the last dim stays the last, so that contiguous elements stay contiguous.
static bool keepsLastDim(TransposeOp transpose) {
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  return permutation.empty() || permutation.back() + 1 == int64_t(permutation.size());
}

/// Fuses transposes and reshapes that are the only user of an attention or of windows:
/// storing in the order of the user is free, whereas a separate transpose is a copy.
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

/// Leaves a remark of each pair of ops that are in different kernels in the end.
static void remarkApart(ArrayRef<Apart> apart, ArrayRef<Group> groups) {
  DenseMap<Operation *, const Group *> groupOf;
  for (const Group &group : groups)
    for (Operation *op : group.ops)
      groupOf[op] = &group;
  llvm::SmallDenseSet<std::pair<Operation *, Operation *>> told;
  for (const auto &[op, producer, why] : apart) {
    if (groupOf.lookup(op) == groupOf.lookup(producer) ||
        !told.insert({op, producer}).second)
      continue;
    auto name = [](Operation *op) { return op->getName().stripDialect().str(); };
    auto remark = remarkMissed(op->getLoc(), kFuseKernelsPass, "fuse", why);
    if (remark)
      remark << RemarkValue("Op", name(op))
             << RemarkValue("Operand",
                            name(producer) + " of " + describe(producer->getLoc()));
  }
}

SmallVector<Group> kiln::formGroups(Block &block, HeroOf heroes, bool hasGpu) {
  Grouper grouper(block, heroes);
  SmallVector<Group> groups = grouper.run();
  joinAttentionLse(groups);
  joinCacheWrites(groups);
  joinQuantizedRows(groups, hasGpu);
  remarkApart(grouper.apart, groups);
  return groups;
}
