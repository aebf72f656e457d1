//===- NarrowCastTest.cpp - Casts of floats of 8 bits and fewer -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts by the tile evaluator and as host code, compared with the reference's conversions
// (which FloatFormatTest checks against the definition): every bit pattern of types of up
// to 16 bits; for wider types the midpoints between narrow values, the values next to
// them, and random bits.
//
//===----------------------------------------------------------------------===//

#include "Pointwise/ReferenceCheck.h"
#include "kiln/Codegen/EmitKernel.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace kiln;
using namespace kiln::test;
using namespace mlir;
using reference::Tensor;

namespace {

const char *const kFloats[] = {"f8E4M3FN",  "f8E5M2",   "f8E4M3FNUZ", "f8E5M2FNUZ",
                               "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN",   "f4E2M1FN"};
const char *const kIntegers[] = {"i4", "ui4", "i2", "ui2"};
const char *const kSources[] = {"f16", "bf16", "f32", "f64",  "i1",   "i8",  "i16",
                                "i32", "i64",  "ui8", "ui16", "ui32", "ui64"};

class NarrowCast : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override { loadGraphDialects(context); }

  Type parse(const std::string &text) { return mlir::parseType(text, &context); }

  /// Returns all values of a type of up to 16 bits, else values that are hard to round.
  Tensor hardNumbers(Type type) {
    unsigned width = type.getIntOrFloatBitWidth();
    if (width <= 16)
      return allPatterns(type, width);
    if (isa<IntegerType>(type))
      return hardIntegers(type, width);
    std::vector<double> values{
        0.0,      -0.0,    NAN,     INFINITY, -INFINITY,
        0x1p-149, 0x1p127, 0x1p128, 1e300,    std::nextafter(0x1p128, 0)};
    for (const FloatFormat &format : {kF8E4M3FN, kF8E5M2, kF6E3M2FN, kF4E2M1FN})
      for (uint32_t bits = 0; bits < format.maxFinite(); ++bits)
        addAround(values, (decode(bits, format) + decode(bits + 1, format)) / 2);
    for (int exponent = -150; exponent < 128; ++exponent)
      for (double fraction : {1.0, 1.5})
        addAround(values, std::ldexp(fraction, exponent));
    return Tensor::fromDoubles(type, {int64_t(values.size())}, values).rounded();
  }

  /// Computes %r of type `to` from %a with a cast; results must have the reference's
  /// bits, or be NaN where it is.
  void check(const Tensor &input, Type to, const std::string &attributes = "") {
    int64_t count = input.getNumElements();
    Type from = input.getElementType();
    std::string in = spellTensor(from, count), out = spellTensor(to, count);
    std::string text = "func.func @main(%a0: " + in + ") -> " + out +
                       " {\n%k = graph.kernel \"k\" (%a = %a0) : (" + in + ") -> " + out +
                       " {\n%r = graph.cast %a " + attributes + " : (" + in + ") -> " +
                       out + "\ngraph.yield %r : " + out + "\n}\nreturn %k : " + out +
                       "\n}";
    SCOPED_TRACE(text);
    auto source = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(source);
    KernelCase test;
    source->walk([&](graph::KernelOp kernel) { test.kernel = kernel; });
    test.inputs = {input};
    TargetInfo target = llvm::cantFail(TargetInfo::get(GetParam()));
    OwningOpRef<ModuleOp> code = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder = OpBuilder::atBlockEnd(code->getBody());
    auto kernel = codegen::emitKernel(test.kernel, target, builder);
    ASSERT_TRUE(succeeded(kernel));
    test.code = *kernel;
    std::optional<Expected> expected = evaluateReference(test);
    ASSERT_TRUE(expected);
    compare(input, expected->exact.front(), evaluateTile(test), "tile");
    auto image = compile(*code, target);
    ASSERT_TRUE(image);
    if (targetOrSkip(GetParam()))
      compare(input, expected->exact.front(),
              runKernel(test, image->kernel(test.code.getSymName())), "host");
  }

