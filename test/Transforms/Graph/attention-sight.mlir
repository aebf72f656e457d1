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

// -----

// A part of a longer table, as the importer writes one, that begins at the query's
// position, removed by a number: every query keeps a key, because there are more keys.
!q = tensor<2x4x?x16xf32, #graph.shape<[s] -> [2, 4, s, 16]>>
!k = tensor<2x4x?x16xf32, #graph.shape<[p, s] -> [2, 4, p + s, 16]>>
!m = tensor<1x1x?x?xf32, #graph.shape<[p, s] -> [1, 1, s, p + s]>>
!c = tensor<1x1x?x?xi1, #graph.shape<[p, s] -> [1, 1, s, p + s]>>
!rows = tensor<1x1x?x64xf32, #graph.shape<[s] -> [1, 1, s, 64]>>
!all = tensor<1x1x64x64xi1>
!table = tensor<1x1x64x64xf32>
graph.symbol @p in [0, 32]
graph.symbol @s in [1, 32]
// CHECK-LABEL: func.func @partOfTable
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal, scale
// Another offset is another mask.
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
// So is a table without its diagonal.
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
// A number that does not remove.
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @partOfTable(%q: !q, %k: !k, %v: !k) {
  %one = graph.constant dense<1.0> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %low = graph.constant dense<-1.0e30> : tensor<f32>
  %small = graph.constant dense<-9.0> : tensor<f32>
  %j = graph.iota axis 3 : tensor<1x1x1x64xi64>
  %i = graph.iota axis 2 : tensor<1x1x64x1xi64>
  %c = graph.compare less_equal %j, %i : (tensor<1x1x1x64xi64>, tensor<1x1x64x1xi64>) -> !all
  %t = graph.select %c, %one, %zero : (!all, tensor<f32>, tensor<f32>) -> !table
  %rows = graph.slice %t starts #graph.shape<[p] -> [0, 0, p, 0]> steps [1, 1, 1, 1] : (!table) -> !rows
  %part = graph.slice %rows starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (!rows) -> !m
  %keep = graph.cast %part : (!m) -> !c
  %m = graph.select %keep, %zero, %low : (!c, tensor<f32>, tensor<f32>) -> !m
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (!q, !k, !k, !m) -> !q

  %first = graph.slice %c starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (!all) -> !c
  %n = graph.select %first, %zero, %low : (!c, tensor<f32>, tensor<f32>) -> !m
  %b = graph.attention %q, %k, %v mask %n {scale = 1.0 : f64} : (!q, !k, !k, !m) -> !q

  %d = graph.compare less %j, %i : (tensor<1x1x1x64xi64>, tensor<1x1x64x1xi64>) -> !all
  %e = graph.slice %d starts #graph.shape<[p] -> [0, 0, p, 0]> steps [1, 1, 1, 1] : (!all) -> !c
  %o = graph.select %e, %zero, %low : (!c, tensor<f32>, tensor<f32>) -> !m
  %f = graph.attention %q, %k, %v mask %o {scale = 1.0 : f64} : (!q, !k, !k, !m) -> !q

  %w = graph.select %keep, %zero, %small : (!c, tensor<f32>, tensor<f32>) -> !m
  %g = graph.attention %q, %k, %v mask %w {scale = 1.0 : f64} : (!q, !k, !k, !m) -> !q
  return
}

// -----

// Not: with `keep`, keys behind the query weigh in rows of which another mask removes the rest.
// CHECK-LABEL: func.func @keep
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} keep %{{.*}} {scale = 1.000000e+00 : f64}
func.func @keep(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %p: tensor<2x1x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %r = graph.constant dense<-1.0e4> : tensor<1xf32>
  %zero = graph.constant dense<0.0> : tensor<1xf32>
  %i = graph.iota axis 0 : tensor<8xi64>
  %ii = graph.reshape %i : (tensor<8xi64>) -> tensor<8x1xi64>
  %j = graph.iota axis 1 : tensor<1x8xi64>
  %c = graph.compare less_equal %j, %ii : (tensor<1x8xi64>, tensor<8x1xi64>) -> tensor<8x8xi1>
  %s = graph.select %c, %zero, %r : (tensor<8x8xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8xf32>
  %m = graph.binary add %s, %p : (tensor<8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x1x8x8xf32>
  %a = graph.attention %q, %k, %v mask %m keep %c {scale = 1.0 : f64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x1x8x8xf32>, tensor<8x8xi1>) -> tensor<2x4x8x16xf32>
  return %a : tensor<2x4x8x16xf32>
}

// -----

// A part of a table of keys and queries that is transposed: the map of each op says which.
// CHECK-LABEL: func.func @transposed
// CHECK: graph.attention %arg0, %arg1, %arg2 {causal,
func.func @transposed(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<1xf32>
  %zero = graph.constant dense<0.0> : tensor<1xf32>
  %j = graph.iota axis 0 : tensor<16x1xi64>
  %i = graph.iota axis 1 : tensor<1x16xi64>
  %c = graph.compare less %i, %j : (tensor<1x16xi64>, tensor<16x1xi64>) -> tensor<16x16xi1>
  %t = graph.transpose %c [1, 0] : (tensor<16x16xi1>) -> tensor<16x16xi1>
  %s = graph.slice %t starts #graph.shape<[] -> [1, 1]> steps [1, 1] : (tensor<16x16xi1>) -> tensor<8x8xi1>
  %m = graph.select %s, %inf, %zero : (tensor<8x8xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<8x8xf32>) -> tensor<2x4x8x16xf32>
  return %a : tensor<2x4x8x16xf32>
}

// -----

// Back to front, a query sees the keys behind it.
// CHECK-LABEL: func.func @backwards
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale
func.func @backwards(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %inf = graph.constant dense<0xFF800000> : tensor<1xf32>
  %zero = graph.constant dense<0.0> : tensor<1xf32>
  %i = graph.iota axis 0 : tensor<8x1xi64>
  %j = graph.iota axis 1 : tensor<1x8xi64>
  %c = graph.compare less %i, %j : (tensor<8x1xi64>, tensor<1x8xi64>) -> tensor<8x8xi1>
  %s = graph.slice %c starts #graph.shape<[] -> [7, 0]> steps [-1, 1] : (tensor<8x8xi1>) -> tensor<8x8xi1>
  %m = graph.select %s, %inf, %zero : (tensor<8x8xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x8xf32>
  %a = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<8x8xf32>) -> tensor<2x4x8x16xf32>
  return %a : tensor<2x4x8x16xf32>
}
