//===- TileEvaluator.cpp - Interpreter of tile programs -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Interpreter/TileEvaluator.h"
#include "Machine.h"
#include "kiln/ErrorCodes/Graph.h"
#include "mlir/IR/Builders.h"

#include <deque>
#include <numeric>
#include <random>

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

static llvm::Error argumentError(tile::KernelOp kernel, std::string what, std::string expected,
                                 std::string found) {
  return makeError({ErrorCode::TileArguments, "@" + kernel.getSymName().str(), std::move(what),
                    std::move(expected), std::move(found), {}});
}

/// Evaluates the kernel's `grid` or `scratch` for given symbols.
static llvm::Expected<int64_t> evaluateMap(tile::KernelOp kernel, AffineMap map, StringRef name,
                                           ArrayRef<int64_t> symbols) {
  Builder builder(kernel.getContext());
  SmallVector<Attribute> operands, results;
  for (int64_t value : symbols)
    operands.push_back(builder.getIndexAttr(value));
  if (succeeded(map.constantFold(operands, results)))
    if (int64_t value = cast<IntegerAttr>(results[0]).getInt(); value >= 0)
      return value;
  return argumentError(kernel, name.str() + " has no valid value", "a number of at least 0", {});
}

namespace {
/// Memories of one kernel execution.
class Memories {
public:
  llvm::Error add(tile::KernelOp kernel, ArrayRef<Buffer> buffers, Machine &machine);
  llvm::Error addScratch(tile::KernelOp kernel, int64_t bytes, Machine &machine);
  llvm::Error addWorkspace(tile::KernelOp kernel, int64_t bytes, int64_t tickets,
                           Machine &machine);
  void beginTask();
  SmallVector<int64_t> unwritten() const;

private:
  llvm::Error addResult(tile::KernelOp kernel, BlockArgument argument, const Buffer &buffer,
                        Machine &machine);
  llvm::Error addOperand(tile::KernelOp kernel, BlockArgument argument, const Buffer &buffer,
                         Machine &machine);

  std::deque<Memory> memories; // results first; a deque keeps addresses valid
  unsigned numResults = 0;
  std::vector<int64_t> scratch; // its used part is aligned to 64 bytes
  std::vector<int64_t> workspace;
  char *scratchStart = nullptr;
  int64_t scratchBytes = 0;
};
} // namespace

static bool overlaps(const Memory &memory, const Buffer &buffer) {
  auto *start = static_cast<char *>(buffer.data);
  return start < memory.data + memory.bytes && memory.data < start + buffer.bytes;
}

llvm::Error Memories::addResult(tile::KernelOp kernel, BlockArgument argument,
                                const Buffer &buffer, Machine &machine) {
  std::string name = "result " + std::to_string(numResults);
  for (const Memory &other : memories)
    if (overlaps(other, buffer))
      return argumentError(kernel, name + " overlaps " + other.name, "memory of its own", {});
  Memory &memory = memories.emplace_back();
  memory.name = name;
  memory.kind = Memory::Kind::Result;
  memory.data = static_cast<char *>(buffer.data);
  memory.bytes = buffer.bytes;
  int64_t size = tile::elementBytes(cast<tile::BufferType>(argument.getType()).getElementType());
  memory.writer.assign(buffer.bytes / size, Memory::kNobody);
  memory.reader = memory.writer;
  ++numResults;
  machine.bind(argument, BufferRef{&memory, 0, /*writable=*/true});
  return llvm::Error::success();
}

llvm::Error Memories::addOperand(tile::KernelOp kernel, BlockArgument argument,
                                 const Buffer &buffer, Machine &machine) {
  std::string name = "operand " + std::to_string(argument.getArgNumber());
  for (unsigned i = 0; i < numResults; ++i) {
    Memory &result = memories[i];
    if (!overlaps(result, buffer))
      continue;
    if (result.data != buffer.data || result.bytes != buffer.bytes)
      return argumentError(kernel, name + " overlaps " + result.name, "the same memory or none",
                           {});
    result.isOperandToo = true;
    machine.bind(argument, BufferRef{&result, 0, /*writable=*/false});
    return llvm::Error::success();
  }
  Memory &memory = memories.emplace_back();
  memory.name = name;
  memory.data = static_cast<char *>(buffer.data);
  memory.bytes = buffer.bytes;
  machine.bind(argument, BufferRef{&memory, 0, /*writable=*/false});
  return llvm::Error::success();
}

llvm::Error Memories::add(tile::KernelOp kernel, ArrayRef<Buffer> buffers, Machine &machine) {
  if (buffers.size() != kernel.getNumBuffers())
    return argumentError(kernel, "the number of buffers does not fit",
                         std::to_string(kernel.getNumBuffers()), std::to_string(buffers.size()));
  for (auto [argument, buffer] : llvm::zip(kernel.getBlock().getArguments(), buffers)) {
    Type element = cast<tile::BufferType>(argument.getType()).getElementType();
    if (buffer.bytes < 0 || (buffer.elementType && buffer.elementType != element))
      return argumentError(kernel, "buffer " + std::to_string(argument.getArgNumber()) +
                                       " does not fit",
                           "its element type", "another one");
  }
  unsigned reads = kernel.getReads();
  for (auto [argument, buffer] : llvm::zip(kernel.getResultBuffers(), buffers.drop_front(reads)))
    if (llvm::Error error = addResult(kernel, argument, buffer, machine))
      return error;
  for (auto [argument, buffer] : llvm::zip(kernel.getOperandBuffers(), buffers))
    if (llvm::Error error = addOperand(kernel, argument, buffer, machine))
      return error;
  return llvm::Error::success();
}