  MLIRContext context;

private:
  static std::string spellTensor(Type type, int64_t count) {
    std::string text;
    llvm::raw_string_ostream(text) << "tensor<" << count << "x" << type << ">";
    return text;
  }
  static void addAround(std::vector<double> &values, double half) {
    for (double value : {half, std::nextafter(half, 0), std::nextafter(half, INFINITY),
                         double(std::nextafter(float(half), 0.0f)),
                         double(std::nextafter(float(half), INFINITY))})
      values.insert(values.end(), {value, -value});
  }
  static Tensor allPatterns(Type type, unsigned width) {
    int64_t count = int64_t(1) << width;
    Tensor result = Tensor::allocate(type, {count});
    bool isSigned = isa<IntegerType>(type) && !type.isUnsignedInteger() && width > 1;
    for (int64_t i = 0; i < count; ++i) {
      int64_t value = isSigned ? llvm::SignExtend64(i, width) : i;
      std::memcpy(result.mutableData() + i * result.getElementBytes(), &value,
                  result.getElementBytes());
    }
    return result;
  }
  Tensor hardIntegers(Type type, unsigned width) {
    std::vector<int64_t> values;
    for (unsigned bit = 0; bit < width; ++bit)
      for (int64_t base : {int64_t(1) << bit, int64_t(3) << bit, int64_t(19) << bit})
        for (int64_t step : {-1, 0, 1})
          values.insert(values.end(), {base + step, -base - step});
    for (int i = 0; i < 500; ++i)
      values.push_back(int64_t(random()) >> (i % 63));
    return Tensor::fromInts(type, {int64_t(values.size())}, values);
  }
  static void compare(const Tensor &input, const Tensor &expected,
                      const std::vector<std::vector<char>> &results, const char *how) {
    ASSERT_EQ(results.size(), 1u);
    Tensor found = Tensor::borrow(expected.getElementType(), expected.getShape(),
                                  results.front().data());
    Tensor stored = expected.rounded();
    int64_t bytes = stored.getElementBytes();
    int wrong = 0;
    for (int64_t i = 0; i < stored.getNumElements(); ++i) {
      bool bothNaN = std::isnan(found.getDouble(i)) && std::isnan(stored.getDouble(i));
      bool same =
          std::memcmp(found.data() + i * bytes, stored.data() + i * bytes, bytes) == 0;
      if (!same && !bothNaN && ++wrong < 5)
        ADD_FAILURE() << how << ": " << input.getDouble(i) << " gives "
                      << found.getDouble(i) << ", not " << stored.getDouble(i);
    }
    EXPECT_EQ(wrong, 0);
  }

  std::mt19937_64 random{7};
};

} // namespace

TEST_P(NarrowCast, ToFloats) {
  for (const char *to : kFloats)
    for (const char *from : kSources) {
      check(hardNumbers(parse(from)), parse(to));
      if (StringRef(from).starts_with("f"))
        check(hardNumbers(parse(from)), parse(to), "{overflows}");
    }
}

TEST_P(NarrowCast, ToScales) {
  for (const char *from : {"bf16", "f32", "f64", "i64", "ui64"})
    for (std::string rounding : {"up", "down", "nearest"})
      for (std::string overflows : {"", "overflows, "})
        check(hardNumbers(parse(from)), parse("f8E8M0FNU"),
              "{" + overflows + "rounding = #graph<scale_rounding " + rounding + ">}");
}

TEST_P(NarrowCast, FromFloats) {
  for (const char *from : kFloats) {
    for (const char *to : kSources)
      check(hardNumbers(parse(from)), parse(to));
    for (const char *to : kFloats)
      if (to != from)
        check(hardNumbers(parse(from)), parse(to));
    for (const char *to : kIntegers)
      check(hardNumbers(parse(from)), parse(to));
  }
}

TEST_P(NarrowCast, Integers) {
  for (const char *narrow : kIntegers) {
    for (const char *other : kSources) {
      check(hardNumbers(parse(narrow)), parse(other));
      check(hardNumbers(parse(other)), parse(narrow));
    }
    for (const char *to : kFloats)
      check(hardNumbers(parse(narrow)), parse(to));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, NarrowCast, testing::Values("x86-64-v3", "native"));
