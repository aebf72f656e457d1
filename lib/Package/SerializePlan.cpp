//===- SerializePlan.cpp - Serializes a plan to FlatBuffers ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Package/SerializePlan.h"
#include "dialects/Graph/IndexRows.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/abi.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/Support/ScopedPrinter.h"

#include <map>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::package;
using namespace mlir;

namespace {
/// Assigns indices to expression nodes; equal nodes are stored once.
class ExprPool {
public:
  ExprPool(fb::PlanT &plan, ArrayRef<StringAttr> symbols) : plan(plan) {
    for (StringAttr symbol : symbols)
      symbolIndex[symbol] = symbolIndex.size();
  }

  uint32_t add(const SymbolicExpr &expr);
  uint32_t max(ArrayRef<SymbolicExpr> exprs);
  uint32_t add(ShapeAttr shape) { return max(getDims(shape)); }
  uint32_t times(uint32_t expr, int64_t factor);
  uint32_t symbol(StringRef name, MLIRContext *context) {
    return symbolIndex.lookup(StringAttr::get(context, name));
  }

private:
  uint32_t node(fb::ExprKind kind, uint32_t lhs, uint32_t rhs, int64_t value);
  uint32_t atom(const SymbolicExpr::Atom &atom);

  fb::PlanT &plan;
  DenseMap<StringAttr, uint32_t> symbolIndex;
  std::map<std::tuple<int, uint32_t, uint32_t, int64_t>, uint32_t> known;
};
} // namespace

uint32_t ExprPool::node(fb::ExprKind kind, uint32_t lhs, uint32_t rhs, int64_t value) {
  auto [it, inserted] =
      known.try_emplace({int(kind), lhs, rhs, value}, plan.exprs.size());
  if (inserted) {
    auto expr = std::make_unique<fb::ExprT>();
    expr->kind = kind;
    expr->lhs = lhs;
    expr->rhs = rhs;
    expr->value = value;
    plan.exprs.push_back(std::move(expr));
  }
  return it->second;
}

uint32_t ExprPool::atom(const SymbolicExpr::Atom &atom) {
  using Kind = SymbolicExpr::AtomKind;
  if (atom.kind == Kind::Symbol)
    return node(fb::ExprKind::Symbol, symbolIndex.lookup(atom.symbol), 0, 0);
  uint32_t lhs = add(*atom.lhs), rhs = add(*atom.rhs);
  fb::ExprKind kind = atom.kind == Kind::FloorDiv  ? fb::ExprKind::FloorDiv
                      : atom.kind == Kind::CeilDiv ? fb::ExprKind::CeilDiv
                      : atom.kind == Kind::Max     ? fb::ExprKind::Max
                                                   : fb::ExprKind::Mod;
  return node(kind, lhs, rhs, 0);
}

uint32_t ExprPool::add(const SymbolicExpr &expr) {
  // Both sides of a min are stored: the runtime derives bounds node by node.
  if (std::optional<SymbolicExpr::Extremum> sides = expr.getExtremum()) {
    uint32_t a = add(sides->a), b = add(sides->b);
    return node(sides->isMax ? fb::ExprKind::Max : fb::ExprKind::Min, a, b, 0);
  }
  std::optional<uint32_t> sum;
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    std::optional<uint32_t> product;
    for (const SymbolicExpr::Atom &factor : term.factors) {
      uint32_t index = atom(factor);
      product = product ? node(fb::ExprKind::Mul, *product, index, 0) : index;
    }
    if (!product || term.coefficient != 1) {
      uint32_t coefficient = node(fb::ExprKind::Const, 0, 0, term.coefficient);
      product = product ? node(fb::ExprKind::Mul, *product, coefficient, 0) : coefficient;
    }
    sum = sum ? node(fb::ExprKind::Add, *sum, *product, 0) : *product;
  }
  return sum ? *sum : node(fb::ExprKind::Const, 0, 0, 0);
}

uint32_t ExprPool::times(uint32_t expr, int64_t factor) {
  return node(fb::ExprKind::Mul, expr, node(fb::ExprKind::Const, 0, 0, factor), 0);
}

