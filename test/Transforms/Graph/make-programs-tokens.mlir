// RUN: kiln-opt %s --split-input-file --kiln-make-programs=tokens=2..4 --verify-diagnostics -o /dev/null
// RUN: not kiln-opt %s --split-input-file --kiln-make-programs=tokens=1..1 2>/dev/null | FileCheck %s
// The range of the new positions of decode.

#x = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>
#row = #graph.shape<[rows] -> [rows]>

graph.symbol @rows in [1, 4]
graph.symbol @sequence in [1, 64]

// One position at a time: no symbol is left.
// CHECK-NOT: graph.symbol @tokens
// CHECK: func.func @prefill(
// CHECK: func.func @decode(%{{.*}}: tensor<?x1x4xf32, #{{.*}}> {graph.name = "x"}
func.func @main(%x: tensor<?x?x4xf32, #x> {graph.name = "x"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #graph.shape<[sequence] -> [sequence]>, capacity = #graph.shape<[] -> [8]>, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"})
    -> (tensor<?x?x4xf32, #x> {graph.name = "y"}, tensor<?xi64, #row> {graph.state = "lengths"}) {
  %0 = graph.unary tanh %x : (tensor<?x?x4xf32, #x>) -> tensor<?x?x4xf32, #x>
  %1 = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  return %0, %1 : tensor<?x?x4xf32, #x>, tensor<?xi64, #row>
}

// -----

// More than a run adds.
#x = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>
#row = #graph.shape<[rows] -> [rows]>

graph.symbol @rows in [1, 4]
// expected-error@below {{KILN-E0123: --dims: the dim 'tokens' of @decode cannot have this range; expected a part of 1..3, found 2..4}}
graph.symbol @sequence in [1, 3]

func.func @main(%x: tensor<?x?x4xf32, #x> {graph.name = "x"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #graph.shape<[sequence] -> [sequence]>, capacity = #graph.shape<[] -> [8]>, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"})
    -> (tensor<?x?x4xf32, #x> {graph.name = "y"}, tensor<?xi64, #row> {graph.state = "lengths"}) {
  %0 = graph.unary tanh %x : (tensor<?x?x4xf32, #x>) -> tensor<?x?x4xf32, #x>
  %1 = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  return %0, %1 : tensor<?x?x4xf32, #x>, tensor<?xi64, #row>
}

// -----

// No state, no decode.
// expected-error@below {{expected a model with state, found none}}
module {
  func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
    %0 = graph.unary tanh %x : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
