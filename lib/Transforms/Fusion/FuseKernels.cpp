//===- FuseKernels.cpp - Groups ops into kernels --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "kiln/Analysis/VerifyPrograms.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Activity.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Target/CheckTargets.h"
#include "kiln/Transforms/Fusion/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace kiln {
#define GEN_PASS_DEF_FUSEKERNELSPASS
#include "kiln/Transforms/Fusion/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Hero of kernels that copy values, and of all kernels without code generation.
static const Hero kPlain{"pointwise", 0, Hero::Prologue::All, Hero::Epilogue::All,
                         /*absorbsViews=*/false};

namespace {
/// Builds one graph.kernel from a list of ops.
class KernelBuilder {
public:
  /// absorbViews: views between the ops and their sources are copied into the kernel;
  /// otherwise the views' results are operands.
  KernelBuilder(ArrayRef<Operation *> ops, const Hero &hero, bool absorbViews)
      : ops(ops), results(ops.take_back()), hero(hero), absorbViews(absorbViews) {
    members.insert_range(ops);
  }
  /// Builds one kernel from several groups, with one result per group.
  KernelBuilder(ArrayRef<Operation *> ops, ArrayRef<Operation *> results,
                const Hero &hero)
      : KernelBuilder(ops, hero, /*absorbViews=*/true) {
    this->results = results;
  }

  /// Inserts the kernel before the last op without replacing anything.
  KernelOp build();

private:
  bool isCopied(Operation *op) const {
    return op && isCopiedIntoUsers(op) && (absorbViews || !isView(op));
  }
  /// Adds `value` as an operand, or adds the ops to copy in to compute it.
  void require(Value value);
  ArrayAttr sourceNodes(OpBuilder &builder) const;

  ArrayRef<Operation *> ops;
  ArrayRef<Operation *> results; ///< ops whose results the kernel returns
  const Hero &hero;
  bool absorbViews;
  llvm::SmallPtrSet<Operation *, 16> members;
  llvm::SetVector<Value> operands;
  llvm::SetVector<Operation *> body; // in topological order
};
} // namespace

void KernelBuilder::require(Value value) {
  Operation *producer = value.getDefiningOp();
  if (producer && (members.contains(producer) || body.contains(producer)))
    return;
  if (!isCopied(producer)) {
    operands.insert(value);
    return;
  }
  for (Value operand : producer->getOperands())
    require(operand);
  body.insert(producer);
}

ArrayAttr KernelBuilder::sourceNodes(OpBuilder &builder) const {
  llvm::SetVector<Attribute> names;
  for (Operation *op : ops)
    if (std::optional<std::string> name = nodeName(op->getLoc()))
      names.insert(builder.getStringAttr(*name));
  return builder.getArrayAttr(names.getArrayRef());
}

KernelOp KernelBuilder::build() {
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      require(operand);
    body.insert(op);
  }
  Operation *tail = ops.back();
  OpBuilder builder(tail);
  SmallVector<Location> locations;
  for (Operation *op : ops)
    locations.push_back(op->getLoc());
  SmallVector<Type> types;
  for (Operation *op : results)
    llvm::append_range(types, op->getResultTypes());
  auto kernel = KernelOp::create(builder, builder.getFusedLoc(locations), types,
                                 hero.name, operands.getArrayRef(), sourceNodes(builder),
                                 /*code=*/FlatSymbolRefAttr());
  Block &block = kernel.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value operand : operands)
    mapping.map(operand, block.addArgument(operand.getType(), operand.getLoc()));
  builder.setInsertionPointToStart(&block);
  for (Operation *op : body)
    builder.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (Operation *op : results)
    for (Value result : op->getResults())
      yielded.push_back(mapping.lookup(result));
  YieldOp::create(builder, tail->getLoc(), yielded);
  return kernel;
}

