// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | sed "s/ attributes {nodes = .*} {/ {/" | FileCheck %s
// Which ops share a kernel: attention, products, norms, scatters.
// NOTE: checks by tools/update-lit-checks

// Attention reads its operands through views, and what leaves it through a transpose and a reshape is written so.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x4x2x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x4x2x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1x4x2x8xf32>
// CHECK-SAME: ) -> tensor<1x4x16xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_3]]) : (tensor<1x4x2x8xf32>, tensor<1x4x2x8xf32>, tensor<1x4x2x8xf32>) -> tensor<1x4x16xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[KERNEL_2]] [0, 2, 1, 3] : (tensor<1x4x2x8xf32>) -> tensor<1x2x4x8xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[KERNEL_3]] [0, 2, 1, 3] : (tensor<1x4x2x8xf32>) -> tensor<1x2x4x8xf32>
// CHECK-NEXT: %[[TRANSPOSE_3:[^ ,:)]+]] = graph.transpose %[[KERNEL_4]] [0, 2, 1, 3] : (tensor<1x4x2x8xf32>) -> tensor<1x2x4x8xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[TRANSPOSE]], %[[TRANSPOSE_2]], %[[TRANSPOSE_3]] {scale = 5.000000e-01 : f64} : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
// CHECK-NEXT: %[[TRANSPOSE_4:[^ ,:)]+]] = graph.transpose %[[ATTENTION]] [0, 2, 1, 3] : (tensor<1x2x4x8xf32>) -> tensor<1x4x2x8xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE_4]] : (tensor<1x4x2x8xf32>) -> tensor<1x4x16xf32>
// CHECK-NEXT: graph.yield %[[RESHAPE]] : tensor<1x4x16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<1x4x16xf32>
func.func @main(%x0: tensor<1x4x2x8xf32>, %x1: tensor<1x4x2x8xf32>, %x2: tensor<1x4x2x8xf32>) -> tensor<1x4x16xf32> {
  %0 = graph.transpose %x0 [0, 2, 1, 3] : (tensor<1x4x2x8xf32>) -> tensor<1x2x4x8xf32>
  %1 = graph.transpose %x1 [0, 2, 1, 3] : (tensor<1x4x2x8xf32>) -> tensor<1x2x4x8xf32>
  %2 = graph.transpose %x2 [0, 2, 1, 3] : (tensor<1x4x2x8xf32>) -> tensor<1x2x4x8xf32>
  %3 = graph.attention %0, %1, %2 {scale = 5.000000e-01 : f64} : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %4 = graph.transpose %3 [0, 2, 1, 3] : (tensor<1x2x4x8xf32>) -> tensor<1x4x2x8xf32>
  %5 = graph.reshape %4 : (tensor<1x4x2x8xf32>) -> tensor<1x4x16xf32>
  return %5 : tensor<1x4x16xf32>
}

// -----

// The mask that is computed.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x1x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x1x1x4xf32>
// CHECK-SAME: ) -> tensor<1x1x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<-2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[KERNEL_2]], %[[CONSTANT]] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: graph.yield %[[MUL]] : tensor<1x1x1x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_4:[^ ,:)]+]] = %[[KERNEL]]) : (tensor<1x1x4x8xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x8xf32> {
// CHECK-NEXT: %[[CONSTANT]] = graph.attention %[[KERNEL_2]], %[[KERNEL_2]], %[[KERNEL_2]] mask %[[KERNEL_4]] {scale = 5.000000e-01 : f64} : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x8xf32>
// CHECK-NEXT: graph.yield %[[CONSTANT]] : tensor<1x1x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<1x1x4x8xf32>
func.func @main(%x0: tensor<1x1x4x8xf32>, %x1: tensor<1x1x1x4xf32>) -> tensor<1x1x4x8xf32> {
  %c = graph.constant dense<-2.0> : tensor<f32>
  %1 = graph.binary mul %x1, %c : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<1x1x1x4xf32>
  %2 = graph.attention %x0, %x0, %x0 mask %1 {scale = 5.000000e-01 : f64} : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x8xf32>
  return %2 : tensor<1x1x4x8xf32>
}

// -----

// An elementwise op behind attention.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x1x4x8xf32>
// CHECK-SAME: ) -> tensor<1x1x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_2]], %[[KERNEL_2]], %[[KERNEL_2]] {scale = 5.000000e-01 : f64} : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[ATTENTION]] : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
// CHECK-NEXT: graph.yield %[[RELU]] : tensor<1x1x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<1x1x4x8xf32>
func.func @main(%x0: tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
  %0 = graph.attention %x0, %x0, %x0 {scale = 5.000000e-01 : f64} : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  %1 = graph.unary relu %0 : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  return %1 : tensor<1x1x4x8xf32>
}

// -----

