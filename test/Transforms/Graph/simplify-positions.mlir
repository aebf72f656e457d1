// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// What positions decide for all sizes.

#n = #graph.shape<[n] -> [n]>
#nm = #graph.shape<[m, n] -> [n, m]>
#flat = #graph.shape<[m, n] -> [n * m]>
#whole = #graph.shape<[m, n] -> [1, n * m, 1]>
#column = #graph.shape<[n] -> [n, 1]>
#m = #graph.shape<[m] -> [m]>

graph.symbol @n in [0, 16]
graph.symbol @m in [0, 16]

// An iota is not negative.
// CHECK-LABEL: func.func @wrap(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<8xf32>
// CHECK-SAME: ) -> tensor<?xf32, #shape> {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[ARG]], %[[IOTA]] axis 0 : (tensor<8xf32>, tensor<?xi64, #shape>) -> tensor<?xf32, #shape>
// CHECK-NEXT: return %[[GATHER]] : tensor<?xf32, #shape>
func.func @wrap(%x: tensor<8xf32>) -> tensor<?xf32, #n> {
  %0 = graph.iota axis 0 : tensor<?xi64, #n>
  %1 = graph.constant dense<0> : tensor<i64>
  %2 = graph.compare less %0, %1 : (tensor<?xi64, #n>, tensor<i64>) -> tensor<?xi1, #n>
  %3 = graph.constant dense<8> : tensor<i64>
  %4 = graph.binary add %0, %3 : (tensor<?xi64, #n>, tensor<i64>) -> tensor<?xi64, #n>
  %5 = graph.select %2, %4, %0 : (tensor<?xi1, #n>, tensor<?xi64, #n>, tensor<?xi64, #n>) -> tensor<?xi64, #n>
  %6 = graph.gather %x, %5 axis 0 : (tensor<8xf32>, tensor<?xi64, #n>) -> tensor<?xf32, #n>
  return %6 : tensor<?xf32, #n>
}

// It is below its length.
// CHECK-LABEL: func.func @inside(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xf32, #shape>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?xf32, #shape>
// CHECK-SAME: ) -> tensor<?xf32, #shape> {
// CHECK-NEXT: return %[[ARG_2]] : tensor<?xf32, #shape>
func.func @inside(%x: tensor<?xf32, #n>, %y: tensor<?xf32, #n>) -> tensor<?xf32, #n> {
  %0 = graph.iota axis 0 : tensor<?xi64, #n>
  %1 = graph.dims #n : tensor<i64>
  %2 = graph.compare greater_equal %0, %1 : (tensor<?xi64, #n>, tensor<i64>) -> tensor<?xi1, #n>
  %3 = graph.select %2, %x, %y : (tensor<?xi1, #n>, tensor<?xf32, #n>, tensor<?xf32, #n>) -> tensor<?xf32, #n>
  return %3 : tensor<?xf32, #n>
}

// Not: it may be below 4, or not.
// CHECK-LABEL: func.func @undecided(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xf32, #shape>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?xf32, #shape>
// CHECK-SAME: ) -> tensor<?xf32, #shape> {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<4> : tensor<i64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA]], %[[CONSTANT]] : (tensor<?xi64, #shape>, tensor<i64>) -> tensor<?xi1, #shape>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[ARG]], %[[ARG_2]] : (tensor<?xi1, #shape>, tensor<?xf32, #shape>, tensor<?xf32, #shape>) -> tensor<?xf32, #shape>
// CHECK-NEXT: return %[[SELECT]] : tensor<?xf32, #shape>
func.func @undecided(%x: tensor<?xf32, #n>, %y: tensor<?xf32, #n>) -> tensor<?xf32, #n> {
  %0 = graph.iota axis 0 : tensor<?xi64, #n>
  %1 = graph.constant dense<4> : tensor<i64>
  %2 = graph.compare less %0, %1 : (tensor<?xi64, #n>, tensor<i64>) -> tensor<?xi1, #n>
  %3 = graph.select %2, %x, %y : (tensor<?xi1, #n>, tensor<?xf32, #n>, tensor<?xf32, #n>) -> tensor<?xf32, #n>
  return %3 : tensor<?xf32, #n>
}

// A scatter to all places in their order gives its updates.
// CHECK-LABEL: func.func @everywhere(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x?x1xf32, #shape1>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x?x1xf32, #shape1>
// CHECK-SAME: ) -> tensor<1x?x1xf32, #shape1> {
// CHECK-NEXT: return %[[ARG_2]] : tensor<1x?x1xf32, #shape1>
func.func @everywhere(%x: tensor<1x?x1xf32, #whole>, %u: tensor<1x?x1xf32, #whole>) -> tensor<1x?x1xf32, #whole> {
  %0 = graph.iota axis 0 : tensor<?x1xi64, #column>
  %1 = graph.dims #m : tensor<i64>
  %2 = graph.binary mul %0, %1 : (tensor<?x1xi64, #column>, tensor<i64>) -> tensor<?x1xi64, #column>
  %3 = graph.iota axis 0 : tensor<?xi64, #m>
  %4 = graph.binary add %2, %3 : (tensor<?x1xi64, #column>, tensor<?xi64, #m>) -> tensor<?x?xi64, #nm>
  %5 = graph.reshape %4 : (tensor<?x?xi64, #nm>) -> tensor<1x?x1xi64, #whole>
  %6 = graph.scatter %x, %5, %u : (tensor<1x?x1xf32, #whole>, tensor<1x?x1xi64, #whole>, tensor<1x?x1xf32, #whole>) -> tensor<1x?x1xf32, #whole>
  return %6 : tensor<1x?x1xf32, #whole>
}

// Not: to other places, and to places with sums.
// CHECK-LABEL: func.func @elsewhere(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x?x1xf32, #shape1>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x?x1xf32, #shape1>
// CHECK-SAME: ) -> (tensor<1x?x1xf32, #shape1>, tensor<1x?x1xf32, #shape1>) {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 1 {step = 2.000000e+00 : f64} : tensor<1x?x1xi64, #shape1>
// CHECK-NEXT: %[[SCATTER:[^ ,:)]+]] = graph.scatter %[[ARG]], %[[IOTA]], %[[ARG_2]] : (tensor<1x?x1xf32, #shape1>, tensor<1x?x1xi64, #shape1>, tensor<1x?x1xf32, #shape1>) -> tensor<1x?x1xf32, #shape1>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 1 : tensor<1x?x1xi64, #shape1>
// CHECK-NEXT: %[[SCATTER_2:[^ ,:)]+]] = graph.scatter %[[ARG]], %[[IOTA_2]], %[[ARG_2]] combine  sum : (tensor<1x?x1xf32, #shape1>, tensor<1x?x1xi64, #shape1>, tensor<1x?x1xf32, #shape1>) -> tensor<1x?x1xf32, #shape1>
// CHECK-NEXT: return %[[SCATTER]], %[[SCATTER_2]] : tensor<1x?x1xf32, #shape1>, tensor<1x?x1xf32, #shape1>
func.func @elsewhere(%x: tensor<1x?x1xf32, #whole>, %u: tensor<1x?x1xf32, #whole>) -> (tensor<1x?x1xf32, #whole>, tensor<1x?x1xf32, #whole>) {
  %0 = graph.iota axis 1 {step = 2.0} : tensor<1x?x1xi64, #whole>
  %1 = graph.scatter %x, %0, %u : (tensor<1x?x1xf32, #whole>, tensor<1x?x1xi64, #whole>, tensor<1x?x1xf32, #whole>) -> tensor<1x?x1xf32, #whole>
  %2 = graph.iota axis 1 : tensor<1x?x1xi64, #whole>
  %3 = graph.scatter %x, %2, %u combine sum : (tensor<1x?x1xf32, #whole>, tensor<1x?x1xi64, #whole>, tensor<1x?x1xf32, #whole>) -> tensor<1x?x1xf32, #whole>
  return %1, %3 : tensor<1x?x1xf32, #whole>, tensor<1x?x1xf32, #whole>
}

// A number gathered by positions is that number; by an input, whose values are checked, it is not taken for one.
// CHECK-LABEL: func.func @number(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?xi1, #shape>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?xf32, #shape>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<?xf32, #shape>
// CHECK-SAME: ) -> (tensor<?xf32, #shape>, tensor<?xf32, #shape>) {
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 1 : i64 : tensor<9xi64>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[FILL]] : (tensor<9xi64>) -> tensor<9xi1>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[ARG_2]], %[[ARG_3]], %[[ARG_4]] : (tensor<?xi1, #shape>, tensor<?xf32, #shape>, tensor<?xf32, #shape>) -> tensor<?xf32, #shape>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[CAST]], %[[ARG]] axis 0 : (tensor<9xi1>, tensor<?xi64, #shape>) -> tensor<?xi1, #shape>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[GATHER]], %[[ARG_3]], %[[ARG_4]] : (tensor<?xi1, #shape>, tensor<?xf32, #shape>, tensor<?xf32, #shape>) -> tensor<?xf32, #shape>
// CHECK-NEXT: return %[[SELECT]], %[[SELECT_2]] : tensor<?xf32, #shape>, tensor<?xf32, #shape>
// CHECK-NEXT: }
// CHECK-NEXT: graph.symbol @past in [0, 64]
// CHECK-NEXT: graph.symbol @s in [1, 8]
func.func @number(%i: tensor<?xi64, #n>, %c: tensor<?xi1, #n>, %x: tensor<?xf32, #n>, %y: tensor<?xf32, #n>) -> (tensor<?xf32, #n>, tensor<?xf32, #n>) {
  %0 = graph.fill 1 : i64 : tensor<9xi64>
  %1 = graph.cast %0 : (tensor<9xi64>) -> tensor<9xi1>
  %2 = graph.iota axis 0 : tensor<?xi64, #n>
  %3 = graph.gather %1, %2 axis 0 : (tensor<9xi1>, tensor<?xi64, #n>) -> tensor<?xi1, #n>
  %4 = graph.binary logical_and %c, %3 : (tensor<?xi1, #n>, tensor<?xi1, #n>) -> tensor<?xi1, #n>
  %5 = graph.select %4, %x, %y : (tensor<?xi1, #n>, tensor<?xf32, #n>, tensor<?xf32, #n>) -> tensor<?xf32, #n>
  %6 = graph.gather %1, %i axis 0 : (tensor<9xi1>, tensor<?xi64, #n>) -> tensor<?xi1, #n>
  %7 = graph.select %6, %x, %y : (tensor<?xi1, #n>, tensor<?xf32, #n>, tensor<?xf32, #n>) -> tensor<?xf32, #n>
  return %5, %7 : tensor<?xf32, #n>, tensor<?xf32, #n>
}

#queries = #graph.shape<[s] -> [1, 2, s, 4]>
#keys = #graph.shape<[past, s] -> [1, 2, past + s, 4]>
#all = #graph.shape<[past, s] -> [past + s]>
#less = #graph.shape<[past, s] -> [past + s - 1]>
graph.symbol @past in [0, 64]
graph.symbol @s in [1, 8]

// Lengths that are all keys hide none; one less hides the last key, and those of an input are not known.
// CHECK-LABEL: func.func @lengths(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x2x?x4xf32, #shape2>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x?x4xf32, #shape3>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1xi64>
// CHECK-SAME: ) -> (tensor<1x2x?x4xf32, #shape2>, tensor<1x2x?x4xf32, #shape2>, tensor<1x2x?x4xf32, #shape2>) {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[ARG]], %[[ARG_2]], %[[ARG_2]] {causal, scale = 5.000000e-01 : f64} : (tensor<1x2x?x4xf32, #shape2>, tensor<1x2x?x4xf32, #shape3>, tensor<1x2x?x4xf32, #shape3>) -> tensor<1x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[DIMS]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[ATTENTION_2:[^ ,:)]+]] = graph.attention %[[ARG]], %[[ARG_2]], %[[ARG_2]] lengths %[[RESHAPE]] {scale = 5.000000e-01 : f64} : (tensor<1x2x?x4xf32, #shape2>, tensor<1x2x?x4xf32, #shape3>, tensor<1x2x?x4xf32, #shape3>, tensor<1xi64>) -> tensor<1x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[ATTENTION_3:[^ ,:)]+]] = graph.attention %[[ARG]], %[[ARG_2]], %[[ARG_2]] lengths %[[ARG_3]] {scale = 5.000000e-01 : f64} : (tensor<1x2x?x4xf32, #shape2>, tensor<1x2x?x4xf32, #shape3>, tensor<1x2x?x4xf32, #shape3>, tensor<1xi64>) -> tensor<1x2x?x4xf32, #shape2>
// CHECK-NEXT: return %[[ATTENTION]], %[[ATTENTION_2]], %[[ATTENTION_3]] : tensor<1x2x?x4xf32, #shape2>, tensor<1x2x?x4xf32, #shape2>, tensor<1x2x?x4xf32, #shape2>
func.func @lengths(%q: tensor<1x2x?x4xf32, #queries>, %k: tensor<1x2x?x4xf32, #keys>, %n: tensor<1xi64>) -> (tensor<1x2x?x4xf32, #queries>, tensor<1x2x?x4xf32, #queries>, tensor<1x2x?x4xf32, #queries>) {
  %0 = graph.dims #all : tensor<i64>
  %1 = graph.reshape %0 : (tensor<i64>) -> tensor<1xi64>
  %2 = graph.attention %q, %k, %k lengths %1 {causal, from_length, scale = 0.5} : (tensor<1x2x?x4xf32, #queries>, tensor<1x2x?x4xf32, #keys>, tensor<1x2x?x4xf32, #keys>, tensor<1xi64>) -> tensor<1x2x?x4xf32, #queries>
  %3 = graph.dims #less : tensor<i64>
  %4 = graph.reshape %3 : (tensor<i64>) -> tensor<1xi64>
  %5 = graph.attention %q, %k, %k lengths %4 {scale = 0.5} : (tensor<1x2x?x4xf32, #queries>, tensor<1x2x?x4xf32, #keys>, tensor<1x2x?x4xf32, #keys>, tensor<1xi64>) -> tensor<1x2x?x4xf32, #queries>
  %6 = graph.attention %q, %k, %k lengths %n {scale = 0.5} : (tensor<1x2x?x4xf32, #queries>, tensor<1x2x?x4xf32, #keys>, tensor<1x2x?x4xf32, #keys>, tensor<1xi64>) -> tensor<1x2x?x4xf32, #queries>
  return %2, %5, %6 : tensor<1x2x?x4xf32, #queries>, tensor<1x2x?x4xf32, #queries>, tensor<1x2x?x4xf32, #queries>
}
