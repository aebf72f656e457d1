// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | FileCheck %s

// Weights of 16 bits are widened in the kernels that read them: a product of panels, a norm and an
// elementwise op, each from what is stored.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "row" ({{.*}}) : (tensor<3x8xf32>, tensor<8xbf16>) -> tensor<3x8xf32>
// CHECK: graph.cast %{{.*}} : (tensor<8xbf16>) -> tensor<8xf32>
// CHECK: graph.rms_norm
// CHECK: graph.kernel "matmul" ({{.*}}) : (tensor<3x8xf32>, tensor<1x8x16xbf16>) -> tensor<3x6xf32>
// CHECK: %[[U:.*]] = graph.unpack
// CHECK-NEXT: graph.cast %[[U]] : (tensor<8x6xbf16>) -> tensor<8x6xf32>
// CHECK-NEXT: graph.matmul
// CHECK: graph.kernel "pointwise" ({{.*}}) : (tensor<3x8xf32>, tensor<8xbf16>) -> tensor<3x8xf32>
// CHECK-NOT: graph.kernel
graph.weight @n : tensor<8xbf16> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
graph.weight @p : tensor<1x8x16xbf16> {file = "w", hash = "1", length = 256 : i64, offset = 16 : i64}
func.func @main(%x: tensor<3x8xf32>) -> (tensor<3x6xf32>, tensor<3x8xf32>) {
  %n = graph.get_weight @n : tensor<8xbf16>
  %f = graph.cast %n : (tensor<8xbf16>) -> tensor<8xf32>
  %0 = graph.rms_norm %x scale %f axis 1 {epsilon = 1.0e-5 : f64} : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %p = graph.get_weight @p : tensor<1x8x16xbf16>
  %u = graph.unpack %p : (tensor<1x8x16xbf16>) -> tensor<8x6xbf16>
  %w = graph.cast %u : (tensor<8x6xbf16>) -> tensor<8x6xf32>
  %1 = graph.matmul %0, %w : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
  %2 = graph.binary mul %x, %f : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  return %1, %2 : tensor<3x6xf32>, tensor<3x8xf32>
}

// -----

// Not: an activation that is widened for two readers, and a weight that is narrowed for two.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise" ({{.*}}) : (tensor<8xbf16>) -> tensor<8xf32>
// CHECK: graph.kernel "pointwise" ({{.*}}) : (tensor<8xf32>) -> tensor<8xbf16>
// CHECK: graph.kernel "pointwise" ({{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
graph.weight @v : tensor<8xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
func.func @main(%x: tensor<8xbf16>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>, tensor<8xbf16>) {
  %f = graph.cast %x : (tensor<8xbf16>) -> tensor<8xf32>
  %v = graph.get_weight @v : tensor<8xf32>
  %n = graph.cast %v : (tensor<8xf32>) -> tensor<8xbf16>
  %0 = graph.unary exp %f : (tensor<8xf32>) -> tensor<8xf32>
  %1 = graph.unary tanh %f : (tensor<8xf32>) -> tensor<8xf32>
  %2 = graph.unary exp %n : (tensor<8xbf16>) -> tensor<8xbf16>
  %3 = graph.unary tanh %n : (tensor<8xbf16>) -> tensor<8xbf16>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>, tensor<8xbf16>
}
