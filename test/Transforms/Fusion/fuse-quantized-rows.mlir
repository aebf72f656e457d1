// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 activations=fp8" --kiln-hoist-bake --kiln-fuse-kernels --kiln-verify-kernels | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=int4" --kiln-hoist-bake --kiln-fuse-kernels="targets=x86-64-v3,sm_80" --kiln-verify-kernels | FileCheck %s --check-prefix=CODES
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=int4" --kiln-hoist-bake --kiln-fuse-kernels="targets=x86-64-v3" | FileCheck %s --check-prefix=HOST
// Rows of activations that are quantized in each run: codes, scales and sums of codes by one kernel, which is that of the norm before.

// A norm that only the product reads: codes and scales are its results. A scale per block of 32 is found behind the norm, by one kernel.
// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]]:2 = graph.kernel "row" ({{.*}}) : ({{.*}}) -> (tensor<3x1x64xf8E4M3FN>, tensor<3x1xf32>)
// CHECK: graph.rms_norm
// CHECK: graph.reduce max
// CHECK: graph.cast
// CHECK: graph.kernel "matmul" (%{{.*}} = %[[Q]]#0, %{{.*}} = %[[Q]]#1,
// CHECK-NOT: graph.kernel
// Without a GPU integers stay kernels of one pass each.
// HOST-LABEL: func.func @main
// HOST-NOT: :2 = graph.kernel
// HOST-NOT: :3 = graph.kernel
// CODES-LABEL: func.func @main
// CODES: graph.kernel "row"
// CODES: graph.rms_norm
// CODES: %{{.*}}:3 = graph.kernel "row"
// CODES: graph.reduce max
// CODES: graph.reduce sum
// CODES: graph.kernel "matmul"
// CODES-NOT: graph.kernel
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  graph.weight @s : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x64xf32>) -> tensor<3x32xf32> {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %s = graph.get_weight @s : tensor<64xf32>
    %0 = graph.rms_norm %x scale %s axis 1 {epsilon = 1.0e-05 : f64} : (tensor<3x64xf32>, tensor<64xf32>) -> tensor<3x64xf32>
    %1 = graph.matmul %0, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
    return %1 : tensor<3x32xf32>
  }
}

// -----

// A layer norm that something else reads, too, is a result of the kernel beside them.
// CHECK-LABEL: func.func @main
// CODES-LABEL: func.func @main
// CHECK: %{{.*}}:3 = graph.kernel "row"
// CHECK: graph.layer_norm
// CHECK: graph.reduce max
// CHECK: graph.kernel "matmul"
// CHECK-NOT: graph.kernel "row"
module {
  graph.weight @w : tensor<64x64xf32> {file = "w", hash = "0", length = 16384 : i64, offset = 0 : i64}
  graph.weight @s : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 16384 : i64}
  func.func @main(%x: tensor<2x3x64xf32>) -> tensor<2x3x64xf32> {
    %w = graph.get_weight @w : tensor<64x64xf32>
    %s = graph.get_weight @s : tensor<64xf32>
    %0 = graph.layer_norm %x scale %s bias %s axis 2 {epsilon = 1.0e-05 : f64} : (tensor<2x3x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<2x3x64xf32>
    %1 = graph.matmul %0, %w : (tensor<2x3x64xf32>, tensor<64x64xf32>) -> tensor<2x3x64xf32>
    %2 = graph.binary add %0, %1 : (tensor<2x3x64xf32>, tensor<2x3x64xf32>) -> tensor<2x3x64xf32>
    return %2 : tensor<2x3x64xf32>
  }
}

// -----

// Not: a softmax stays a kernel of its own; what is quantized behind it is one.
// CHECK-LABEL: func.func @main
// CHECK: %{{.*}} = graph.kernel "row"
// CHECK: graph.softmax
// CHECK: graph.yield
// CHECK: %{{.*}}:2 = graph.kernel "row"
// CHECK: graph.kernel "matmul"
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  func.func @main(%x: tensor<3x64xf32>) -> tensor<3x32xf32> {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %0 = graph.softmax %x axis 1 : (tensor<3x64xf32>) -> tensor<3x64xf32>
    %1 = graph.matmul %0, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
    return %1 : tensor<3x32xf32>
  }
}

// -----

// Not: a norm along other dims than the rows.
// CHECK-LABEL: func.func @main
// CHECK: %{{.*}} = graph.kernel "row"
// CHECK: graph.layer_norm
// CHECK: graph.yield
// CHECK: %{{.*}}:2 = graph.kernel "row"
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  func.func @main(%x: tensor<2x3x64xf32>) -> tensor<2x3x32xf32> {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %0 = graph.layer_norm %x axis 1 {epsilon = 1.0e-05 : f64} : (tensor<2x3x64xf32>) -> tensor<2x3x64xf32>
    %1 = graph.matmul %0, %w : (tensor<2x3x64xf32>, tensor<64x32xf32>) -> tensor<2x3x32xf32>
    return %1 : tensor<2x3x32xf32>
  }
}

// -----

// Not: the largest of the elements, not of their magnitudes, and a magnitude along rows that are not the last dim.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-4: graph.kernel
// CHECK-NOT: graph.kernel
func.func @main(%x: tensor<3x64xf32>) -> (tensor<3x64xf32>, tensor<3x64xf32>) {
  %0 = graph.reduce max %x axes [1] {keep_dims} : (tensor<3x64xf32>) -> tensor<3x1xf32>
  %1 = graph.binary div %x, %0 : (tensor<3x64xf32>, tensor<3x1xf32>) -> tensor<3x64xf32>
  %2 = graph.unary abs %x : (tensor<3x64xf32>) -> tensor<3x64xf32>
  %3 = graph.reduce max %2 axes [0] {keep_dims} : (tensor<3x64xf32>) -> tensor<1x64xf32>
  %4 = graph.binary div %x, %3 : (tensor<3x64xf32>, tensor<1x64xf32>) -> tensor<3x64xf32>
  return %1, %4 : tensor<3x64xf32>, tensor<3x64xf32>
}
