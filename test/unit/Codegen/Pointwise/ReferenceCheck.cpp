//===- ReferenceCheck.cpp - Run graph.kernels and the reference -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceCheck.h"

#include "kiln/Interpreter/TileEvaluator.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <unistd.h>

using namespace kiln;
using namespace kiln::test;
using namespace mlir;
using reference::Tensor;

void kiln::test::loadGraphDialects(MLIRContext &context) {
  loadTileDialects(context);
  context.loadDialect<graph::GraphDialect, func::FuncDialect>();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static constexpr char kPattern = 0x5A;

GuardedMemory::GuardedMemory(size_t bytes) : bytes(bytes) {
  size_t page = sysconf(_SC_PAGESIZE);
  size_t pages = (bytes + page - 1) / page + 1;
  mapped = (pages + 1) * page;
  base = static_cast<char *>(
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(base + pages * page, page, PROT_NONE);
  front = pages * page - bytes;
  std::memset(base, kPattern, front);
}

GuardedMemory::GuardedMemory(GuardedMemory &&other)
    : base(other.base), bytes(other.bytes), front(other.front), mapped(other.mapped) {
  other.base = nullptr;
}

GuardedMemory::~GuardedMemory() {
  if (base)
    munmap(base, mapped);
}

bool GuardedMemory::isFrontIntact() const {
  return std::all_of(base, base + front, [](char c) { return c == kPattern; });
}

Tensor kiln::test::randomTensor(std::mt19937 &random, Type element, ArrayRef<int64_t> shape,
                                int64_t low, int64_t high) {
  int64_t count = *reference::countElements(shape);
  if (isa<FloatType>(element)) {
    std::uniform_real_distribution<double> values(-2.0, 2.0);
    std::vector<double> data(count);
    for (double &value : data)
      value = values(random);
    return Tensor::fromDoubles(element, shape, data).rounded();
  }
  if (element.isInteger(1))
    low = 0, high = 1;
  else if (element.isUnsignedInteger())
    low = std::max<int64_t>(low, 0);
  std::uniform_int_distribution<int64_t> values(low, std::max(low, high));
  std::vector<int64_t> data(count);
  for (int64_t &value : data)
    value = values(random);
  return Tensor::fromInts(element, shape, data);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static int64_t evaluateMap(AffineMap map, ArrayAttr names, const reference::Symbols &symbols) {
  auto list = llvm::map_to_vector(names, [](Attribute a) { return cast<StringAttr>(a); });
  std::optional<int64_t> value =
      symbols.evaluate(graph::SymbolicExpr::fromAffine(map.getResult(0), list));
  EXPECT_TRUE(value) << "a map of the kernel cannot be evaluated";
  return value.value_or(0);
}

static size_t bytesOf(Type type, const reference::Symbols &symbols) {
  reference::Shape shape = llvm::cantFail(reference::shapeOf(type, symbols));
  return *reference::countElements(shape) *
         graph::elementBytes(cast<RankedTensorType>(type).getElementType());
}

/// Returns the values of the symbols that the code takes as arguments.
static std::vector<int64_t> symbolValues(const KernelCase &test) {
  tile::KernelOp code = test.code;
  std::vector<int64_t> values;
  for (StringRef name : code.getSymbols().getAsValueRange<StringAttr>())
    values.push_back(*test.symbols.lookup(name));
  return values;
}

std::vector<std::vector<char>> kiln::test::evaluateTile(const KernelCase &test) {
  std::vector<std::vector<char>> memory;
  for (const Tensor &input : test.inputs)
    memory.push_back(input.toBytes());
  for (Value value : graph::KernelOp(test.kernel).getYielded())
    memory.emplace_back(bytesOf(value.getType(), test.symbols), char(0xFF));
  std::vector<interpreter::Buffer> buffers;
  for (std::vector<char> &bytes : memory)
    buffers.push_back({bytes.data(), int64_t(bytes.size()), {}});
  interpreter::Options options;
  options.order = interpreter::TaskOrder::Shuffled;
  auto report = evaluateKernel(test.code, buffers, symbolValues(test), options);
  if (!report) {
    ADD_FAILURE() << takeDiagnosis(report.takeError()).str();
    return {};
  }
  for (int64_t count : report->unwritten)
    EXPECT_EQ(count, 0) << "elements that no task has written";
  memory.erase(memory.begin(), memory.begin() + test.inputs.size());
  return memory;
}

std::vector<std::vector<char>> kiln::test::runKernel(const KernelCase &test,
                                                     kiln_host_kernel function) {
  tile::KernelOp code = test.code;
  std::vector<GuardedMemory> memories;
  for (const Tensor &input : test.inputs) {
    std::vector<char> bytes = input.toBytes();
    memories.emplace_back(bytes.size());
    std::memcpy(memories.back().data(), bytes.data(), bytes.size());
  }
  size_t firstResult = memories.size();
  for (Value value : graph::KernelOp(test.kernel).getYielded())
    memories.emplace_back(bytesOf(value.getType(), test.symbols));
  std::vector<void *> buffers;
  for (GuardedMemory &memory : memories)
    buffers.push_back(memory.data());
  std::vector<int64_t> symbols = symbolValues(test);
  int64_t tasks = evaluateMap(code.getGrid(), code.getSymbols(), test.symbols);
  int64_t scratchBytes = evaluateMap(code.getScratch(), code.getSymbols(), test.symbols);
  // Scratch must start at a multiple of 64, so round its size up: its end must touch the
  // guard page.
  GuardedMemory scratch((scratchBytes + 63) / 64 * 64);

  auto results = [&] {
    std::vector<std::vector<char>> all;
    for (GuardedMemory &memory : llvm::MutableArrayRef(memories).drop_front(firstResult))
      all.emplace_back(memory.data(), memory.data() + memory.size());
    return all;
  };
  auto poison = [&](int value) {
    for (GuardedMemory &memory : llvm::MutableArrayRef(memories).drop_front(firstResult))
      std::memset(memory.data(), value, memory.size());
    std::memset(scratch.data(), value, scratch.size());
  };
  poison(0xFF);
  function(buffers.data(), symbols.data(), 0, tasks, scratch.data());
  auto whole = results();
  poison(0x7F);
  for (int64_t task = tasks; task-- > 0;)
    function(buffers.data(), symbols.data(), task, task + 1, scratch.data());
  EXPECT_EQ(whole, results()) << "the partition of the tasks shows in the results";
  for (const GuardedMemory &memory : memories)
    EXPECT_TRUE(memory.isFrontIntact()) << "written in front of a buffer";
  EXPECT_TRUE(scratch.isFrontIntact()) << "written in front of the scratch";
  return whole;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

std::string kiln::test::spell(const KernelCase &test) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "with " << test.symbols.str() << " in\n" << test.kernel << "\n";
  return text;
}

static void compareFloats(const Tensor &actual, const Tensor &exact, const Tensor &rounded,
                          const Tolerance &tolerance) {
  // A reduction spreads the rounding error of one element over many.
  double spread = 0.0;
  for (int64_t i = 0; i < exact.getNumElements(); ++i)
    if (double d = std::fabs(exact.getDouble(i) - rounded.getDouble(i)); std::isfinite(d))
      spread = std::max(spread, d);
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0; i < exact.getNumElements(); ++i) {
    double a = actual.getDouble(i), e = exact.getDouble(i), r = rounded.getDouble(i);
    // If ops are rounded one by one, overflow and invalid operations may occur earlier.
    bool special = !std::isfinite(r) || !std::isfinite(e);
    if (std::isnan(a) && std::isnan(r))
      continue;
    double limit = tolerance.absolute + tolerance.relative * std::fabs(e) +
                   tolerance.rounding * std::max(std::fabs(e - r), tolerance.spread * spread);
    if (special ? a == r || a == e || (std::isnan(a) && std::isnan(e))
                : std::fabs(a - e) <= limit)
      continue;
    if (wrong++ == 0)
      first = llvm::formatv("element {0}: {1:e}, expected {2:e} within {3:e}", i, a, e, limit).str();
  }
  if (wrong > std::ceil(tolerance.decisions * exact.getNumElements()))
    ADD_FAILURE() << wrong << " of " << exact.getNumElements()
                  << " elements differ, the first is " << first;
}

static void compareIntegers(const Tensor &actual, const Tensor &exact, const Tensor &rounded,
                            const Tolerance &tolerance) {
  std::vector<int64_t> a = actual.ints(), e = exact.ints(), r = rounded.ints();
  int64_t wrong = 0, first = -1;
  for (size_t i = 0; i < e.size(); ++i)
    if (a[i] != e[i] && a[i] != r[i] && wrong++ == 0)
      first = i;
  if (wrong > std::ceil(tolerance.decisions * e.size()))
    ADD_FAILURE() << wrong << " of " << e.size() << " elements differ, the first is " << first
                  << ": " << a[first] << ", expected " << e[first];
}

std::optional<Expected> kiln::test::evaluateReference(const KernelCase &test) {
  reference::NoWeights weights;
  auto evaluate = [&](bool exactTyped) -> std::vector<Tensor> {
    reference::Options options;
    options.exactTyped = exactTyped;
    graph::KernelOp kernel = test.kernel;
    auto results =
        reference::evaluate(kernel.getBlock(), test.inputs, test.symbols, weights, options);
    if (results)
      return {results->begin(), results->end()};
    ADD_FAILURE() << takeDiagnosis(results.takeError()).str();
    return {};
  };
  Expected expected{evaluate(false), evaluate(true)};
  if (expected.exact.empty() || expected.rounded.empty())
    return std::nullopt;
  return expected;
}

void kiln::test::compareResults(const Expected &expected, ArrayRef<std::vector<char>> bytes,
                                const Tolerance &tolerance) {
  for (auto [exact, rounded, result] :
       llvm::zip(expected.exact, expected.rounded, bytes)) {
    Tensor actual = Tensor::borrow(exact.getElementType(), exact.getShape(), result.data());
    if (exact.isFloat())
      compareFloats(actual, exact, rounded, tolerance);
    else
      compareIntegers(actual, exact, rounded, tolerance);
  }
}

void kiln::test::checkKernel(const KernelCase &test, const LoadedImage &image,
                             const Tolerance &tolerance) {
  tile::KernelOp code = test.code;
  SCOPED_TRACE(spell(test));
  kiln_host_kernel function = image.kernel(code.getSymName());
  ASSERT_TRUE(function);
  auto bytes = runKernel(test, function);
  std::optional<Expected> expected = evaluateReference(test);
  ASSERT_TRUE(expected);
  compareResults(*expected, bytes, tolerance);
}