uint32_t ExprPool::max(ArrayRef<SymbolicExpr> exprs) {
  uint32_t result = add(exprs.front());
  for (const SymbolicExpr &expr : exprs.drop_front())
    result = node(fb::ExprKind::Max, result, add(expr), 0);
  return result;
}

/// Returns the dtype with the type's name: F8E4M3FN of f8E4M3FN, U4 of ui4, Bool of i1.
static fb::DType dtypeOf(Type type) {
  if (type.isInteger(1))
    return fb::DType::Bool;
  std::string name = StringRef(llvm::to_string(type)).upper();
  if (type.isUnsignedInteger())
    name.erase(1, 1); // the i of ui4
  const auto *dtype = llvm::find_if(fb::EnumValuesDType(), [&](fb::DType dtype) {
    return fb::EnumNameDType(dtype) == name;
  });
  assert(dtype != std::end(fb::EnumValuesDType()) && "the importer knows the type");
  return *dtype;
}

static std::string formulaOf(ShapeAttr sizes) {
  Dims dims = getDims(sizes);
  std::string text = dims.size() > 1 ? "max(" : "";
  for (auto [i, dim] : llvm::enumerate(dims))
    text += (i ? ", " : "") + dim.str();
  return text + (dims.size() > 1 ? ")" : "");
}

/// Returns the symbols that a program's plan needs; each of several programs has its own.
/// The capacity of sequences may be in no tensor if all states are ring buffers.
static SmallVector<StringAttr> symbolsOf(ModuleOp module, plan::ProgramOp program,
                                         func::FuncOp function) {
  SmallVector<StringAttr> all;
  for (auto symbol : module.getOps<SymbolOp>())
    all.push_back(symbol.getSymNameAttr());
  // A single program has all symbols, even unused ones: they make up the envelope.
  if (!program.getName())
    return all;
  llvm::DenseSet<StringAttr> used;
  AttrTypeWalker walker;
  walker.addWalk([&](ShapeAttr shape) {
    for (StringAttr name : shape.getSymbols())
      used.insert(name);
  });
  program.walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (Attribute about = function.getArgAttr(i, kCountsAttr))
      walker.walk(about);
  llvm::erase_if(all, [&](StringAttr name) { return !used.contains(name); });
  return all;
}

static int32_t stageNumber(Operation *op) {
  return static_cast<int32_t>(plan::stageOf(op).value_or(-1));
}

namespace {
class Serializer {
public:
  Serializer(ModuleOp module, plan::ProgramOp program,
             const llvm::StringMap<KernelImage> &kernels, ArrayRef<TargetImage> targets)
      : module(module), program(program), kernels(kernels), targets(targets),
        function(
            cast<func::FuncOp>(module.lookupSymbol(program.getName().value_or("main")))),
        symbols(symbolsOf(module, program, function)), pool(plan, symbols) {}

  fb::PlanT run();

private:
  void addSymbols();
  void addArena(plan::ArenaOp op);
  void addBuffer(plan::BufferOp op);
  void addTensor(plan::BufferOp op, uint32_t buffer, fb::ArenaKind kind);
  std::unique_ptr<fb::BlockT> makeBlock(const KernelImage::Block &from);
  std::unique_ptr<fb::TensorMapT> makeMap(const KernelImage::TensorMap &from);
  uint32_t kernelIndex(StringRef name, plan::LaunchOp launch);
  void addVariants(plan::LaunchOp op, const KernelImage &image, fb::KernelT &kernel);
  void addLaunch(plan::LaunchOp op);
  void addCopy(plan::CopyOp op);
  void addCollective(plan::CollectiveOp op);
  void addIndexRows();
  void addSequences();
  void addIndexCheck(DictionaryAttr check, uint32_t buffer);
  void findCheckSteps();
  std::vector<uint32_t> buffersOf(ArrayAttr names);

  ModuleOp module;
  plan::ProgramOp program;
  const llvm::StringMap<KernelImage> &kernels;
  ArrayRef<TargetImage> targets;
  func::FuncOp function; ///< the program was made from it
  SmallVector<StringAttr> symbols;
  fb::PlanT plan;
  ExprPool pool;
  llvm::StringMap<uint32_t> arenas, buffers, kernelNumbers;
};
} // namespace

