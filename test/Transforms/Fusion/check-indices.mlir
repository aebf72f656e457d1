// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-check-indices | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-check-indices=inputs | FileCheck %s --check-prefix=INPUTS

// A sum of inputs: the kernel of the check comes first and computes the sum for itself, so
// that the gather's kernel is the same as without.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<1xi64> {graph.check = {bits = 48 : i64, parts = [{dims = #[[DIMS:.*]], node = "node 'take' (Gather, opset 17)", rows = #[[ROWS:.*]]}]}})
// CHECK: %[[CHECK:.*]] = graph.kernel "row" (%[[A:.*]] = %arg1, %[[B:.*]] = %arg2) : (tensor<4xi64>, tensor<4xi64>) -> tensor<1xi64>
// CHECK: graph.binary add %[[A]], %[[B]]
// CHECK: graph.compare less
// CHECK: graph.compare greater_equal
// CHECK: graph.reduce min %{{.*}} axes [0] {keep_dims}
// CHECK: %[[Y:.*]] = graph.kernel "pointwise"
// CHECK: graph.binary add
// CHECK: graph.gather
// CHECK: return %[[Y]], %[[CHECK]]
func.func @main(%table: tensor<10x8xf32> {graph.name = "table"}, %a: tensor<4xi64> {graph.name = "a"}, %b: tensor<4xi64> {graph.name = "b"})
    -> (tensor<4x8xf32> {graph.name = "y"}) {
  %0 = graph.binary add %a, %b : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %1 = graph.gather %table, %0 axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32> loc("node 'take' (Gather, opset 17)")
  return %1 : tensor<4x8xf32>
}

// -----

