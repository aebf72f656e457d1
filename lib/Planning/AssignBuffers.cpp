//===- AssignBuffers.cpp - Buffers and steps of a function ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "dialects/Graph/IndexRows.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassRemark.h"
#include "llvm/ADT/SetVector.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;
using plan::ArenaKind;

static constexpr StringLiteral kBuildPlanPass = "kiln-build-plan";

namespace {
class Assigner {
public:
  Assigner(func::FuncOp main, WeightPlaces &places) : main(main), places(places) {}
  FailureOr<Program> run();

private:
  unsigned add(Value value, ArenaKind arena, StringRef source);
  LogicalResult addInputs();
  LogicalResult checkFixed(BlockArgument state, StringRef name);
  void addOutputs(func::ReturnOp ret);
  void addWeight(GetWeightOp op);
  LogicalResult addOp(Operation &op);
  void addKernel(KernelOp kernel);
  void addCollective(Operation *op);
  unsigned resultBuffer(OpResult result);
  unsigned copied(Value value, unsigned buffer);
  void copyToOutput(Value value, unsigned result);
  void copyToStates(func::ReturnOp ret);
  LogicalResult checkStates();
  std::string outputName(unsigned result);
  StringAttr stateOf(unsigned result) {
    return main.getResultAttrOfType<StringAttr>(result, kStateAttr);
  }
  DictionaryAttr checkOf(unsigned result) {
    return main.getResultAttrOfType<DictionaryAttr>(result, kIndexCheckAttr);
  }

  func::FuncOp main;
  WeightPlaces &places;
  Program program;
  DenseMap<Value, unsigned> bufferOf;
  DenseMap<Value, unsigned> outputOf;     // base value -> output that it is written to
  DenseMap<Value, DictionaryAttr> checks; // results that are not outputs
  DenseMap<unsigned, unsigned> outputs;   // result -> buffer of the output
  DenseMap<Attribute, unsigned> states;   // name -> buffer of the state
  DenseMap<Attribute, unsigned> weights;
};
} // namespace

/// Returns the value before any reshapes, which has the same bytes.
static Value baseOf(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return value;
}

unsigned Assigner::add(Value value, ArenaKind arena, StringRef source) {
  Buffer buffer;
  buffer.arena = arena;
  buffer.size = byteSize(value.getType());
  buffer.source = source.str();
  buffer.type = value.getType();
  program.buffers.push_back(std::move(buffer));
  return bufferOf[value] = program.buffers.size() - 1;
}

/// Checks that no dim of a state changes from run to run, because state cannot move.
LogicalResult Assigner::checkFixed(BlockArgument state, StringRef name) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto counts = main.getArgAttrOfType<DictionaryAttr>(i, kCountsAttr);
    auto added = counts ? counts.getAs<ShapeAttr>("added") : ShapeAttr();
    for (const SymbolicExpr &dim : getDims(state))
      for (StringAttr symbol : dim.getSymbols())
        if (added && llvm::is_contained(added.getSymbols(), symbol))
          return kiln::emitError(
              state.getLoc(),
              {ErrorCode::StateOverwritten, "",
               "the size of state '" + name.str() + "' changes from run to run",
               "dims fixed for a session", "dim " + symbol.str(),
               "compile with --no-state"});
  }
  return success();
}

LogicalResult Assigner::addInputs() {
  for (BlockArgument argument : main.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (auto state = main.getArgAttrOfType<StringAttr>(number, kStateAttr)) {
      states[state] = add(argument, ArenaKind::state, state.getValue());
      if (failed(checkFixed(argument, state.getValue())))
        return failure();
      continue;
    }
    auto name = main.getArgAttrOfType<StringAttr>(number, kNameAttr);
    add(argument, ArenaKind::input, name ? name.getValue() : "");
  }
  return success();
}

std::string Assigner::outputName(unsigned result) {
  auto name = main.getResultAttrOfType<StringAttr>(result, kNameAttr);
  return name ? name.str() : "";
}

