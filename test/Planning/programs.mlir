// RUN: kiln-opt %s --kiln-build-plan --kiln-verify-plan | FileCheck %s
// Two programs of one model: weights and states are at the same places in both plans, and each has its own activations.

#x = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>
#y = #graph.shape<[rows, tokens] -> [rows, tokens, 4]>
#cache = #graph.shape<[capacity, rows] -> [rows, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>

graph.symbol @rows in [1, 4]
graph.symbol @sequence in [1, 64]
graph.symbol @tokens in [1, 16]
graph.symbol @capacity in [1, 64]
graph.weight @a : tensor<4xf32>
graph.weight @b : tensor<4xf32>

// CHECK: #[[SIZE:shape[0-9]*]] = #graph.shape<[] -> [128]>
// CHECK: plan.program "prefill"
// CHECK: plan.arena @weights weights size #[[SIZE]]
// CHECK: plan.buffer @b1 in @state {{.*}} source "cache"
// CHECK: plan.buffer @b2 in @state {{.*}} above [@b1] {{.*}} source "lengths"
// CHECK: in @weights {{.*}} offset 0 source "a"
// CHECK: plan.program "decode"
// CHECK: plan.arena @weights weights size #[[SIZE]]
// CHECK: plan.buffer @b1 in @state {{.*}} source "cache"
// CHECK: plan.buffer @b2 in @state {{.*}} above [@b1] {{.*}} source "lengths"
// CHECK: in @weights {{.*}} offset 64 source "b"
// CHECK: in @weights {{.*}} offset 0 source "a"
func.func @prefill(%x: tensor<?x?x4xf32, #x> {graph.name = "x"}, %l: tensor<?xi64, #row> {graph.state = "lengths"}, %s: tensor<?x?x4xf32, #cache> {graph.state = "cache"})
    -> (tensor<?x?x4xf32, #cache> {graph.state = "cache"}) {
  %w = graph.get_weight @a : tensor<4xf32>
  %0 = graph.kernel "kv_write" (%s0 = %s, %n0 = %x, %l0 = %l, %w0 = %w) : (tensor<?x?x4xf32, #cache>, tensor<?x?x4xf32, #x>, tensor<?xi64, #row>, tensor<4xf32>) -> tensor<?x?x4xf32, #cache> {
    %1 = graph.binary mul %n0, %w0 : (tensor<?x?x4xf32, #x>, tensor<4xf32>) -> tensor<?x?x4xf32, #x>
    %2 = graph.kv_write %s0, %1 starts %l0 counts %l0 axis 1 : (tensor<?x?x4xf32, #cache>, tensor<?x?x4xf32, #x>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x4xf32, #cache>
    graph.yield %2 : tensor<?x?x4xf32, #cache>
  }
  return %0 : tensor<?x?x4xf32, #cache>
}
func.func @decode(%x: tensor<?x?x4xf32, #y> {graph.name = "x"}, %l: tensor<?xi64, #row> {graph.state = "lengths"}, %s: tensor<?x?x4xf32, #cache> {graph.state = "cache"})
    -> (tensor<?x?x4xf32, #cache> {graph.state = "cache"}) {
  %v = graph.get_weight @b : tensor<4xf32>
  %w = graph.get_weight @a : tensor<4xf32>
  %0 = graph.kernel "kv_write" (%s0 = %s, %n0 = %x, %l0 = %l, %v0 = %v, %w0 = %w) : (tensor<?x?x4xf32, #cache>, tensor<?x?x4xf32, #y>, tensor<?xi64, #row>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x?x4xf32, #cache> {
    %1 = graph.binary mul %n0, %v0 : (tensor<?x?x4xf32, #y>, tensor<4xf32>) -> tensor<?x?x4xf32, #y>
    %2 = graph.binary mul %1, %w0 : (tensor<?x?x4xf32, #y>, tensor<4xf32>) -> tensor<?x?x4xf32, #y>
    %3 = graph.kv_write %s0, %2 starts %l0 counts %l0 axis 1 : (tensor<?x?x4xf32, #cache>, tensor<?x?x4xf32, #y>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x4xf32, #cache>
    graph.yield %3 : tensor<?x?x4xf32, #cache>
  }
  return %0 : tensor<?x?x4xf32, #cache>
}
