// RUN: kiln-opt %s --split-input-file --kiln-find-index-inputs | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[IDS:.*]]: tensor<4xi64> {graph.name = "ids", graph.rows = [{node = "node 'take' (Gather, opset 17)", rows = #graph.shape<[] -> [10]>}]}
func.func @main(%table: tensor<10x8xf32> {graph.name = "table"}, %ids: tensor<4xi64> {graph.name = "ids"})
    -> (tensor<4x8xf32> {graph.name = "y"}) {
  %0 = graph.gather %table, %ids axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32> loc("node 'take' (Gather, opset 17)")
  return %0 : tensor<4x8xf32>
}

// -----

// Through views and casts that keep every number; twice, for two nodes.
// CHECK-LABEL: func.func @main
// CHECK-SAME: graph.name = "ids", graph.rows = [{node = "a node", rows = #graph.shape<[] -> [10]>}, {node = "a node", rows = #graph.shape<[] -> [7]>}]
func.func @main(%t: tensor<10x8xf32> {graph.name = "t"}, %u: tensor<7x8xf32> {graph.name = "u"}, %ids: tensor<4xi32> {graph.name = "ids"})
    -> (tensor<2x2x8xf32> {graph.name = "y"}, tensor<3x4x8xf32> {graph.name = "z"}) {
  %0 = graph.cast %ids : (tensor<4xi32>) -> tensor<4xi64>
  %1 = graph.reshape %0 : (tensor<4xi64>) -> tensor<2x2xi64>
  %2 = graph.gather %t, %1 axis 0 : (tensor<10x8xf32>, tensor<2x2xi64>) -> tensor<2x2x8xf32>
  %3 = graph.broadcast %0 : (tensor<4xi64>) -> tensor<3x4xi64>
  %4 = graph.gather %u, %3 axis 0 : (tensor<7x8xf32>, tensor<3x4xi64>) -> tensor<3x4x8xf32>
  return %2, %4 : tensor<2x2x8xf32>, tensor<3x4x8xf32>
}

// -----

// All of them in another order; not a part of them, of which others may be anything.
// CHECK-LABEL: func.func @main
// CHECK-SAME: graph.name = "ids", graph.rows = [{node = "a node", rows = #graph.shape<[] -> [10]>}]}
// CHECK-SAME: {graph.name = "some"})
func.func @main(%t: tensor<10x8xf32> {graph.name = "t"}, %ids: tensor<2x3xi64> {graph.name = "ids"}, %some: tensor<4xi64> {graph.name = "some"})
    -> (tensor<3x2x8xf32> {graph.name = "y"}, tensor<3x8xf32> {graph.name = "z"}) {
  %0 = graph.transpose %ids [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  %1 = graph.gather %t, %0 axis 0 : (tensor<10x8xf32>, tensor<3x2xi64>) -> tensor<3x2x8xf32>
  %2 = graph.slice %some starts #graph.shape<[] -> [1]> steps [1] : (tensor<4xi64>) -> tensor<3xi64>
  %3 = graph.gather %t, %2 axis 0 : (tensor<10x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return %1, %3 : tensor<3x2x8xf32>, tensor<3x8xf32>
}

// -----

// Dims that are joined: indices of each, as GatherND spells them.
// CHECK-LABEL: func.func @main
// CHECK-SAME: graph.name = "ids", graph.rows = [{first = 0 : i64, node = "a node", rows = #graph.shape<[] -> [4]>, step = 2 : i64}]
func.func @main(%x: tensor<20xf32> {graph.name = "x"}, %ids: tensor<6x2xi64> {graph.name = "ids"})
    -> (tensor<6xf32> {graph.name = "y"}) {
  %zero = graph.constant dense<0> : tensor<i64>
  %four = graph.constant dense<4> : tensor<i64>
  %five = graph.constant dense<5> : tensor<i64>
  %0 = graph.slice %ids starts #graph.shape<[] -> [0, 0]> steps [1, 1] : (tensor<6x2xi64>) -> tensor<6x1xi64>
  %1 = graph.reshape %0 : (tensor<6x1xi64>) -> tensor<6xi64>
  %2 = graph.compare less %1, %zero : (tensor<6xi64>, tensor<i64>) -> tensor<6xi1>
  %3 = graph.binary add %1, %four : (tensor<6xi64>, tensor<i64>) -> tensor<6xi64>
  %4 = graph.select %2, %3, %1 : (tensor<6xi1>, tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %5 = graph.binary mul %4, %five : (tensor<6xi64>, tensor<i64>) -> tensor<6xi64>
  %6 = graph.gather %x, %5 axis 0 : (tensor<20xf32>, tensor<6xi64>) -> tensor<6xf32>
  return %6 : tensor<6xf32>
}

// -----

// No indices: what is taken from, what the model computes, and what a cast may change.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.rows
// CHECK: return
func.func @main(%t: tensor<10x8xf32> {graph.name = "t"}, %a: tensor<4xi64> {graph.name = "a"}, %b: tensor<4xi64> {graph.name = "b"})
    -> (tensor<4x8xf32> {graph.name = "y"}, tensor<4x8xf32> {graph.name = "z"}) {
  %one = graph.constant dense<1> : tensor<i64>
  %0 = graph.binary add %a, %one : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %1 = graph.gather %t, %0 axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %2 = graph.cast %b : (tensor<4xi64>) -> tensor<4xi32>
  %3 = graph.gather %t, %2 axis 0 : (tensor<10x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  return %1, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}