namespace {
class FuseKernelsPass : public kiln::impl::FuseKernelsPassBase<FuseKernelsPass> {
public:
  using FuseKernelsPassBase::FuseKernelsPassBase;
  FuseKernelsPass(const FuseKernelsPassOptions &options, KernelCodegen codegen)
      : FuseKernelsPassBase(options), codegen(std::move(codegen)) {}

  LogicalResult initialize(MLIRContext *context) override {
    return checkTargets(UnknownLoc::get(context), llvm::to_vector(*targets));
  }
  void runOnOperation() override;
  void getDependentDialects(DialectRegistry &registry) const override {
    FuseKernelsPassBase::getDependentDialects(registry);
    if (codegen.dialects)
      codegen.dialects(registry);
  }

private:
  const Hero &heroOf(Operation *op) const {
    return codegen.heroOf ? codegen.heroOf(op) : kPlain;
  }
  bool accepts(KernelOp kernel, std::string &why) {
    return !codegen.canEmit || codegen.canEmit(kernel, &why);
  }
  /// Replaces the last op by the kernel.
  void commit(KernelOp kernel, ArrayRef<Operation *> ops) {
    commit(kernel, ops, ops.take_back());
  }
  void commit(KernelOp kernel, ArrayRef<Operation *> ops, ArrayRef<Operation *> results);
  /// Replaces a kernel without code by smaller ones.
  void split(KernelOp kernel, StringRef why);
  LogicalResult emitGroup(const Group &group);
  /// Emits one kernel for all parts of a group, or one kernel per part.
  LogicalResult emitParts(const Group &group);
  /// Emits a kernel for a single op; operands that it cannot compute are computed by
  /// separate kernels.
  LogicalResult emitAlone(Operation *op);
  LogicalResult materializeViews(Operation *op);
  LogicalResult materializeValues(Operation *op);
  LogicalResult materialize(Operation *op);
  /// Emits kernels that copy the operand a kernel of these ops should not read through
  /// views; false if there is none.
  FailureOr<bool> copyOperand(KernelOp kernel, ArrayRef<Operation *> ops);
  LogicalResult finishOutside(Block &block);
  LogicalResult fuse(Block &block);

  KernelCodegen codegen;
};
} // namespace

/// Erases views between two ops of a kernel, which were copied in and have no other
/// users.
static void eraseDeadViews(Operation *source) {
  for (Operation *user : llvm::make_early_inc_range(source->getUsers())) {
    if (!isView(user))
      continue;
    eraseDeadViews(user);
    if (user->use_empty())
      user->erase();
  }
}

/// Moves views of results after the kernel, which is at the place of its last op.
static void moveViewsBehind(Operation *kernel) {
  SmallVector<Operation *> views;
  SmallVector<Value> worklist(kernel->getResults());
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers())
      if (user->isBeforeInBlock(kernel)) {
        views.push_back(user);
        llvm::append_range(worklist, user->getResults());
      }
  llvm::sort(views, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  views.erase(llvm::unique(views), views.end());
  for (Operation *view : llvm::reverse(views))
    view->moveAfter(kernel);
}

/// Returns the names of the nodes that the ops come from, each once.
static std::string nodesOf(ArrayRef<Operation *> ops) {
  SmallVector<std::string> nodes;
  for (Operation *op : ops)
    if (std::string node = describe(op->getLoc()); !llvm::is_contained(nodes, node))
      nodes.push_back(std::move(node));
  return llvm::join(nodes, ", ");
}

void FuseKernelsPass::commit(KernelOp kernel, ArrayRef<Operation *> ops,
                             ArrayRef<Operation *> results) {
  ++numKernels;
  if (ops.size() > 1)
    if (auto remark = remarkPassed(kernel.getLoc(), kFuseKernelsPass, "fuse",
                                   "one kernel for several ops"))
      remark << RemarkValue("Hero", kernel.getHero()) << RemarkValue("Ops", ops.size())
             << RemarkValue("Nodes", nodesOf(ops));
  for (auto [op, result] : llvm::zip_equal(results, kernel->getResults()))
    op->getResult(0).replaceAllUsesWith(result);
  moveViewsBehind(kernel);
  for (Operation *op : llvm::reverse(ops)) {
    eraseDeadViews(op);
    if (op->use_empty())
      op->erase();
  }
}

