//===- LowerToLLVM.cpp - Tile programs to the LLVM dialect ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One conversion with all of upstream's patterns: consecutive passes would cost several
// times as much.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace kiln {
#define GEN_PASS_DEF_LOWERTOLLVMPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

namespace {
/// Lowers a bf16 constant to i16 bits.
struct BF16ConstantLowering : ConvertOpToLLVMPattern<arith::ConstantOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16())
      return failure();
    Attribute bits;
    if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      bits = rewriter.getIntegerAttr(rewriter.getI16Type(),
                                     number.getValue().bitcastToAPInt());
    else
      bits = cast<DenseElementsAttr>(op.getValue()).bitcast(rewriter.getI16Type());
    Type type = getTypeConverter()->convertType(op.getType());
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(op, type, bits);
    return success();
  }
};

struct LowerToLLVMPass : public kiln::impl::LowerToLLVMPassBase<LowerToLLVMPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(context, options);
    // Nothing here computes on bf16, and every CPU can move i16 in registers.
    converter.addConversion([](Type type) -> std::optional<Type> {
      if (!getElementTypeOrSelf(type).isBF16())
        return std::nullopt;
      Type bits = IntegerType::get(type.getContext(), 16);
      auto vector = dyn_cast<VectorType>(type);
      return vector ? Type(vector.clone(bits)) : bits;
    });
    RewritePatternSet patterns(context);
    patterns.add<BF16ConstantLowering>(converter, /*benefit=*/2);
    populateSCFToControlFlowConversionPatterns(patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    target.addLegalDialect<NVVM::NVVMDialect>();
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