// What the keys are made of is computed once, not for every query.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x1x4x8xf32>
// CHECK-SAME: ) -> tensor<1x1x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<1x1x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_4:[^ ,:)]+]] = %[[KERNEL]]) : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
// CHECK-NEXT: %[[EXP]] = graph.attention %[[KERNEL_2]], %[[KERNEL_4]], %[[KERNEL_2]] {scale = 5.000000e-01 : f64} : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<1x1x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<1x1x4x8xf32>
func.func @main(%x0: tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
  %0 = graph.unary exp %x0 : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  %1 = graph.attention %x0, %0, %x0 {scale = 5.000000e-01 : f64} : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  return %1 : tensor<1x1x4x8xf32>
}

// -----

// Causal attention with a product behind it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x1x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<8x3xf32>
// CHECK-SAME: ) -> tensor<1x1x4x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_2]], %[[KERNEL_2]], %[[KERNEL_2]] {causal, scale = 5.000000e-01 : f64} : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<1x1x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2]] = %[[KERNEL]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<1x1x4x8xf32>, tensor<8x3xf32>) -> tensor<1x1x4x3xf32> {
// CHECK-NEXT: %[[ATTENTION]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_4]] : (tensor<1x1x4x8xf32>, tensor<8x3xf32>) -> tensor<1x1x4x3xf32>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<1x1x4x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<1x1x4x3xf32>
func.func @main(%x0: tensor<1x1x4x8xf32>, %x1: tensor<8x3xf32>) -> tensor<1x1x4x3xf32> {
  %0 = graph.attention %x0, %x0, %x0 {causal, scale = 5.000000e-01 : f64} : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  %1 = graph.matmul %0, %x1 : (tensor<1x1x4x8xf32>, tensor<8x3xf32>) -> tensor<1x1x4x3xf32>
  return %1 : tensor<1x1x4x3xf32>
}

// -----

// A product of batches, broadcast.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x2xf32>
// CHECK-SAME: ) -> tensor<2x3x2xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x3x4xf32>, tensor<4x2xf32>) -> tensor<2x3x2xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x3x4xf32>, tensor<4x2xf32>) -> tensor<2x3x2xf32>
// CHECK-NEXT: graph.yield %[[MATMUL]] : tensor<2x3x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x3x2xf32>
func.func @main(%x0: tensor<2x3x4xf32>, %x1: tensor<4x2xf32>) -> tensor<2x3x2xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x3x4xf32>, tensor<4x2xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

// -----

// The residual of a product comes from another product.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x4xf32>
// CHECK-SAME: ) -> tensor<4x4xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: graph.yield %[[MATMUL]] : tensor<4x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2]] = %[[KERNEL]], %[[KERNEL_3]] = %[[ARG_2]]) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT: %[[MATMUL]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MATMUL]], %[[KERNEL_2]] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: graph.yield %[[ADD]] : tensor<4x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_4]] : tensor<4x4xf32>
func.func @main(%x0: tensor<4x4xf32>, %x1: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.matmul %0, %x1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = graph.binary add %1, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// A norm with scale and bias, and the cast behind it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4xf32>
// CHECK-SAME: ) -> tensor<2x4xf16> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf16> {
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[KERNEL_2]] scale %[[KERNEL_3]] bias %[[KERNEL_3]] axis 1 {epsilon = 1.000000e-05 : f64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[LAYER_NORM]] : (tensor<2x4xf32>) -> tensor<2x4xf16>
// CHECK-NEXT: graph.yield %[[CAST]] : tensor<2x4xf16>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x4xf16>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4xf32>) -> tensor<2x4xf16> {
  %0 = graph.layer_norm %x0 scale %x1 bias %x1 axis 1 {epsilon = 1.000000e-05 : f64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = graph.cast %0 : (tensor<2x4xf32>) -> tensor<2x4xf16>
  return %1 : tensor<2x4xf16>
}

// -----

// An argument that leaves as it came.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf32>
// CHECK-SAME: ) -> tensor<2xf32> {
// CHECK-NEXT: return %[[ARG]] : tensor<2xf32>
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  return %x0 : tensor<2xf32>
}

// -----

// A scatter and what makes its updates.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x4x2xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x1xi64>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1x2x2xf32>
// CHECK-SAME: ) -> tensor<1x4x2xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG_3]]) : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<1x2x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "scatter" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_2]], %[[KERNEL_5:[^ ,:)]+]] = %[[KERNEL]]) : (tensor<1x4x2xf32>, tensor<1x2x1xi64>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32> {
// CHECK-NEXT: %[[EXP]] = graph.scatter %[[KERNEL_2]], %[[KERNEL_4]], %[[KERNEL_5]] : (tensor<1x4x2xf32>, tensor<1x2x1xi64>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<1x4x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<1x4x2xf32>
func.func @main(%x0: tensor<1x4x2xf32>, %x1: tensor<1x2x1xi64>, %x2: tensor<1x2x2xf32>) -> tensor<1x4x2xf32> {
  %0 = graph.unary exp %x2 : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %1 = graph.scatter %x0, %x1, %0 : (tensor<1x4x2xf32>, tensor<1x2x1xi64>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>
  return %1 : tensor<1x4x2xf32>
}