FailureOr<bool> FuseKernelsPass::copyOperand(KernelOp kernel, ArrayRef<Operation *> ops) {
  std::optional<unsigned> number;
  if (codegen.operandToCopy)
    number = codegen.operandToCopy(
        kernel, std::vector<std::string>(targets.begin(), targets.end()));
  if (!number)
    return false;
  // Finds the ops' reads of the operand through transposes.
  llvm::SetVector<Operation *> views;
  for (Operation *op : ops)
    for (Value operand : op->getOperands()) {
      Value base = operand;
      bool turns = false;
      for (Operation *view; (view = base.getDefiningOp()) && isView(view);
           base = view->getOperand(0))
        turns |= isa<TransposeOp>(view);
      if (turns && base == kernel.getOperand(*number))
        views.insert(operand.getDefiningOp());
    }
  for (Operation *view : views) {
    ++numCopied;
    remarkMissed(
        view->getLoc(), kFuseKernelsPass, "read-transposed",
        "its user reads it along another dim than it writes, and no kernel family "
        "transposes it in scratch memory: a kernel of its own makes a copy");
    if (failed(materialize(view)))
      return failure();
  }
  return !views.empty();
}

void FuseKernelsPass::split(KernelOp kernel, StringRef why) {
  ++numSplit;
  remarkMissed(kernel.getLoc(), kFuseKernelsPass, "emit",
               "no code can be generated for one kernel of all these ops, which become "
               "several: " +
                   why);
  kernel.erase();
}

/// Whether ops other than `ops` read the value, directly or through views.
static bool isReadOutside(Value value, ArrayRef<Operation *> ops) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isView(user))
      return isReadOutside(user->getResult(0), ops);
    return !llvm::is_contained(ops, user);
  });
}

LogicalResult FuseKernelsPass::emitParts(const Group &group) {
  std::string why;
  SmallVector<Operation *> results;
  for (const Group &part : group.parts)
    if (isReadOutside(part.tail()->getResult(0), group.ops))
      results.push_back(part.tail());
  KernelOp kernel = KernelBuilder(group.ops, results, *group.hero).build();
  if (FailureOr<bool> copied = copyOperand(kernel, group.ops);
      failed(copied) || *copied) {
    kernel.erase();
    return succeeded(copied) ? emitParts(group) : failure();
  }
  if (accepts(kernel, why)) {
    commit(kernel, group.ops, results);
    return success();
  }
  split(kernel, why);
  for (const Group &part : group.parts)
    if (failed(emitGroup(part)))
      return failure();
  return success();
}

LogicalResult FuseKernelsPass::emitGroup(const Group &group) {
  if (!group.parts.empty())
    return emitParts(group);
  std::string why;
  KernelOp kernel = KernelBuilder(group.ops, *group.hero, /*absorbViews=*/true).build();
  if (FailureOr<bool> copied = copyOperand(kernel, group.ops);
      failed(copied) || *copied) {
    kernel.erase();
    return succeeded(copied) ? emitGroup(group) : failure();
  }
  if (accepts(kernel, why)) {
    commit(kernel, group.ops);
    return success();
  }
  split(kernel, why);
  for (Operation *op : group.ops)
    if (failed(emitAlone(op)))
      return failure();
  return success();
}

