// RUN: kiln-opt %s --split-input-file --kiln-make-programs --kiln-verify-graph | FileCheck %s
// Views and rotations between a product and the results: one position where they leave positions where they are.

// A product whose columns lie in halves of blocks, a gate of them, and a rotation by what differs per position.
// CHECK-LABEL: func.func @prefill(
// CHECK: %[[LAST:.*]] = graph.gather {{.*}} -> tensor<?x1x4xf32,
// CHECK: %[[M:.*]] = graph.matmul %[[LAST]], {{.*}} -> tensor<?x1x8xf32,
// CHECK: %[[S:.*]] = graph.reshape %[[M]] : {{.*}} -> tensor<?x1x2x2x2xf32,
// CHECK: %[[A:.*]] = graph.slice %[[S]] {{.*}} -> tensor<?x1x2x1x2xf32,
// CHECK: %[[B:.*]] = graph.reshape %[[A]] : {{.*}} -> tensor<?x1x4xf32,
// CHECK: %[[R:.*]] = graph.rope %[[B]], %{{.*}}, %{{.*}} : {{.*}} -> tensor<?x1x4xf32,
// CHECK: return %[[R]]
// CHECK-LABEL: func.func @decode(
// CHECK-NOT: graph.gather
// CHECK: return
#x = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>
#t = #graph.shape<[rows, sequence] -> [rows, sequence, 2]>
#m = #graph.shape<[rows, sequence] -> [rows, sequence, 8]>
#s = #graph.shape<[rows, sequence] -> [rows, sequence, 2, 2, 2]>
#h = #graph.shape<[rows, sequence] -> [rows, sequence, 2, 1, 2]>
#row = #graph.shape<[rows] -> [rows]>
graph.symbol @rows in [1, 4]
graph.symbol @sequence in [1, 64]
graph.symbol @capacity in [1, 128]
func.func @main(%x: tensor<?x?x4xf32, #x> {graph.name = "x"}, %w: tensor<4x8xf32> {graph.name = "w"}, %c: tensor<?x?x2xf32, #t> {graph.name = "c"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #graph.shape<[sequence] -> [sequence]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"})
    -> (tensor<?x?x4xf32, #x> {graph.name = "logits"}, tensor<?xi64, #row> {graph.state = "lengths"}) {
  %0 = graph.matmul %x, %w : (tensor<?x?x4xf32, #x>, tensor<4x8xf32>) -> tensor<?x?x8xf32, #m>
  %1 = graph.reshape %0 : (tensor<?x?x8xf32, #m>) -> tensor<?x?x2x2x2xf32, #s>
  %2 = graph.slice %1 starts #graph.shape<[] -> [0, 0, 0, 1, 0]> steps [1, 1, 1, 1, 1] : (tensor<?x?x2x2x2xf32, #s>) -> tensor<?x?x2x1x2xf32, #h>
  %3 = graph.reshape %2 : (tensor<?x?x2x1x2xf32, #h>) -> tensor<?x?x4xf32, #x>
  %4 = graph.rope %3, %c, %c : (tensor<?x?x4xf32, #x>, tensor<?x?x2xf32, #t>, tensor<?x?x2xf32, #t>) -> tensor<?x?x4xf32, #x>
  %n = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  return %4, %n : tensor<?x?x4xf32, #x>, tensor<?xi64, #row>
}

// -----

// Not: a transpose has positions elsewhere.
// CHECK-LABEL: func.func @prefill(
// CHECK: graph.transpose {{.*}} -> tensor<4x?x?xf32,
// CHECK: graph.transpose {{.*}} -> tensor<?x?x4xf32,
// CHECK: graph.gather {{.*}} -> tensor<?x1x4xf32,
// CHECK: return
#x = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>
#y = #graph.shape<[rows, sequence] -> [4, rows, sequence]>
#row = #graph.shape<[rows] -> [rows]>
graph.symbol @rows in [1, 4]
graph.symbol @sequence in [1, 64]
graph.symbol @capacity in [1, 128]
func.func @main(%x: tensor<?x?x4xf32, #x> {graph.name = "x"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #graph.shape<[sequence] -> [sequence]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"})
    -> (tensor<?x?x4xf32, #x> {graph.name = "logits"}, tensor<?xi64, #row> {graph.state = "lengths"}) {
  %0 = graph.transpose %x [2, 0, 1] : (tensor<?x?x4xf32, #x>) -> tensor<4x?x?xf32, #y>
  %1 = graph.transpose %0 [1, 2, 0] : (tensor<4x?x?xf32, #y>) -> tensor<?x?x4xf32, #x>
  %n = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  return %1, %n : tensor<?x?x4xf32, #x>, tensor<?xi64, #row>
}
