// RUN: kiln-opt %s --split-input-file --kiln-raise-attention | FileCheck %s

// A key that the select removes weighs as much as one that -1e4 is added to.
// CHECK-LABEL: func.func @selectThenSum
// CHECK-DAG: %[[ZERO:.*]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[R:.*]] = graph.constant dense<-1.000000e+04> : tensor<f32>
// CHECK: %[[S:.*]] = graph.select %arg3, %[[ZERO]], %[[R]]
// CHECK-NEXT: %[[M:.*]] = graph.binary add %[[S]], %arg4
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %[[M]] keep %arg3
func.func @selectThenSum(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>, %m: tensor<2x1x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.constant dense<-1.0e4> : tensor<f32>
  %x = graph.select %c, %s, %r : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %w = graph.binary add %x, %m : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// The sum is inside, and the condition says what is removed.
// CHECK-LABEL: func.func @sumThenSelect
// CHECK-DAG: %[[R:.*]] = graph.constant dense<-1.000000e+09> : tensor<f32>
// CHECK-DAG: %[[M:.*]] = graph.select %arg3, %[[R]], %arg4
// CHECK-DAG: %[[K:.*]] = graph.unary logical_not %arg3
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %[[M]] keep %[[K]]
func.func @sumThenSelect(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>, %m: tensor<2x1x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.constant dense<-1.0e9> : tensor<f32>
  %x = graph.binary add %s, %m : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
  %w = graph.select %c, %r, %x : (tensor<8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Keys that the first select removes weigh more than those that the second one does.
// CHECK-LABEL: func.func @twoNumbers
// CHECK: %[[K:.*]] = graph.binary logical_and %arg3, %arg4
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} keep %[[K]]
func.func @twoNumbers(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>, %d: tensor<2x1x1x8xi1>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.constant dense<-1.0e4> : tensor<f32>
  %t = graph.constant dense<-1.0e9> : tensor<f32>
  %x = graph.select %c, %s, %r : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %w = graph.select %d, %x, %t : (tensor<2x1x1x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Masked scores keep a weight.
// CHECK-LABEL: func.func @weakNumber
// CHECK-DAG: %[[R:.*]] = graph.constant dense<-3.000000e+01> : tensor<f32>
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{.*}} keep %arg3
func.func @weakNumber(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.constant dense<-3.0e1> : tensor<f32>
  %w = graph.select %c, %s, %r : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: two selects by one number weigh all keys of a row without a key alike.
// CHECK-LABEL: func.func @oneNumber
// CHECK-DAG: graph.constant dense<-1.000000e+30> : tensor<f32>
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{[^ ]*}} {
func.func @oneNumber(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>, %d: tensor<2x1x1x8xi1>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.constant dense<-1.0e4> : tensor<f32>
  %x = graph.select %c, %s, %r : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %w = graph.select %d, %x, %r : (tensor<2x1x1x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: nothing is beside minus infinity.
// CHECK-LABEL: func.func @infinite
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{[^ ]*}} {
func.func @infinite(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>, %m: tensor<2x1x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.constant dense<0xFF800000> : tensor<f32>
  %x = graph.select %c, %s, %r : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %w = graph.binary add %x, %m : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the lowest number absorbs every score.
// CHECK-LABEL: func.func @lowest
// CHECK-DAG: graph.constant dense<-3.40282347E+38> : tensor<f32>
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %{{[^ ]*}} {
func.func @lowest(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>, %m: tensor<2x1x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %r = graph.constant dense<0xFF7FFFFF> : tensor<f32>
  %x = graph.select %c, %s, %r : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %w = graph.binary add %x, %m : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}
