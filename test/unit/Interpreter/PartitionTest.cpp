//===- PartitionTest.cpp - Warp-specialized kernels without a target ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warpgroup kernel computes the same bits before and after kiln-partition-warps, and
// each fault that is planted into the pass's result is reported.
//
//===----------------------------------------------------------------------===//

#include "TileText.h"
#include "dialects/Graph/Graph.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Target/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

#include <random>

using namespace kiln;
using namespace kiln::interpreter;

namespace {

/// x [100, 192] times y [192, 96], both f16: three K steps, two tasks.
const std::string kProduct = R"(
  func.func @main(%a0: tensor<100x192xf16>, %b0: tensor<192x96xf16>) -> tensor<100x96xf16> {
    %k = graph.kernel "k" (%a = %a0, %b = %b0) : (tensor<100x192xf16>, tensor<192x96xf16>) -> tensor<100x96xf16> {
      %r = graph.matmul %a, %b : (tensor<100x192xf16>, tensor<192x96xf16>) -> tensor<100x96xf16>
      graph.yield %r : tensor<100x96xf16>
    }
    return %k : tensor<100x96xf16>
  })";
/// Config of kProduct whose tiles have two panels of columns, each stored separately.
const std::string kWideConfig =
    "#tile.warpgroup_gemm_config<rows = 128, panels = 2, block_k = 64, stages = 3, "
    "epilogue_panels = "
    "1, "
    "row_threads = 8, raster = 8, copy_registers = 40, compute_registers = 232>";
/// Config of kProduct for pairs of blocks (clusters of 2).
const std::string kPairConfig = "#tile.warpgroup_gemm_config<rows = 64, panels = 2, "
                                "block_k = 64, stages = 2, epilogue_panels = "
                                "1, row_threads = 8, raster = 8, copy_registers = 0, "
                                "compute_registers = 0, cluster = 2>";
/// Three heads, 40 queries and 300 keys of 32 elements: several tasks per block, several
/// steps.
const std::string kAttention = R"(
  func.func @main(%a0: tensor<1x3x40x32xf16>, %b0: tensor<1x3x300x32xf16>) -> tensor<1x3x40x32xf16> {
    %k = graph.kernel "k" (%a = %a0, %b = %b0) : (tensor<1x3x40x32xf16>, tensor<1x3x300x32xf16>) -> tensor<1x3x40x32xf16> {
      %r = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x3x40x32xf16>, tensor<1x3x300x32xf16>, tensor<1x3x300x32xf16>) -> tensor<1x3x40x32xf16>
      graph.yield %r : tensor<1x3x40x32xf16>
    }
    return %k : tensor<1x3x40x32xf16>
  })";

/// Config with two warpgroups that alternate.
const std::string kOrderedConfig =
    "#tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 2, "
    "producer_registers = 40, consumer_registers = 232>";

const std::vector<std::pair<std::string, std::string>> kKernels = {
    {kProduct, ""},
    {kProduct, kWideConfig},
    {kProduct, kPairConfig},
    {kAttention, ""},
    {kAttention, kOrderedConfig}};

class Partition : public TileTest {
protected:
  Partition() { context.loadDialect<graph::GraphDialect, mlir::func::FuncDialect>(); }

  /// Emits the kernel for sm_90a, in its own module.
  mlir::OwningOpRef<mlir::ModuleOp> emit(const std::string &text,
                                         const std::string &config = "") {
    source = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    auto main = source->lookupSymbol<mlir::func::FuncOp>("main");
    mlir::OwningOpRef<mlir::ModuleOp> emitted =
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(emitted->getBody());
    auto target = llvm::cantFail(TargetInfo::get("sm_90a"));
    mlir::Attribute chosen =
        config.empty() ? mlir::Attribute() : mlir::parseAttribute(config, &context);
    EXPECT_TRUE(mlir::succeeded(codegen::emitKernel(
        *main.getOps<graph::KernelOp>().begin(), target, builder, chosen)));
    sizes.clear();
    for (mlir::Type type : main.getArgumentTypes())
      sizes.push_back(mlir::cast<mlir::RankedTensorType>(type).getNumElements());
    resultSize =
        mlir::cast<mlir::RankedTensorType>(main.getResultTypes()[0]).getNumElements();
    return emitted;
  }

  mlir::OwningOpRef<mlir::ModuleOp> partitioned(const std::string &text,
                                                const std::string &config = "") {
    auto emitted = emit(text, config);
    mlir::PassManager pm(&context);
    PartitionWarpsPassOptions options;
    options.target = "sm_90a";
    pm.addPass(createPartitionWarpsPass(options));
    EXPECT_TRUE(mlir::succeeded(pm.run(*emitted)));
    return emitted;
  }

