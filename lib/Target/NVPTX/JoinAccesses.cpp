//===- JoinAccesses.cpp - Vectorizes loads and stores ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend vectorizes contiguous loads, and reads three elements as four if their
// address is aligned for it: the fourth may lie beyond the end of a buffer that the
// caller made no longer than its tensor. This file runs the same vectorizer first and
// splits each such masked load into loads that read the program's elements only.
//
//===----------------------------------------------------------------------===//

#include "EmitPtx.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

static void runVectorizer(Function &function, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  FunctionPassManager passes;
  passes.addPass(LoadStoreVectorizerPass());
  passes.run(function, functions);
}

/// Returns the lanes that one load takes from `lane` on: a power of two, aligned, and all
/// of them unmasked.
static unsigned pieceAt(const Constant &mask, unsigned lane, unsigned lanes) {
  unsigned count = 1;
  auto wanted = [&](unsigned first, unsigned end) {
    for (unsigned i = first; i < end; ++i)
      if (!mask.getAggregateElement(i)->isOneValue())
        return false;
    return true;
  };
  while (lane % (2 * count) == 0 && lane + 2 * count <= lanes &&
         wanted(lane + count, lane + 2 * count))
    count *= 2;
  return count;
}

static void takeApart(IntrinsicInst &load) {
  auto *type = cast<FixedVectorType>(load.getType());
  Type *element = type->getElementType();
  uint64_t bytes = load.getDataLayout().getTypeStoreSize(element);
  auto &mask = *cast<Constant>(load.getArgOperand(1));
  Align align = load.getParamAlign(0).valueOrOne();
  IRBuilder<> b(&load);
  Value *result = load.getArgOperand(2); // the passthru value of masked-off lanes
  for (unsigned lane = 0, count; lane < type->getNumElements(); lane += count) {
    count = 1;
    if (!mask.getAggregateElement(lane)->isOneValue())
      continue;
    count = pieceAt(mask, lane, type->getNumElements());
    Value *address = b.CreateConstInBoundsGEP1_64(element, load.getArgOperand(0), lane);
    Type *piece = count == 1 ? element : FixedVectorType::get(element, count);
    Value *part =
        b.CreateAlignedLoad(piece, address, commonAlignment(align, lane * bytes));
    for (unsigned i = 0; i < count; ++i)
      result = b.CreateInsertElement(
          result, count == 1 ? part : b.CreateExtractElement(part, i), lane + i);
  }
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

void kiln::nvptx::joinAccesses(Module &module, TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    runVectorizer(function, machine);
    SmallVector<IntrinsicInst *> masked;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::masked_load &&
          isa<Constant>(call->getArgOperand(1)))
        masked.push_back(call);
    for (IntrinsicInst *load : masked)
      takeApart(*load);
    // Without this attribute the backend would merge the split loads again.
    if (!masked.empty())
      function.addFnAttr(Attribute::NoImplicitFloat);
  }
}
