// RUN: kiln-opt %s --split-input-file --kiln-raise-attention --remarks-filter='kiln-raise-attention' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// Sinks as exporters write them: one more column of scores, which the softmax counts and the product does not.

// One column of sinks that is left out behind the softmax.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 sinks %arg3 {scale = 1.000000e+00 : f64}
// CHECK-NEXT: return
// REMARK: [Passed] attention
func.func @plain(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// As gpt-oss writes it: scores are scaled and masked, and the maximum of each row is taken off.
// CHECK-LABEL: func.func @gpt_oss
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %arg4 sinks %arg3 {scale = 2.500000e-01 : f64}
// CHECK-NEXT: return
// REMARK: [Passed] attention
func.func @gpt_oss(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>, %m: tensor<2x1x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %f = graph.constant dense<0.25> : tensor<f32>
  %d = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %g = graph.binary mul %d, %f : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %s = graph.binary add %g, %m : (tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %x = graph.reduce max %c axes [3] {keep_dims} : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x1xf32>
  %y = graph.binary sub %c, %x : (tensor<2x4x8x9xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %y axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Sinks of the query's type, and weights that are NaN count as 0.
// CHECK-LABEL: func.func @narrow
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 sinks %arg3 {nan_zero, scale = 1.000000e+00 : f64}
// CHECK-NEXT: return
// REMARK: [Passed] attention
func.func @narrow(%q: tensor<2x4x8x16xf16>, %k: tensor<2x4x8x16xf16>, %v: tensor<2x4x8x16xf16>, %p: tensor<4xf16>) -> tensor<2x4x8x16xf16> {
  %n = graph.constant dense<0.0> : tensor<f16>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf16>, tensor<2x4x8x16xf16>) -> tensor<2x4x8x8xf16>
  %r = graph.reshape %p : (tensor<4xf16>) -> tensor<1x4x1x1xf16>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf16>) -> tensor<2x4x8x1xf16>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf16>, tensor<2x4x8x1xf16>) -> tensor<2x4x8x9xf16>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xf16>) -> tensor<2x4x8x9xf16>
  %a = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf16>) -> tensor<2x4x8x8xf16>
  %i = graph.unary is_nan %a : (tensor<2x4x8x8xf16>) -> tensor<2x4x8x8xi1>
  %z = graph.select %i, %n, %a : (tensor<2x4x8x8xi1>, tensor<f16>, tensor<2x4x8x8xf16>) -> tensor<2x4x8x8xf16>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf16>, tensor<2x4x8x16xf16>) -> tensor<2x4x8x16xf16>
  return %o : tensor<2x4x8x16xf16>
}

// -----

// Sinks in f32 that are rounded where they join.
// CHECK-LABEL: func.func @cast
// CHECK-NEXT: %[[NARROW:.*]] = graph.cast %arg3 : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 sinks %[[NARROW]] {scale
// CHECK-NEXT: return
// REMARK: [Passed] attention
func.func @cast(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>, %p: tensor<4xf32>) -> tensor<2x4x8x16xbf16> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x8xbf16>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %u = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %e = graph.cast %u : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xbf16>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xbf16>, tensor<2x4x8x1xbf16>) -> tensor<2x4x8x9xbf16>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xbf16>) -> tensor<2x4x8x9xbf16>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xbf16>) -> tensor<2x4x8x8xbf16>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %o : tensor<2x4x8x16xbf16>
}

// -----

// A column of one number: smooth softmax.
// CHECK-LABEL: func.func @smooth
// CHECK-NEXT: %[[ZERO:.*]] = graph.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 sinks %[[ZERO]] {scale
// CHECK-NEXT: return
// REMARK: [Passed] attention
func.func @smooth(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = graph.fill 0.0 : f32 : tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: a number for each query.
// CHECK-LABEL: func.func @per_query
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: are not one number per head
func.func @per_query(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<2x4x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %e = graph.reshape %p : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: a number for each head of a sequence.
// CHECK-LABEL: func.func @per_batch
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: are not one number per head
func.func @per_batch(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<2x4xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<2x4xf32>) -> tensor<2x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<2x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the weight of the first key is left out, and the sink has a value.
// CHECK-LABEL: func.func @first_column
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: a slice of the softmax leaves out more than a last column
func.func @first_column(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 1]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the sink is in front of the keys, and the last key has no value.
// CHECK-LABEL: func.func @in_front
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: sinks are not one column behind scores
func.func @in_front(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x7x16xf32>, %v: tensor<2x4x7x16xf32>, %p: tensor<4xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x7x16xf32>) -> tensor<2x4x8x7xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %e, %s axis 3 : (tensor<2x4x8x1xf32>, tensor<2x4x8x7xf32>) -> tensor<2x4x8x8xf32>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x7xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x7xf32>, tensor<2x4x7x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: sinks are scaled with the scores.
// CHECK-LABEL: func.func @scaled
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: scores and sinks are scaled, capped or masked together
func.func @scaled(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>) -> tensor<2x4x8x16xf32> {
  %f = graph.constant dense<0.25> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %g = graph.binary mul %c, %f : (tensor<2x4x8x9xf32>, tensor<f32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %g axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: a mask is of the sinks, too.
// CHECK-LABEL: func.func @masked
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: scores and sinks are scaled, capped or masked together
func.func @masked(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>, %m: tensor<2x1x8x9xi1>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %f = graph.constant dense<-1.0e9> : tensor<f32>
  %g = graph.select %m, %c, %f : (tensor<2x1x8x9xi1>, tensor<2x4x8x9xf32>, tensor<f32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %g axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the last key has a weight and no value.
// CHECK-LABEL: func.func @no_sink
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: a slice leaves out weights of keys
func.func @no_sink(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>, %k2: tensor<2x4x9x16xf32>) -> tensor<2x4x8x16xf32> {
  %c = graph.matmul %q, %k2 {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x9x16xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the sink has a value.
// CHECK-LABEL: func.func @with_value
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: a concatenation of scores has no column that the slice leaves out
func.func @with_value(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>, %v2: tensor<2x4x9x16xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %c axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %o = graph.matmul %w, %v2 : (tensor<2x4x8x9xf32>, tensor<2x4x9x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: another number is taken off each row, which may overflow.
// CHECK-LABEL: func.func @minimum
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: what is subtracted from the scores is not the maximum of each row
func.func @minimum(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %x = graph.reduce min %c axes [3] {keep_dims} : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x1xf32>
  %y = graph.binary sub %c, %x : (tensor<2x4x8x9xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %y axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the maximum of each column.
// CHECK-LABEL: func.func @maximum_of_columns
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: what is subtracted from the scores is not the maximum of each row
func.func @maximum_of_columns(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<4xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.reshape %p : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %e = graph.broadcast %r : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x1xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x9xf32>
  %x = graph.reduce max %c axes [2] {keep_dims} : (tensor<2x4x8x9xf32>) -> tensor<2x4x1x9xf32>
  %y = graph.binary sub %c, %x : (tensor<2x4x8x9xf32>, tensor<2x4x1x9xf32>) -> tensor<2x4x8x9xf32>
  %w = graph.softmax %y axis 3 : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x9xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %z, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}
