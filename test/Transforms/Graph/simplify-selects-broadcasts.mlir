// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// RUN: kiln-opt %s --kiln-simplify-graph | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Selects of a known condition, and broadcasts that ops do by themselves.
// NOTE: checks by tools/update-lit-checks

// A known condition, as number, tensor or fill.
// CHECK-LABEL: func.func @select_known(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: return %[[ARG]], %[[ARG_2]], %[[ARG]] : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
// VALUES-LABEL: func.func @select_known
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// VALUES-NEXT: #2 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
func.func @select_known(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %yes = graph.constant dense<true> : tensor<i1>
  %no = graph.constant dense<[[false]]> : tensor<1x1xi1>
  %2 = graph.fill true : tensor<2x3xi1>
  %3 = graph.select %yes, %x0, %x1 : (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = graph.select %no, %x0, %x1 : (tensor<1x1xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = graph.select %2, %x0, %x1 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %3, %4, %5 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// The condition or the other value gives the shape: a broadcast of the one that is taken.
// CHECK-LABEL: func.func @select_widens(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x1xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[ARG]] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = graph.broadcast %[[ARG_2]] : (tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[BROADCAST]], %[[BROADCAST_2]] : tensor<2x3xf32>, tensor<2x3xf32>
// VALUES-LABEL: func.func @select_widens
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 2.000000e+00]]> : tensor<2x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}1.000000e+00, 1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<2x3xf32>
func.func @select_widens(%x0: tensor<3xf32>, %x1: tensor<2x1xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %yes = graph.constant dense<true> : tensor<i1>
  %no = graph.constant dense<[[false], [false]]> : tensor<2x1xi1>
  %2 = graph.select %yes, %x0, %x1 : (tensor<i1>, tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %3 = graph.select %no, %x0, %x1 : (tensor<2x1xi1>, tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// A condition of both stays.
// CHECK-LABEL: func.func @select_mixed(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xi32>
// CHECK-SAME: ) -> tensor<2xi32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[CONSTANT]], %[[ARG]], %[[ARG_2]] : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// CHECK-NEXT: return %[[SELECT]] : tensor<2xi32>
// VALUES-LABEL: func.func @select_mixed
// VALUES-NEXT: #0 = dense<[0, 2]> : tensor<2xi32>
func.func @select_mixed(%x0: tensor<2xi32>, %x1: tensor<2xi32>) -> tensor<2xi32> {
  %c = graph.constant dense<[true, false]> : tensor<2xi1>
  %1 = graph.select %c, %x0, %x1 : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// Both values are one.
// CHECK-LABEL: func.func @select_equal(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xi64>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x1xi1>
// CHECK-SAME: ) -> tensor<2x3xi64> {
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[ARG]] : (tensor<3xi64>) -> tensor<2x3xi64>
// CHECK-NEXT: return %[[BROADCAST]] : tensor<2x3xi64>
// VALUES-LABEL: func.func @select_equal
// VALUES-NEXT: #0 = dense<{{\[\[}}0, 1, 2], [0, 1, 2]]> : tensor<2x3xi64>
func.func @select_equal(%x0: tensor<3xi64>, %x1: tensor<2x1xi1>) -> tensor<2x3xi64> {
  %0 = graph.select %x1, %x0, %x0 : (tensor<2x1xi1>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x3xi64>
  return %0 : tensor<2x3xi64>
}

// CHECK-LABEL: func.func @select_unequal(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xi64>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3xi64>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<3xi1>
// CHECK-SAME: ) -> tensor<3xi64> {
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[ARG_3]], %[[ARG]], %[[ARG_2]] : (tensor<3xi1>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT: return %[[SELECT]] : tensor<3xi64>
// VALUES-LABEL: func.func @select_unequal
// VALUES-NEXT: #0 = dense<[1, 1, 3]> : tensor<3xi64>
func.func @select_unequal(%x0: tensor<3xi64>, %x1: tensor<3xi64>, %x2: tensor<3xi1>) -> tensor<3xi64> {
  %0 = graph.select %x2, %x0, %x1 : (tensor<3xi1>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// Every op that broadcasts by itself takes the smaller operand.
// CHECK-LABEL: func.func @implicit(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1x3xi1>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[ARG_2]], %[[ARG]] : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[ARG]], %[[ARG_2]] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[ARG_3]], %[[ARG]], %[[ARG_2]] : (tensor<1x3xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[SUB]], %[[LESS]], %[[SELECT]] : tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>
// VALUES-LABEL: func.func @implicit
// VALUES-NEXT: #0 = dense<{{\[\[}}1.000000e+00, 1.000000e+00, 1.000000e+00], [-2.000000e+00, -2.000000e+00, -2.000000e+00]]> : tensor<2x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}true, true, true], [false, false, false]]> : tensor<2x3xi1>
// VALUES-NEXT: #2 = dense<{{\[\[}}1.000000e+00, 1.000000e+00, 3.000000e+00], [1.000000e+00, 4.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
func.func @implicit(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>, %x2: tensor<1x3xi1>)
    -> (tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>) {
  %0 = graph.broadcast %x1 : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = graph.broadcast %x2 : (tensor<1x3xi1>) -> tensor<2x3xi1>
  %2 = graph.binary sub %0, %x0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = graph.compare less %x0, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %4 = graph.select %1, %x0, %0 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2, %3, %4 : tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>
}

// Each of two broadcasts is dropped if the other gives the shape.
// CHECK-LABEL: func.func @both_needed(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x1xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[ARG_2]] : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[ADD]] : tensor<2x3xf32>
// VALUES-LABEL: func.func @both_needed
// VALUES-NEXT: #0 = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 4.000000e+00]]> : tensor<2x3xf32>
func.func @both_needed(%x0: tensor<2x1xf32>, %x1: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.broadcast %x0 : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %1 = graph.broadcast %x1 : (tensor<1x3xf32>) -> tensor<2x3xf32>
  %2 = graph.binary add %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// The shape comes from a broadcast alone: one of the two stays.
// CHECK-LABEL: func.func @one_needed(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[ARG_2]] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[BROADCAST]] : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[ADD]] : tensor<2x3xf32>
// VALUES-LABEL: func.func @one_needed
// VALUES-NEXT: #0 = dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00], [1.000000e+00, 3.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
func.func @one_needed(%x0: tensor<3xf32>, %x1: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = graph.broadcast %x0 : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = graph.broadcast %x1 : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = graph.binary add %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// A product and a softmax do not broadcast columns.
// CHECK-LABEL: func.func @not_implicit(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3x1xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2x1xf32>
// CHECK-SAME: ) -> (tensor<2x4xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[ARG_2]] : (tensor<3x1xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[BROADCAST]] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = graph.broadcast %[[ARG_3]] : (tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[BROADCAST_2]] axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]], %[[SOFTMAX]] : tensor<2x4xf32>, tensor<2x3xf32>
// VALUES-LABEL: func.func @not_implicit
// VALUES-NEXT: #0 = dense<{{\[\[}}8.000000e+00, 8.000000e+00, 8.000000e+00, 8.000000e+00], [2.600000e+01, 2.600000e+01, 2.600000e+01, 2.600000e+01]]> : tensor<2x4xf32>
// VALUES-NEXT: #1 = dense<0.333333343> : tensor<2x3xf32>
func.func @not_implicit(%x0: tensor<2x3xf32>, %x1: tensor<3x1xf32>, %x2: tensor<2x1xf32>)
    -> (tensor<2x4xf32>, tensor<2x3xf32>) {
  %0 = graph.broadcast %x1 : (tensor<3x1xf32>) -> tensor<3x4xf32>
  %1 = graph.matmul %x0, %0 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = graph.broadcast %x2 : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %3 = graph.softmax %2 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %3 : tensor<2x4xf32>, tensor<2x3xf32>
}

// A function of a broadcast is computed on fewer elements.
// CHECK-LABEL: func.func @after_the_function(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> (tensor<4x3xf32>, tensor<2x3xf16>, tensor<2x3xi1>) {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[ARG]] : (tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[EXP]] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<3xf32>) -> tensor<3xf16>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = graph.broadcast %[[CAST]] : (tensor<3xf16>) -> tensor<2x3xf16>
// CHECK-NEXT: %[[IS_NAN:[^ ,:)]+]] = graph.unary is_nan %[[ARG]] : (tensor<3xf32>) -> tensor<3xi1>
// CHECK-NEXT: %[[BROADCAST_3:[^ ,:)]+]] = graph.broadcast %[[IS_NAN]] : (tensor<3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT: return %[[BROADCAST]], %[[BROADCAST_2]], %[[BROADCAST_3]] : tensor<4x3xf32>, tensor<2x3xf16>, tensor<2x3xi1>
// VALUES-LABEL: func.func @after_the_function
// VALUES-NEXT: #0 = dense<{{\[\[}}1.000000e+00, 2.71828175, 7.3890562], [1.000000e+00, 2.71828175, 7.3890562], [1.000000e+00, 2.71828175, 7.3890562], [1.000000e+00, 2.71828175, 7.3890562]]> : tensor<4x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 2.000000e+00]]> : tensor<2x3xf16>
// VALUES-NEXT: #2 = dense<false> : tensor<2x3xi1>
func.func @after_the_function(%x0: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<2x3xf16>, tensor<2x3xi1>) {
  %0 = graph.broadcast %x0 : (tensor<3xf32>) -> tensor<4x3xf32>
  %1 = graph.unary exp %0 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = graph.broadcast %x0 : (tensor<3xf32>) -> tensor<2x3xf32>
  %3 = graph.cast %2 : (tensor<2x3xf32>) -> tensor<2x3xf16>
  %4 = graph.broadcast %x0 : (tensor<3xf32>) -> tensor<2x3xf32>
  %5 = graph.unary is_nan %4 : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return %1, %3, %5 : tensor<4x3xf32>, tensor<2x3xf16>, tensor<2x3xi1>
}

// Not where others need the broadcast as well.
// CHECK-LABEL: func.func @shared_broadcast(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[ARG]] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[BROADCAST]] : (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[BROADCAST]] axis 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[EXP]], %[[SOFTMAX]] : tensor<4x3xf32>, tensor<4x3xf32>
// VALUES-LABEL: func.func @shared_broadcast
// VALUES-NEXT: #0 = dense<{{\[\[}}1.000000e+00, 2.71828175, 7.3890562], [1.000000e+00, 2.71828175, 7.3890562], [1.000000e+00, 2.71828175, 7.3890562], [1.000000e+00, 2.71828175, 7.3890562]]> : tensor<4x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}0.0900305733, 0.244728476, 0.665240943], [0.0900305733, 0.244728476, 0.665240943], [0.0900305733, 0.244728476, 0.665240943], [0.0900305733, 0.244728476, 0.665240943]]> : tensor<4x3xf32>
func.func @shared_broadcast(%x0: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = graph.broadcast %x0 : (tensor<3xf32>) -> tensor<4x3xf32>
  %1 = graph.unary exp %0 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = graph.softmax %0 axis 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1, %2 : tensor<4x3xf32>, tensor<4x3xf32>
}

// A whole chain moves in front of the broadcast.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<f32>
// CHECK-SAME: ) -> tensor<2x2xf16> {
// CHECK-NEXT: %[[NEG:[^ ,:)]+]] = graph.unary neg %[[ARG]] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[NEG]] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[TANH]] : (tensor<f32>) -> tensor<f16>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[CAST]] : (tensor<f16>) -> tensor<2x2xf16>
// CHECK-NEXT: return %[[BROADCAST]] : tensor<2x2xf16>
// VALUES-LABEL: func.func @chain
// VALUES-NEXT: #0 = dense<-0.000000e+00> : tensor<2x2xf16>
func.func @chain(%x0: tensor<f32>) -> tensor<2x2xf16> {
  %0 = graph.broadcast %x0 : (tensor<f32>) -> tensor<2x2xf32>
  %1 = graph.unary neg %0 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = graph.unary tanh %1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = graph.cast %2 : (tensor<2x2xf32>) -> tensor<2x2xf16>
  return %3 : tensor<2x2xf16>
}

// A broadcast of a broadcast is one.
// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x3xi8>
// CHECK-SAME: ) -> tensor<4x2x3xi8> {
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[ARG]] : (tensor<1x3xi8>) -> tensor<4x2x3xi8>
// CHECK-NEXT: return %[[BROADCAST]] : tensor<4x2x3xi8>
// VALUES-LABEL: func.func @twice
// VALUES-NEXT: #0 = dense<{{\[\[}}[0, 1, 2], [0, 1, 2]], {{\[\[}}0, 1, 2], [0, 1, 2]], {{\[\[}}0, 1, 2], [0, 1, 2]], {{\[\[}}0, 1, 2], [0, 1, 2]]]> : tensor<4x2x3xi8>
func.func @twice(%x0: tensor<1x3xi8>) -> tensor<4x2x3xi8> {
  %0 = graph.broadcast %x0 : (tensor<1x3xi8>) -> tensor<2x3xi8>
  %1 = graph.broadcast %0 : (tensor<2x3xi8>) -> tensor<4x2x3xi8>
  return %1 : tensor<4x2x3xi8>
}

// A broadcast to its own shape is nothing.
// CHECK-LABEL: func.func @same_shape(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xi8>
// CHECK-SAME: ) -> tensor<2x3xi8> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x3xi8>
// VALUES-LABEL: func.func @same_shape
// VALUES-NEXT: #0 = dense<{{\[\[}}0, 1, 2], [3, 4, 5]]> : tensor<2x3xi8>
func.func @same_shape(%x0: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = graph.broadcast %x0 : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}
