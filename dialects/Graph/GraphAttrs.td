//===- GraphAttrs.td - Attributes and enums -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_ATTRS_TD
#define KILN_GRAPH_ATTRS_TD

include "dialects/Graph/GraphDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

def Graph_ShapeAttr : AttrDef<Graph_Dialect, "Shape",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "shape";
  let summary = "The dims of a tensor as expressions over symbols";
  let description = [{
    `#graph.shape<[batch, seq] -> [batch, seq * 12, 64]>`: the symbols used,
    sorted by name, and one expression per dim. Expressions are affine or
    semi-affine (products, floordiv, ceildiv and mod of symbols) or the smaller or
    larger one of two, as in `min(seq, 9)`, and kept in the normal form of
    SymbolicExpr.h, so equal shapes are equal attributes. As a tensor encoding it
    is present exactly when a dim is dynamic.

    Constraints:
    (C1) symbols are sorted by name, distinct, and each is used.
    (C2) as an encoding: one expression per dim; a static dim is that constant,
         a dynamic dim is not a constant.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$symbols,
                        "::mlir::AffineMap":$map);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// One expression per dim, over `symbols`.
    ::llvm::ArrayRef<::mlir::AffineExpr> getDims() const { return getMap().getResults(); }
  }];
}

def Graph_FormatAttr : AttrDef<Graph_Dialect, "Format"> {
  let mnemonic = "format";
  let summary = "How the numbers of a quantized operand are written";
  let description = [{
    `#graph.format<ui4, block 32, scale bf16, zero_point>`: the element type, and what it is multiplied with to give the
    number that it stands for. A block is so many successive steps of K, in one row of a left operand or one column of a
    right one, that have one scale; `scale` is its type. With `zero_point` each block has a zero point of the element
    type, which is subtracted before; without it, that of unsigned integers of b bits is 2^(b - 1). `per_row` and
    `per_tensor` are types of a second scale, one per row or one for the whole operand, as NVFP4 has it.

    `#graph.format<f16>` has no scales: its numbers stand for themselves.

    A format says nothing about where codes lie in memory.

    Constraints:
    (C1) the element type is i8, ui4, ui8, f16, bf16, f8E4M3FN, f6E2M3FN, f6E3M2FN or f4E2M1FN.
    (C2) a block is at least 1 and has a scale; a scale has a block. It is of f16, bf16, f32, f8E4M3FN or f8E8M0FNU.
    (C3) only unsigned integers have zero points, and only blocks do.
    (C4) a scale per row or tensor is of f32, and f16 and bf16 have none of all of these.
  }];
  let parameters = (ins "::mlir::Type":$element, "int64_t":$block, "::mlir::Type":$scale, "bool":$zeroPoint,
                        "::mlir::Type":$perRow, "::mlir::Type":$perTensor);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "::mlir::Type":$element), [{
      return $_get($_ctxt, element, 0, ::mlir::Type(), false, ::mlir::Type(), ::mlir::Type());
    }]>,
    AttrBuilder<(ins "::mlir::Type":$element, "int64_t":$block, "::mlir::Type":$scale,
                     CArg<"bool", "false">:$zeroPoint), [{
      return $_get($_ctxt, element, block, scale, zeroPoint, ::mlir::Type(), ::mlir::Type());
    }]>];
  let extraClassDeclaration = [{
    /// True for integer elements, whose value is the integer minus a zero point.
    bool isInteger() const { return ::mlir::isa<::mlir::IntegerType>(getElement()); }
    template <typename... Ts> bool is() const { return ::mlir::isa<Ts...>(getElement()); }
    /// True for elements of f8E4M3FN, f4E2M1FN (kiln::isFloat8, kiln::isFloat4).
    bool isFloat8() const;
    bool isFloat4() const;
    /// True for the float elements that graph.quantize_weight writes as bit patterns in integers: f4E2M1FN and f6E2M3FN.
    bool hasFloatCodes() const;
    bool hasBlocks() const { return getBlock() > 0; }
    /// Returns the bits of an element in memory: a float of 6 bits takes a byte.
    int64_t getBits() const;
    /// Returns the zero point of the integers that kernels multiply if the format has no zero points: 2^(b - 1) for
    /// elements of b bits in memory; for f4E2M1FN its largest number in units of 1/2, 12. The integers are then unsigned.
    int64_t getDefaultZero() const;
    /// Returns the type that kernels multiply: unsigned integers for f6E2M3FN, else the element type.
    ::mlir::Type getCodeType() const;
    FormatAttr withPerRow(::mlir::Type scale) const;
    FormatAttr withPerTensor(::mlir::Type scale) const;
    /// Returns this format without the per-tensor scale, for a weight whose activations are multiplied with it.
    FormatAttr withoutPerTensor() const { return withPerTensor(::mlir::Type()); }
  }];
}

class Graph_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::kiln::graph";
  let genSpecializedAttr = 0;
}