void Serializer::addSymbols() {
  for (StringAttr name : symbols) {
    auto op = module.lookupSymbol<SymbolOp>(name);
    auto symbol = std::make_unique<fb::SymbolT>();
    symbol->name = op.getSymName().str();
    symbol->min = op.getMin();
    symbol->max = op.getMax();
    plan.symbols.push_back(std::move(symbol));
  }
}

void Serializer::addArena(plan::ArenaOp op) {
  auto arena = std::make_unique<fb::ArenaT>();
  arena->kind = static_cast<fb::ArenaKind>(op.getKind());
  arena->size = pool.add(op.getSizes());
  arena->formula = formulaOf(op.getSizes());
  arenas[op.getSymName()] = plan.arenas.size();
  plan.arenas.push_back(std::move(arena));
}

std::vector<uint32_t> Serializer::buffersOf(ArrayAttr names) {
  std::vector<uint32_t> result;
  for (auto name : names.getAsRange<FlatSymbolRefAttr>())
    result.push_back(buffers.lookup(name.getValue()));
  return result;
}

static std::unique_ptr<fb::RankAxis> axisOf(ArrayRef<int64_t> ranks) {
  return std::make_unique<fb::RankAxis>(uint32_t(ranks[0]), uint32_t(ranks[1]));
}

void Serializer::addBuffer(plan::BufferOp op) {
  auto buffer = std::make_unique<fb::BufferT>();
  buffer->arena = arenas.lookup(op.getArena());
  buffer->size = pool.add(op.getSize());
  buffer->offset = op.getOffset().value_or(0);
  buffer->rank_stride = op.getStride().value_or(0);
  if (op.getRanks())
    buffer->rank_axis = axisOf(*op.getRanks());
  buffer->stage = stageNumber(op);
  if (op.getAbove())
    buffer->above = buffersOf(*op.getAbove());
  buffer->first_step = op.getFirst();
  buffer->last_step = op.getLast();
  buffer->name = op.getSource().value_or("").str();
  buffer->alias_of = op.getAlias() ? int32_t(buffers.lookup(*op.getAlias())) : -1;
  uint32_t index = plan.buffers.size();
  buffers[op.getSymName()] = index;
  fb::ArenaKind kind = plan.arenas[buffer->arena]->kind;
  plan.buffers.push_back(std::move(buffer));
  addTensor(op, index, kind);
  if (op.getCheck())
    addIndexCheck(*op.getCheck(), index);
}

void Serializer::addTensor(plan::BufferOp op, uint32_t buffer, fb::ArenaKind kind) {
  if (!op.getType())
    return;
  auto type = cast<RankedTensorType>(*op.getType());
  auto tensor = std::make_unique<fb::TensorT>();
  tensor->name = op.getSource().value_or("").str();
  tensor->dtype = dtypeOf(type.getElementType());
  for (const SymbolicExpr &dim : getDims(type))
    tensor->dims.push_back(pool.add(dim));
  tensor->buffer = buffer;
  (kind == fb::ArenaKind::Input    ? plan.inputs
   : kind == fb::ArenaKind::Output ? plan.outputs
                                   : plan.states)
      .push_back(std::move(tensor));
}

std::unique_ptr<fb::TensorMapT> Serializer::makeMap(const KernelImage::TensorMap &from) {
  auto map = std::make_unique<fb::TensorMapT>();
  map->buffer = from.buffer;
  map->dtype = dtypeOf(from.element);
  map->offset = pool.add(from.offset);
  for (const SymbolicExpr &extent : from.extents)
    map->extents.push_back(pool.add(extent));
  for (const SymbolicExpr &stride : from.strides)
    map->strides.push_back(pool.add(stride));
  map->box = from.box;
  map->swizzle = from.swizzle;
  return map;
}

