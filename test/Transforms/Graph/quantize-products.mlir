// RUN: kiln-opt %s --split-input-file --kiln-quantize-products --remarks-filter='kiln-quantize-products' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products=bits=8 | FileCheck %s --check-prefix=EIGHT
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-products=bits=3 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: expected 4 or 8 bits, found 3

// Two products of one activation, which is quantized once; the columns of the second fill no panel.
// CHECK-LABEL: func.func @main
// CHECK: %[[CODES:.*]] = graph.cast %{{.*}} : (tensor<3x2x32xf32>) -> tensor<3x2x32xi8>
// CHECK-NOT: -> tensor<3x2x32xi8>
// CHECK: %[[TOTALS:.*]] = graph.reduce sum %{{.*}} axes [2] : (tensor<3x2x32xi32>) -> tensor<3x2xi32>
// CHECK: graph.scaled_matmul %{{.*}} scales %[[S:.*]] totals %[[TOTALS]] by %{{.*}} scales %{{.*}} zeros %{{.*}} bits 4 columns 32 : (tensor<3x64xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<2x8x16x4xui8>, tensor<2x2x16xbf16>, tensor<2x2x16xui8>) -> tensor<3x32xf32>
// CHECK: graph.scaled_matmul %{{.*}} scales %[[S]] totals %[[TOTALS]] by {{.*}} bits 4 columns 5 : (tensor<3x64xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<1x8x16x4xui8>, tensor<1x2x16xbf16>, tensor<1x2x16xui8>) -> tensor<3x5xf32>
// CHECK-NOT: graph.matmul
// REMARK-COUNT-2: [Passed] quantize {{.*}}weight in int4, activations in 8 bits, blocks of 32
// EIGHT-LABEL: func.func @main
// EIGHT: graph.scaled_matmul {{.*}} bits 8 columns 32 : (tensor<3x64xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<2x16x16x4xui8>, tensor<2x2x16xbf16>, tensor<2x2x16xui8>) -> tensor<3x32xf32>
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

// Not: two activations, a K that is no multiple of 32, 16 bits, a weight on the left.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.scaled_matmul
// REMARK: [Missed] quantize {{.*}}neither operand is a weight
// REMARK: [Missed] quantize {{.*}}its K is no multiple of 32, the steps that have a scale
// REMARK: [Missed] quantize {{.*}}the model gives this type
// REMARK: [Missed] quantize {{.*}}its left operand is a weight
module {
  graph.weight @w : tensor<40x32xf32> {file = "w", hash = "0", length = 5120 : i64, offset = 0 : i64}
  graph.weight @h : tensor<64x32xf16> {file = "w", hash = "0", length = 4096 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x64xf32>, %y: tensor<64x32xf32>, %z: tensor<3x40xf32>, %q: tensor<3x64xf16>) -> (tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf16>, tensor<40x32xf32>) {
    %w = graph.get_weight @w : tensor<40x32xf32>
    %h = graph.get_weight @h : tensor<64x32xf16>
    %s = graph.slice %y starts #graph.shape<[] -> [0, 0]> steps [1, 1] : (tensor<64x32xf32>) -> tensor<32x32xf32>
    %0 = graph.matmul %x, %y : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
    %1 = graph.matmul %z, %w : (tensor<3x40xf32>, tensor<40x32xf32>) -> tensor<3x32xf32>
    %2 = graph.matmul %q, %h : (tensor<3x64xf16>, tensor<64x32xf16>) -> tensor<3x32xf16>
    %3 = graph.matmul %w, %s : (tensor<40x32xf32>, tensor<32x32xf32>) -> tensor<40x32xf32>
    return %0, %1, %2, %3 : tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf16>, tensor<40x32xf32>
  }
}
