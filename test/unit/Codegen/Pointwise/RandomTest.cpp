//===- RandomTest.cpp - Random kernels against the reference --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel is emitted for the target and run by the tile evaluator; for a host it is
// also compiled and, if this machine supports the target, run. Results are compared with
// the reference. A failure names the seed: KILN_RANDOM_KERNELS=<seed>,1 runs only that
// one (<first>,<count> a range), KILN_RANDOM_PRINT=1 also prints its code.
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"
#include "lib/Codegen/Pointwise/PointwisePrograms.h"
#include "mlir/IR/Verifier.h"

using namespace kiln;
using namespace kiln::test;
using namespace mlir;

namespace {

/// Kernels per image, as compile time grows with the number of kernels.
constexpr unsigned kBatch = 20;

struct Seeded {
  unsigned seed;
  KernelCase test;
  bool decides;
};

class PointwiseRandom : public testing::TestWithParam<const char *> {
protected:
  void runBatch(unsigned first, unsigned count, const TargetInfo &target);
  /// Adds the code of one kernel to `code`; nullopt if that fails.
  std::optional<Seeded> emit(unsigned seed, ModuleOp module, ModuleOp code,
                             const TargetInfo &target);
};

/// Returns the distance from 1 to the next value of a float type (machine epsilon).
double epsilonOf(Type type) {
  int precision =
      llvm::APFloat::semanticsPrecision(cast<FloatType>(type).getFloatSemantics());
  return std::ldexp(1.0, 1 - precision);
}

/// Returns the epsilon of the least precise type that the kernel computes in: narrow
/// floats are computed in f32.
double computeEpsilon(graph::KernelOp kernel) {
  double epsilon = 0;
  auto add = [&](Type type) {
    if (auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type)))
      epsilon = std::max(epsilon, std::min(epsilonOf(element), std::ldexp(1.0, -23)));
  };
  llvm::for_each(kernel.getBlock().getArgumentTypes(), add);
  for (Operation &op : kernel.getBlock())
    llvm::for_each(op.getResultTypes(), add);
  return epsilon;
}

Tolerance toleranceOf(const Seeded &item) {
  graph::KernelOp kernel = item.test.kernel;
  Type element = getElementTypeOrSelf(kernel.getYielded().front().getType());
  Tolerance tolerance;
  // Polynomials for exp, erf and the like are accurate to a few ulps. In f64 the
  // reference has no spare digits, so the amplified rounding of operands cannot be
  // measured: exp(100) amplifies it a hundredfold.
  double epsilon = computeEpsilon(kernel);
  bool isDouble = epsilon == epsilonOf(Float64Type::get(kernel.getContext()));
  tolerance.relative = epsilon * (isDouble ? 1 << 16 : 32);
  tolerance.absolute = tolerance.relative;
  if (isa<FloatType>(element)) // rounded to nearest at the store
    tolerance.relative += epsilonOf(element) / 2;
  tolerance.rounding = 16.0;
  tolerance.spread = kernel.getHero() == "row" ? 0.3 : 0.0;
  tolerance.decisions = item.decides ? 0.05 : 0.0;
  return tolerance;
}

} // namespace

std::optional<Seeded> PointwiseRandom::emit(unsigned seed, ModuleOp module, ModuleOp code,
                                            const TargetInfo &target) {
  OpBuilder inside = OpBuilder::atBlockEnd(module.getBody());
  auto function =
      func::FuncOp::create(inside, inside.getUnknownLoc(), "f" + std::to_string(seed),
                           inside.getFunctionType({}, {}));
  inside.setInsertionPointToEnd(function.addEntryBlock());
  RandomKernel random(inside, seed);
  Seeded item{seed, random.build(), false};
  item.decides = random.decides;
  std::string why;
  codegen::PointwisePrograms programs(item.test.kernel);
  if (!programs.canEmit(why)) {
    ADD_FAILURE() << why << " in\n" << spell(item.test);
    return std::nullopt;
  }
  OpBuilder outside = OpBuilder::atBlockEnd(code.getBody());
  auto kernel = programs.emit(item.test.kernel, target, outside);
  if (failed(kernel)) {
    ADD_FAILURE() << "not emitted: " << spell(item.test);
    return std::nullopt;
  }
  kernel->setSymName("k" + std::to_string(seed));
  item.test.code = *kernel;
  return item;
}

void PointwiseRandom::runBatch(unsigned first, unsigned count, const TargetInfo &target) {
  MLIRContext context;
  loadGraphDialects(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  OwningOpRef<ModuleOp> code = ModuleOp::create(UnknownLoc::get(&context));
  std::vector<Seeded> cases;
  for (unsigned seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::optional<Seeded> item = emit(seed, *module, *code, target);
    ASSERT_TRUE(item);
    cases.push_back(std::move(*item));
  }
  ASSERT_TRUE(succeeded(verify(*code)));
  std::unique_ptr<LoadedImage> image;
  if (!target.gpu) {
    image = compile(*code, target);
    ASSERT_TRUE(image);
  }
  bool runs = image && targetOrSkip(target.name).has_value();
  for (Seeded &item : cases) {
    SCOPED_TRACE("seed " + std::to_string(item.seed) + " " + spell(item.test));
    if (std::getenv("KILN_RANDOM_PRINT"))
      llvm::errs() << "seed " << item.seed << " " << spell(item.test) << item.test.code
                   << "\n";
    std::optional<Expected> expected = evaluateReference(item.test);
    ASSERT_TRUE(expected);
    {
      SCOPED_TRACE("run by the tile evaluator");
      compareResults(*expected, evaluateTile(item.test), toleranceOf(item));
    }
    if (!runs)
      continue;
    SCOPED_TRACE("run as host code");
    kiln_host_kernel function = image->kernel(item.test.code.getSymName());
    compareResults(*expected, runKernel(item.test, function), toleranceOf(item));
  }
}

TEST_P(PointwiseRandom, MatchesReference) {
  TargetInfo target = llvm::cantFail(TargetInfo::get(GetParam()));
  unsigned first = 0, count = 200;
  if (const char *text = std::getenv("KILN_RANDOM_KERNELS"))
    ASSERT_EQ(std::sscanf(text, "%u,%u", &first, &count), 2);
  for (unsigned seed = first; seed < first + count; seed += kBatch)
    runBatch(seed, std::min(kBatch, first + count - seed), target);
}

INSTANTIATE_TEST_SUITE_P(Targets, PointwiseRandom,
                         testing::Values("x86-64-v3", "x86-64-v4", "sm_80"),
                         [](const auto &info) {
                           return std::string(StringRef(info.param).take_back(2));
                         });
