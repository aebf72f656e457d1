//===- RandomIndexingTest.cpp - Index maps against the reference ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If an op only moves elements, each element of the result equals the operand's element
// that the index map names. For any other op, a result element does not change when
// operand elements that its map does not read are changed.
//
//===----------------------------------------------------------------------===//

#include "RandomOp.h"
#include "dialects/Graph/Indexing.h"
#include "dialects/Graph/PartialAttention.h"
#include "gtest/gtest.h"

#include <limits>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace kiln::test;
using namespace mlir;

namespace {

/// Collects the operand elements that an op's index maps read for one result element.
class Reader {
public:
  Reader(RandomOp &op, OpIndexing &indexing, ArrayRef<int64_t> place)
      : op(op), indexing(indexing) {
    for (auto [i, index] : llvm::enumerate(place))
      if (StringAttr name = indexing->places()[i].getSymbol())
        variables[name] = index;
    for (const Tensor &operand : op.operands)
      read.emplace_back(operand.getNumElements(), false);
    enumerate(0);
  }

  std::vector<std::vector<bool>> read; ///< read[operand][element]
  /// Last read whose conditions hold and that is not an index: its number, operand and
  /// element.
  struct Last {
    size_t number = 0;
    unsigned operand = 0;
    int64_t element = 0;
  };
  std::optional<Last> last;

private:
  int64_t valueOf(const SymbolicExpr &expr) {
    return *expr.evaluate([&](StringAttr name) {
      auto it = variables.find(name);
      return it != variables.end() ? it->second : *op.symbols.lookup(name);
    });
  }
  int64_t elementOf(const OperandRead &each) {
    int64_t element = 0;
    ArrayRef<int64_t> shape = op.operands[each.operand].getShape();
    for (auto [place, extent] : llvm::zip_equal(each.at, shape)) {
      int64_t index = valueOf(place);
      EXPECT_TRUE(index >= 0 && index < extent) << place.str();
      element = element * extent + index;
    }
    return element;
  }
  bool holds(const OperandRead &each) {
    return llvm::all_of(each.conditions, [&](const ReadCondition &condition) {
      int64_t index = valueOf(condition.index);
      return index >= valueOf(condition.first) && index < valueOf(condition.end);
    });
  }
  void readData() {
    for (const DataVariable &data : indexing->data()) {
      const OperandRead &from = indexing->reads()[data.read];
      int64_t value = op.operands[from.operand].getInt(elementOf(from));
      int64_t extent = valueOf(data.extent);
      if (data.rule != DataVariable::Rule::Plain && value < 0)
        value += extent;
      if (data.rule == DataVariable::Rule::Clamped)
        value = std::clamp<int64_t>(value, 0, extent - 1);
      variables[data.name] = value;
    }
  }
  /// Enumerates the values of the reduction variables from number `depth` on.
  void enumerate(size_t depth) {
    if (depth < indexing->reductions().size()) {
      StringAttr name = indexing->reductions()[depth];
      int64_t extent = valueOf(indexing.vars().extentOf(name));
      for (variables[name] = 0; variables[name] < extent; ++variables[name])
        enumerate(depth + 1);
      // An empty reduction still reads what does not depend on its variable.
      if (extent == 0)
        readWithout(name);
      return;
    }
    readData();
    for (auto [number, each] : llvm::enumerate(indexing->reads()))
      if (holds(each))
        add(each, number);
  }
  void readWithout(StringAttr name) {
    auto mentionsIt = [&](const SymbolicExpr &expr) { return mentions(expr, name); };
    for (auto [number, each] : llvm::enumerate(indexing->reads()))
      if (llvm::none_of(each.at, mentionsIt) && each.conditions.empty() &&
          llvm::none_of(indexing->reductions(), [&](StringAttr other) {
            return llvm::any_of(
                each.at, [&](const SymbolicExpr &expr) { return mentions(expr, other); });
          }))
        add(each, number);
  }
  void add(const OperandRead &each, size_t number) {
    int64_t element = elementOf(each);
    read[each.operand][element] = true;
    if (!each.isIndex && (!last || number >= last->number))
      last = {number, each.operand, element};
  }

  RandomOp &op;
  OpIndexing &indexing;
  llvm::DenseMap<StringAttr, int64_t> variables;
};

class RandomIndexing : public testing::TestWithParam<StringRef> {
protected:
  RandomIndexing() { context.loadDialect<GraphDialect>(); }

  static Tensor evaluated(RandomOp &random, ArrayRef<Tensor> operands) {
    NoWeights none;
    llvm::Expected<Results> results =
        evaluateOp(random.op(), operands, random.symbols, none, {});
    if (results)
      return results->front();
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }

  /// Returns operands whose elements differ where `read` is false.
  static SmallVector<Tensor> otherwise(RandomOp &random,
                                       const std::vector<std::vector<bool>> &read) {
    SmallVector<Tensor> result;
    DenseMap<Value, unsigned> first; // a value used as several operands stays one value
    for (auto [i, operand] : llvm::enumerate(random.operands)) {
      unsigned same = first.try_emplace(random.op()->getOperand(i), i).first->second;
      if (same != i) {
        result.push_back(result[same]);
        continue;
      }
      Type element = operand.getElementType();
      // Quantized weights must not be NaN.
      bool mayBeNaN = isa<Float32Type>(element) && !isa<QuantizeWeightOp>(random.op());
      SmallVector<double> values;
      for (int64_t j = 0; j < operand.getNumElements(); ++j)
        values.push_back(isRead(random, read, i, j) ? operand.getDouble(j)
                         : mayBeNaN && random.chance(0.2)
                             ? std::numeric_limits<double>::quiet_NaN()
                             : random.randomElement(element));
      result.push_back(
          Tensor::fromDoubles(element, operand.getShape(), values).rounded());
    }
    return result;
  }

  static bool isRead(RandomOp &random, const std::vector<std::vector<bool>> &read,
                     unsigned operand, int64_t element) {
    for (unsigned i = 0; i < read.size(); ++i)
      if (random.op()->getOperand(i) == random.op()->getOperand(operand) &&
          read[i][element])
        return true;
    return false;
  }

  static bool isSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
  }

  void check(RandomOp &random, OpIndexing &indexing, const Tensor &result,
             int64_t element) {
    Shape place, strides = stridesOf(result.getShape());
    for (auto [stride, extent] : llvm::zip(strides, result.getShape()))
      place.push_back(element / stride % extent);
    Reader reader(random, indexing, place);
    double found = result.getDouble(element);
    if (indexing->moves()) {
      ASSERT_TRUE(reader.last);
      const Tensor &source = random.operands[reader.last->operand];
      double expected = source.getDouble(reader.last->element);
      EXPECT_TRUE(isSame(found, expected)) << found << " and " << expected;
    }
    Tensor other = evaluated(random, otherwise(random, reader.read));
    EXPECT_TRUE(isSame(found, other.getDouble(element)))
        << found << " and " << other.getDouble(element);
  }

  MLIRContext context;
};
} // namespace

static constexpr unsigned kCases = 500; ///< per kind of op

TEST_P(RandomIndexing, ReadsWhatTheReferenceReads) {
  unsigned withElements = 0;
  for (unsigned seed = 0; seed < kCases && !HasFailure(); ++seed) {
    RandomOp random(&context, seed);
    random.build(GetParam());
    Operation *op = random.op();
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    OpIndexing indexing(op);
    ASSERT_TRUE(bool(indexing));
    Tensor result = evaluated(random, random.operands);
    if (result.getNumElements() == 0)
      continue;
    ++withElements;
    for (int i = 0; i < 3; ++i)
      check(random, indexing, result, random.pick(0, result.getNumElements() - 1));
  }
  EXPECT_GT(withElements, kCases / 2);
}

INSTANTIATE_TEST_SUITE_P(Ops, RandomIndexing, testing::ValuesIn(RandomOp::names()),
                         [](const auto &info) { return info.param.str(); });

/// Whether an operand's dim of size 1 broadcasts to a symbolic dim.
static bool broadcastsToSymbol(Operation *op) {
  Dims result = getDims(op->getResult(0));
  if (!isa<BroadcastOp>(op) && !op->hasTrait<kiln::graph::Elementwise>())
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Dims dims = getDims(operand);
    return llvm::any_of(llvm::zip(dims, ArrayRef(result).take_back(dims.size())),
                        [](const auto &pair) {
                          const auto &[from, to] = pair;
                          return from.isConstant(1) && !to.isConstant();
                        });
  });
}

// Checks that the random cases cover forms that maps easily get wrong, with nonempty
// results.
TEST(RandomOps, ReachWhatIsEasilyWrong) {
  MLIRContext context;
  context.loadDialect<GraphDialect>();
  unsigned withData = 0, backwards = 0, withoutElements = 0, broadcast = 0;
  for (StringRef name : RandomOp::names())
    for (unsigned seed = 0; seed < kCases; ++seed) {
      RandomOp random(&context, seed);
      random.build(name);
      Operation *op = random.op();
      auto isZero = [&](const SymbolicExpr &dim) {
        return random.symbols.evaluate(dim) == 0;
      };
      if (llvm::any_of(getDims(op->getResult(0)), isZero))
        continue;
      withData += !OpIndexing(op)->data().empty();
      auto slice = dyn_cast<SliceOp>(op);
      backwards +=
          slice && llvm::any_of(slice.getSteps(), [](int64_t step) { return step < 0; });
      withoutElements += llvm::any_of(op->getOperands(), [&](Value operand) {
        return llvm::any_of(getDims(operand), isZero);
      });
      broadcast += broadcastsToSymbol(op);
    }
  EXPECT_GE(withData, 100u);
  EXPECT_GE(backwards, 100u);
  EXPECT_GE(withoutElements, 100u);
  EXPECT_GE(broadcast, 100u);
}