/// Limit of scratch, workspace and counters, above any kernel's needs.
static constexpr int64_t kLimit = int64_t(1) << 32;

llvm::Error Memories::addScratch(tile::KernelOp kernel, int64_t bytes, Machine &machine) {
  if (bytes > kLimit)
    return argumentError(kernel, "the scratch is too large", "at most 4 GiB",
                         std::to_string(bytes));
  scratch.assign(bytes / 8 + 9, 0);
  scratchStart = reinterpret_cast<char *>(llvm::alignTo(
      reinterpret_cast<uintptr_t>(scratch.data()), 64));
  scratchBytes = bytes;
  Memory &memory = memories.emplace_back();
  memory.name = "the scratch";
  memory.kind = Memory::Kind::Scratch;
  memory.data = scratchStart;
  memory.bytes = bytes;
  machine.setScratch(&memory);
  return llvm::Error::success();
}

/// Adds the workspace and its arrival counters. Unwritten elements of the workspace are
/// NaN.
llvm::Error Memories::addWorkspace(tile::KernelOp kernel, int64_t bytes, int64_t tickets,
                                   Machine &machine) {
  if (bytes > kLimit || tickets > kLimit)
    return argumentError(kernel, "the workspace is too large", "at most 4 GiB",
                         std::to_string(std::max(bytes, tickets)));
  workspace.assign(bytes / 8 + 1, -1); // NaN in every float type
  Memory &memory = memories.emplace_back();
  memory.name = "the workspace";
  memory.kind = Memory::Kind::Scratch;
  memory.data = reinterpret_cast<char *>(workspace.data());
  memory.bytes = bytes;
  machine.setWorkspace(&memory, tickets);
  return llvm::Error::success();
}

/// Fills scratch, which is undefined when a task begins, with NaN of every float type, so
/// that reads of unwritten elements show.
void Memories::beginTask() { std::fill_n(scratchStart, scratchBytes, char(0xff)); }

SmallVector<int64_t> Memories::unwritten() const {
  SmallVector<int64_t> counts;
  for (unsigned i = 0; i < numResults; ++i)
    counts.push_back(llvm::count(memories[i].writer, Memory::kNobody));
  return counts;
}

static std::vector<int64_t> orderOf(int64_t tasks, const interpreter::Options &options) {
  std::vector<int64_t> order(tasks);
  std::iota(order.begin(), order.end(), 0);
  if (options.order == TaskOrder::Reverse)
    std::reverse(order.begin(), order.end());
  if (options.order == TaskOrder::Shuffled)
    std::shuffle(order.begin(), order.end(), std::mt19937_64(options.seed));
  return order;
}

llvm::Expected<Report> interpreter::evaluateKernel(tile::KernelOp kernel,
                                                   ArrayRef<Buffer> buffers,
                                                   ArrayRef<int64_t> symbols,
                                                   const Options &options) {
  if (symbols.size() != kernel.getNumSymbols())
    return argumentError(kernel, "the number of symbols does not fit",
                         std::to_string(kernel.getNumSymbols()), std::to_string(symbols.size()));
  llvm::Expected<int64_t> tasks = evaluateMap(kernel, kernel.getGrid(), "the grid", symbols);
  if (!tasks)
    return tasks.takeError();
  llvm::Expected<int64_t> bytes = evaluateMap(kernel, kernel.getScratch(), "the scratch", symbols);
  if (!bytes)
    return bytes.takeError();
  Machine machine;
  Memories memories;
  if (llvm::Error error = memories.add(kernel, buffers, machine))
    return error;
  if (llvm::Error error = memories.addScratch(kernel, *bytes, machine))
    return error;
  if (kernel.getWorkspace()) {
    auto workspace =
        evaluateMap(kernel, *kernel.getWorkspace(), "the workspace", symbols);
    if (!workspace)
      return workspace.takeError();
    auto tickets = evaluateMap(kernel, *kernel.getTickets(), "tickets", symbols);
    if (!tickets)
      return tickets.takeError();
    if (llvm::Error error = memories.addWorkspace(kernel, *workspace, *tickets, machine))
      return error;
  }
  for (auto [argument, value] : llvm::zip(kernel.getSymbolArguments(), symbols))
    machine.bind(argument, Scalar::ofInt(value));
  // Few blocks, so that each block of a specialized kernel runs several tasks.
  constexpr int64_t kBlocks = 2;
  bool walks = llvm::any_of(kernel.getBlock(), llvm::IsaPred<tile::WarpSpecializeOp>);
  int64_t runs = walks ? std::min(*tasks, kBlocks) : *tasks;
  machine.setBlocks(runs);
  for (int64_t task : orderOf(runs, options)) {
    memories.beginTask();
    if (failed(machine.runTask(kernel, task)))
      return makeError(machine.takeError());
  }
  if (!machine.ticketsAreZero())
    return makeError({ErrorCode::TileRace,
                      "@" + kernel.getSymName().str(),
                      "a ticket is not 0 after the last task",
                      "as many takers as it is for",
                      {},
                      {}});
  return Report{*tasks, memories.unwritten()};
}
