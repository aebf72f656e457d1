// RUN: kiln-opt %s --split-input-file --kiln-lower-precision=precision=bf16 | sed "s/ attributes {nodes = .*} {/ {/" | FileCheck %s
// What --precision bf16 makes of products and of what is around them.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<4x3xf32>) -> tensor<4x3xbf16>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CAST_2]], %[[CAST]] {result_element = f32} : (tensor<2x4xbf16>, tensor<4x3xbf16>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// A value between two products is rounded once, where it is made.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x4xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG_3]] : (tensor<4x3xf32>) -> tensor<4x3xbf16>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CAST_3]], %[[CAST_2]] {result_element = f32} : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[MATMUL]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CAST_4:[^ ,:)]+]] = graph.cast %[[TANH]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[CAST_4]], %[[CAST]] {result_element = f32} : (tensor<2x4xbf16>, tensor<4x3xbf16>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL_2]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x4xf32>, %x2: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = graph.unary tanh %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = graph.matmul %1, %x2 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

// Other readers of a rounded value read what is stored.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x4xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[ARG]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[TANH]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[CAST_2]] : (tensor<2x4xbf16>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CAST_2]], %[[CAST]] {result_element = f32} : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MATMUL]], %[[CAST_3]] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[ADD]] : tensor<2x4xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %0 = graph.unary tanh %x0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = graph.matmul %0, %x1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %2 = graph.binary add %1, %0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// An output keeps its type, unrounded.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x4xf32>
// CHECK-SAME: ) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[ARG]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[TANH]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CAST_2]], %[[CAST]] {result_element = f32} : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[MATMUL]], %[[TANH]] : tensor<2x4xf32>, tensor<2x4xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = graph.unary tanh %x0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = graph.matmul %0, %x1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %1, %0 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// So do inputs: their other readers read them.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x4xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CAST_2]], %[[CAST]] {result_element = f32} : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MATMUL]], %[[ARG]] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[ADD]] : tensor<2x4xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = graph.binary add %0, %x0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// A view is rounded before it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x2xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<4x3xf32>) -> tensor<4x3xbf16>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[ARG]] : (tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[TANH]] : (tensor<4x2xf32>) -> tensor<4x2xbf16>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[CAST_2]] : (tensor<4x2xbf16>) -> tensor<4x2xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[CAST_3]] [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[CAST_2]] [1, 0] : (tensor<4x2xbf16>) -> tensor<2x4xbf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[TRANSPOSE_2]], %[[CAST]] {result_element = f32} : (tensor<2x4xbf16>, tensor<4x3xbf16>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<4x2xf32>, %x1: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.unary tanh %x0 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %2 = graph.matmul %1, %x1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

