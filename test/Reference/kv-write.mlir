// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// New rows of a cache at each sequence's own position.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @own_positions
// CHECK-NEXT: #0 = dense<{{\[\[}}[1, 2], [3, 4], [4, 5], [6, 7]], {{\[\[}}8, 9], [10, 11], [5, 6], [7, 8]]]> : tensor<2x4x2xi32>
func.func @own_positions(%x0: tensor<2x4x2xi32>, %x1: tensor<2x2x2xi32>) -> tensor<2x4x2xi32> {
  %starts = graph.constant dense<[0, 2]> : tensor<2xi64>
  %counts = graph.constant dense<2> : tensor<2xi64>
  %0 = graph.kv_write %x0, %x1 starts %starts counts %counts axis 1 : (tensor<2x4x2xi32>, tensor<2x2x2xi32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4x2xi32>
  return %0 : tensor<2x4x2xi32>
}

// A sequence with fewer new rows, and one with none.
// CHECK-LABEL: func.func @counts
// CHECK-NEXT: #0 = dense<{{\[\[}}[1.000000e+00], [2.000000e+00]], {{\[\[}}3.000000e+00], [3.000000e+00]], {{\[\[}}4.000000e+00], [5.000000e+00]]]> : tensor<3x2x1xf32>
func.func @counts(%x0: tensor<3x2x1xf32>, %x1: tensor<3x2x1xf32>) -> tensor<3x2x1xf32> {
  %starts = graph.constant dense<0> : tensor<3xi32>
  %counts = graph.constant dense<[2, 1, 0]> : tensor<3xi32>
  %0 = graph.kv_write %x0, %x1 starts %starts counts %counts axis 1 : (tensor<3x2x1xf32>, tensor<3x2x1xf32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3x2x1xf32>
  return %0 : tensor<3x2x1xf32>
}

// Rows in front of the cache and behind it are dropped.
// CHECK-LABEL: func.func @outside
// CHECK-NEXT: #0 = dense<{{\[\[}}[2.000000e+00], [1.000000e+00], [2.000000e+00]], {{\[\[}}3.000000e+00], [4.000000e+00], [3.000000e+00]]]> : tensor<2x3x1xf32>
func.func @outside(%x0: tensor<2x3x1xf32>, %x1: tensor<2x2x1xf32>) -> tensor<2x3x1xf32> {
  %starts = graph.constant dense<[-1, 2]> : tensor<2xi64>
  %counts = graph.constant dense<9> : tensor<2xi64>
  %0 = graph.kv_write %x0, %x1 starts %starts counts %counts axis 1 : (tensor<2x3x1xf32>, tensor<2x2x1xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3x1xf32>
  return %0 : tensor<2x3x1xf32>
}

// Heads in front of the positions.
// CHECK-LABEL: func.func @heads
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.000000e+00], [2.000000e+00]], {{\[\[}}3.000000e+00], [2.000000e+00], [5.000000e+00]]]]> : tensor<1x2x3x1xf32>
func.func @heads(%x0: tensor<1x2x3x1xf32>, %x1: tensor<1x2x1x1xf32>) -> tensor<1x2x3x1xf32> {
  %starts = graph.constant dense<1> : tensor<1xi64>
  %counts = graph.constant dense<1> : tensor<1xi64>
  %0 = graph.kv_write %x0, %x1 starts %starts counts %counts axis 2 : (tensor<1x2x3x1xf32>, tensor<1x2x1x1xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x3x1xf32>
  return %0 : tensor<1x2x3x1xf32>
}

// A ring: positions go on at the front.
// CHECK-LABEL: func.func @ring
// CHECK-NEXT: #0 = dense<{{\[\[}}[2.000000e+00], [1.000000e+00], [1.000000e+00]], {{\[\[}}3.000000e+00], [3.000000e+00], [5.000000e+00]]]> : tensor<2x3x1xf32>
func.func @ring(%x0: tensor<2x3x1xf32>, %x1: tensor<2x2x1xf32>) -> tensor<2x3x1xf32> {
  %starts = graph.constant dense<[2, 7]> : tensor<2xi64>
  %counts = graph.constant dense<[2, 1]> : tensor<2xi64>
  %0 = graph.kv_write %x0, %x1 starts %starts counts %counts axis 1 {ring} : (tensor<2x3x1xf32>, tensor<2x2x1xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3x1xf32>
  return %0 : tensor<2x3x1xf32>
}
