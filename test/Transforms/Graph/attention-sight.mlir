// RUN: kiln-opt %s --split-input-file --kiln-raise-attention | FileCheck %s

// Keys behind the query, removed by a comparison of positions: causal.
// CHECK-LABEL: func.func @causal
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal, scale = 1.000000e+00 : f64}
func.func @causal(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<1xf32>
  %zero = graph.constant dense<0.0> : tensor<1xf32>
  %i = graph.iota axis 0 : tensor<8xi64>
  %ii = graph.reshape %i : (tensor<8xi64>) -> tensor<8x1xi64>
  %j = graph.iota axis 1 : tensor<1x8xi64>
  %c = graph.compare less %ii, %j : (tensor<8x1xi64>, tensor<1x8xi64>) -> tensor<8x8xi1>
  %m = graph.select %c, %inf, %zero : (tensor<8x8xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<8x8xf32>) -> tensor<2x4x8x16xf32>
  return %a : tensor<2x4x8x16xf32>
}

// -----

// The same as an exporter's constant, whose number is finite: every query keeps a key.
// CHECK-LABEL: func.func @table
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal,
func.func @table(%q: tensor<2x4x2x16xf32>, %k: tensor<2x4x3x16xf32>, %v: tensor<2x4x3x16xf32>) -> tensor<2x4x2x16xf32> {
  %m = graph.constant dense<[[[[0.0, 0.0, -3.0e38], [0.0, 0.0, 0.0]]]]> : tensor<1x1x2x3xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x2x16xf32>, tensor<2x4x3x16xf32>, tensor<2x4x3x16xf32>, tensor<1x1x2x3xf32>) -> tensor<2x4x2x16xf32>
  return %a : tensor<2x4x2x16xf32>
}

// -----

// With another mask beside it, a row may have no other key: a finite number stays.
// CHECK-LABEL: func.func @tableBesideMask
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @tableBesideMask(%q: tensor<2x4x2x16xf32>, %k: tensor<2x4x3x16xf32>, %v: tensor<2x4x3x16xf32>, %p: tensor<2x1x1x3xf32>) -> tensor<2x4x2x16xf32> {
  %t = graph.constant dense<[[0.0, 0.0, -3.0e38], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %m = graph.binary add %t, %p : (tensor<2x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x2x3xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x2x16xf32>, tensor<2x4x3x16xf32>, tensor<2x4x3x16xf32>, tensor<2x1x2x3xf32>) -> tensor<2x4x2x16xf32>
  return %a : tensor<2x4x2x16xf32>
}

// -----

// Minus infinity goes; what is beside it stays the mask.
// CHECK-LABEL: func.func @infinityBesideMask
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %arg3 {causal, scale
func.func @infinityBesideMask(%q: tensor<2x4x2x16xf32>, %k: tensor<2x4x3x16xf32>, %v: tensor<2x4x3x16xf32>, %p: tensor<2x1x1x3xf32>) -> tensor<2x4x2x16xf32> {
  %t = graph.constant dense<[[0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %m = graph.binary add %t, %p : (tensor<2x3xf32>, tensor<2x1x1x3xf32>) -> tensor<2x1x2x3xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x2x16xf32>, tensor<2x4x3x16xf32>, tensor<2x4x3x16xf32>, tensor<2x1x2x3xf32>) -> tensor<2x4x2x16xf32>
  return %a : tensor<2x4x2x16xf32>
}

// -----

// Counted from the first key, not from the last: with more keys than queries that is
// something else.
// CHECK-LABEL: func.func @fromTheFirstKey
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @fromTheFirstKey(%q: tensor<2x4x2x16xf32>, %k: tensor<2x4x3x16xf32>, %v: tensor<2x4x3x16xf32>) -> tensor<2x4x2x16xf32> {
  %m = graph.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000]]> : tensor<2x3xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x2x16xf32>, tensor<2x4x3x16xf32>, tensor<2x4x3x16xf32>, tensor<2x3xf32>) -> tensor<2x4x2x16xf32>
  return %a : tensor<2x4x2x16xf32>
}

// -----

// A number per sequence that keys lie below.
// CHECK-LABEL: func.func @lengths
// CHECK: %[[N:.*]] = graph.reshape %arg3 : (tensor<2x1x1x1xi64>) -> tensor<2xi64>
// CHECK: graph.attention %arg0, %arg1, %arg2 lengths %[[N]] {scale
func.func @lengths(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x6x16xf32>, %v: tensor<2x4x6x16xf32>, %n: tensor<2x1x1x1xi64>) -> tensor<2x4x8x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<1xf32>
  %zero = graph.constant dense<0.0> : tensor<1xf32>
  %j = graph.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>
  %c = graph.compare greater_equal %j, %n : (tensor<6xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x1x6xi1>
  %m = graph.select %c, %inf, %zero : (tensor<2x1x1x6xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x8x16xf32>, tensor<2x4x6x16xf32>, tensor<2x4x6x16xf32>, tensor<2x1x1x6xf32>) -> tensor<2x4x8x16xf32>
  return %a : tensor<2x4x8x16xf32>
}

// -----

// Lengths that remove by a number: a sequence of length 0 would differ. A number that
// is not per sequence.
// CHECK-LABEL: func.func @noLengths
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @noLengths(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x6x16xf32>, %v: tensor<2x4x6x16xf32>, %n: tensor<2x1x1x1xi64>, %h: tensor<1x4x1x1xi64>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) {
  %low = graph.constant dense<-1.0e30> : tensor<1xf32>
  %inf = graph.constant dense<0xFF800000> : tensor<1xf32>
  %zero = graph.constant dense<0.0> : tensor<1xf32>
  %j = graph.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>
  %c = graph.compare less %j, %n : (tensor<6xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x1x6xi1>
  %m = graph.select %c, %zero, %low : (tensor<2x1x1x6xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x1x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x8x16xf32>, tensor<2x4x6x16xf32>, tensor<2x4x6x16xf32>, tensor<2x1x1x6xf32>) -> tensor<2x4x8x16xf32>
  %d = graph.compare less %j, %h : (tensor<6xi64>, tensor<1x4x1x1xi64>) -> tensor<1x4x1x6xi1>
  %o = graph.select %d, %zero, %inf : (tensor<1x4x1x6xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x1x6xf32>
  %b = graph.attention %q, %k, %v mask %o {scale = 1.0 : f64} : (tensor<2x4x8x16xf32>, tensor<2x4x6x16xf32>, tensor<2x4x6x16xf32>, tensor<1x4x1x6xf32>) -> tensor<2x4x8x16xf32>
  return %a, %b : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>
}