// One operand on both sides.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x4xf32>
// CHECK-SAME: ) -> tensor<4x4xf32> {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CAST]], %[[CAST]] {result_element = f32} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<4x4xf32>
func.func @main(%x0: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %x0, %x0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// What the model gives in another type stays.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf64>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf64>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2x4xf16>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<4x3xf16>
// CHECK-SAME: ) -> (tensor<2x3xf64>, tensor<2x3xf16>) {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] : (tensor<2x4xf64>, tensor<4x3xf64>) -> tensor<2x3xf64>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG_3]], %[[ARG_4]] : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3xf16>
// CHECK-NEXT: return %[[MATMUL]], %[[MATMUL_2]] : tensor<2x3xf64>, tensor<2x3xf16>
func.func @main(%x0: tensor<2x4xf64>, %x1: tensor<4x3xf64>, %x2: tensor<2x4xf16>, %x3: tensor<4x3xf16>)
    -> (tensor<2x3xf64>, tensor<2x3xf16>) {
  %0 = graph.matmul %x0, %x1 : (tensor<2x4xf64>, tensor<4x3xf64>) -> tensor<2x3xf64>
  %1 = graph.matmul %x2, %x3 : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3xf16>
  return %0, %1 : tensor<2x3xf64>, tensor<2x3xf16>
}

// -----

// What was widened comes back without a loss.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xbf16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<4x3xf32>) -> tensor<4x3xbf16>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2x4xbf16>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CAST]] {result_element = f32} : (tensor<2x4xbf16>, tensor<4x3xbf16>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x4xbf16>, %x1: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.cast %x0 : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  %1 = graph.matmul %0, %x1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xi32>
// CHECK-SAME: ) -> tensor<2x3xi32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] : (tensor<2x4xi32>, tensor<4x3xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<2x3xi32>
func.func @main(%x0: tensor<2x4xi32>, %x1: tensor<4x3xi32>) -> tensor<2x3xi32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x4xi32>, tensor<4x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

// A product of constants is computed once.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONSTANT]], %[[CONSTANT]] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[MATMUL]] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %[[ADD]] : tensor<2x2xf32>
func.func @main(%x0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = graph.matmul %c, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = graph.binary add %x0, %1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

// Softmax and sums stay f32.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ARG]] axis 1 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[ARG]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[SOFTMAX]], %[[SUM]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<2x4xf32>
func.func @main(%x0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = graph.softmax %x0 axis 1 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = graph.reduce sum %x0 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary mul %0, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// A cache that attention reads rounded holds what is rounded: its new rows are rounded, not all
// rows in every run.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x2x3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x3x4xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1xi64>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<1xi64>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<1x2x8x4xbf16> {graph.state = "k"}
// CHECK-SAME: ) -> (tensor<1x2x3x4xf32>, tensor<1x2x8x4xbf16> {graph.state = "k"}) {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xbf16>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xbf16>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_5]], %[[CAST]] starts %[[ARG_4]] counts %[[ARG_3]] axis 2 : (tensor<1x2x8x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x8x4xbf16>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CAST_2]], %[[KV_WRITE]], %[[KV_WRITE]] {scale = 5.000000e-01 : f64} : (tensor<1x2x3x4xbf16>, tensor<1x2x8x4xbf16>, tensor<1x2x8x4xbf16>) -> tensor<1x2x3x4xbf16>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[ATTENTION]] : (tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: return %[[CAST_3]], %[[KV_WRITE]] : tensor<1x2x3x4xf32>, tensor<1x2x8x4xbf16>
func.func @main(%q: tensor<1x2x3x4xf32>, %n: tensor<1x2x3x4xf32>, %counts: tensor<1xi64>, %lengths: tensor<1xi64>, %k: tensor<1x2x8x4xf32> {graph.state = "k"}) -> (tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32> {graph.state = "k"}) {
  %0 = graph.kv_write %k, %n starts %lengths counts %counts axis 2 : (tensor<1x2x8x4xf32>, tensor<1x2x3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x8x4xf32>
  %1 = graph.attention %q, %0, %0 {scale = 0.5 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x3x4xf32>
  return %1, %0 : tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>
}

// -----

// Not a cache that is also read as it is.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x2x3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x3x4xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1xi64>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<1xi64>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<1x2x8x4xf32> {graph.state = "k"}
// CHECK-SAME: ) -> (tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32> {graph.state = "k"}) {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xbf16>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_5]], %[[ARG_2]] starts %[[ARG_4]] counts %[[ARG_3]] axis 2 : (tensor<1x2x8x4xf32>, tensor<1x2x3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x8x4xf32>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[KV_WRITE]] : (tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xbf16>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[CAST_2]] : (tensor<1x2x8x4xbf16>) -> tensor<1x2x8x4xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CAST]], %[[CAST_2]], %[[CAST_2]] {scale = 5.000000e-01 : f64} : (tensor<1x2x3x4xbf16>, tensor<1x2x8x4xbf16>, tensor<1x2x8x4xbf16>) -> tensor<1x2x3x4xbf16>
// CHECK-NEXT: %[[CAST_4:[^ ,:)]+]] = graph.cast %[[ATTENTION]] : (tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[CAST_3]] : (tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
// CHECK-NEXT: return %[[CAST_4]], %[[TANH]], %[[KV_WRITE]] : tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
func.func @main(%q: tensor<1x2x3x4xf32>, %n: tensor<1x2x3x4xf32>, %counts: tensor<1xi64>, %lengths: tensor<1xi64>, %k: tensor<1x2x8x4xf32> {graph.state = "k"}) -> (tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32> {graph.state = "k"}) {
  %0 = graph.kv_write %k, %n starts %lengths counts %counts axis 2 : (tensor<1x2x8x4xf32>, tensor<1x2x3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x8x4xf32>
  %1 = graph.attention %q, %0, %0 {scale = 0.5 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x3x4xf32>
  %2 = graph.unary tanh %0 : (tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %1, %2, %0 : tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
}
