// RUN: kiln-opt %s --split-input-file --kiln-build-plan --kiln-verify-plan | FileCheck %s
// State is written where it lies; a few numbers are copied there at the end.

#state = #graph.shape<[capacity, rows] -> [rows, capacity, 4]>
#new = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>
#row = #graph.shape<[rows] -> [rows]>

graph.symbol @capacity in [1, 64]
graph.symbol @rows in [1, 4]
graph.symbol @sequence in [1, 16]

// CHECK: plan.buffer @[[NEW:.*]] in @input {{.*}} source "new"
// CHECK: plan.buffer @[[COUNTS:.*]] in @input {{.*}} source "counts"
// CHECK: plan.buffer @[[CACHE:.*]] in @state {{.*}} type tensor<?x?x4xf32, {{.*}}> source "past"
// CHECK: plan.buffer @[[LENGTHS:.*]] in @state {{.*}} type tensor<?xi64, {{.*}}> source "lengths"
// CHECK: plan.buffer @[[WRITTEN:.*]] in @state {{.*}} alias @[[CACHE]] source "past"
// CHECK: plan.buffer @[[SUM:.*]] in @activations
// CHECK: plan.launch @kv_write reads [@[[CACHE]], @[[NEW]], @[[LENGTHS]], @[[COUNTS]]] writes [@[[WRITTEN]]]
// CHECK: plan.launch @pointwise reads [@[[LENGTHS]], @[[COUNTS]]] writes [@[[SUM]]]
// CHECK: plan.copy @[[SUM]] to @[[LENGTHS]]
func.func @main(%n: tensor<?x?x4xf32, #new> {graph.name = "new"}, %c: tensor<?xi64, #row> {graph.name = "counts"}, %l: tensor<?xi64, #row> {graph.state = "lengths"}, %s: tensor<?x?x4xf32, #state> {graph.state = "past"})
    -> (tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x?x4xf32, #state> {graph.state = "past"}) {
  %0 = graph.kernel "kv_write" (%s0 = %s, %n0 = %n, %l0 = %l, %c0 = %c) : (tensor<?x?x4xf32, #state>, tensor<?x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x4xf32, #state> {
    %1 = graph.kv_write %s0, %n0 starts %l0 counts %c0 axis 1 : (tensor<?x?x4xf32, #state>, tensor<?x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x4xf32, #state>
    graph.yield %1 : tensor<?x?x4xf32, #state>
  }
  %2 = graph.kernel "pointwise" (%l0 = %l, %c0 = %c) : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row> {
    %3 = graph.binary add %l0, %c0 : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
    graph.yield %3 : tensor<?xi64, #row>
  }
  return %2, %0 : tensor<?xi64, #row>, tensor<?x?x4xf32, #state>
}

// -----

// What is updated and is no state is copied first.
// CHECK: plan.buffer @[[X:.*]] in @input {{.*}} source "x"
// CHECK: plan.buffer @[[COPY:.*]] in @activations
// CHECK: plan.copy @[[X]] to @[[COPY]]
// CHECK: plan.launch @kv_write reads [@[[COPY]],
func.func @main(%x: tensor<2x8x4xf32> {graph.name = "x"}, %n: tensor<2x1x4xf32> {graph.name = "n"}, %i: tensor<2xi64> {graph.name = "i"}) -> (tensor<2x8x4xf32> {graph.name = "y"}) {
  %0 = graph.kernel "kv_write" (%s0 = %x, %n0 = %n, %i0 = %i) : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>) -> tensor<2x8x4xf32> {
    %1 = graph.kv_write %s0, %n0 starts %i0 counts %i0 axis 1 : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x4xf32>
    graph.yield %1 : tensor<2x8x4xf32>
  }
  return %0 : tensor<2x8x4xf32>
}
