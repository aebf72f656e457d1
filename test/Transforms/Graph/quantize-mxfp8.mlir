// RUN: kiln-opt %s --split-input-file --kiln-quantize-products=precision=mxfp8 --remarks-filter='kiln-quantize-products' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=mxfp8 float8-tf32=true" --kiln-pack-weights=width=16 | FileCheck %s --check-prefix=TF32
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products=precision=mxfp8 --kiln-pack-weights=width=16 | FileCheck %s --check-prefix=PACKED
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products=precision=mxfp8 --kiln-pack-weights=width=16 --kiln-hoist-bake | FileCheck %s --check-prefix=BAKED
// Weights of E4M3 in blocks of 32 with powers of two as scales, which kernels widen.

// A scale per 32 rows and column, rounded up, so that nothing is above 448. Activations stay as they are.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = graph.unary abs %[[W:.*]] : (tensor<64x32xf32>)
// CHECK: %[[M:.*]] = graph.reduce max %{{.*}} axes [1] : (tensor<2x32x32xf32>) -> tensor<2x32xf32>
// CHECK: %[[U:.*]] = graph.quantize_weight unit of %[[W]]
// CHECK: %[[L:.*]] = graph.binary max %[[M]], %{{.*}} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2x32xf32>
// CHECK: %[[R:.*]] = graph.binary div %[[L]], %{{.*}} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2x32xf32>
// CHECK: %[[S:.*]] = graph.cast %[[R]] : (tensor<2x32xf32>) -> tensor<2x32xf8E8M0FNU>
// CHECK: %[[Q:.*]] = graph.binary div %[[W]], %{{.*}} : (tensor<64x32xf32>, tensor<64x32xf32>)
// CHECK: %[[C:.*]] = graph.cast %[[Q]] : (tensor<64x32xf32>) -> tensor<64x32xf8E4M3FN>
// CHECK: %[[N:.*]] = graph.cast %[[C]] {graph.in_kernel} : (tensor<64x32xf8E4M3FN>) -> tensor<64x32xf32>
// CHECK: graph.cast %[[S]] {graph.in_kernel} : (tensor<2x32xf8E8M0FNU>) -> tensor<2x32xf32>
// CHECK: %[[B:.*]] = graph.binary mul %[[N]], %{{.*}} : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
// CHECK: graph.matmul %arg0, %[[B]] : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
// A transposed weight has its blocks along K, too.
// CHECK: graph.cast %{{.*}} : (tensor<2x5xf32>) -> tensor<2x5xf8E8M0FNU>
// CHECK: graph.matmul %arg0, %{{.*}} : (tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32>
// REMARK-COUNT-2: [Passed] quantize {{.*}}weight: E4M3 in blocks of 32, scales of E8M0, activations in f32
// Tensor cores may round activations; weights are packed as bytes beside them, too.
// TF32-LABEL: func.func @main
// TF32: graph.cast %{{.*}} {graph.in_kernel} : (tensor<64x32xf8E4M3FN>) -> tensor<64x32xf32>
// TF32: graph.cast %{{.*}} {graph.in_kernel} : (tensor<2x32xf8E8M0FNU>) -> tensor<2x32xf32>
// TF32: graph.matmul %arg0, %{{.*}} {tf32} : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
// The scales of a panel's columns are a panel, the last of which is as wide as the others.
// PACKED-LABEL: func.func @main
// PACKED: graph.pack %{{.*}} width 16 : (tensor<64x32xf8E4M3FN>) -> tensor<2x64x16xf8E4M3FN>
// PACKED: %[[N:.*]] = graph.cast %{{.*}} {graph.in_kernel} : (tensor<64x32xf8E4M3FN>) -> tensor<64x32xf32>
// PACKED: graph.pack %{{.*}} width 16 : (tensor<2x32xf8E8M0FNU>) -> tensor<2x2x16xf8E8M0FNU>
// PACKED: graph.cast %{{.*}} {graph.in_kernel} : (tensor<2x32xf8E8M0FNU>) -> tensor<2x32xf32>
// PACKED: graph.pack %{{.*}} width 16 : (tensor<2x5xf8E8M0FNU>) -> tensor<1x2x16xf8E8M0FNU>
// The package has bytes alone.
// BAKED: graph.weight @{{.*}} : tensor<2x64x16xf8E4M3FN>
// BAKED-NEXT: graph.weight @{{.*}} : tensor<2x2x16xf8E8M0FNU>
// BAKED-NEXT: graph.weight @{{.*}} : tensor<1x64x16xf8E4M3FN>
// BAKED-NEXT: graph.weight @{{.*}} : tensor<1x2x16xf8E8M0FNU>
// BAKED-NOT: graph.weight
// BAKED: func.func @main
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

// Not: a K that is no multiple of 32, 16 bits, two activations.
// CHECK-LABEL: func.func @main
// CHECK-NOT: f8E8M0FNU
// REMARK: [Missed] quantize {{.*}}its K is no multiple of 32, the smallest block with a scale
// REMARK: [Missed] quantize {{.*}}the model has it in another type than f32, which stays
// REMARK: [Missed] quantize {{.*}}neither operand is a weight
module {
  graph.weight @w : tensor<40x32xf32> {file = "w", hash = "0", length = 5120 : i64, offset = 0 : i64}
  graph.weight @h : tensor<64x32xf16> {file = "w", hash = "0", length = 4096 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x40xf32>, %q: tensor<3x64xf16>, %y: tensor<40x8xf32>) -> (tensor<3x32xf32>, tensor<3x32xf16>, tensor<3x8xf32>) {
    %w = graph.get_weight @w : tensor<40x32xf32>
    %h = graph.get_weight @h : tensor<64x32xf16>
    %0 = graph.matmul %x, %w : (tensor<3x40xf32>, tensor<40x32xf32>) -> tensor<3x32xf32>
    %1 = graph.matmul %q, %h : (tensor<3x64xf16>, tensor<64x32xf16>) -> tensor<3x32xf16>
    %2 = graph.matmul %x, %y : (tensor<3x40xf32>, tensor<40x8xf32>) -> tensor<3x8xf32>
    return %0, %1, %2 : tensor<3x32xf32>, tensor<3x32xf16>, tensor<3x8xf32>
  }
}