std::unique_ptr<fb::BlockT> Serializer::makeBlock(const KernelImage::Block &from) {
  auto block = std::make_unique<fb::BlockT>();
  block->threads = from.threads;
  block->shared = pool.add(from.shared);
  for (const KernelImage::TensorMap &map : from.maps)
    block->maps.push_back(makeMap(map));
  block->persistent = !from.maps.empty();
  block->waits = from.waits;
  block->cluster = from.cluster;
  block->cubin = from.cubin;
  block->cubin_size = from.cubinSize;
  if (from.workspace) {
    block->workspace = static_cast<int32_t>(pool.add(*from.workspace));
    block->tickets = static_cast<int32_t>(pool.add(from.tickets));
  }
  return block;
}

/// Adds a launch's variants to its kernel. Expressions are pooled between launches.
void Serializer::addVariants(plan::LaunchOp op, const KernelImage &image,
                             fb::KernelT &kernel) {
  if (!op.getVariants())
    return;
  for (auto one : op.getVariants()->getAsRange<plan::VariantAttr>()) {
    auto variant = std::make_unique<fb::VariantT>();
    variant->name = one.getKernel().getValue().str();
    const KernelImage::Variant &code =
        image.variants.at({one.getTarget(), variant->name});
    variant->target = static_cast<uint32_t>(one.getTarget());
    for (auto bound : one.getWhen().getAsRange<plan::BoundAttr>()) {
      auto &added = variant->when.emplace_back(std::make_unique<fb::BoundT>());
      added->value = pool.add(bound.getValue());
      added->max = bound.getMax();
    }
    variant->entry = code.entry;
    variant->grid = pool.add(one.getGrid());
    variant->block = makeBlock(code.block);
    variant->config = code.config;
    kernel.variants.push_back(std::move(variant));
  }
}

/// Returns the index of a kernel. `launch`: the launch whose variants it has; null: none.
uint32_t Serializer::kernelIndex(StringRef name, plan::LaunchOp launch) {
  auto [it, inserted] = kernelNumbers.try_emplace(name, plan.kernels.size());
  if (!inserted)
    return it->second;
  const KernelImage &image = kernels.find(name)->second;
  auto kernel = std::make_unique<fb::KernelT>();
  kernel->name = name.str();
  kernel->entries = image.entries;
  for (const std::string &symbol : image.symbols)
    kernel->symbols.push_back(pool.symbol(symbol, module.getContext()));
  kernel->scratch =
      image.scratch.empty() ? pool.add(SymbolicExpr(0)) : pool.max(image.scratch);
  if (llvm::any_of(targets, [](const TargetImage &target) { return target.isGpu; }))
    for (const KernelImage::Block &from : image.blocks)
      kernel->blocks.push_back(makeBlock(from));
  if (launch)
    addVariants(launch, image, *kernel);
  kernel->hero = image.hero;
  kernel->config = image.configs.front();
  if (targets.size() > 1)
    kernel->configs = image.configs;
  plan.kernels.push_back(std::move(kernel));
  return it->second;
}

void Serializer::addLaunch(plan::LaunchOp op) {
  auto step = std::make_unique<fb::StepT>();
  step->kind = fb::StepKind::Launch;
  step->stage = stageNumber(op);
  step->kernel = kernelIndex(op.getKernel(), op);
  step->reads = buffersOf(op.getReads());
  step->writes = buffersOf(op.getWrites());
  for (const SymbolicExpr &grid : getDims(op.getGrid()))
    step->grids.push_back(pool.add(grid));
  if (op.getNodes())
    for (auto node : op.getNodes()->getAsRange<StringAttr>())
      step->nodes.push_back(node.str());
  step->bytes = pool.add(op.getBytes());
  step->flops = pool.add(op.getFlops());
  if (op.getWorkspace()) {
    step->workspace = static_cast<int32_t>(buffers.lookup(*op.getWorkspace()));
    step->tickets = static_cast<int32_t>(buffers.lookup(*op.getTickets()));
  }
  plan.steps.push_back(std::move(step));
}

