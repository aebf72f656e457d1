// RUN: kiln-opt %s --split-input-file --kiln-raise-attention --remarks-filter='kiln-raise-attention' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// As BERT is exported: K transposed in front, a quotient, an additive mask.
// CHECK-LABEL: func.func @bert
// CHECK-NEXT: %[[A:.*]] = graph.attention %arg0, %arg1, %arg2 mask %arg3 {scale = 2.500000e-01 : f64}
// CHECK-NEXT: return %[[A]]
// REMARK: [Passed] attention
func.func @bert(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %m: tensor<2x1x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %c = graph.constant dense<4.0> : tensor<f32>
  %t = graph.transpose %k [0, 1, 3, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x16x8xf32>
  %s = graph.matmul %q, %t : (tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x8x8xf32>
  %d = graph.binary div %s, %c : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %d, %m : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %a axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// K with the flag of the matmul; scales on Q and K, mask on the left.
// CHECK-LABEL: func.func @scaledOperands
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %arg3 {scale = 2.500000e-01 : f64}
// CHECK-NEXT: return
func.func @scaledOperands(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %m: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %c = graph.constant dense<0.5> : tensor<f32>
  %qs = graph.binary mul %q, %c : (tensor<2x4x8x16xf32>, tensor<f32>) -> tensor<2x4x8x16xf32>
  %ks = graph.binary mul %c, %k : (tensor<f32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  %s = graph.matmul %qs, %ks {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %m, %s : (tensor<8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %a axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// The scale of Q is taken through the views that split the heads.
// CHECK-LABEL: func.func @scaledBeforeSplit
// CHECK-NEXT: %[[R:.*]] = graph.reshape %arg0
// CHECK-NEXT: %[[T:.*]] = graph.transpose %[[R]]
// CHECK-NEXT: graph.attention %[[T]], %arg1, %arg2 {scale = 2.500000e-01 : f64}
func.func @scaledBeforeSplit(%q: tensor<2x8x64xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %c = graph.constant dense<0.25> : tensor<f32>
  %qs = graph.binary mul %q, %c : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8x64xf32>
  %r = graph.reshape %qs : (tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32>
  %t = graph.transpose %r [0, 2, 1, 3] : (tensor<2x8x4x16xf32>) -> tensor<2x4x8x16xf32>
  %s = graph.matmul %t, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// K stored [B, H, D, T] is read through a transpose; no mask, no scale.
// CHECK-LABEL: func.func @storedTransposed
// CHECK-NEXT: %[[K:.*]] = graph.transpose %arg1 [0, 1, 3, 2]
// CHECK-NEXT: graph.attention %arg0, %[[K]], %arg2 {scale = 1.000000e+00 : f64}
func.func @storedTransposed(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x16x8xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k : (tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// A select with -inf; a sum of two masks; a scale outside of a mask.
// CHECK-LABEL: func.func @masks
// CHECK: %[[M:.*]] = graph.binary mul %arg4, %{{.*}} : (tensor<8x8xf32>, tensor<f32>)
// CHECK-DAG: %[[LOW:.*]] = graph.constant dense<0xFF800000>
// CHECK: %[[SEL:.*]] = graph.select %arg3, %[[M]], %[[LOW]]
// CHECK: %[[SUM:.*]] = graph.binary add %[[SEL]], %arg5
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %[[SUM]] {scale = 5.000000e-01 : f64}
func.func @masks(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<2x1x1x8xi1>, %m: tensor<8x8xf32>, %n: tensor<1x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %h = graph.constant dense<0.5> : tensor<f32>
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %s, %m : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %d = graph.binary mul %a, %h : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %w = graph.select %c, %d, %inf : (tensor<2x1x1x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %z = graph.binary add %w, %n : (tensor<2x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %z axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// masked_fill with -10000, the condition expanded: the mask keeps its own size.
// CHECK-LABEL: func.func @maskedFill
// CHECK-DAG: %[[Z:.*]] = graph.constant dense<0.0
// CHECK-DAG: %[[LOW:.*]] = graph.constant dense<-1.000000e+30>
// CHECK: %[[M:.*]] = graph.select %arg3, %[[LOW]], %[[Z]] : (tensor<2x1x1x8xi1>
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %[[M]]
func.func @maskedFill(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<2x1x1x8xi1>) -> tensor<2x4x8x16xf32> {
  %low = graph.constant dense<-10000.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = graph.broadcast %c : (tensor<2x1x1x8xi1>) -> tensor<2x4x8x8xi1>
  %w = graph.select %e, %low, %s : (tensor<2x4x8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Rank 3 becomes one head per batch entry.
// CHECK-LABEL: func.func @rank3
// CHECK-DAG: %[[Q:.*]] = graph.reshape %arg0 : (tensor<8x6x16xf32>) -> tensor<8x1x6x16xf32>
// CHECK-DAG: %[[K:.*]] = graph.reshape %arg1
// CHECK-DAG: %[[V:.*]] = graph.reshape %arg2
// CHECK: %[[A:.*]] = graph.attention %[[Q]], %[[K]], %[[V]]
// CHECK-NEXT: %[[O:.*]] = graph.reshape %[[A]] : (tensor<8x1x6x16xf32>) -> tensor<8x6x16xf32>
// CHECK-NEXT: return %[[O]]
func.func @rank3(%q: tensor<8x6x16xf32>, %k: tensor<8x6x16xf32>, %v: tensor<8x6x16xf32>) -> tensor<8x6x16xf32> {
  %t = graph.transpose %k [0, 2, 1] : (tensor<8x6x16xf32>) -> tensor<8x16x6xf32>
  %s = graph.matmul %q, %t : (tensor<8x6x16xf32>, tensor<8x16x6xf32>) -> tensor<8x6x6xf32>
  %p = graph.softmax %s axis 2 : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
  %o = graph.matmul %p, %v : (tensor<8x6x6xf32>, tensor<8x6x16xf32>) -> tensor<8x6x16xf32>
  return %o : tensor<8x6x16xf32>
}

// -----

// Rank 3 with a mask added at rank 4 (BART): the heads are those of the reshape.
// CHECK-LABEL: func.func @rank3Mask4
// CHECK-DAG: graph.reshape %arg0 : (tensor<8x6x16xf32>) -> tensor<2x4x6x16xf32>
// CHECK: graph.attention {{.*}} mask %arg3
// CHECK-SAME: -> tensor<2x4x6x16xf32>
func.func @rank3Mask4(%q: tensor<8x6x16xf32>, %k: tensor<8x6x16xf32>, %v: tensor<8x6x16xf32>, %m: tensor<2x1x6x6xf32>) -> tensor<8x6x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<8x6x16xf32>, tensor<8x6x16xf32>) -> tensor<8x6x6xf32>
  %r = graph.reshape %s : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
  %a = graph.binary add %r, %m : (tensor<2x4x6x6xf32>, tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
  %f = graph.reshape %a : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
  %p = graph.softmax %f axis 2 : (tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
  %o = graph.matmul %p, %v : (tensor<8x6x6xf32>, tensor<8x6x16xf32>) -> tensor<8x6x16xf32>
  return %o : tensor<8x6x16xf32>
}

// -----

// Grouped queries: repeated heads of K and V are read once.
// CHECK-LABEL: func.func @grouped
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 {scale
// CHECK-SAME: (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>)
func.func @grouped(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x8x16xf32>, %v: tensor<2x2x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %kk1 = graph.reshape %k : (tensor<2x2x8x16xf32>) -> tensor<2x2x1x8x16xf32>
  %kk2 = graph.broadcast %kk1 : (tensor<2x2x1x8x16xf32>) -> tensor<2x2x2x8x16xf32>
  %kk = graph.reshape %kk2 : (tensor<2x2x2x8x16xf32>) -> tensor<2x4x8x16xf32>
  %vv1 = graph.reshape %v : (tensor<2x2x8x16xf32>) -> tensor<2x2x1x8x16xf32>
  %vv2 = graph.broadcast %vv1 : (tensor<2x2x1x8x16xf32>) -> tensor<2x2x2x8x16xf32>
  %vv = graph.reshape %vv2 : (tensor<2x2x2x8x16xf32>) -> tensor<2x4x8x16xf32>
  %t = graph.transpose %kk [0, 1, 3, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x16x8xf32>
  %s = graph.matmul %q, %t : (tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %vv : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Symbolic batch and sequence; softmax in f32 between casts is not needed here.
// CHECK-LABEL: func.func @symbolic
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %arg3 {scale = 1.250000e-01 : f64}
graph.symbol @batch in [1, 64]
graph.symbol @seq in [1, 64]
func.func @symbolic(%q: tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>>, %k: tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>>, %v: tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>>, %m: tensor<?x1x1x?xf32, #graph.shape<[batch, seq] -> [batch, 1, 1, seq]>>) -> tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>> {
  %c = graph.constant dense<8.0> : tensor<f32>
  %t = graph.transpose %k [0, 1, 3, 2] : (tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>>) -> tensor<?x4x16x?xf32, #graph.shape<[batch, seq] -> [batch, 4, 16, seq]>>
  %s = graph.matmul %q, %t : (tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>>, tensor<?x4x16x?xf32, #graph.shape<[batch, seq] -> [batch, 4, 16, seq]>>) -> tensor<?x4x?x?xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, seq]>>
  %d = graph.binary div %s, %c : (tensor<?x4x?x?xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, seq]>>, tensor<f32>) -> tensor<?x4x?x?xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, seq]>>
  %a = graph.binary add %d, %m : (tensor<?x4x?x?xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, seq]>>, tensor<?x1x1x?xf32, #graph.shape<[batch, seq] -> [batch, 1, 1, seq]>>) -> tensor<?x4x?x?xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, seq]>>
  %p = graph.softmax %a axis 3 : (tensor<?x4x?x?xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, seq]>>) -> tensor<?x4x?x?xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, seq]>>
  %o = graph.matmul %p, %v : (tensor<?x4x?x?xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, seq]>>, tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>>) -> tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>>
  return %o : tensor<?x4x?x16xf32, #graph.shape<[batch, seq] -> [batch, 4, seq, 16]>>
}

// -----

// The softmax of f16 scores in f32.
// CHECK-LABEL: func.func @widened
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 {scale
// CHECK-NEXT: return
func.func @widened(%q: tensor<2x4x8x16xf16>, %k: tensor<2x4x8x16xf16>, %v: tensor<2x4x8x16xf16>) -> tensor<2x4x8x16xf16> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf16>, tensor<2x4x8x16xf16>) -> tensor<2x4x8x8xf16>
  %w = graph.cast %s : (tensor<2x4x8x8xf16>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %n = graph.cast %p : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf16>
  %o = graph.matmul %n, %v : (tensor<2x4x8x8xf16>, tensor<2x4x8x16xf16>) -> tensor<2x4x8x16xf16>
  return %o : tensor<2x4x8x16xf16>
}

// -----

// Not: the softmax is over the queries.
// CHECK-LABEL: func.func @wrongAxis
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the softmax is not over the last axis
func.func @wrongAxis(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 2 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the weights are an output as well.
// CHECK-LABEL: func.func @weightsReturned
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the softmax has other users
func.func @weightsReturned(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x8xf32>) {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o, %p : tensor<2x4x8x16xf32>, tensor<2x4x8x8xf32>
}

// -----

// Not: the scores are an output as well.
// CHECK-LABEL: func.func @scoresReturned
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the scores have other users
func.func @scoresReturned(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x8xf32>) {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o, %s : tensor<2x4x8x16xf32>, tensor<2x4x8x8xf32>
}

// -----

// Not: a classifier's softmax, which nobody takes for one.
// CHECK-LABEL: func.func @classifier
// CHECK-NOT: graph.attention
// REMARK-NOT: the softmax does not feed a product
func.func @classifier(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %p = graph.softmax %x axis 1 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %a = graph.unary abs %p : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %a : tensor<2x8xf32>
}

// -----

// Not: the batch of K is broadcast.
// CHECK-LABEL: func.func @sharedBatch
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: query, key and value differ in leading dims
func.func @sharedBatch(%q: tensor<2x4x8x16xf32>, %k: tensor<1x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<1x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: K and V have different numbers of heads.
// CHECK-LABEL: func.func @otherHeads
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: heads of query, key and value do not match: 4, 1 and 4
func.func @otherHeads(%q: tensor<2x4x8x16xf32>, %k: tensor<2x1x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x1x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: V on the left.
// CHECK-LABEL: func.func @valueOnLeft
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the softmax is not the left operand
func.func @valueOnLeft(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %v, %p : (tensor<2x4x16x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

// Not: a reshape that mixes rows and heads.
// CHECK-LABEL: func.func @mixed
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: a reshape of the scores changes more than leading dims
func.func @mixed(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %w: tensor<2x8x8x16xf32>) -> tensor<2x8x4x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %s : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
  %p = graph.softmax %r axis 3 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8xf32>
  %o = graph.matmul %p, %w : (tensor<2x8x4x8xf32>, tensor<2x8x8x16xf32>) -> tensor<2x8x4x16xf32>
  return %o : tensor<2x8x4x16xf32>
}

// -----

// Not: rank 5 with a mask.
// CHECK-LABEL: func.func @rank5
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the scores have rank 5; expected 2 to 4
func.func @rank5(%q: tensor<2x2x2x8x16xf32>, %k: tensor<2x2x2x8x16xf32>, %v: tensor<2x2x2x8x16xf32>, %m: tensor<2x1x2x8x8xf32>) -> tensor<2x2x2x8x16xf32> {
  %t = graph.matmul %q, %k {transpose_b} : (tensor<2x2x2x8x16xf32>, tensor<2x2x2x8x16xf32>) -> tensor<2x2x2x8x8xf32>
  %s = graph.binary add %t, %m : (tensor<2x2x2x8x8xf32>, tensor<2x1x2x8x8xf32>) -> tensor<2x2x2x8x8xf32>
  %p = graph.softmax %s axis 4 : (tensor<2x2x2x8x8xf32>) -> tensor<2x2x2x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x2x2x8x8xf32>, tensor<2x2x2x8x16xf32>) -> tensor<2x2x2x8x16xf32>
  return %o : tensor<2x2x2x8x16xf32>
}

// -----

// Without keys the product of nothing is 0, attention 0 / 0: dims that allow it stay as they are.
// CHECK-LABEL: func.func @maybeNoKeys
// CHECK-NOT: graph.attention
// CHECK: graph.softmax
// REMARK: [Missed] attention
// REMARK-SAME: the dims allow that there are no keys
graph.symbol @t in [0, 8]
func.func @maybeNoKeys(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x?x16xf32, #graph.shape<[t] -> [2, 4, t, 16]>>, %v: tensor<2x4x?x16xf32, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x?x16xf32, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>) -> tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>
  %o = graph.matmul %p, %v : (tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>, tensor<2x4x?x16xf32, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Of one key at least there is attention.
// CHECK-LABEL: func.func @someKeys
// CHECK: graph.attention
// REMARK: [Passed] attention
graph.symbol @t in [1, 8]
func.func @someKeys(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x?x16xf32, #graph.shape<[t] -> [2, 4, t, 16]>>, %v: tensor<2x4x?x16xf32, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x?x16xf32, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>) -> tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>
  %o = graph.matmul %p, %v : (tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>, tensor<2x4x?x16xf32, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}