/// Creates the outputs' buffers, in the model's order. A result that a kernel computes
/// and that is no other output yet is written in place; others are copied at the end.
/// Results that only check indices are session memory.
void Assigner::addOutputs(func::ReturnOp ret) {
  for (auto [i, value] : llvm::enumerate(ret.getOperands())) {
    Value base = baseOf(value);
    if (DictionaryAttr check = checkOf(i)) {
      checks[base] = check;
      continue;
    }
    if (stateOf(i))
      continue;
    Buffer buffer;
    buffer.arena = ArenaKind::output;
    buffer.size = byteSize(base.getType());
    buffer.source = outputName(i);
    buffer.type = main.getResultTypes()[i];
    outputs[i] = program.buffers.size();
    program.buffers.push_back(std::move(buffer));
    Operation *op = base.getDefiningOp();
    if (op && (isa<KernelOp>(op) || collectiveRanks(op)))
      outputOf.try_emplace(base, i);
  }
}

void Assigner::addWeight(GetWeightOp op) {
  auto [it, inserted] = weights.try_emplace(op.getWeightAttr(), program.buffers.size());
  if (!inserted) {
    bufferOf[op.getResult()] = it->second;
    return;
  }
  unsigned index = add(op.getResult(), ArenaKind::weights, op.getWeight());
  auto [place, isNew] = places.offsets.try_emplace(op.getWeightAttr(), places.bytes);
  program.buffers[index].weightOffset = place->second;
  int64_t bytes = llvm::alignTo(*program.buffers[index].size.getConstant(), 64);
  auto divided = places.divided.find(op.getWeightAttr().getAttr());
  bool isDivided = divided != places.divided.end();
  if (isDivided) {
    program.buffers[index].rankStride = bytes;
    program.buffers[index].rankAxis = divided->second;
  }
  if (isNew)
    places.bytes += bytes * (isDivided ? divided->second.size : 1);
}

/// Copies a value that is not a state, for a kernel that updates it.
unsigned Assigner::copied(Value value, unsigned buffer) {
  Buffer copy = program.buffers[buffer];
  copy.arena = ArenaKind::activations;
  copy.alias = -1;
  copy.type = value.getType();
  program.buffers.push_back(std::move(copy));
  Step step;
  step.reads = {buffer};
  step.writes = {unsigned(program.buffers.size() - 1)};
  program.steps.push_back(std::move(step));
  return program.buffers.size() - 1;
}

/// Returns the buffer of an output, or else a new activation.
unsigned Assigner::resultBuffer(OpResult result) {
  if (auto it = outputOf.find(result); it != outputOf.end())
    return bufferOf[result] = outputs[it->second];
  return add(result, ArenaKind::activations, describe(result.getLoc()));
}

void Assigner::addCollective(Operation *op) {
  Step step;
  step.op = op;
  step.reads = {bufferOf.lookup(op->getOperand(0))};
  step.writes = {resultBuffer(op->getResult(0))};
  program.steps.push_back(std::move(step));
}

void Assigner::addKernel(KernelOp kernel) {
  Step step;
  step.op = kernel;
  for (Value input : kernel.getInputs())
    step.reads.push_back(bufferOf.lookup(input));
  for (OpResult result : kernel->getResults()) {
    unsigned index;
    if (auto operand = updatedOperand(kernel, result.getResultNumber())) {
      unsigned &updated = step.reads[*operand];
      if (program.buffers[updated].arena != ArenaKind::state) {
        remarkMissed(
            kernel.getLoc(), kBuildPlanPass, "in-place",
            "the operand that the kernel updates is no state of the model: a copy "
            "of it is updated");
        updated = copied(kernel.getInputs()[*operand], updated);
      } else {
        remarkPassed(kernel.getLoc(), kBuildPlanPass, "in-place",
                     "the result is the state that the kernel updates in its memory")
            << RemarkValue("State", program.buffers[updated].source);
      }
      index =
          add(result, program.buffers[updated].arena, program.buffers[updated].source);
      program.buffers[index].alias = updated;
    } else {
      index = resultBuffer(result);
    }
    program.buffers[index].check = checks.lookup(result);
    step.writes.push_back(index);
  }
  program.steps.push_back(std::move(step));
}