  /// Returns the bits of the result, or the error.
  llvm::Expected<std::vector<uint16_t>> evaluate(mlir::ModuleOp module) {
    std::mt19937 random(1);
    std::vector<std::vector<uint16_t>> memory;
    for (int64_t size : sizes)
      for (auto &value : memory.emplace_back(size))
        value = (random() & 0x83ff) | 0x3000; // f16 values around 0.2
    memory.emplace_back(resultSize, 0xffff);
    std::vector<Buffer> buffers;
    for (auto &values : memory)
      buffers.push_back(buffer(values));
    auto report = evaluateKernel(*module.getOps<tile::KernelOp>().begin(), buffers, {});
    if (!report)
      return report.takeError();
    EXPECT_EQ(report->unwritten[0], 0);
    return memory.back();
  }

  mlir::OwningOpRef<mlir::ModuleOp> source;
  std::vector<int64_t> sizes;
  int64_t resultSize = 0;
};

TEST_F(Partition, computesTheSameBits) {
  for (auto [text, config] : kKernels) {
    auto before = emit(text, config);
    auto expected = evaluate(*before);
    ASSERT_TRUE(bool(expected)) << llvm::toString(expected.takeError());
    auto after = partitioned(text, config);
    ASSERT_FALSE(after->getOps<tile::KernelOp>().empty());
    bool specialized = false;
    after->walk([&](tile::WarpSpecializeOp) { specialized = true; });
    EXPECT_TRUE(specialized);
    auto found = evaluate(*after);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    EXPECT_EQ(*found, *expected);
  }
}

/// A fault: a change to one op.
struct Fault {
  const char *name;
  std::function<bool(mlir::Operation *)> plant; ///< false: does not apply to this op
};

template <typename Op> std::function<bool(mlir::Operation *)> erase() {
  return [](mlir::Operation *op) {
    if (!mlir::isa<Op>(op))
      return false;
    op->erase();
    return true;
  };
}

/// Makes a fault that applies `change` to every op of a type.
template <typename Op>
std::function<bool(mlir::Operation *)> alter(std::function<bool(Op)> change) {
  return [change](mlir::Operation *op) {
    auto found = mlir::dyn_cast<Op>(op);
    return found && change(found);
  };
}

mlir::Value constantBefore(mlir::Operation *op, int64_t value) {
  mlir::OpBuilder b(op);
  return mlir::arith::ConstantIntOp::create(b, op->getLoc(), value, 32);
}