// Two nodes, one check; what lies in memory is read from there. The second index is the
// first one in range of less rows.
// CHECK-LABEL: func.func @main
// CHECK: %[[SUM:.*]] = graph.kernel "row"
// CHECK: graph.reduce sum
// CHECK: graph.kernel "row" (%{{.*}} = %[[SUM]]) : (tensor<4xi64>) -> tensor<1xi64>
// CHECK: graph.concat %{{.*}}, %{{.*}} axis 0 : (tensor<4xi64>, tensor<4xi64>) -> tensor<8xi64>
// CHECK-NOT: graph.concat %{{.*}}, %{{.*}}, %{{.*}} axis 0
// CHECK-NOT: "row"
func.func @main(%t: tensor<10x8xf32> {graph.name = "t"}, %u: tensor<7x8xf32> {graph.name = "u"}, %a: tensor<4x3xi64> {graph.name = "a"})
    -> (tensor<4x8xf32> {graph.name = "y"}, tensor<4x8xf32> {graph.name = "z"}, tensor<4x8xf32> {graph.name = "w"}) {
  %0 = graph.reduce sum %a axes [1] : (tensor<4x3xi64>) -> tensor<4xi64>
  %1 = graph.gather %t, %0 axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %2 = graph.gather %u, %0 axis 0 : (tensor<7x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %3 = graph.gather %u, %0 axis 0 : (tensor<7x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  return %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Indices in inputs are compared before a run; for GPUs also by a kernel, whose result
// says which input.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.check
// INPUTS: func.func @main({{.*}}graph.check = {bits = 48 : i64, parts = [{first = 1 : i64, input = 1 : i64, node = "a node", rows = #{{.*}}, step = 2 : i64}]}
// INPUTS: graph.slice %{{.*}} starts #{{.*}} steps [1, 1] : (tensor<6x2xi64>) -> tensor<6x1xi64>
func.func @main(%t: tensor<10x8xf32> {graph.name = "t"}, %ids: tensor<6x2xi64> {graph.name = "ids",
    graph.rows = [{node = "a node", rows = #graph.shape<[] -> [10]>, first = 1 : i64, step = 2 : i64}]})
    -> (tensor<6x8xf32> {graph.name = "y"}) {
  %0 = graph.slice %ids starts #graph.shape<[] -> [0, 1]> steps [1, 1] : (tensor<6x2xi64>) -> tensor<6x1xi64>
  %1 = graph.reshape %0 : (tensor<6x1xi64>) -> tensor<6xi64>
  %2 = graph.gather %t, %1 axis 0 : (tensor<10x8xf32>, tensor<6xi64>) -> tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}

// -----

// Always in range: clipped, a remainder, positions, a choice of such, and what the condition of a
// choice says.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.check
// CHECK-NOT: "row"
func.func @main(%t: tensor<10x8xf32> {graph.name = "t"}, %a: tensor<4xi64> {graph.name = "a"})
    -> (tensor<4x8xf32> {graph.name = "v"}, tensor<4x8xf32> {graph.name = "w"}, tensor<4x8xf32> {graph.name = "x"}, tensor<4x8xf32> {graph.name = "y"}) {
  %zero = graph.constant dense<0> : tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  %nine = graph.constant dense<9> : tensor<i64>
  %ten = graph.constant dense<10> : tensor<i64>
  %clipped = graph.binary max %a, %zero : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %below = graph.binary min %clipped, %nine : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %0 = graph.gather %t, %below axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %rest = graph.binary mod %a, %ten : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %1 = graph.gather %t, %rest axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %places = graph.iota axis 0 : tensor<4xi64>
  %doubled = graph.binary mul %places, %two : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %2 = graph.gather %t, %doubled axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %small = graph.compare less %clipped, %two : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
  %either = graph.select %small, %clipped, %doubled : (tensor<4xi1>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %3 = graph.gather %t, %either axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Not always: one more than fits, a clip that is open below, 8 bits that wrap around, and
// running sums.
// CHECK-LABEL: func.func @main
// CHECK: graph.concat %{{.*}}, %{{.*}}, %{{.*}} axis 0
// CHECK: graph.reduce min
// CHECK: graph.reduce sum
// CHECK: graph.reduce min
// CHECK-NOT: graph.reduce min
func.func @main(%t: tensor<10x8xf32> {graph.name = "t"}, %a: tensor<4xi64> {graph.name = "a"})
    -> (tensor<4x8xf32> {graph.name = "v"}, tensor<4x8xf32> {graph.name = "w"}, tensor<4x8xf32> {graph.name = "x"}, tensor<4x8xf32> {graph.name = "y"}) {
  %ten = graph.constant dense<10> : tensor<i64>
  %eleven = graph.constant dense<11> : tensor<i64>
  %rest = graph.binary mod %a, %eleven : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %0 = graph.gather %t, %rest axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %open = graph.binary min %a, %ten : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %1 = graph.gather %t, %open axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %narrow = graph.cast %rest : (tensor<4xi64>) -> tensor<4xi8>
  %hundred = graph.constant dense<100> : tensor<i8>
  %many = graph.binary mul %narrow, %hundred : (tensor<4xi8>, tensor<i8>) -> tensor<4xi8>
  %wide = graph.cast %many : (tensor<4xi8>) -> tensor<4xi64>
  %2 = graph.gather %t, %wide axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %row = graph.reshape %rest : (tensor<4xi64>) -> tensor<1x4xi64>
  %rows = graph.broadcast %row : (tensor<1x4xi64>) -> tensor<4x4xi64>
  %sums = graph.reduce sum %rows axes [1] : (tensor<4x4xi64>) -> tensor<4xi64>
  %3 = graph.gather %t, %sums axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Dims of symbols: indices into joined dims, whose parts are wrapped and clipped; constants and
// weights of integers; nothing takes what is not in range of its part.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.check
// CHECK-NOT: "row"
graph.symbol @b in [1, 8]
graph.symbol @s in [1, 64]
graph.weight @places : tensor<1x64xi64> {bounds = array<i64: 0, 63>, file = "f", offset = 0 : i64, length = 512 : i64, hash = "0"}
func.func @main(%x: tensor<?x?xf32, #graph.shape<[b, s] -> [b, s]>> {graph.name = "x"}, %t: tensor<64x8xf32> {graph.name = "t"})
    -> (tensor<?xf32, #graph.shape<[b, s] -> [b * s]>> {graph.name = "y"}, tensor<1x64x8xf32> {graph.name = "z"}) {
  %zero = graph.constant dense<0> : tensor<i64>
  %s = graph.dims <[s] -> [s]> : tensor<i64>
  %row = graph.iota axis 0 : tensor<?x1xi64, #graph.shape<[b] -> [b, 1]>>
  %column = graph.iota axis 1 : tensor<1x?xi64, #graph.shape<[s] -> [1, s]>>
  %below = graph.compare less %column, %zero : (tensor<1x?xi64, #graph.shape<[s] -> [1, s]>>, tensor<i64>) -> tensor<1x?xi1, #graph.shape<[s] -> [1, s]>>
  %sum = graph.binary add %column, %s : (tensor<1x?xi64, #graph.shape<[s] -> [1, s]>>, tensor<i64>) -> tensor<1x?xi64, #graph.shape<[s] -> [1, s]>>
  %wrapped = graph.select %below, %sum, %column : (tensor<1x?xi1, #graph.shape<[s] -> [1, s]>>, tensor<1x?xi64, #graph.shape<[s] -> [1, s]>>, tensor<1x?xi64, #graph.shape<[s] -> [1, s]>>) -> tensor<1x?xi64, #graph.shape<[s] -> [1, s]>>
  %first = graph.binary mul %row, %s : (tensor<?x1xi64, #graph.shape<[b] -> [b, 1]>>, tensor<i64>) -> tensor<?x1xi64, #graph.shape<[b] -> [b, 1]>>
  %index = graph.binary add %first, %wrapped : (tensor<?x1xi64, #graph.shape<[b] -> [b, 1]>>, tensor<1x?xi64, #graph.shape<[s] -> [1, s]>>) -> tensor<?x?xi64, #graph.shape<[b, s] -> [b, s]>>
  %flat = graph.reshape %x : (tensor<?x?xf32, #graph.shape<[b, s] -> [b, s]>>) -> tensor<?xf32, #graph.shape<[b, s] -> [b * s]>>
  %places = graph.reshape %index : (tensor<?x?xi64, #graph.shape<[b, s] -> [b, s]>>) -> tensor<?xi64, #graph.shape<[b, s] -> [b * s]>>
  %0 = graph.gather %flat, %places axis 0 : (tensor<?xf32, #graph.shape<[b, s] -> [b * s]>>, tensor<?xi64, #graph.shape<[b, s] -> [b * s]>>) -> tensor<?xf32, #graph.shape<[b, s] -> [b * s]>>
  %ids = graph.get_weight @places : tensor<1x64xi64>
  %half = graph.slice %ids starts #graph.shape<[] -> [0, 63]> steps [1, -1] : (tensor<1x64xi64>) -> tensor<1x64xi64>
  %1 = graph.gather %t, %half axis 0 : (tensor<64x8xf32>, tensor<1x64xi64>) -> tensor<1x64x8xf32>
  return %0, %1 : tensor<?xf32, #graph.shape<[b, s] -> [b * s]>>, tensor<1x64x8xf32>
}

// -----

// The same where a place is one too far; and so many that rows of them are reduced first, by a
// kernel with a task per row.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "row" (%{{.*}} = %arg0
// CHECK: graph.reduce min %{{.*}} axes [1] : (tensor<512x512xi64>) -> tensor<512xi64>
// CHECK: graph.kernel "row" {{.*}} (tensor<512xi64>) -> tensor<1xi64>
// CHECK: graph.reduce min %{{.*}} axes [0] {keep_dims}
func.func @main(%a: tensor<512x512xi64> {graph.name = "a"}, %t: tensor<511x8xf32> {graph.name = "t"})
    -> (tensor<512x512x8xf32> {graph.name = "y"}) {
  %zero = graph.constant dense<0> : tensor<i64>
  %last = graph.constant dense<511> : tensor<i64>
  %0 = graph.binary max %a, %zero : (tensor<512x512xi64>, tensor<i64>) -> tensor<512x512xi64>
  %1 = graph.binary min %0, %last : (tensor<512x512xi64>, tensor<i64>) -> tensor<512x512xi64>
  %2 = graph.gather %t, %1 axis 0 : (tensor<511x8xf32>, tensor<512x512xi64>) -> tensor<512x512x8xf32>
  return %2 : tensor<512x512x8xf32>
}
