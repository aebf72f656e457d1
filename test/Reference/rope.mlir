// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Rotations: halves, adjacent pairs, a part of a row, tables for all heads or batches.
// NOTE: checks by tools/update-lit-checks

// A quarter turn, and half a turn: (a, b) becomes (-b, a), then (-a, -b).
// CHECK-LABEL: func.func @halves
// CHECK-NEXT: #0 = dense<{{\[\[}}[-3.000000e+00, -2.000000e+00, 1.000000e+00, -4.000000e+00], [-5.000000e+00, -8.000000e+00, -7.000000e+00, 6.000000e+00]]]> : tensor<1x2x4xf32>
func.func @halves() -> tensor<1x2x4xf32> {
  %x = graph.constant dense<[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]> : tensor<1x2x4xf32>
  %c = graph.constant dense<[[0.0, -1.0], [-1.0, 0.0]]> : tensor<2x2xf32>
  %s = graph.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %0 = graph.rope %x, %c, %s : (tensor<1x2x4xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}

// CHECK-LABEL: func.func @adjacent
// CHECK-NEXT: #0 = dense<{{\[\[}}[-2.000000e+00, 1.000000e+00, -3.000000e+00, -4.000000e+00], [-5.000000e+00, -6.000000e+00, -8.000000e+00, 7.000000e+00]]]> : tensor<1x2x4xf32>
func.func @adjacent() -> tensor<1x2x4xf32> {
  %x = graph.constant dense<[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]> : tensor<1x2x4xf32>
  %c = graph.constant dense<[[0.0, -1.0], [-1.0, 0.0]]> : tensor<2x2xf32>
  %s = graph.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %0 = graph.rope %x, %c, %s {interleaved} : (tensor<1x2x4xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}

// Of five elements the first two are a pair.
// CHECK-LABEL: func.func @part
// CHECK-NEXT: #0 = dense<{{\[\[}}[-1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]], {{\[\[}}-7.000000e+00, 6.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01]]]> : tensor<2x1x5xf32>
func.func @part() -> tensor<2x1x5xf32> {
  %x = graph.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0, 9.0, 10.0]]]> : tensor<2x1x5xf32>
  %c = graph.constant dense<[[[0.6]], [[0.0]]]> : tensor<2x1x1xf32>
  %s = graph.constant dense<[[[0.8]], [[1.0]]]> : tensor<2x1x1xf32>
  %0 = graph.rope %x, %c, %s : (tensor<2x1x5xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x5xf32>
  return %0 : tensor<2x1x5xf32>
}

// One cosine for all sequences, a sine for each.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: #0 = dense<{{\[\[}}[-1.500000e+00, 2.000000e+00], [-2.500000e+00, 5.000000e+00]], {{\[\[}}-9.500000e+00, 1.300000e+01], [-1.250000e+01, 1.800000e+01]]]> : tensor<2x2x2xf16>
func.func @broadcast() -> tensor<2x2x2xf16> {
  %x = graph.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf16>
  %c = graph.constant dense<0.5> : tensor<1xf16>
  %s = graph.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf16>
  %0 = graph.rope %x, %c, %s : (tensor<2x2x2xf16>, tensor<1xf16>, tensor<2x1x1xf16>) -> tensor<2x2x2xf16>
  return %0 : tensor<2x2x2xf16>
}
