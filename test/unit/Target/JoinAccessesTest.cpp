//===- JoinAccessesTest.cpp - Merging of memory accesses ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Target/EmitModule.h"
#include "lib/Target/NVPTX/EmitPtx.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace kiln;

namespace {
/// A kernel that adds a number of contiguous floats: the bytes of its loads, and whether
/// the backend may merge accesses.
struct Joined {
  std::vector<uint64_t> loads;
  bool backendJoins = true;
};
} // namespace

static std::string sumOf(unsigned count) {
  std::string text = "define ptx_kernel void @sum(ptr addrspace(1) align 16 %x, "
                     "ptr addrspace(1) align 16 %y) {\n  %s0 = fadd float 0.0, 0.0\n";
  for (unsigned i = 0; i < count; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "  %p" + n + " = getelementptr inbounds float, ptr addrspace(1) %x, i64 " +
            n + "\n  %v" + n + " = load float, ptr addrspace(1) %p" + n + ", align " +
            (i % 4 == 0 ? "16" : "4") + "\n  %s" + next + " = fadd float %s" + n +
            ", %v" + n + "\n";
  }
  return text + "  store float %s" + std::to_string(count) +
         ", ptr addrspace(1) %y\n  ret void\n}\n";
}

static Joined join(unsigned count) {
  mlir::MLIRContext mlirContext;
  nvptx::prepareEmission(&mlirContext);
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(sumOf(count), error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  auto machine = createMachine({"nvptx64-nvidia-cuda", "sm_80", "+ptx80"});
  EXPECT_TRUE(bool(machine));
  module->setTargetTriple(llvm::Triple("nvptx64-nvidia-cuda"));
  module->setDataLayout((*machine)->createDataLayout());
  nvptx::joinAccesses(*module, **machine);
  llvm::Function &function = *module->getFunction("sum");
  Joined joined;
  joined.backendJoins = !function.hasFnAttribute(llvm::Attribute::NoImplicitFloat);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    EXPECT_FALSE(llvm::isa<llvm::IntrinsicInst>(instruction)) << "a masked load is left";
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      joined.loads.push_back(module->getDataLayout().getTypeStoreSize(load->getType()));
  }
  return joined;
}

TEST(JoinAccesses, FourAlignedFloatsAreOneLoad) {
  Joined joined = join(4);
  EXPECT_EQ(joined.loads, (std::vector<uint64_t>{16}));
  EXPECT_TRUE(joined.backendJoins);
}

TEST(JoinAccesses, ThreeAlignedFloatsAreNotReadAsFour) {
  Joined joined = join(3);
  EXPECT_EQ(joined.loads, (std::vector<uint64_t>{8, 4}));
  EXPECT_FALSE(joined.backendJoins);
}

TEST(JoinAccesses, TheEndOfALongerStretchIsNotReadBeyond) {
  uint64_t bytes = 0;
  for (uint64_t load : join(7).loads)
    bytes += load;
  EXPECT_EQ(bytes, 28u);
}