void Serializer::addCopy(plan::CopyOp op) {
  auto step = std::make_unique<fb::StepT>();
  step->kind = fb::StepKind::Copy;
  step->stage = stageNumber(op);
  step->reads = {buffers.lookup(op.getFrom())};
  step->writes = {buffers.lookup(op.getTo())};
  step->bytes = pool.times(plan.buffers[step->reads[0]]->size, 2); // read and written
  step->flops = pool.add(SymbolicExpr(0));
  plan.steps.push_back(std::move(step));
}

static fb::Reduction reductionOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::mean:
    return fb::Reduction::Mean;
  case ReduceKind::max:
    return fb::Reduction::Max;
  case ReduceKind::min:
    return fb::Reduction::Min;
  case ReduceKind::prod:
    return fb::Reduction::Prod;
  default:
    return fb::Reduction::Sum;
  }
}

void Serializer::addCollective(plan::CollectiveOp op) {
  auto step = std::make_unique<fb::StepT>();
  step->kind = fb::StepKind::Collective;
  step->stage = stageNumber(op);
  step->reads = {buffers.lookup(op.getFrom())};
  step->writes = {buffers.lookup(op.getTo())};
  if (op.getNodes())
    for (auto node : op.getNodes()->getAsRange<StringAttr>())
      step->nodes.push_back(node.str());
  SymbolicExpr all = getDims(op.getOuter())[0] * getDims(op.getInner())[0];
  int64_t ranks = plan::axisOf(op.getRanks(), ranksOf(module)).size;
  SymbolicExpr whole = all * SymbolicExpr(ranks);
  bool reduces = op.getReduction().has_value();
  bool isWhole = op.getKind() == plan::CollectiveKind::all_gather ||
                 op.getKind() == plan::CollectiveKind::reduce_scatter;
  bool exchanges = op.getKind() == plan::CollectiveKind::all_to_all;
  // Number of elements of a rank's operand and result.
  SymbolicExpr elements = isWhole ? all + whole : exchanges ? whole + whole : all + all;
  step->bytes = pool.add(elements * SymbolicExpr(graph::elementBytes(op.getElement())));
  step->flops = pool.add(reduces ? all * SymbolicExpr(ranks - 1) : 0);
  step->collective = std::make_unique<fb::CollectiveT>();
  step->collective->kind = static_cast<fb::CollectiveKind>(op.getKind());
  step->collective->reduction = reductionOf(op.getReduction().value_or(ReduceKind::sum));
  step->collective->dtype = dtypeOf(op.getElement());
  step->collective->outer = pool.add(op.getOuter());
  step->collective->inner = pool.add(op.getInner());
  if (op.getRanks())
    step->collective->rank_axis = axisOf(*op.getRanks());
  if (op.getKernel())
    step->collective->kernel = static_cast<int32_t>(kernelIndex(*op.getKernel(), {}));
  if (op.getSplitKernel())
    step->collective->split_kernel =
        static_cast<int32_t>(kernelIndex(*op.getSplitKernel(), {}));
  step->collective->join = static_cast<uint32_t>(op.getJoin().value_or(0));
  step->collective->takers = static_cast<int32_t>(op.getTakers().value_or(-1));
  plan.steps.push_back(std::move(step));
}

/// The function's arguments are the plan's inputs, in the same order.
void Serializer::addIndexRows() {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto list = function.getArgAttrOfType<ArrayAttr>(i, kIndexRowsAttr);
    if (!list)
      continue;
    for (auto one : list.getAsRange<DictionaryAttr>()) {
      auto rows = std::make_unique<fb::IndexRowsT>();
      rows->input = i;
      rows->rows = pool.add(cast<ShapeAttr>(one.get("rows")));
      if (auto step = one.getAs<IntegerAttr>("step")) {
        rows->first = one.getAs<IntegerAttr>("first").getInt();
        rows->step = step.getInt();
      }
      rows->node = one.getAs<StringAttr>("node").str();
      plan.index_rows.push_back(std::move(rows));
    }
  }
}

/// Returns the index of the tensor with a name.
static uint32_t numberOf(ArrayRef<std::unique_ptr<fb::TensorT>> tensors, StringRef name) {
  return llvm::find_if(tensors, [&](auto &t) { return t->name == name; }) -
         tensors.begin();
}