LogicalResult Assigner::addOp(Operation &op) {
  if (auto weight = dyn_cast<GetWeightOp>(op)) {
    addWeight(weight);
  } else if (auto kernel = dyn_cast<KernelOp>(op)) {
    addKernel(kernel);
  } else if (collectiveRanks(&op)) {
    addCollective(&op);
  } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    bufferOf[reshape.getResult()] = bufferOf.lookup(reshape.getInput());
  } else if (!op.hasTrait<OpTrait::IsTerminator>()) {
    Diagnosis diagnosis;
    diagnosis.code = ErrorCode::LevelViolation;
    diagnosis.what = "'" + op.getName().getStringRef().str() + "' cannot be planned";
    diagnosis.expected = "kernels, weights, reshapes and collectives";
    return emitError(op.getLoc(), diagnosis);
  }
  return success();
}

void Assigner::copyToOutput(Value value, unsigned result) {
  remarkMissed(value.getLoc(), kBuildPlanPass, "write-output",
               outputOf.contains(value)
                   ? "another output is this value too: it is copied to this one"
                   : "no kernel computes this value, such as an input: it is copied")
      << RemarkValue("Output", outputName(result));
  Step step;
  step.reads = {bufferOf.lookup(value)};
  step.writes = {outputs[result]};
  program.steps.push_back(std::move(step));
}

/// Copies results to their states if they are not written in place, such as a few values
/// per sequence.
void Assigner::copyToStates(func::ReturnOp ret) {
  for (auto [i, value] : llvm::enumerate(ret.getOperands())) {
    StringAttr name = stateOf(i);
    unsigned from = name ? bufferOf.lookup(baseOf(value)) : 0;
    if (!name || program.storageOf(from) == states.lookup(name))
      continue;
    remarkMissed(value.getLoc(), kBuildPlanPass, "write-state",
                 "no kernel updates the state in its memory: its new value is copied")
        << RemarkValue("State", name.getValue());
    Step step;
    step.reads = {from};
    step.writes = {states.lookup(name)};
    program.steps.push_back(std::move(step));
  }
}

/// Checks that no step reads a state after it has been overwritten.
LogicalResult Assigner::checkStates() {
  struct Written {
    unsigned buffer; // buffer of the current value
    Operation *by;
  };
  DenseMap<unsigned, Written> newest; // key: storage
  for (const Step &step : program.steps) {
    for (unsigned read : step.reads) {
      auto it = newest.find(program.storageOf(read));
      if (it == newest.end() || it->second.buffer == read)
        continue;
      const Buffer &state = program.buffers[it->first];
      Operation *reader = step.op ? step.op : main;
      return kiln::emitError(reader->getLoc(),
                             {ErrorCode::StateOverwritten, "",
                              "it reads state '" + state.source + "' after " +
                                  describe(it->second.by->getLoc()) + " has written it",
                              "reads of the old value in front of the write", "",
                              "compile with --no-state"});
    }
    for (unsigned write : step.writes)
      if (program.buffers[write].alias >= 0)
        newest[program.storageOf(write)] = {write, step.op};
  }
  return success();
}

FailureOr<Program> Assigner::run() {
  Block &block = main.front();
  auto ret = cast<func::ReturnOp>(block.getTerminator());
  if (failed(addInputs()))
    return failure();
  addOutputs(ret);
  for (Operation &op : block)
    if (failed(addOp(op)))
      return failure();
  for (auto [i, value] : llvm::enumerate(ret.getOperands())) {
    auto it = outputOf.find(baseOf(value));
    if (outputs.contains(i) && (it == outputOf.end() || it->second != i))
      copyToOutput(baseOf(value), i);
  }
  copyToStates(ret);
  if (failed(checkStates()))
    return failure();
  program.function = main;
  return std::move(program);
}

WeightPlaces::WeightPlaces(ModuleOp module) : divided(weightsOfRanks(module)) {}

