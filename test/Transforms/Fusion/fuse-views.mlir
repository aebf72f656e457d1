// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | sed "s/ attributes {nodes = .*} {/ {/" | FileCheck %s
// Which ops share a kernel: views, constants, gathers, generators.
// NOTE: checks by tools/update-lit-checks

// Views are copied into every kernel that reads through them.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[KERNEL_2]] [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[TRANSPOSE]] : (tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<3x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[TRANSPOSE]] = graph.transpose %[[KERNEL_2]] [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[EXP]] = graph.softmax %[[TRANSPOSE]] axis 1 : (tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<3x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]], %[[KERNEL_3]] : tensor<3x2xf32>, tensor<3x2xf32>
func.func @main(%x0: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = graph.transpose %x0 [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = graph.unary exp %0 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = graph.softmax %0 axis 1 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1, %2 : tensor<3x2xf32>, tensor<3x2xf32>
}

// -----

// A view that leaves the function is a kernel.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[KERNEL_2]] [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: graph.yield %[[TRANSPOSE]] : tensor<3x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<3x2xf32>
func.func @main(%x0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = graph.transpose %x0 [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// A reshape of a whole value is none.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[KERNEL]] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return %[[RESHAPE]] : tensor<3x2xf32>
func.func @main(%x0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = graph.unary exp %x0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.reshape %0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

// Constants are copied into each kernel.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[KERNEL_2]], %[[CONSTANT]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[MUL]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[CONSTANT]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[MUL]] = graph.binary add %[[KERNEL_2]], %[[CONSTANT]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL]] axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[SOFTMAX]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]], %[[KERNEL_3]] : tensor<2x3xf32>, tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %c = graph.constant dense<2.0> : tensor<f32>
  %1 = graph.binary mul %x0, %c : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %2 = graph.binary add %x0, %c : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %3 = graph.softmax %2 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// A constant that leaves the function is computed.
// CHECK-LABEL: func.func @main() -> tensor<f32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" () : () -> tensor<f32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: graph.yield %[[CONSTANT]] : tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<f32>
func.func @main() -> tensor<f32> {
  %c = graph.constant dense<2.0> : tensor<f32>
  return %c : tensor<f32>
}

// -----

// A concat joins what makes its parts.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x1xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[NEG:[^ ,:)]+]] = graph.unary neg %[[KERNEL_3]] : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[EXP]], %[[NEG]] axis 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: graph.yield %[[CONCAT]] : tensor<2x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x4xf32>
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %0 = graph.unary exp %x0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.unary neg %x1 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %2 = graph.concat %0, %1 axis 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// Slices are views.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[KERNEL_2]] starts #shape steps [1, 1] : (tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[KERNEL_2]] starts #shape1 steps [1, 1] : (tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[SLICE]], %[[SLICE_2]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[ADD]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.slice %x0 starts <[] -> [0, 0]> steps [1, 1] : (tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = graph.slice %x0 starts <[] -> [2, 0]> steps [1, 1] : (tensor<4x3xf32>) -> tensor<2x3xf32>
  %2 = graph.binary add %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

// A gather joins what reads its rows.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xi64>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[KERNEL_2]], %[[KERNEL_3]] axis 0 : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[GATHER]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<4x3xf32>, %x1: tensor<2xi64>) -> tensor<2x3xf32> {
  %0 = graph.gather %x0, %x1 axis 0 : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = graph.unary exp %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// What a gather reads repeatedly is computed first.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4xi64>
// CHECK-SAME: ) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[KERNEL]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[EXP]] = graph.gather %[[KERNEL_2]], %[[KERNEL_4]] axis 0 : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<4x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<4x3xf32>
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<4xi64>) -> tensor<4x3xf32> {
  %0 = graph.unary exp %x0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.gather %0, %x1 axis 0 : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// Compares and selects are elementwise.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: %[[NEG:[^ ,:)]+]] = graph.unary neg %[[KERNEL_3]] : (tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[KERNEL_2]], %[[NEG]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[SELECT]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = graph.compare less %x0, %x1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %1 = graph.unary neg %x1 : (tensor<3xf32>) -> tensor<3xf32>
  %2 = graph.select %0, %x0, %1 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

// Casts in front of a sum are its prologue.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf16>
// CHECK-SAME: ) -> tensor<2xf16> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf16>) -> tensor<2xf16> {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[KERNEL_2]] : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[CAST]] axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[SUM]] : (tensor<2xf32>) -> tensor<2xf16>
// CHECK-NEXT: graph.yield %[[CAST_2]] : tensor<2xf16>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2xf16>
func.func @main(%x0: tensor<2x3xf16>) -> tensor<2xf16> {
  %0 = graph.cast %x0 : (tensor<2x3xf16>) -> tensor<2x3xf32>
  %1 = graph.reduce sum %0 axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.cast %1 : (tensor<2xf32>) -> tensor<2xf16>
  return %2 : tensor<2xf16>
}

// -----

// Generators need no kernel.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xi64>
// CHECK-SAME: ) -> tensor<2x3xi64> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xi64>) -> tensor<2x3xi64> {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<3xi64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[KERNEL_2]], %[[IOTA]] : (tensor<2x3xi64>, tensor<3xi64>) -> tensor<2x3xi64>
// CHECK-NEXT: graph.yield %[[ADD]] : tensor<2x3xi64>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x3xi64>
func.func @main(%x0: tensor<2x3xi64>) -> tensor<2x3xi64> {
  %0 = graph.iota axis 0 : tensor<3xi64>
  %1 = graph.binary add %x0, %0 : (tensor<2x3xi64>, tensor<3xi64>) -> tensor<2x3xi64>
  return %1 : tensor<2x3xi64>
}
