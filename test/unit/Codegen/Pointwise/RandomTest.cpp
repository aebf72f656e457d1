//===- RandomTest.cpp - Random kernels against the reference --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KILN_RANDOM_KERNELS=<first>,<count> runs other seeds than the usual ones,
// KILN_RANDOM_PRINT=1 prints each kernel and its code before it runs.
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"
#include "kiln/Codegen/Pointwise.h"
#include "mlir/IR/Verifier.h"

using namespace kiln;
using namespace kiln::test;
using namespace mlir;

namespace {

/// Kernels that are compiled together; one image costs what its kernels cost.
constexpr unsigned kBatch = 20;

struct Seeded {
  unsigned seed;
  KernelCase test;
  bool decides;
};

class PointwiseRandom : public testing::TestWithParam<const char *> {
protected:
  void runBatch(unsigned first, unsigned count, const TargetInfo &target);
};

Tolerance toleranceOf(const Seeded &item) {
  Tolerance tolerance;
  Value result = graph::KernelOp(item.test.kernel).getYielded().front();
  Type element = cast<RankedTensorType>(result.getType()).getElementType();
  // Polynomials for exp, erf and the like are good to a few units of f32.
  tolerance.relative = 4e-6;
  tolerance.absolute = 4e-6;
  tolerance.rounding = 16.0;
  tolerance.spread = StringRef(graph::KernelOp(item.test.kernel).getHero()) == "row" ? 0.3 : 0.0;
  if (element.isF16() || element.isBF16())
    tolerance.relative = tolerance.absolute = element.isF16() ? 2e-3 : 1.6e-2;
  tolerance.decisions = item.decides ? 0.05 : 0.0;
  return tolerance;
}

} // namespace

void PointwiseRandom::runBatch(unsigned first, unsigned count, const TargetInfo &target) {
  MLIRContext context;
  loadGraphDialects(context);
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  OwningOpRef<ModuleOp> code = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToStart(module->getBody());
  std::vector<Seeded> cases;
  for (unsigned seed = first; seed < first + count; ++seed) {
    OpBuilder inside = OpBuilder::atBlockEnd(module->getBody());
    auto function = func::FuncOp::create(inside, inside.getUnknownLoc(),
                                         "f" + std::to_string(seed),
                                         inside.getFunctionType({}, {}));
    inside.setInsertionPointToEnd(function.addEntryBlock());
    RandomKernel random(inside, seed);
    Seeded item{seed, random.build(), false};
    item.decides = random.decides;
    std::string why;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_TRUE(codegen::canEmitPointwiseOrRow(item.test.kernel, &why))
        << why << " in\n" << spell(item.test);
    OpBuilder outside = OpBuilder::atBlockEnd(code->getBody());
    auto kernel = codegen::emitPointwiseOrRow(item.test.kernel, target, outside);
    ASSERT_TRUE(succeeded(kernel));
    kernel->setSymName("k" + std::to_string(seed));
    item.test.code = *kernel;
    cases.push_back(std::move(item));
  }
  ASSERT_TRUE(succeeded(verify(*code)));
  auto image = compile(*code, target);
  ASSERT_TRUE(image);
  for (Seeded &item : cases) {
    SCOPED_TRACE("seed " + std::to_string(item.seed));
    if (std::getenv("KILN_RANDOM_PRINT"))
      llvm::errs() << "seed " << item.seed << " " << spell(item.test) << item.test.code << "\n";
    checkKernel(item.test, *image, toleranceOf(item));
  }
}

TEST_P(PointwiseRandom, MatchesReference) {
  std::optional<TargetInfo> target = targetOrSkip(GetParam());
  if (!target)
    GTEST_SKIP() << "this machine cannot run " << GetParam();
  unsigned first = 0, count = 200;
  if (const char *text = std::getenv("KILN_RANDOM_KERNELS"))
    ASSERT_EQ(std::sscanf(text, "%u,%u", &first, &count), 2);
  for (unsigned seed = first; seed < first + count; seed += kBatch)
    runBatch(seed, std::min(kBatch, first + count - seed), *target);
}

INSTANTIATE_TEST_SUITE_P(Targets, PointwiseRandom, testing::Values("x86-64-v3", "x86-64-v4"),
                         [](const auto &info) {
                           return std::string(StringRef(info.param).take_back(2));
                         });
