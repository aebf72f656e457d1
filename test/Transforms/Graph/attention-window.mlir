// RUN: kiln-opt %s --split-input-file --kiln-raise-attention | FileCheck %s
// A query at position p sees keys p - w + 1 to p.

// Causal and at most three back, one condition, removed by a number: every query keeps its own key.
// CHECK-LABEL: func.func @both
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal, scale = 1.000000e+00 : f64, window = 3 : i64}
func.func @both(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_and %le, %gt : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %m = graph.select %c, %zero, %low : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// Greater or equal sees one more.
// CHECK-LABEL: func.func @equal
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal, scale = 1.000000e+00 : f64, window = 4 : i64}
func.func @equal(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater_equal %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_and %le, %gt : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %m = graph.select %c, %zero, %inf : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// What is removed: later, or far in front (Mistral).
// CHECK-LABEL: func.func @removed
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal, scale = 1.000000e+00 : f64, window = 3 : i64}
func.func @removed(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %later = graph.compare greater %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %far = graph.compare less_equal %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_or %later, %far : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %m = graph.select %c, %low, %zero : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// A mask in a mask (Gemma 2).
// CHECK-LABEL: func.func @nested
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal, scale = 1.000000e+00 : f64, window = 2 : i64}
func.func @nested(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<2> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare less_equal %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %n = graph.select %le, %zero, %low : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %m = graph.select %gt, %low, %n : (tensor<4x6xi1>, tensor<f32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// Two summands, each a number.
// CHECK-LABEL: func.func @sum
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal, scale = 1.000000e+00 : f64, window = 5 : i64}
func.func @sum(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<5> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %n = graph.select %le, %zero, %low : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %o = graph.select %gt, %zero, %low : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %m = graph.binary add %n, %o : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// A table of the same, and its smallest window: the query's own key.
// CHECK-LABEL: func.func @table
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal, scale = 1.000000e+00 : f64, window = 1 : i64}
func.func @table(%q: tensor<1x2x2x16xf32>, %k: tensor<1x2x3x16xf32>, %v: tensor<1x2x3x16xf32>) -> tensor<1x2x2x16xf32> {
  %m = graph.constant dense<[[-3.0e38, 0.0, -3.0e38], [-3.0e38, -3.0e38, 0.0]]> : tensor<2x3xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x2x16xf32>, tensor<1x2x3x16xf32>, tensor<1x2x3x16xf32>, tensor<2x3xf32>) -> tensor<1x2x2x16xf32>
  return %a : tensor<1x2x2x16xf32>
}

// -----

