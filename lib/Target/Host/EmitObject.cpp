//===- EmitObject.cpp - The LLVM dialect to an object ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitObject.h"
#include "../EmitModule.h"
#include "../EqualModules.h"
#include "OptimizeKernel.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/TargetParser/Triple.h"

using namespace kiln;

// Declared here because llvm/Support/TargetSelect.h initializes either the build
// machine's target or all targets, and an image is always for x86-64.
extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

static constexpr llvm::StringLiteral kTriple = "x86_64-unknown-linux-gnu";

void host::prepareEmission(mlir::MLIRContext *context) {
  static const bool once = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)once;
  mlir::registerBuiltinDialectTranslation(*context);
  mlir::registerLLVMDialectTranslation(*context);
}

static MachineSpec specOf(const TargetInfo &info) {
  MachineSpec spec{kTriple.str(), "x86-64", ""};
  for (const std::string &feature : info.features)
    spec.features += (spec.features.empty() ? "+" : ",+") + feature;
  return spec;
}

/// Sets the attributes that make functions self-contained: no library calls are formed,
/// and registers are used to their full width. The unwind table lets profilers and
/// debuggers find a function's caller from any of its instructions.
static void annotate(llvm::Module &module, const TargetInfo &info) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("no-builtins");
    function.addFnAttr("tune-cpu", info.tuneCpu);
    function.addFnAttr("prefer-vector-width", std::to_string(info.vectorBytes * 8));
    function.addFnAttr("min-legal-vector-width", std::to_string(info.vectorBytes * 8));
    function.setDoesNotThrow();
    function.setUWTableKind(llvm::UWTableKind::Async);
    for (llvm::Argument &argument : function.args())
      if (argument.getType()->isPointerTy())
        argument.addAttr(llvm::Attribute::NoAlias);
  }
}

/// Returns the number of enabled lanes of a constant mask of the form 1, ..., 1, 0, ...,
/// 0; nullopt for any other mask.
static std::optional<unsigned> lanesOfPrefix(llvm::Value *mask) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  if (!constant || !type)
    return std::nullopt;
  unsigned count = 0;
  bool isPrefix = true;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    llvm::Constant *lane = constant->getAggregateElement(i);
    if (!llvm::isa_and_nonnull<llvm::ConstantInt>(lane))
      return std::nullopt;
    bool isOn = lane->isOneValue();
    isPrefix &= !isOn || count == i;
    count += isOn;
  }
  return isPrefix ? std::optional(count) : std::nullopt;
}

/// Stores the first lanes of a vector by unmasked stores, each a power of two lanes long.
static void storePrefix(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Value *pointer,
                        unsigned count) {
  llvm::Type *element = llvm::cast<llvm::VectorType>(value->getType())->getElementType();
  for (unsigned begin = 0; begin < count;) {
    unsigned length = llvm::bit_floor(count - begin);
    auto lanes = llvm::to_vector(llvm::seq<int>(begin, begin + length));
    llvm::Value *part = length == 1 ? builder.CreateExtractElement(value, begin)
                                    : builder.CreateShuffleVector(value, lanes);
    llvm::Value *to = builder.CreateConstInBoundsGEP1_64(element, pointer, begin);
    builder.CreateAlignedStore(part, to, llvm::Align(1));
    begin += length;
  }
}

/// Replaces masked stores of narrow elements whose mask is constant. LLVM's instruction
/// selection (X86ISelLowering, reduceMaskedStoreToScalarStore) miscompiles them: it
/// stores the only lane of a truncated vector with the width before truncation, so a
/// masked store of one 16-bit lane writes 32 bits.
static void splitNarrowStores(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> stores;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_store)
        stores.push_back(call);
  for (llvm::IntrinsicInst *call : stores) {
    llvm::Value *value = call->getArgOperand(0), *pointer = call->getArgOperand(1);
    llvm::Value *mask = call->getArgOperand(call->arg_size() - 1);
    auto count = lanesOfPrefix(mask);
    if (!count || value->getType()->getScalarSizeInBits() >= 32)
      continue;
    llvm::IRBuilder<> builder(call);
    storePrefix(builder, value, pointer, *count);
    call->eraseFromParent();
  }
}

/// Long kernels skip loop strength reduction: their addresses already are a base, an
/// index and a constant. The pass changes nothing for GEMM loops, exceeds the number of
/// registers in attention loops, and takes a fifth of code generation.
static constexpr llvm::StringLiteral kSkippedInLong = "Loop Strength Reduction";

/// Code generation changes a module, so the assembly is generated from a copy.
static llvm::Error dumpTexts(llvm::Module &module, llvm::TargetMachine &machine,
                             llvm::StringRef skipped, llvm::StringRef kernel,
                             const KernelTextSink &texts) {
  if (llvm::Error error = texts(kernel, "ll", textOf(module)))
    return error;
  llvm::SmallString<0> assembly;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (llvm::Error error = assembleModule(
          *copy, machine, llvm::CodeGenFileType::AssemblyFile, assembly, skipped))
    return error;
  return texts(kernel, "s", assembly);
}

llvm::Error host::emitObject(mlir::ModuleOp op, const TargetInfo &target,
                             llvm::StringRef kernel, const KernelTextSink &texts,
                             llvm::SmallVectorImpl<char> &object,
                             llvm::function_ref<bool(llvm::StringRef)> isWanted) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = mlir::translateModuleToLLVMIR(op, context, "kernel");
  if (!module)
    return emissionError("a module cannot be translated to LLVM IR", "");
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createMachine(specOf(target));
  if (!machine)
    return machine.takeError();
  module->setTargetTriple(llvm::Triple(kTriple));
  module->setDataLayout((*machine)->createDataLayout());
  annotate(*module, target);
  if (isWanted && !isWanted(hashWithoutName(*module)))
    return llvm::Error::success();
  bool isShort = hasShortLoops(*module);
  optimizeKernel(*module, **machine, /*unrolls=*/isShort);
  splitNarrowStores(*module);
  llvm::StringRef skipped = isShort ? "" : kSkippedInLong;
  if (texts)
    if (llvm::Error error = dumpTexts(*module, **machine, skipped, kernel, texts))
      return error;
  return assembleModule(*module, **machine, llvm::CodeGenFileType::ObjectFile, object,
                        skipped);
}
