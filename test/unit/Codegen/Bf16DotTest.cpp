//===- Bf16DotTest.cpp - bf16 by dot products of CPUs ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile interpreter says what vdpbf16ps and tdpbf16ps compute. It is compared with
// doubles on every machine, and with the CPU, bit for bit, on those that have the
// instruction.
//
//===----------------------------------------------------------------------===//

#include "KernelHarness.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Interpreter/TileEvaluator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kiln;
using namespace kiln::test;

namespace {
struct Shape {
  int64_t m, k, n;
  const char *layout; ///< N or T for each operand; P: packed in panels
};

using Halves = std::vector<uint16_t>;

float widened(uint16_t half) {
  uint32_t bits = uint32_t(half) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Returns random numbers of many magnitudes, one of eight subnormal, with both zeros.
Halves randomHalves(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  Halves values(count);
  for (uint16_t &value : values) {
    uint32_t random = engine();
    uint16_t exponent = random % 8 ? 0x3c00 + (random >> 8) % 8 * 0x80 : 0;
    value = (random >> 16 & 0x807f) | exponent;
  }
  return values;
}

/// A target that prefers a dot product.
struct Dot {
  const char *target;
  tile::DotProduct instruction;
};
constexpr Dot kDots[] = {{"znver4", tile::DotProduct::vdpbf16ps},
                         {"sapphirerapids", tile::DotProduct::tdpbf16ps}};

class Bf16Dot : public testing::TestWithParam<std::tuple<Dot, Shape>> {
protected:
  Shape shape() const { return std::get<Shape>(GetParam()); }
  std::string text() const {
    Shape s = shape();
    int64_t panels = (s.n + 15) / 16;
    bool packed = s.layout[1] == 'P', left = s.layout[0] == 'T',
         right = s.layout[1] == 'T';
    std::string a =
        llvm::formatv("tensor<{0}x{1}xbf16>", left ? s.k : s.m, left ? s.m : s.k);
    std::string matrix =
        llvm::formatv("tensor<{0}x{1}xbf16>", right ? s.n : s.k, right ? s.k : s.n);
    std::string b =
        packed ? std::string(llvm::formatv("tensor<{0}x{1}x16xbf16>", panels, s.k))
               : matrix;
    std::string unpack =
        packed ? "%u = graph.unpack %b : (" + b + ") -> " + matrix + "\n" : std::string();
    return llvm::formatv(R"(
      func.func @main(%x: {0}, %w: {1}) {{
        %r = graph.kernel "matmul" (%a = %x, %b = %w) : ({0}, {1}) -> tensor<{2}x{3}xf32> {{
          {4}
          %p = graph.matmul %a, {5} {{{6}result_element = f32} : ({0}, {7}) -> tensor<{2}x{3}xf32>
          graph.yield %p : tensor<{2}x{3}xf32>
        }
        return
      })",
                         a, b, s.m, s.n, unpack, packed ? "%u" : "%b",
                         std::string(left ? "transpose_a, " : "") +
                             (right ? "transpose_b, " : ""),
                         matrix);
  }
  /// Returns element (k, n) of the right operand.
  uint16_t right(const Halves &b, int64_t k, int64_t n) const {
    Shape s = shape();
    if (s.layout[1] == 'P')
      return b[(n / 16 * s.k + k) * 16 + n % 16];
    return s.layout[1] == 'T' ? b[n * s.k + k] : b[k * s.n + n];
  }
  uint16_t left(const Halves &a, int64_t m, int64_t k) const {
    Shape s = shape();
    return s.layout[0] == 'T' ? a[k * s.m + m] : a[m * s.k + k];
  }

  mlir::MLIRContext context;
};

template <typename T> interpreter::Buffer bufferOf(std::vector<T> &values) {
  return {values.data(), static_cast<int64_t>(values.size() * sizeof(T)), {}};
}

std::string nameOf(const testing::TestParamInfo<std::tuple<Dot, Shape>> &info) {
  auto [dot, s] = info.param;
  return llvm::formatv("{0}_{1}_{2}x{3}x{4}", dot.target, s.layout, s.m, s.k, s.n);
}
} // namespace

TEST_P(Bf16Dot, InterpreterIsNearDoublesAndCpuHasItsBits) {
  Shape s = shape();
  Dot dot = std::get<Dot>(GetParam());
  TargetInfo target = llvm::cantFail(TargetInfo::get(dot.target));
  auto source = parseGraph(context, text());
  ASSERT_TRUE(source);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  auto kernel = codegen::emitKernel(findKernel(*source), target, builder);
  ASSERT_TRUE(mlir::succeeded(kernel) && mlir::succeeded(module->verify()));
  int64_t mmas = 0;
  kernel->walk([&](tile::MmaOp mma) {
    ++mmas;
    EXPECT_EQ(mma.getDot(), dot.instruction);
  });
  EXPECT_GT(mmas, 0);

  Halves a = randomHalves(s.m * s.k, 1), b = randomHalves((s.n + 15) / 16 * 16 * s.k, 2);
  if (s.layout[1] != 'P')
    b.resize(s.n * s.k);
  std::vector<float> expected(s.m * s.n, NAN);
  auto report = interpreter::evaluateKernel(
      *kernel, {bufferOf(a), bufferOf(b), bufferOf(expected)}, {}, {});
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  for (int64_t i = 0; i < s.m; ++i)
    for (int64_t j = 0; j < s.n; ++j) {
      double sum = 0, magnitude = 0;
      for (int64_t k = 0; k < s.k; ++k) {
        double product = double(widened(left(a, i, k))) * widened(right(b, k, j));
        sum += product;
        magnitude += std::abs(product);
      }
      ASSERT_NEAR(expected[i * s.n + j], sum, 1e-6 * magnitude + 1e-37) << i << ", " << j;
    }

  if (!targetOrSkip(dot.target))
    GTEST_SKIP() << "this CPU has no "
                 << tile::stringifyDotProduct(dot.instruction).str();
  auto built =
      buildKernel(context, text(), target, [](auto kernel, auto &target, auto &b) {
        return codegen::emitKernel(kernel, target, b);
      });
  ASSERT_TRUE(built);
  std::vector<float> found(s.m * s.n, NAN);
  built->run({a.data(), b.data(), found.data()}, {}, 2);
  EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0);
}

namespace {
/// One tile.mma of `rows` by `columns`, and of all extents of K.
std::string oneMma(tile::DotProduct dot, int64_t rows, int64_t columns) {
  return llvm::formatv(R"(
    tile.kernel @k(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols(%k) task(%t)
        attributes {{symbols = ["k"], hero = "x", grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {{
      %c0 = arith.constant 0 : index
      %z = arith.constant 0.0 : f32
      %A = tile.view %a offset %c0 sizes(%k) strides(%k) : !tile.buffer<bf16> -> !tile.view<{1}x?xbf16, [?, 1]>
      %B = tile.view %b offset %c0 sizes(%k) strides() : !tile.buffer<bf16> -> !tile.view<?x{0}xbf16, [{0}, 1]>
      %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<{1}x{0}xf32, [{0}, 1]>
      %s = tile.fill %z : f32 -> !tile.frag<{1}x{0}xf32>
      %l = tile.stage %A[%c0, %c0] sizes(%k) : !tile.view<{1}x?xbf16, [?, 1]> -> !tile.staged<{1}x?xbf16>
      %r = tile.stage %B[%c0, %c0] sizes(%k) : !tile.view<?x{0}xbf16, [{0}, 1]> -> !tile.staged<?x{0}xbf16>
      %p = tile.mma %l, %r, %s {{dot = #tile.dot_product<{2}>} : !tile.staged<{1}x?xbf16>, !tile.staged<?x{0}xbf16>, !tile.frag<{1}x{0}xf32>
      tile.store %p, %Y[%c0, %c0] : !tile.frag<{1}x{0}xf32>, !tile.view<{1}x{0}xf32, [{0}, 1]>
    })",
                       columns, rows, tile::stringifyDotProduct(dot));
}

/// Compares an MMA on the CPU with the interpreter, for every K up to a maximum.
void expectInterpretersBits(const TargetInfo &target, tile::DotProduct dot, int64_t rows,
                            int64_t columns, int64_t maxK) {
  mlir::MLIRContext context;
  loadTileDialects(context);
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(oneMma(dot, rows, columns), &context);
  ASSERT_TRUE(module);
  tile::KernelOp kernel = *module->getOps<tile::KernelOp>().begin();
  std::vector<std::vector<float>> expected;
  for (int64_t k = 0; k <= maxK; ++k) {
    Halves a = randomHalves(rows * k, 1), b = randomHalves(columns * k, 2);
    std::vector<float> values(rows * columns, NAN);
    auto report = interpreter::evaluateKernel(
        kernel, {bufferOf(a), bufferOf(b), bufferOf(values)}, {k}, {});
    ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
    expected.push_back(values);
  }
  auto image = compile(*module, target);
  ASSERT_TRUE(image);
  for (int64_t k = 0; k <= maxK; ++k) {
    Halves a = randomHalves(rows * k, 1), b = randomHalves(columns * k, 2);
    std::vector<float> found(rows * columns, NAN);
    void *buffers[] = {a.data(), b.data(), found.data()};
    image->kernel("k")(buffers, &k, 0, 1, nullptr);
    EXPECT_EQ(std::memcmp(found.data(), expected[k].data(), found.size() * sizeof(float)),
              0)
        << "K " << k;
  }
}
} // namespace

/// Attention has panels of two registers, and results of up to four tile registers.
TEST(Bf16DotOfTiles, CpuHasTheInterpretersBitsAtEveryWidth) {
  bool ran = false;
  for (const Dot &dot : kDots) {
    std::optional<TargetInfo> target = targetOrSkip(dot.target);
    if (!target)
      continue;
    ran = true;
    bool isVector = dot.instruction == tile::DotProduct::vdpbf16ps;
    for (int64_t columns : {4, 8, 16, 32, 48, 80})
      for (int64_t rows : {1, 3, 16, 21, 32, 70}) {
        SCOPED_TRACE(llvm::formatv("{0}: {1}x{2}", dot.target, rows, columns).str());
        bool isWide = columns % 16 == 0;
        if (isVector ? rows == 3 : isWide)
          expectInterpretersBits(*target, dot.instruction, rows, columns,
                                 isVector ? 21 : 67);
      }
  }
  if (!ran)
    GTEST_SKIP() << "this CPU has neither vdpbf16ps nor tdpbf16ps";
}

namespace {
/// Causal attention of 4 query heads and 2 key heads over @t keys, with results in f32,
/// which kernels do not round to bf16 in between.
std::string causalAttention(int64_t columns) {
  std::string q = "tensor<1x4x?x24xbf16, #graph.shape<[s] -> [1, 4, s, 24]>>";
  std::string k = "tensor<1x2x?x24xbf16, #graph.shape<[t] -> [1, 2, t, 24]>>";
  std::string n = std::to_string(columns);
  std::string v =
      "tensor<1x2x?x" + n + "xbf16, #graph.shape<[t] -> [1, 2, t, " + n + "]>>";
  auto result = [&](const std::string &element) {
    return "tensor<1x4x?x" + n + "x" + element + ", #graph.shape<[s] -> [1, 4, s, " + n +
           "]>>";
  };
  return llvm::formatv(R"(
    graph.symbol @s in [1, 512]
    graph.symbol @t in [1, 512]
    func.func @main(%q: {0}, %k: {1}, %v: {2}) {{
      %r = graph.kernel "attention" (%a = %q, %b = %k, %c = %v) : ({0}, {1}, {2}) -> {4} {{
        %y = graph.attention %a, %b, %c {{scale = 0.2, causal} : ({0}, {1}, {2}) -> {3}
        %z = graph.cast %y : ({3}) -> {4}
        graph.yield %z : {4}
      }
      return
    })",
                       q, k, v, result("bf16"), result("f32"));
}

/// Returns the rows [begin, begin + count) of each head of a tensor [heads, rows, width].
template <typename T>
std::vector<T> rowsOf(const std::vector<T> &from, int64_t heads, int64_t width,
                      int64_t begin, int64_t count) {
  std::vector<T> result;
  int64_t rows = from.size() / heads / width;
  for (int64_t head = 0; head < heads; ++head) {
    auto first = from.begin() + (head * rows + begin) * width;
    result.insert(result.end(), first, first + count * width);
  }
  return result;
}
} // namespace

/// Keys that a query does not see, infinite or not, leave its bits as they are.
class Bf16DotOfAttention : public testing::TestWithParam<Dot> {};

TEST_P(Bf16DotOfAttention, QueriesHaveTheBitsThatTheyHaveAlone) {
  std::optional<TargetInfo> target = targetOrSkip(GetParam().target);
  if (!target)
    GTEST_SKIP() << "this CPU has no "
                 << tile::stringifyDotProduct(GetParam().instruction).str();
  mlir::MLIRContext context;
  for (int64_t columns : {40, 32}) {
    auto kernel = buildKernel(context, causalAttention(columns), *target,
                              [](auto kernel, auto &target, auto &b) {
                                return codegen::emitKernel(kernel, target, b);
                              });
    ASSERT_TRUE(kernel);
    for (int64_t rows : {2, 5, 33, 70}) {
      Halves q = randomHalves(4 * rows * 24, 1), k = randomHalves(2 * rows * 24, 2),
             v = randomHalves(2 * rows * columns, 3);
      std::vector<float> all(4 * rows * columns);
      for (int64_t column = 0; column < columns; column += 3)
        v[(rows - 1) * columns + column] = 0x7f80; // the last key of the first head
      kernel->run({q.data(), k.data(), v.data(), all.data()}, {rows, rows});
      for (int64_t row = 0; row < rows; ++row) {
        Halves q1 = rowsOf(q, 4, 24, row, 1), k1 = rowsOf(k, 2, 24, 0, row + 1),
               v1 = rowsOf(v, 2, columns, 0, row + 1);
        std::vector<float> one(4 * columns);
        kernel->run({q1.data(), k1.data(), v1.data(), one.data()}, {1, row + 1});
        std::vector<float> other = rowsOf(all, 4, columns, row, 1);
        EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(float)), 0)
            << columns << ": " << row << " of " << rows;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dots, Bf16DotOfAttention, testing::ValuesIn(kDots),
                         [](const testing::TestParamInfo<Dot> &info) {
                           return std::string(info.param.target);
                         });

INSTANTIATE_TEST_SUITE_P(
    Shapes, Bf16Dot,
    testing::Combine(testing::ValuesIn(kDots),
                     testing::Values(Shape{1, 1, 16, "NP"}, Shape{1, 64, 33, "NP"},
                                     Shape{2, 7, 5, "NP"}, Shape{3, 33, 100, "NP"},
                                     Shape{13, 48, 64, "NP"}, Shape{31, 129, 40, "NP"},
                                     Shape{97, 2050, 17, "NP"}, Shape{5, 3, 16, "NN"},
                                     Shape{8, 65, 32, "NN"}, Shape{9, 40, 20, "NT"},
                                     Shape{12, 31, 48, "TN"}, Shape{33, 17, 9, "TT"},
                                     Shape{4, 1, 1, "TP"}, Shape{14, 70, 80, "TP"},
                                     Shape{20, 384, 96, "NP"}, Shape{64, 32, 48, "NP"},
                                     Shape{150, 96, 112, "NP"},
                                     Shape{130, 3200, 16, "NP"})),
    nameOf);
