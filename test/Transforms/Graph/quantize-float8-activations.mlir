// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 activations=fp8 float8-tf32=true" --remarks-filter='kiln-quantize-products' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=mxfp8 activations=fp8-fast" | FileCheck %s --check-prefix=MX
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 activations=fp8-fast" | FileCheck %s --check-prefix=FAST
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 activations=fp8" --kiln-hoist-bake | FileCheck %s --check-prefix=BAKED
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=mxfp4 activations=fp8" --remarks-filter='kiln-quantize-products' 2> %t.codes | FileCheck %s --check-prefix=CODES
// RUN: FileCheck %s --check-prefix=CODES-REMARK < %t.codes
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-products="precision=nvfp4 activations=fp8" 2>&1 | FileCheck %s --check-prefix=REFUSED-NV
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-products="precision=int4 activations=fp8" 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: KILN-E0001: --activations: activations in fp8 are not multiplied with this format; expected fp8, mxfp8, mxfp6_e3m2 or mxfp4, and f32, found int4
// Activations of E4M3 with a scale per row, which the scale of the weight multiplies. Two products of the same activations share
// their codes; infinity makes the scale NaN.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = graph.reduce max %{{.*}} axes [2] {keep_dims} : (tensor<3x1x64xf32>) -> tensor<3x1x1xf32>
// CHECK: %[[S:.*]] = graph.binary mul %[[A]], %{{.*}} : (tensor<3x1x1xf32>, tensor<f32>)
// CHECK: %[[C:.*]] = graph.cast %{{.*}} : (tensor<3x1x64xf32>) -> tensor<3x1x64xf8E4M3FN>
// CHECK: %[[Z:.*]] = graph.binary sub %[[S]], %[[S]]
// CHECK: %[[F:.*]] = graph.binary add %[[S]], %[[Z]]
// CHECK: %[[R:.*]] = graph.reshape %[[F]] : (tensor<3x1x1xf32>) -> tensor<3x1xf32>
// CHECK: %[[X:.*]] = graph.reshape %[[C]] : (tensor<3x1x64xf8E4M3FN>) -> tensor<3x64xf8E4M3FN>
// CHECK-NOT: graph.reduce max
// CHECK: %[[U:.*]] = graph.quantize_weight unit of
// CHECK: %[[T:.*]] = graph.binary mul %[[U]], %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK: graph.cast %{{.*}} : (tensor<64x32xf32>) -> tensor<64x32xf8E4M3FN>
// CHECK: %[[W:.*]] = graph.transpose %{{.*}} -> tensor<2x16x16x4xf8E4M3FN>
// CHECK: %[[B:.*]] = graph.binary mul %[[R]], %[[T]] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
// CHECK: graph.scaled_matmul %[[X]] <f8E4M3FN, per_row f32> row_scales %[[B]] by %[[W]] <f8E4M3FN> columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>
// CHECK-NOT: graph.reduce max
// A transposed weight; columns that fill no panel.
// CHECK: graph.scaled_matmul %[[X]] {{.*}} columns 5 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<1x16x16x4xf8E4M3FN>) -> tensor<3x5xf32>
// REMARK-COUNT-2: [Passed] quantize {{.*}}weight: E4M3 with a scale per weight, activations in E4M3 with a scale per row
// The scales of blocks stay with the weight, and blocks are added in f32 whatever is asked for.
// MX-LABEL: func.func @main
// MX: graph.scaled_matmul %{{.*}} <f8E4M3FN, block 32, scale f8E8M0FNU> {{.*}} columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
// MX: graph.scaled_matmul %{{.*}} columns 5 {{.*}}, tensor<1x2x16xf8E8M0FNU>) -> tensor<3x5xf32>
// Codes of f4E2M1FN with powers of two; scales of E4M3 are refused.
// CODES-LABEL: func.func @main
// CODES: graph.cast %{{.*}} : (tensor<3x1x64xf32>) -> tensor<3x1x64xf8E4M3FN>
// CODES: graph.scaled_matmul %{{.*}} <f8E4M3FN, per_row f32> row_scales %{{.*}} by %{{.*}} <f4E2M1FN, block 32, scale f8E8M0FNU> {{.*}} columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x8x16x4xui8>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
// CODES-REMARK: [Passed] quantize {{.*}}activations in E4M3 with a scale per row
// REFUSED-NV: expected fp8, mxfp8, mxfp6_e3m2 or mxfp4, and f32, found nvfp4
// FAST-LABEL: func.func @main
// FAST: graph.scaled_matmul %{{.*}} <f8E4M3FN> columns 32 accumulate fast :
// BAKED: graph.weight @{{.*}} : tensor<2x16x16x4xf8E4M3FN>
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  graph.weight @v : tensor<5x64xf32> {file = "w", hash = "0", length = 1280 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x64xf32>) -> (tensor<3x32xf32>, tensor<3x5xf32>) {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %v = graph.get_weight @v : tensor<5x64xf32>
    %0 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
    %1 = graph.matmul %x, %v {transpose_b} : (tensor<3x64xf32>, tensor<5x64xf32>) -> tensor<3x5xf32>
    return %0, %1 : tensor<3x32xf32>, tensor<3x5xf32>
  }
}

// -----

// Not: a K that is no multiple of 16 keeps activations in f32, two activations and a type of the model stay what they are.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.scaled_matmul
// CHECK: graph.matmul %{{.*}}, %{{.*}} {tf32} : (tensor<3x40xf32>, tensor<40x32xf32>) -> tensor<3x32xf32>
// CHECK-NOT: graph.scaled_matmul
// REMARK: [Passed] quantize {{.*}}activations in f32, tf32 on tensor cores: its K is no multiple of 16
// REMARK: [Missed] quantize {{.*}}neither operand is a weight
// REMARK: [Missed] quantize {{.*}}the model has it in another type than f32, which stays
module {
  graph.weight @w : tensor<40x32xf32> {file = "w", hash = "0", length = 5120 : i64, offset = 0 : i64}
  graph.weight @h : tensor<64x32xf16> {file = "w", hash = "0", length = 4096 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x40xf32>, %y: tensor<40x32xf32>, %z: tensor<3x64xf16>) -> (tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf16>) {
    %w = graph.get_weight @w : tensor<40x32xf32>
    %h = graph.get_weight @h : tensor<64x32xf16>
    %0 = graph.matmul %x, %w : (tensor<3x40xf32>, tensor<40x32xf32>) -> tensor<3x32xf32>
    %1 = graph.matmul %x, %y : (tensor<3x40xf32>, tensor<40x32xf32>) -> tensor<3x32xf32>
    %2 = graph.matmul %z, %h : (tensor<3x64xf16>, tensor<64x32xf16>) -> tensor<3x32xf16>
    return %0, %1, %2 : tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf16>
  }
}
