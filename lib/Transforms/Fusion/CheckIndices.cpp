//===- CheckIndices.cpp - Checks of computed indices ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexCheckKernel.h"
#include "IndexRange.h"
#include "dialects/Graph/Reports.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Fusion/IndexReport.h"
#include "kiln/Transforms/Fusion/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace kiln {
#define GEN_PASS_DEF_CHECKINDICESPASS
#include "kiln/Transforms/Fusion/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Each part is a branch of the kernel's code; beyond this number the check is divided
/// into several kernels.
static constexpr size_t kMaxParts = 16;
static constexpr StringLiteral kCheckIndicesPass = "kiln-check-indices";

namespace {
/// Checks that can run before the same kernel of @program.
struct CheckGroup {
  Operation *before;
  std::vector<IndexCheckPart> parts;
};

class CheckIndicesPass : public kiln::impl::CheckIndicesPassBase<CheckIndicesPass> {
public:
  using CheckIndicesPassBase::CheckIndicesPassBase;
  CheckIndicesPass(const CheckIndicesPassOptions &options, KernelCodegen codegen)
      : CheckIndicesPassBase(options), codegen(std::move(codegen)) {}

  void runOnGraph() override;
  void getDependentDialects(DialectRegistry &registry) const override {
    CheckIndicesPassBase::getDependentDialects(registry);
    if (codegen.dialects)
      codegen.dialects(registry);
  }

private:
  void check(func::FuncOp function);
  void visit(OpOperand &operand);
  void add(const IndexUse &use, Operation *node);
  void annotate(const IndexSource &source, const SymbolicExpr &rows, Operation *node);
  void checkInputs();
  void emit(const CheckGroup &group);
  bool accepts(KernelOp kernel, std::string &why) {
    return !codegen.canEmit || codegen.canEmit(kernel, &why);
  }
  void addResult(Value value, Attribute check);

  KernelCodegen codegen;
  func::FuncOp program;
  SymbolRanges symbols;
  std::optional<IndexRange> plain, assuming;
  std::vector<CheckGroup> groups;
  llvm::DenseSet<std::pair<Value, Attribute>> seen; // pairs of index and rows
  IndexReport counts;
};
} // namespace

/// Returns the op of a program that contains an op, or the op itself.
static Operation *inProgram(Operation *op) {
  while (!isa<func::FuncOp>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

static bool isDefinedBefore(Value value, Operation *op) {
  Operation *producer = value.getDefiningOp();
  return !producer || producer->isBeforeInBlock(op);
}

/// Adds to the argument's attribute kIndexRowsAttr that its elements index `rows` rows,
/// unless it is there. The importer misses uses such as those through casts that have
/// been simplified since.
void CheckIndicesPass::annotate(const IndexSource &source, const SymbolicExpr &rows,
                                Operation *node) {
  unsigned number = source.argument.getArgNumber();
  auto list = program.getArgAttrOfType<ArrayAttr>(number, kIndexRowsAttr);
  DictionaryAttr entry = describeIndexRows(&getContext(), source, rows, node->getLoc());
  auto isSame = [&](Attribute other) {
    auto known = cast<DictionaryAttr>(other);
    return llvm::all_of(ArrayRef<StringRef>{"rows", "first", "step"},
                        [&](StringRef key) { return known.get(key) == entry.get(key); });
  };
  SmallVector<Attribute> entries;
  if (list)
    llvm::append_range(entries, list);
  if (llvm::none_of(entries, isSame)) {
    entries.push_back(entry);
    program.setArgAttr(number, kIndexRowsAttr, ArrayAttr::get(&getContext(), entries));
  }
}

void CheckIndicesPass::add(const IndexUse &use, Operation *node) {
  Value index = lookThroughKernels(use.index);
  if (std::optional<IndexSource> source = findIndexSource(index))
    return annotate(*source, use.rows, node);
  // Weights were checked when the model was imported.
  Attribute rows = makeShape(&getContext(), {use.rows});
  if (isa_and_nonnull<GetWeightOp>(index.getDefiningOp()) ||
      !seen.insert({index, rows}).second)
    return;
  if (plain->isInside(index, use.rows)) {
    ++counts.proved;
    return;
  }
  IndexCheckPart part{index, use.rows, node->getLoc(), {}};
  llvm::SetVector<Value> inputs = findCheckInputs(index);
  Operation *user = inProgram(node);
  CheckGroup *group = groups.empty() ? nullptr : &groups.back();
  bool joins =
      group && group->parts.size() < kMaxParts && !isLargeCheck(part, symbols) &&
      !isLargeCheck(group->parts[0], symbols) &&
      llvm::all_of(
          inputs, [&](Value input) { return isDefinedBefore(input, group->before); });
  if (!joins)
    groups.push_back({user, {}});
  groups.back().parts.push_back(part);
}

void CheckIndicesPass::visit(OpOperand &operand) {
  std::optional<SymbolicExpr> dim = indexedDim(operand);
  if (!dim)
    return;
  if (plain->isInside(operand.get(), *dim)) {
    // Constant indices are not counted as proved.
    counts.proved +=
        !isa_and_nonnull<ConstantOp, IotaOp, DimsOp, FillOp>(definingOp(operand.get()));
    return;
  }
  std::vector<IndexUse> parts = findIndexParts(operand.get());
  for (const IndexUse &part : parts)
    add(part, operand.getOwner());
  // Checks the index itself if the checks of its parts do not imply that it is in range.
  if (parts.empty() || !assuming->isInside(operand.get(), *dim))
    add({operand.get(), *dim}, operand.getOwner());
}

/// Adds a check of inputs with graph.rows before all kernels.
void CheckIndicesPass::checkInputs() {
  Block &block = program.front();
  std::vector<IndexCheckPart> parts;
  for (BlockArgument argument : program.getArguments())
    if (auto list =
            program.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), kIndexRowsAttr))
      for (auto entry : list.getAsRange<DictionaryAttr>())
        parts.push_back({argument, getDims(cast<ShapeAttr>(entry.get("rows")))[0],
                         argument.getLoc(), entry});
  for (ArrayRef<IndexCheckPart> rest = parts; !rest.empty();) {
    ArrayRef<IndexCheckPart> some = rest.take_front(kMaxParts);
    groups.push_back({&block.front(), some.vec()});
    rest = rest.drop_front(some.size());
  }
}