def Graph_UnaryKind : Graph_I32Enum<"UnaryKind", "elementwise function of one tensor", [
    I32EnumAttrCase<"abs", 0>, I32EnumAttrCase<"neg", 1>, I32EnumAttrCase<"exp", 2>,
    I32EnumAttrCase<"log", 3>, I32EnumAttrCase<"sqrt", 4>, I32EnumAttrCase<"rsqrt", 5>,
    I32EnumAttrCase<"reciprocal", 6>, I32EnumAttrCase<"floor", 7>, I32EnumAttrCase<"ceil", 8>,
    I32EnumAttrCase<"round", 9>, I32EnumAttrCase<"erf", 10>, I32EnumAttrCase<"tanh", 11>,
    I32EnumAttrCase<"sigmoid", 12>, I32EnumAttrCase<"relu", 13>, I32EnumAttrCase<"sin", 14>,
    I32EnumAttrCase<"cos", 15>, I32EnumAttrCase<"logical_not", 16>, I32EnumAttrCase<"sign", 17>,
    I32EnumAttrCase<"gelu", 18>, I32EnumAttrCase<"gelu_tanh", 19>, I32EnumAttrCase<"silu", 20>,
    I32EnumAttrCase<"is_nan", 21>, I32EnumAttrCase<"softplus", 22>]>;
def Graph_UnaryKindAttr : EnumAttr<Graph_Dialect, Graph_UnaryKind, "unary">;

def Graph_BinaryKind : Graph_I32Enum<"BinaryKind", "elementwise function of two tensors", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>, I32EnumAttrCase<"mul", 2>,
    I32EnumAttrCase<"div", 3>, I32EnumAttrCase<"mod", 4>, I32EnumAttrCase<"fmod", 5>,
    I32EnumAttrCase<"pow", 6>, I32EnumAttrCase<"min", 7>, I32EnumAttrCase<"max", 8>,
    I32EnumAttrCase<"logical_and", 9>, I32EnumAttrCase<"logical_or", 10>,
    I32EnumAttrCase<"logical_xor", 11>, I32EnumAttrCase<"bit_and", 12>,
    I32EnumAttrCase<"bit_or", 13>, I32EnumAttrCase<"bit_xor", 14>,
    I32EnumAttrCase<"shift_left", 15>, I32EnumAttrCase<"shift_right", 16>]>;
def Graph_BinaryKindAttr : EnumAttr<Graph_Dialect, Graph_BinaryKind, "binary">;

def Graph_CompareKind : Graph_I32Enum<"CompareKind", "comparison", [
    I32EnumAttrCase<"equal", 0>, I32EnumAttrCase<"not_equal", 1>, I32EnumAttrCase<"less", 2>,
    I32EnumAttrCase<"less_equal", 3>, I32EnumAttrCase<"greater", 4>,
    I32EnumAttrCase<"greater_equal", 5>]>;
def Graph_CompareKindAttr : EnumAttr<Graph_Dialect, Graph_CompareKind, "compare_kind">;

def Graph_ReduceKind : Graph_I32Enum<"ReduceKind", "reduction", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"mean", 1>, I32EnumAttrCase<"max", 2>,
    I32EnumAttrCase<"min", 3>, I32EnumAttrCase<"prod", 4>, I32EnumAttrCase<"l1", 5>,
    I32EnumAttrCase<"l2", 6>, I32EnumAttrCase<"sum_square", 7>,
    I32EnumAttrCase<"log_sum", 8>, I32EnumAttrCase<"log_sum_exp", 9>]>;
def Graph_ReduceKindAttr : EnumAttr<Graph_Dialect, Graph_ReduceKind, "reduce_kind">;

def Graph_ScaleRounding : Graph_I32Enum<"ScaleRounding", "rounding to a power of two", [
    I32EnumAttrCase<"up", 0>, I32EnumAttrCase<"down", 1>, I32EnumAttrCase<"nearest", 2>]>;
def Graph_ScaleRoundingAttr : EnumAttr<Graph_Dialect, Graph_ScaleRounding, "scale_rounding">;

def Graph_QuantizedPart : Graph_I32Enum<"QuantizedPart", "part of a quantized weight", [
    I32EnumAttrCase<"codes", 0>, I32EnumAttrCase<"scales", 1>, I32EnumAttrCase<"zeros", 2>,
    I32EnumAttrCase<"unit", 3>, I32EnumAttrCase<"multipliers", 4>]>;
def Graph_QuantizedPartAttr : EnumAttr<Graph_Dialect, Graph_QuantizedPart, "quantized_part">;

def Graph_Accumulation : Graph_I32Enum<"Accumulation", "how a matmul adds up the products along K", [
    I32EnumAttrCase<"wide", 0>, I32EnumAttrCase<"two_level", 1>, I32EnumAttrCase<"fast", 2>]>;
def Graph_AccumulationAttr : EnumAttr<Graph_Dialect, Graph_Accumulation, "accumulation">;

#endif // KILN_GRAPH_ATTRS_TD