LogicalResult FuseKernelsPass::emitAlone(Operation *op) {
  std::string why;
  auto kernelIfAccepted = [&](bool absorbViews) {
    KernelOp kernel = KernelBuilder({op}, heroOf(op), absorbViews).build();
    bool accepted = accepts(kernel, why);
    accepted ? commit(kernel, {op}) : kernel.erase();
    return accepted;
  };
  if (kernelIfAccepted(/*absorbViews=*/true))
    return success();
  if (failed(materializeViews(op)))
    return failure();
  if (kernelIfAccepted(/*absorbViews=*/false))
    return success();
  if (failed(materializeValues(op)))
    return failure();
  if (kernelIfAccepted(/*absorbViews=*/false))
    return success();
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::NoKernel;
  diagnosis.what =
      "no code can be generated for '" + op->getName().getStringRef().str() + "'";
  diagnosis.found = why;
  diagnosis.fix = "change the model at this node, or report it";
  return emitError(op->getLoc(), diagnosis);
}

LogicalResult FuseKernelsPass::materializeViews(Operation *op) {
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp(); producer && isView(producer))
      if (failed(materialize(producer)))
        return failure();
  return success();
}

/// Writes operands that are computed where they are read, such as fills, to memory, as
/// contractions cannot compute them. Other users still compute them.
LogicalResult FuseKernelsPass::materializeValues(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!producer || !isCopiedIntoUsers(producer) || isView(producer) ||
        isa<UnpackOp>(producer))
      continue;
    Operation *own = OpBuilder(op).clone(*producer);
    operand.set(own->getResult(0));
    if (failed(materialize(own)))
      return failure();
  }
  return success();
}

/// Copies a view or a constant to a value in memory.
LogicalResult FuseKernelsPass::materialize(Operation *op) {
  std::string why;
  KernelOp kernel = KernelBuilder({op}, kPlain, /*absorbViews=*/true).build();
  if (!accepts(kernel, why)) {
    Diagnosis diagnosis;
    diagnosis.code = ErrorCode::NoKernel;
    diagnosis.what =
        "no code can be generated for '" + op->getName().getStringRef().str() + "'";
    diagnosis.found = why;
    return emitError(op->getLoc(), diagnosis);
  }
  commit(kernel, {op});
  return success();
}

/// Handles ops that kernels copy but that results and collectives still read directly:
/// reshapes stay (they are free), others become kernels, and unused ones are erased.
LogicalResult FuseKernelsPass::finishOutside(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!isCopiedIntoUsers(&op))
      continue;
    if (op.use_empty())
      op.erase();
    else
      ops.push_back(&op);
  }
  for (Operation *op : llvm::reverse(ops)) {
    auto reshape = dyn_cast<ReshapeOp>(op);
    bool wholeValue = reshape && !isa_and_nonnull<ConstantOp, FillOp, IotaOp, DimsOp>(
                                     reshape.getInput().getDefiningOp());
    bool readOutside = llvm::any_of(op->getUsers(), [](Operation *user) {
      return staysOutside(user) || isa<ReshapeOp>(user);
    });
    if (!wholeValue && readOutside && failed(materialize(op)))
      return failure();
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isCopiedIntoUsers(&op) && op.use_empty())
      op.erase();
  return success();
}

LogicalResult FuseKernelsPass::fuse(Block &block) {
  auto heroes = [&](Operation *op) -> const Hero & { return heroOf(op); };
  bool hasGpu =
      llvm::any_of(targets, [](StringRef target) { return target.starts_with("sm_"); });
  for (const Group &group : formGroups(block, heroes, hasGpu)) {
    Activity activity("kernel of " + describe(group.ops.back()->getLoc()));
    if (failed(emitGroup(group)))
      return failure();
  }
  return finishOutside(block);
}

void FuseKernelsPass::runOnOperation() {
  SmallVector<func::FuncOp> programs = programsOf(getOperation());
  if (!programs.empty() && failed(verifyPrograms(getOperation())))
    return signalPassFailure();
  for (func::FuncOp program : programs)
    if (failed(fuse(program.front())))
      return signalPassFailure();
}

std::unique_ptr<Pass> kiln::createFuseKernelsPass(KernelCodegen codegen,
                                                  ArrayRef<std::string> targets) {
  FuseKernelsPassOptions options;
  options.targets.assign(targets.begin(), targets.end());
  return std::make_unique<FuseKernelsPass>(options, std::move(codegen));
}