// The attention is causal by itself; what is beside the window stays the mask.
// CHECK-LABEL: func.func @causalIsThere
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %arg3 {causal, scale = 1.000000e+00 : f64, window = 3 : i64}
func.func @causalIsThere(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>, %b: tensor<4x6xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %n = graph.select %gt, %zero, %inf : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %m = graph.binary add %n, %b : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {causal, scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// Queries are the last positions of their sequences: j > lengths - 4 + i - 3.
// CHECK-LABEL: func.func @fromLength
// CHECK: graph.attention %arg0, %arg1, %arg2 lengths %arg3 {causal, from_length, scale = 1.000000e+00 : f64, window = 3 : i64}
func.func @fromLength(%q: tensor<2x2x4x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %l: tensor<2xi64>) -> tensor<2x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 3 : tensor<1x1x1x6xi64>
  %i = graph.iota axis 2 : tensor<1x1x4x1xi64>
  %n = graph.reshape %l : (tensor<2xi64>) -> tensor<2x1x1x1xi64>
  %w = graph.constant dense<7> : tensor<i64>
  %e = graph.binary sub %n, %w : (tensor<2x1x1x1xi64>, tensor<i64>) -> tensor<2x1x1x1xi64>
  %f = graph.binary add %i, %e : (tensor<1x1x4x1xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x4x1xi64>
  %c = graph.compare greater %j, %f : (tensor<1x1x1x6xi64>, tensor<2x1x4x1xi64>) -> tensor<2x1x4x6xi1>
  %m = graph.select %c, %zero, %inf : (tensor<2x1x4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x4x6xf32>
  %a = graph.attention %q, %k, %v mask %m lengths %l {causal, from_length, scale = 1.0 : f64} : (tensor<2x2x4x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x1x4x6xf32>, tensor<2xi64>) -> tensor<2x2x4x16xf32>
  return %a : tensor<2x2x4x16xf32>
}

// -----

// Now what is no window.

// Without causal a query sees all keys behind it.
// CHECK-LABEL: func.func @alone
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @alone(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %m = graph.select %gt, %zero, %inf : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// As far behind as in front (ModernBERT).
// CHECK-LABEL: func.func @twoSided
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @twoSided(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %g = graph.binary add %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %lt = graph.compare less %j, %g : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_and %gt, %lt : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %m = graph.select %c, %zero, %inf : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// One or the other.
// CHECK-LABEL: func.func @either
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @either(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_or %le, %gt : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %m = graph.select %c, %zero, %inf : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// Counted from the first key.
// CHECK-LABEL: func.func @fromTheFirstKey
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @fromTheFirstKey(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %unused = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %i : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %i, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_and %le, %gt : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %m = graph.select %c, %zero, %inf : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// A window of no keys: nothing is seen.
// CHECK-LABEL: func.func @noKeys
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @noKeys(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<0> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_and %le, %gt : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %m = graph.select %c, %zero, %inf : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// Two keys further in each row.
// CHECK-LABEL: func.func @twoSteps
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @twoSteps(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<3> : tensor<i64>
  %d = graph.binary add %p, %p : (tensor<4x1xi64>, tensor<4x1xi64>) -> tensor<4x1xi64>
  %f = graph.binary sub %d, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_and %le, %gt : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %m = graph.select %c, %zero, %inf : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}

// -----

// A table with one key more.
// CHECK-LABEL: func.func @brokenTable
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @brokenTable(%q: tensor<1x2x2x16xf32>, %k: tensor<1x2x3x16xf32>, %v: tensor<1x2x3x16xf32>) -> tensor<1x2x2x16xf32> {
  %m = graph.constant dense<[[-3.0e38, 0.0, -3.0e38], [0.0, -3.0e38, 0.0]]> : tensor<2x3xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x2x16xf32>, tensor<1x2x3x16xf32>, tensor<1x2x3x16xf32>, tensor<2x3xf32>) -> tensor<1x2x2x16xf32>
  return %a : tensor<1x2x2x16xf32>
}

// -----

// A number beside another mask, which may remove the last key that a query has: the mask stays.
// CHECK-LABEL: func.func @besideMask
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @besideMask(%q: tensor<1x2x4x16xf32>, %k: tensor<1x2x6x16xf32>, %v: tensor<1x2x6x16xf32>, %b: tensor<4x6xf32>) -> tensor<1x2x4x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<f32>
  %low = graph.constant dense<-3.0e38> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %j = graph.iota axis 1 : tensor<1x6xi64>
  %i = graph.iota axis 0 : tensor<4x1xi64>
  %past = graph.constant dense<2> : tensor<i64>
  %p = graph.binary add %i, %past : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %le = graph.compare less_equal %j, %p : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %w = graph.constant dense<3> : tensor<i64>
  %f = graph.binary sub %p, %w : (tensor<4x1xi64>, tensor<i64>) -> tensor<4x1xi64>
  %gt = graph.compare greater %j, %f : (tensor<1x6xi64>, tensor<4x1xi64>) -> tensor<4x6xi1>
  %c = graph.binary logical_and %le, %gt : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %n = graph.select %c, %zero, %low : (tensor<4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %m = graph.binary add %n, %b : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<1x2x4x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<4x6xf32>) -> tensor<1x2x4x16xf32>
  return %a : tensor<1x2x4x16xf32>
}