void CheckIndicesPass::addResult(Value value, Attribute check) {
  auto ret = cast<func::ReturnOp>(program.front().getTerminator());
  ret.getOperandsMutable().append(value);
  unsigned number = program.getNumResults();
  SmallVector<Type> results(program.getResultTypes());
  results.push_back(value.getType());
  SmallVector<DictionaryAttr> attributes;
  for (unsigned i = 0; i < number; ++i)
    attributes.push_back(program.getResultAttrDict(i));
  program.setType(FunctionType::get(&getContext(), program.getArgumentTypes(), results));
  Builder b(&getContext());
  attributes.push_back(b.getDictionaryAttr(b.getNamedAttr(kIndexCheckAttr, check)));
  for (auto &one : attributes)
    one = one ? one : b.getDictionaryAttr({});
  program.setAllResultAttrs(attributes);
}

/// Emits one kernel for all parts, or one per part if no code can be generated for it.
void CheckIndicesPass::emit(const CheckGroup &group) {
  std::string why;
  OpBuilder builder(group.before);
  IndexCheckKernels check = buildIndexCheck(builder, group.parts, symbols);
  if (llvm::all_of(check.kernels,
                   [&](KernelOp kernel) { return accepts(kernel, why); })) {
    addResult(check.kernels.back()->getResult(0), check.description);
    for (const IndexCheckPart &part : group.parts)
      remarkPassed(part.node, kCheckIndicesPass, "check",
                   "a kernel finds indices that are out of range");
    return;
  }
  for (KernelOp kernel : llvm::reverse(check.kernels))
    kernel.erase();
  if (group.parts.size() > 1) {
    for (const IndexCheckPart &part : group.parts)
      emit({group.before, {part}});
    return;
  }
  remarkMissed(group.parts[0].node, kCheckIndicesPass, "check",
               "indices out of range are clamped and not reported, since the kernel that "
               "finds them would have no code: " +
                   why);
  --(group.parts[0].input ? counts.beforeRun : counts.byModel);
  ++counts.clamped;
}

void CheckIndicesPass::check(func::FuncOp function) {
  program = function;
  groups.clear();
  seen.clear();
  // Analyses cache results by value, so they are made anew for each program.
  plain.emplace(symbols, /*assumeParts=*/false);
  assuming.emplace(symbols, /*assumeParts=*/true);
  program.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      visit(operand);
  });
  for (const CheckGroup &group : groups)
    counts.byModel += group.parts.size();
  for (unsigned i = 0; i < program.getNumArguments(); ++i)
    if (auto list = program.getArgAttrOfType<ArrayAttr>(i, kIndexRowsAttr))
      counts.beforeRun += list.size();
  if (inputs)
    checkInputs();
  for (const CheckGroup &group : groups)
    emit(group);
}

void CheckIndicesPass::runOnGraph() {
  symbols = SymbolRanges(getOperation());
  for (func::FuncOp function : programsOf(getOperation()))
    check(function);
  numProved += counts.proved;
  numChecked += counts.byModel;
  setReport(getOperation(), kIndexReportAttr, counts);
}

std::unique_ptr<Pass> kiln::createCheckIndicesPass(KernelCodegen codegen, bool inputs) {
  CheckIndicesPassOptions options;
  options.inputs = inputs;
  return std::make_unique<CheckIndicesPass>(options, std::move(codegen));
}
