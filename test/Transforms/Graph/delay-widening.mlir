// RUN: kiln-opt %s --split-input-file --kiln-delay-widening | FileCheck %s

// What is moved is what is stored; the cast comes last.
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]] = graph.get_weight @a
// CHECK: %[[T:.*]] = graph.transpose %[[A]] [1, 0] : (tensor<8x6xbf16>) -> tensor<6x8xbf16>
// CHECK-NEXT: %[[R:.*]] = graph.reshape %[[T]] : (tensor<6x8xbf16>) -> tensor<48xbf16>
// CHECK-NEXT: %[[F:.*]] = graph.cast %[[R]] : (tensor<48xbf16>) -> tensor<48xf32>
// CHECK-NEXT: graph.binary mul %arg0, %[[F]]
graph.weight @a : tensor<8x6xbf16> {file = "w", hash = "0", length = 96 : i64, offset = 0 : i64}
func.func @chain(%x: tensor<48xf32>) -> tensor<48xf32> {
  %a = graph.get_weight @a : tensor<8x6xbf16>
  %f = graph.cast %a : (tensor<8x6xbf16>) -> tensor<8x6xf32>
  %t = graph.transpose %f [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %r = graph.reshape %t : (tensor<6x8xf32>) -> tensor<48xf32>
  %0 = graph.binary mul %x, %r : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
  return %0 : tensor<48xf32>
}

// -----

// All parts of a concat, and the table of a gather whose indices are an input.
// CHECK-LABEL: func.func @parts
// CHECK: %[[J:.*]] = graph.concat %{{.*}}, %{{.*}} axis 1 : (tensor<8x6xf16>, tensor<8x6xf16>) -> tensor<8x12xf16>
// CHECK-NEXT: %[[F:.*]] = graph.cast %[[J]] : (tensor<8x12xf16>) -> tensor<8x12xf32>
// CHECK: %[[G:.*]] = graph.gather %{{.*}}, %arg0 axis 0 : (tensor<8x6xf16>, tensor<3xi64>) -> tensor<3x6xf16>
// CHECK-NEXT: graph.cast %[[G]] : (tensor<3x6xf16>) -> tensor<3x6xf32>
graph.weight @a : tensor<8x6xf16> {file = "w", hash = "0", length = 96 : i64, offset = 0 : i64}
graph.weight @b : tensor<8x6xf16> {file = "w", hash = "1", length = 96 : i64, offset = 96 : i64}
func.func @parts(%i: tensor<3xi64>) -> (tensor<8x12xf32>, tensor<3x6xf32>) {
  %a = graph.get_weight @a : tensor<8x6xf16>
  %b = graph.get_weight @b : tensor<8x6xf16>
  %fa = graph.cast %a : (tensor<8x6xf16>) -> tensor<8x6xf32>
  %fb = graph.cast %b : (tensor<8x6xf16>) -> tensor<8x6xf32>
  %0 = graph.concat %fa, %fb axis 1 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x12xf32>
  %1 = graph.gather %fa, %i axis 0 : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<3x6xf32>
  return %0, %1 : tensor<8x12xf32>, tensor<3x6xf32>
}

// -----

// Not: an activation, parts of two types, a cast that narrows, integers, and an op that computes.
// CHECK-LABEL: func.func @others
// CHECK: graph.transpose %{{.*}} [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
// CHECK: graph.concat {{.*}} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x12xf32>
// CHECK: graph.transpose %{{.*}} [1, 0] : (tensor<8x6xbf16>) -> tensor<6x8xbf16>
// CHECK: graph.transpose %{{.*}} [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
// CHECK: graph.unary exp %{{.*}} : (tensor<8x6xf32>) -> tensor<8x6xf32>
graph.weight @a : tensor<8x6xf16> {file = "w", hash = "0", length = 96 : i64, offset = 0 : i64}
graph.weight @b : tensor<8x6xbf16> {file = "w", hash = "1", length = 96 : i64, offset = 96 : i64}
graph.weight @c : tensor<8x6xf32> {file = "w", hash = "2", length = 192 : i64, offset = 192 : i64}
graph.weight @d : tensor<8x6xi16> {file = "w", hash = "3", length = 96 : i64, offset = 384 : i64}
func.func @others(%x: tensor<8x6xbf16>) -> (tensor<6x8xf32>, tensor<8x12xf32>, tensor<6x8xbf16>, tensor<6x8xf32>, tensor<8x6xf32>) {
  %a = graph.get_weight @a : tensor<8x6xf16>
  %b = graph.get_weight @b : tensor<8x6xbf16>
  %c = graph.get_weight @c : tensor<8x6xf32>
  %d = graph.get_weight @d : tensor<8x6xi16>
  %fx = graph.cast %x : (tensor<8x6xbf16>) -> tensor<8x6xf32>
  %fa = graph.cast %a : (tensor<8x6xf16>) -> tensor<8x6xf32>
  %fb = graph.cast %b : (tensor<8x6xbf16>) -> tensor<8x6xf32>
  %bc = graph.cast %c : (tensor<8x6xf32>) -> tensor<8x6xbf16>
  %fd = graph.cast %d : (tensor<8x6xi16>) -> tensor<8x6xf32>
  %0 = graph.transpose %fx [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %1 = graph.concat %fa, %fb axis 1 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x12xf32>
  %2 = graph.transpose %bc [1, 0] : (tensor<8x6xbf16>) -> tensor<6x8xbf16>
  %3 = graph.transpose %fd [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %4 = graph.unary exp %fa : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0, %1, %2, %3, %4 : tensor<6x8xf32>, tensor<8x12xf32>, tensor<6x8xbf16>, tensor<6x8xf32>, tensor<8x6xf32>
}
