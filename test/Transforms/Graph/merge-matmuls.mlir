// RUN: kiln-opt %s --split-input-file --kiln-merge-matmuls --remarks-filter='kiln-merge-matmuls' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// Q, K and V of one input with their biases: one product, three slices.
// CHECK-DAG: #[[$Q:.*]] = #graph.shape<[] -> [0, 0, 0]>
// CHECK-DAG: #[[$K:.*]] = #graph.shape<[] -> [0, 0, 8]>
// CHECK-DAG: #[[$V:.*]] = #graph.shape<[] -> [0, 0, 16]>
// CHECK-LABEL: func.func @biases
// CHECK-DAG: %[[W:.*]] = graph.concat %[[Q:.*]], %[[K:.*]], %[[V:.*]] axis 1 : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x24xf32>
// CHECK-DAG: %[[B:.*]] = graph.concat %{{.*}}, %{{.*}}, %{{.*}} axis 0 : {{.*}} -> tensor<24xf32>
// CHECK: %[[M:.*]] = graph.matmul %arg0, %[[W]] : (tensor<2x4x8xf32>, tensor<8x24xf32>) -> tensor<2x4x24xf32>
// CHECK-NEXT: %[[S:.*]] = graph.binary add %[[M]], %[[B]]
// CHECK-NEXT: graph.slice %[[S]] starts #[[$Q]] steps [1, 1, 1]
// CHECK-NEXT: graph.slice %[[S]] starts #[[$K]]
// CHECK-NEXT: graph.slice %[[S]] starts #[[$V]]
// CHECK-NOT: graph.matmul
// CHECK-NOT: graph.binary
// CHECK: graph.attention
// REMARK: [Passed] merge
// REMARK-SAME: one product instead of 3, which read the same operand
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wv : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @bq : tensor<8xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
graph.weight @bk : tensor<8xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
graph.weight @bv : tensor<8xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
func.func @biases(%x: tensor<2x4x8xf32>) -> tensor<2x2x4x4xf32> {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %bq = graph.get_weight @bq : tensor<8xf32>
  %q0 = graph.matmul %x, %wq : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %q = graph.binary add %q0, %bq : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  %qhr = graph.reshape %q : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %qh = graph.transpose %qhr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %bk = graph.get_weight @bk : tensor<8xf32>
  %k0 = graph.matmul %x, %wk : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %k = graph.binary add %bk, %k0 : (tensor<8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %khr = graph.reshape %k : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %kh = graph.transpose %khr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %wv = graph.get_weight @wv : tensor<8x8xf32>
  %bv = graph.get_weight @bv : tensor<8xf32>
  %v0 = graph.matmul %x, %wv : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %v = graph.binary add %v0, %bv : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  %vhr = graph.reshape %v : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %vh = graph.transpose %vhr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %o = graph.attention %qh, %kh, %vh {scale = 5.0e-01 : f64} : (tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  return %o : tensor<2x2x4x4xf32>
}

// -----

// Weights stored [N, K] are transposed at compile time; a member without a bias
// adds -0.0, which changes no sum; constants are weights, too.
// CHECK-LABEL: func.func @mixed
// CHECK-DAG: %[[T:.*]] = graph.transpose %{{.*}} [1, 0]
// CHECK-DAG: %[[Z:.*]] = graph.constant dense<-0.000000e+00> : tensor<8xf32>
// CHECK-DAG: graph.concat %{{.*}}, %[[T]], %{{.*}} axis 1
// CHECK-DAG: graph.concat %{{.*}}, %[[Z]], %{{.*}} axis 0
// CHECK: graph.matmul
// CHECK-NOT: graph.matmul
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @bq : tensor<8xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
func.func @mixed(%x: tensor<2x4x8xf32>) -> tensor<2x2x4x4xf32> {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %bq = graph.get_weight @bq : tensor<8xf32>
  %q0 = graph.matmul %x, %wq : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %q = graph.binary add %q0, %bq : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  %qhr = graph.reshape %q : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %qh = graph.transpose %qhr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %k0 = graph.matmul %x, %wk {transpose_b} : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %khr = graph.reshape %k0 : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %kh = graph.transpose %khr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %wv = graph.constant dense<0.5> : tensor<8x8xf32>
  %bv = graph.constant dense<1.0> : tensor<8xf32>
  %v0 = graph.matmul %x, %wv : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %v = graph.binary add %v0, %bv : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  %vhr = graph.reshape %v : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %vh = graph.transpose %vhr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %o = graph.attention %qh, %kh, %vh {scale = 5.0e-01 : f64} : (tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  return %o : tensor<2x2x4x4xf32>
}

// -----

// Slices are copied by a concat anyway (a cache), whose result may leave.
// CHECK-LABEL: func.func @cache
// CHECK: %[[M:.*]] = graph.matmul %arg0, %{{.*}} -> tensor<2x4x16xf32>
// CHECK: graph.slice %[[M]]
// CHECK: graph.slice %[[M]]
// CHECK-NOT: graph.matmul
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wv : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @cache(%x: tensor<2x4x8xf32>, %past: tensor<2x4x8xf32>) -> (tensor<2x8x8xf32>, tensor<2x8x8xf32>) {
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %wv = graph.get_weight @wv : tensor<8x8xf32>
  %k = graph.matmul %x, %wk : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %v = graph.matmul %x, %wv : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %pk = graph.concat %past, %k axis 1 : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x8x8xf32>
  %pv = graph.concat %past, %v axis 1 : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x8x8xf32>
  return %pk, %pv : tensor<2x8x8xf32>, tensor<2x8x8xf32>
}

// -----

// Not: an activation, which belongs into the GEMM, and an output.
// CHECK-LABEL: func.func @otherReaders
// CHECK: graph.matmul
// CHECK: graph.unary silu
// CHECK: graph.matmul
// CHECK-NOT: graph.slice
// REMARK: [Missed] merge
// REMARK-SAME: its result would be a slice of theirs, of which an op that reads it needs a copy
// REMARK: [Missed] merge
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wv : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @otherReaders(%x: tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %wv = graph.get_weight @wv : tensor<8x8xf32>
  %k = graph.matmul %x, %wk : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %a = graph.unary silu %k : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %v = graph.matmul %x, %wv : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  return %a, %v : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// -----

// Not: different left operands.
// CHECK-LABEL: func.func @otherInputs
// CHECK-NOT: graph.slice
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @otherInputs(%x: tensor<2x4x8xf32>, %y: tensor<2x4x8xf32>) -> tensor<2x2x4x4xf32> {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %q = graph.matmul %x, %wq : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %k = graph.matmul %y, %wk : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %qhr = graph.reshape %q : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %qh = graph.transpose %qhr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %khr = graph.reshape %k : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %kh = graph.transpose %khr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %o = graph.attention %qh, %kh, %kh {scale = 5.0e-01 : f64} : (tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  return %o : tensor<2x2x4x4xf32>
}

// -----

// Not: a right operand that is an input, and a batch of matrices.
// CHECK-LABEL: func.func @noWeights
// CHECK-NOT: graph.slice
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wv : tensor<2x8x8xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
func.func @noWeights(%x: tensor<2x4x8xf32>, %wk: tensor<8x8xf32>) -> tensor<2x2x4x4xf32> {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %wv = graph.get_weight @wv : tensor<2x8x8xf32>
  %q = graph.matmul %x, %wq : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %k = graph.matmul %x, %wk : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %v = graph.matmul %x, %wv : (tensor<2x4x8xf32>, tensor<2x8x8xf32>) -> tensor<2x4x8xf32>
  %qhr = graph.reshape %q : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %qh = graph.transpose %qhr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %khr = graph.reshape %k : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %kh = graph.transpose %khr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %vhr = graph.reshape %v : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %vh = graph.transpose %vhr [0, 2, 1, 3] : (tensor<2x4x2x4xf32>) -> tensor<2x2x4x4xf32>
  %o = graph.attention %qh, %kh, %vh {scale = 5.0e-01 : f64} : (tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  return %o : tensor<2x2x4x4xf32>
}

// -----

// Not: a transposed left operand is no operand of the others.
// CHECK-LABEL: func.func @transposedLeft
// CHECK-NOT: graph.slice
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @transposedLeft(%x: tensor<8x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %a = graph.matmul %x, %wq {transpose_a} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = graph.matmul %x, %wq : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = graph.concat %a, %a axis 0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %d = graph.concat %b, %b axis 0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return %c, %d : tensor<16x8xf32>, tensor<16x8xf32>
}