FailureOr<Program> kiln::assignBuffers(func::FuncOp main, WeightPlaces &places) {
  return Assigner(main, places).run();
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

static void computeLifetimes(Program &program) {
  int64_t end = std::max<int64_t>(program.steps.size(), 1) - 1;
  for (auto [i, step] : llvm::enumerate(program.steps)) {
    for (unsigned write : step.writes)
      program.buffers[write].first = program.buffers[write].last = i;
    for (unsigned read : step.reads)
      program.buffers[read].last = std::max<int64_t>(program.buffers[read].last, i);
    // The buffers of a collective stay live until its join.
    for (unsigned used : llvm::concat<unsigned>(step.reads, step.writes))
      if (step.join)
        program.buffers[used].last =
            std::max(program.buffers[used].last, std::min(step.join, end));
  }
  for (Buffer &buffer : program.buffers) {
    if (buffer.check)
      buffer.last = end; // read after the run
    if (buffer.arena == ArenaKind::activations)
      continue;
    buffer.last = end;
    if (buffer.arena != ArenaKind::output)
      buffer.first = 0;
  }
}

//===----------------------------------------------------------------------===//
// In-place updates
//===----------------------------------------------------------------------===//

/// Returns true if result element i depends on argument element i and on no argument
/// element that is read after result i is written: all ops are elementwise, or row ops,
/// which read a row before they write it.
static bool isReadInPlace(KernelOp kernel, BlockArgument argument) {
  Dims dims = getDims(argument);
  llvm::SetVector<Value> worklist;
  worklist.insert(argument);
  // Visits each value once; x + x and the like would give exponentially many paths.
  for (size_t i = 0; i < worklist.size(); ++i) {
    Value value = worklist[i];
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (isa<YieldOp>(op))
        continue;
      bool row =
          isa<SoftmaxOp, LayerNormOp, RmsNormOp>(op) && use.getOperandNumber() == 0;
      if (!row && !op->hasTrait<graph::Elementwise>())
        return false;
      if (getDims(op->getResult(0)) != dims)
        return false;
      worklist.insert(op->getResult(0));
    }
  }
  return true;
}

/// Returns the numbers of the operands whose memory a step's result may reuse.
static SmallVector<unsigned> operandsInPlace(Operation *op) {
  if (isa<AllReduceOp>(op))
    return {0};
  auto kernel = dyn_cast<KernelOp>(op);
  SmallVector<unsigned> operands;
  if (!kernel || kernel->getNumResults() != 1 || updatedOperand(kernel, 0))
    return operands;
  auto type = cast<RankedTensorType>(kernel.getResult(0).getType());
  for (BlockArgument argument : kernel.getBlock().getArguments()) {
    auto own = cast<RankedTensorType>(argument.getType());
    if (elementBytes(own.getElementType()) == elementBytes(type.getElementType()) &&
        getDims(own) == getDims(type) && isReadInPlace(kernel, argument))
      operands.push_back(argument.getArgNumber());
  }
  return operands;
}

/// Returns why step `i` cannot write its result over operand `read`; empty if it can.
static StringRef whyNotInPlace(const Program &program, size_t i, unsigned read) {
  const Step &step = program.steps[i];
  const Buffer &operand = program.buffers[program.storageOf(read)];
  if (operand.arena != ArenaKind::activations)
    return "the operand is an input, weight or state, whose memory keeps its value";
  if (operand.last != int64_t(i))
    return "a later step still reads the operand";
  if (operand.size != program.buffers[step.writes[0]].size)
    return "the memory that the operand is in has another size";
  return llvm::count(step.reads, read) == 1 ? "" : "the step reads the operand twice";
}

/// Lets the result of step `i` use the memory of an operand if one of `operands` allows
/// it.
static void placeInPlace(Program &program, size_t i, ArrayRef<unsigned> operands) {
  const Step &step = program.steps[i];
  Buffer &result = program.buffers[step.writes[0]];
  StringRef why;
  for (unsigned number : operands) {
    why = whyNotInPlace(program, i, step.reads[number]);
    if (!why.empty())
      continue;
    result.alias = program.storageOf(step.reads[number]);
    // The storage stays live as long as the result.
    program.buffers[result.alias].last = result.last;
    ++program.numInPlace;
    remarkPassed(step.op->getLoc(), kBuildPlanPass, "in-place",
                 "the result overwrites an operand that no later step reads")
        << RemarkValue("Operand", number) << RemarkValue("Bytes", result.size.str());
    return;
  }
  if (!operands.empty())
    remarkMissed(step.op->getLoc(), kBuildPlanPass, "in-place", why);
}

static void placeInPlace(Program &program) {
  for (auto [i, step] : llvm::enumerate(program.steps))
    if (step.op && program.buffers[step.writes[0]].arena == ArenaKind::activations)
      placeInPlace(program, i, operandsInPlace(step.op));
}

void kiln::assignLifetimes(Program &program) {
  computeLifetimes(program);
  placeInPlace(program);
}