void Serializer::addSequences() {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto about = function.getArgAttrOfType<DictionaryAttr>(i, kCountsAttr);
    if (!about)
      continue;
    StringRef lengths = about.getAs<StringAttr>("lengths").getValue();
    StringRef counts = function.getArgAttrOfType<StringAttr>(i, kNameAttr).getValue();
    plan.sequences = std::make_unique<fb::SequencesT>();
    plan.sequences->lengths = numberOf(plan.states, lengths);
    plan.sequences->counts = numberOf(plan.inputs, counts);
    plan.sequences->added = pool.add(about.getAs<ShapeAttr>("added"));
    plan.sequences->capacity = pool.add(about.getAs<ShapeAttr>("capacity"));
    if (auto ring = about.getAs<IntegerAttr>("ring")) {
      plan.sequences->ring = ring.getInt();
      plan.sequences->window = about.getAs<IntegerAttr>("window").getInt();
    }
  }
}

void Serializer::addIndexCheck(DictionaryAttr check, uint32_t buffer) {
  auto result = std::make_unique<fb::IndexCheckT>();
  result->buffer = buffer;
  result->value_bits = check.getAs<IntegerAttr>("bits").getInt();
  for (auto from : check.getAs<ArrayAttr>("parts").getAsRange<DictionaryAttr>()) {
    auto part = std::make_unique<fb::CheckedPartT>();
    part->rows = pool.add(from.getAs<ShapeAttr>("rows"));
    part->node = from.getAs<StringAttr>("node").str();
    if (auto dims = from.getAs<ShapeAttr>("dims"))
      for (const SymbolicExpr &dim : getDims(dims))
        part->dims.push_back(pool.add(dim));
    if (auto input = from.getAs<IntegerAttr>("input"))
      part->input = static_cast<int32_t>(input.getInt());
    if (auto step = from.getAs<IntegerAttr>("step")) {
      part->first = from.getAs<IntegerAttr>("first").getInt();
      part->step = step.getInt();
    }
    result->parts.push_back(std::move(part));
  }
  plan.index_checks.push_back(std::move(result));
}

void Serializer::findCheckSteps() {
  for (auto &check : plan.index_checks)
    for (auto [i, step] : llvm::enumerate(plan.steps))
      if (llvm::is_contained(step->writes, check->buffer))
        check->step = i;
}

fb::PlanT Serializer::run() {
  plan.abi_version = KILN_HOST_ABI_VERSION;
  plan.stages = static_cast<uint32_t>(program.getStages().value_or(1));
  plan.ranks = static_cast<uint32_t>(ranksOf(module)) * plan.stages;
  plan.name = program.getName().value_or("").str();
  addSymbols();
  for (Operation &op : program.getBody().front()) {
    if (auto arena = dyn_cast<plan::ArenaOp>(op))
      addArena(arena);
    else if (auto buffer = dyn_cast<plan::BufferOp>(op))
      addBuffer(buffer);
    else if (auto launch = dyn_cast<plan::LaunchOp>(op))
      addLaunch(launch);
    else if (auto copy = dyn_cast<plan::CopyOp>(op))
      addCopy(copy);
    else if (auto collective = dyn_cast<plan::CollectiveOp>(op))
      addCollective(collective);
  }
  addIndexRows();
  addSequences();
  findCheckSteps();
  uint32_t images[2] = {0, 0};
  for (const TargetImage &target : targets) {
    auto entry = std::make_unique<fb::TargetT>();
    entry->name = target.name;
    entry->features = target.features;
    entry->kind = target.isGpu ? fb::TargetKind::Cuda : fb::TargetKind::Host;
    entry->image = images[target.isGpu]++;
    plan.targets.push_back(std::move(entry));
  }
  return std::move(plan);
}

fb::PlanT kiln::package::serializePlan(ModuleOp module, plan::ProgramOp program,
                                       const llvm::StringMap<KernelImage> &kernels,
                                       ArrayRef<TargetImage> targets) {
  return Serializer(module, program, kernels, targets).run();
}
