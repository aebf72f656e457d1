// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=nvfp4 activations=nvfp4" --remarks-filter='kiln-quantize-products' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=mxfp4 activations=mxfp4" | FileCheck %s --check-prefix=MX
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=nvfp4 activations=nvfp4 takes-scales=true" | FileCheck %s --check-prefix=BYTES
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=mxfp4 activations=mxfp4 takes-scales=true" | FileCheck %s --check-prefix=MXBYTES
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-products="precision=int4 activations=nvfp4" 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: KILN-E0001: --activations: activations of 4 bits are multiplied with weights of their own format; expected nvfp4, and f32, found int4
// Activations of E2M1 in blocks of 16 with scales of E4M3, in units of which the largest of a row has 448; two products of the same activations
// share them. Kernels of integers take twice the numbers, and half the scales.
// CHECK-LABEL: func.func @main
// CHECK: %[[B:.*]] = graph.reduce max %{{.*}} axes [2] {keep_dims} : (tensor<3x4x16xf32>) -> tensor<3x4x1xf32>
// CHECK: %[[A:.*]] = graph.reduce max %[[B]] axes [1] {keep_dims} : (tensor<3x4x1xf32>) -> tensor<3x1x1xf32>
// CHECK: %[[R:.*]] = graph.binary max %[[A]], %{{.*}}
// CHECK: %[[I:.*]] = graph.binary div %{{.*}}, %[[R]]
// CHECK: %[[U:.*]] = graph.binary mul %[[R]], %{{.*}}
// CHECK: %[[E:.*]] = graph.binary mul %[[B]], %[[I]]
// CHECK: %[[S:.*]] = graph.cast %[[E]] : (tensor<3x4x1xf32>) -> tensor<3x4x1xf8E4M3FN>
// CHECK: %[[W:.*]] = graph.cast %[[S]]
// CHECK: graph.binary mul %[[W]], %[[U]] : (tensor<3x4x1xf32>, tensor<3x1x1xf32>) -> tensor<3x4x1xf32>
// CHECK: %[[N:.*]] = graph.cast %{{.*}} : (tensor<3x4x16xf32>) -> tensor<3x4x16xf4E2M1FN>
// CHECK: %[[H:.*]] = graph.binary mul %{{.*}}, %{{.*}} : (tensor<3x4x16xf32>, tensor<f32>)
// CHECK: %[[C:.*]] = graph.cast %[[H]] : (tensor<3x4x16xf32>) -> tensor<3x4x16xi8>
// CHECK-NOT: graph.reduce max
// CHECK: graph.scaled_matmul %[[X:[^ ]*]] <i8, block 16, scale f32> scales %{{.*}} totals %{{.*}} by %{{.*}} <f4E2M1FN, block 16, scale f8E4M3FN> {{.*}} columns 32 accumulate wide : (tensor<3x64xi8>, tensor<3x4xf32>, tensor<3x4xi32>, tensor<2x8x16x4xui8>, tensor<2x4x16xf8E4M3FN>) -> tensor<3x32xf32>
// CHECK: graph.scaled_matmul %[[X]] <i8, {{.*}} <f4E2M1FN, {{.*}} columns 5 accumulate wide :
// REMARK-COUNT-2: [Passed] quantize {{.*}}weight: E2M1 in blocks of 16, scales of E4M3, activations in the same, times one of f32 per row
// Powers of two in blocks of 32.
// MX-LABEL: func.func @main
// MX: graph.reduce max %{{.*}} axes [2] {keep_dims} : (tensor<3x2x32xf32>) -> tensor<3x2x1xf32>
// MX: graph.reduce max %{{.*}} axes [1] {keep_dims} : (tensor<3x2x1xf32>) -> tensor<3x1x1xf32>
// MX: graph.cast %{{.*}} : (tensor<3x2x1xf32>) -> tensor<3x2x1xf8E8M0FNU>
// MX: graph.cast %{{.*}} -> tensor<3x2x32xf4E2M1FN>
// MX: graph.scaled_matmul %{{.*}} <i8, block 32, scale f32> {{.*}} <f4E2M1FN, block 32, scale f8E8M0FNU> {{.*}} columns 32 accumulate wide : (tensor<3x64xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<2x8x16x4xui8>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
// Where instructions take scales: codes, the row's scale of f32 and those of blocks; the weight's are in groups of 64 steps of K.
// BYTES-LABEL: func.func @main
// BYTES: graph.cast %{{.*}} : (tensor<3x4x1xf32>) -> tensor<3x4x1xf8E4M3FN>
// BYTES: graph.compare less
// BYTES: graph.cast %{{.*}} : (tensor<3x4x16xf32>) -> tensor<3x4x16xui8>
// BYTES: graph.transpose %{{.*}} : (tensor<2x1x4x16xf8E4M3FN>) -> tensor<2x1x16x4xf8E4M3FN>
// BYTES: graph.scaled_matmul %[[X:[^ ]*]] <f4E2M1FN, block 16, scale f8E4M3FN, per_row f32> row_scales %{{.*}} scales %[[S:.*]] by %{{.*}} <f4E2M1FN, block 16, scale f8E4M3FN> {{.*}} columns 32 accumulate wide : (tensor<3x64xui8>, tensor<3x1xf32>, tensor<3x4xf8E4M3FN>, tensor<2x8x16x4xui8>, tensor<2x1x16x4xf8E4M3FN>) -> tensor<3x32xf32>
// BYTES: graph.scaled_matmul %[[X]] {{.*}} scales %[[S]] by
// MXBYTES-LABEL: func.func @main
// MXBYTES: graph.scaled_matmul %{{.*}} <f4E2M1FN, block 32, scale f8E8M0FNU, per_row f32> {{.*}} : (tensor<3x64xui8>, tensor<3x1xf32>, tensor<3x2xf8E8M0FNU>, tensor<2x8x16x4xui8>, tensor<2x1x16x2xf8E8M0FNU>) -> tensor<3x32xf32>
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

// K that is no multiple of 64 takes integers everywhere.
// BYTES-LABEL: func.func @main
// BYTES: graph.scaled_matmul {{.*}} : (tensor<3x96xi8>, tensor<3x6xf32>, tensor<3x6xi32>,
module {
  graph.weight @w : tensor<96x32xf32> {file = "w", hash = "0", length = 12288 : i64, offset = 0 : i64}
  func.func @main(%x: tensor<3x96xf32>) -> tensor<3x32xf32> {
    %w = graph.get_weight @w : tensor<96x32xf32>
    %0 = graph.matmul %x, %w : (tensor<3x96xf32>, tensor<96x32xf32>) -> tensor<3x32xf32>
    return %0 : tensor<3x32xf32>
  }
}

// -----

// Not: a K that is no multiple of the block, two activations, and activations of f16 stay what they are.
// CHECK-LABEL: func.func @main
// CHECK: graph.scaled_matmul
// CHECK-LABEL: func.func @main
// CHECK-NOT: f4E2M1FN
// CHECK: graph.matmul %{{.*}} -> tensor<3x32xf32>
// CHECK: graph.matmul %{{.*}} -> tensor<3x32xf32>
// CHECK: graph.scaled_matmul %{{.*}} <f16> by %{{.*}} <f4E2M1FN, {{.*}} : (tensor<3x64xf16>
// REMARK: [Passed] quantize
// REMARK: [Missed] quantize {{.*}}its K is no multiple of 16
// REMARK: [Missed] quantize {{.*}}neither operand is a weight
// REMARK: [Passed] quantize {{.*}}activations in f16
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