std::vector<Fault> faults() {
  return {
      {"a wait for a barrier is missing", erase<tile::WaitBarrierOp>()},
      {"a release is missing", erase<tile::ArriveBarrierOp>()},
      {"a release is for one block of a pair",
       alter<tile::ArriveBarrierOp>([](tile::ArriveBarrierOp op) {
         bool wasForAll = op.getCluster();
         op.setCluster(false);
         return wasForAll;
       })},
      {"an announcement of bytes is missing", erase<tile::ExpectBytesOp>()},
      {"a copy is missing", erase<tile::AsyncCopyOp>()},
      {"too few bytes are announced",
       alter<tile::ExpectBytesOp>([](tile::ExpectBytesOp op) {
         op.setBytes(op.getBytes() / 2);
         return true;
       })},
      {"too many bytes are announced",
       alter<tile::ExpectBytesOp>([](tile::ExpectBytesOp op) {
         op.setBytes(op.getBytes() * 2);
         return true;
       })},
      {"the parity of a wait is always 0",
       alter<tile::WaitBarrierOp>([](tile::WaitBarrierOp op) {
         op.getParityMutable().assign(constantBefore(op, 0));
         return true;
       })},
      {"the parity of a wait is always 1",
       alter<tile::WaitBarrierOp>([](tile::WaitBarrierOp op) {
         op.getParityMutable().assign(constantBefore(op, 1));
         return true;
       })},
      {"a wait is for stage 0 only",
       alter<tile::WaitBarrierOp>([](tile::WaitBarrierOp op) {
         op.getIndexMutable().assign(constantBefore(op, 0));
         return op.getBarrier().getType().getCount() > 1;
       })},
      {"a release is of stage 0 only",
       alter<tile::ArriveBarrierOp>([](tile::ArriveBarrierOp op) {
         op.getIndexMutable().assign(constantBefore(op, 0));
         return op.getBarrier().getType().getCount() > 1;
       })},
      {"copies go to stage 0 only", alter<tile::AsyncCopyOp>([](tile::AsyncCopyOp op) {
         op.getStageMutable().assign(constantBefore(op, 0));
         return op.getBarrier().getType().getCount() > 1;
       })},
      {"a product reads stage 0 only", alter<tile::IssueMmaOp>([](tile::IssueMmaOp op) {
         op.getRhsStageMutable().assign(constantBefore(op, 0));
         return true;
       })},
      {"one product too many may be in flight",
       alter<tile::WaitMmaOp>([](tile::WaitMmaOp op) {
         op.setInFlight(op.getInFlight() + 1);
         return true;
       })},
      {"a barrier waits for one arrival more",
       alter<tile::CreateBarriersOp>([](tile::CreateBarriersOp op) {
         op.setArrivals(op.getArrivals() + 1);
         return true;
       })},
      {"a barrier waits for one arrival less",
       alter<tile::CreateBarriersOp>([](tile::CreateBarriersOp op) {
         op.setArrivals(op.getArrivals() - 1);
         return op.getArrivals() > 0;
       })},
      {"a left operand is not kept", alter<tile::WaitMmaOp>([](tile::WaitMmaOp op) {
         bool keeps = !op.getKept().empty();
         op.getKeptMutable().clear();
         return keeps;
       })},
      {"a stage is released without the condition",
       alter<tile::ArriveBarrierOp>([](tile::ArriveBarrierOp op) {
         bool has = bool(op.getCondition());
         op.getConditionMutable().clear();
         return has;
       })},
      {"a stage is released before its products are complete",
       alter<tile::ArriveBarrierOp>([](tile::ArriveBarrierOp op) {
         auto wait = op->getPrevNode();
         if (!mlir::isa_and_nonnull<tile::WaitMmaOp>(wait))
           return false;
         op->moveBefore(wait);
         return true;
       })},
      {"bytes are announced after the copies",
       alter<tile::ExpectBytesOp>([](tile::ExpectBytesOp op) {
         mlir::Operation *last = op;
         while (mlir::isa_and_nonnull<tile::AsyncCopyOp>(last->getNextNode()))
           last = last->getNextNode();
         op->getPrevNode()->moveAfter(last); // and so is the wait for an empty stage
         return last != op;
       })},
      {"a wait for a turn is missing", erase<tile::WaitOrderOp>()},
      {"a turn is not passed on", erase<tile::ArriveOrderOp>()},
      {"a wait for stores is missing", erase<tile::WaitStoresOp>()},
      {"one store too many may be in flight",
       alter<tile::WaitStoresOp>([](tile::WaitStoresOp op) {
         op.setInFlight(op.getInFlight() + 1);
         return true;
       })},
      {"the last stores are not waited for",
       alter<tile::WaitStoresOp>([](tile::WaitStoresOp op) {
         bool waits = op.getWritten();
         op.setWritten(false);
         return waits;
       })},
      {"a tile of the result is not written", erase<tile::WriteBufferOp>()},
      {"a tile of the result is written behind its copy",
       alter<tile::WriteBufferOp>([](tile::WriteBufferOp op) {
         mlir::Operation *store = op;
         while (store && !mlir::isa<tile::AsyncStoreOp>(store))
           store = store->getNextNode();
         op->moveAfter(store);
         return true;
       })},
      {"all stores are from stage 0",
       alter<tile::AsyncStoreOp>([](tile::AsyncStoreOp op) {
         op.getStageMutable().assign(constantBefore(op, 0));
         return op.getBuffer().getType().getStages() > 1;
       })},
      {"a copy counts for another barrier",
       alter<tile::AsyncCopyOp>([](tile::AsyncCopyOp op) {
         mlir::Value other;
         op->getParentOfType<tile::KernelOp>().walk([&](tile::CreateBarriersOp create) {
           if (create.getType() == op.getBarrier().getType() &&
               create != op.getBarrier().getDefiningOp())
             other = create;
         });
         if (other)
           op.getBarrierMutable().assign(other);
         return bool(other);
       })},
  };
}

/// Plants a fault into each op that it applies to, one at a time. Each kind of fault must
/// be found at least once; a planted fault that is not found must be harmless (the first
/// stage is number 0 anyway).
TEST_F(Partition, plantedFaultsAreFound) {
  std::map<std::string, int> timesFound;
  for (auto [text, config] : kKernels) {
    auto good = partitioned(text, config);
    auto expected = evaluate(*good);
    ASSERT_TRUE(bool(expected)) << llvm::toString(expected.takeError());
    for (const Fault &fault : faults())
      for (int number = 0;; ++number) {
        mlir::OwningOpRef<mlir::ModuleOp> bad(good->clone());
        std::vector<mlir::Operation *> ops;
        bad->walk([&](mlir::Operation *op) {
          if (op->getNumRegions() == 0 && op->getName().getDialectNamespace() == "tile")
            ops.push_back(op);
        });
        if (number == int(ops.size()))
          break;
        std::string where = ops[number]->getName().getStringRef().str();
        if (!fault.plant(ops[number]))
          continue;
        auto found = evaluate(*bad);
        if (found) {
          EXPECT_EQ(*found, *expected) << fault.name << ": " << where << " " << number;
          continue;
        }
        std::string message = llvm::toString(found.takeError());
        EXPECT_NE(message.find("KILN-E0275"), std::string::npos) << fault.name << message;
        ++timesFound[fault.name];
      }
  }
  EXPECT_EQ(faults().size(), 29u);
  for (const Fault &fault : faults())
    EXPECT_GT(timesFound[fault.name], 0) << fault.name;
}

} // namespace
