// RUN: kiln-opt %s --split-input-file --kiln-build-plan --kiln-verify-plan --mlir-print-local-scope | FileCheck %s

#s = #graph.shape<[n] -> [n, 4]>

// A part of a weight has a place for each rank, 64 bytes after the one before. The sum of
// the ranks stands where this rank's own product stood, and the arena of weights holds
// three parts and a weight that all ranks read.
// CHECK-LABEL: func.func @main
// CHECK: plan.arena @weights weights size <[] -> [256]>
// CHECK-DAG: plan.buffer @[[W:.*]] in @weights {{.*}} offset 0 stride 64 source "part"
// CHECK-DAG: plan.buffer @[[V:.*]] in @weights {{.*}} offset 192 source "whole"
// CHECK-DAG: plan.buffer @[[A:.*]] in @activations size {{.*}} live[0, 2]
// CHECK-DAG: plan.buffer @[[S:.*]] in @activations size {{.*}} live[1, 2] alias @[[A]]
// CHECK: plan.launch @pointwise reads {{\[}}@{{.*}}, @[[W]], @[[V]]] writes [@[[A]]]
// CHECK: plan.collective all_reduce by sum from @[[A]] to @[[S]] element f32 outer <[] -> [1]> inner <[n] -> [4 * n]> nodes ["node 'out' (MatMul, opset 17)"]
// CHECK: plan.launch @pointwise reads [@[[S]]]
module attributes {graph.ranks = 3 : i64} {
  graph.symbol @n in [1, 8]
  graph.weight @all : tensor<12xf32> {file = "w", hash = "0", length = 48 : i64, offset = 0 : i64}
  graph.weight @part : tensor<4xf32> {graph.part = {of = @all, axis = 0}}
  graph.weight @whole : tensor<4xf32> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
  func.func @main(%x: tensor<?x4xf32, #s> {graph.name = "x"}) -> (tensor<?x4xf32, #s> {graph.name = "y"}) {
    %w = graph.get_weight @part : tensor<4xf32>
    %v = graph.get_weight @whole : tensor<4xf32>
    %0 = graph.kernel "pointwise" (%a = %x, %b = %w, %c = %v) : (tensor<?x4xf32, #s>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32, #s> {
      %1 = graph.binary mul %a, %b : (tensor<?x4xf32, #s>, tensor<4xf32>) -> tensor<?x4xf32, #s>
      %2 = graph.binary mul %1, %c : (tensor<?x4xf32, #s>, tensor<4xf32>) -> tensor<?x4xf32, #s>
      graph.yield %2 : tensor<?x4xf32, #s>
    }
    %3 = graph.all_reduce sum %0 ranks 3 : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s> loc("node 'out' (MatMul, opset 17)")
    %4 = graph.kernel "pointwise" (%a = %3) : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s> {
      %5 = graph.unary exp %a : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s>
      graph.yield %5 : tensor<?x4xf32, #s>
    }
    return %4 : tensor<?x4xf32, #s>
  }
}

// -----

#s = #graph.shape<[n] -> [n, 4]>

// What is added up is read once more: the sum has a place of its own, here the caller's.
// CHECK-LABEL: func.func @main
// CHECK-DAG: plan.buffer @[[Y:.*]] in @output {{.*}} source "sum"
// CHECK-DAG: plan.buffer @[[A:.*]] in @activations {{.*}} live[0, 2]
// CHECK-NOT: alias
// CHECK: plan.collective all_reduce by max from @[[A]] to @[[Y]] element f32
// CHECK: plan.launch @pointwise reads [@[[A]]]
module attributes {graph.ranks = 2 : i64} {
  graph.symbol @n in [1, 8]
  func.func @main(%x: tensor<?x4xf32, #s> {graph.name = "x"})
      -> (tensor<?x4xf32, #s> {graph.name = "sum"}, tensor<?x4xf32, #s> {graph.name = "own"}) {
    %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s> {
      %1 = graph.unary exp %a : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s>
      graph.yield %1 : tensor<?x4xf32, #s>
    }
    %2 = graph.all_reduce max %0 ranks 2 : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s>
    %3 = graph.kernel "pointwise" (%a = %0) : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s> {
      %4 = graph.unary exp %a : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s>
      graph.yield %4 : tensor<?x4xf32, #s>
    }
    return %2, %3 : tensor<?x4xf32, #s>, tensor<?x4xf32, #s>
  }
}

// -----

#s = #graph.shape<[n] -> [n, 4]>
#t = #graph.shape<[n] -> [n, 8]>

// Parts lie side by side along the axis: blocks of 4 elements, n times. Never in place.
// CHECK-LABEL: func.func @main
// CHECK-NOT: alias
// CHECK: plan.collective all_gather from @{{.*}} to @{{.*}} element f32 outer <[n] -> [n]> inner <[] -> [4]>
// CHECK: plan.collective all_to_all from @{{.*}} to @{{.*}} element f32 outer <[n] -> [n]> inner <[] -> [4]>
// CHECK: plan.collective reduce_scatter by sum from @{{.*}} to @{{.*}} element f32 outer <[n] -> [n]> inner <[] -> [4]>
module attributes {graph.ranks = 2 : i64} {
  graph.symbol @n in [1, 8]
  func.func @main(%x: tensor<?x4xf32, #s> {graph.name = "x"}) -> (tensor<?x4xf32, #s> {graph.name = "y"}) {
    %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s> {
      %1 = graph.unary exp %a : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s>
      graph.yield %1 : tensor<?x4xf32, #s>
    }
    %2 = graph.all_gather %0 axis 1 ranks 2 : (tensor<?x4xf32, #s>) -> tensor<?x8xf32, #t>
    %6 = graph.all_to_all %2 axis 1 ranks 2 : (tensor<?x8xf32, #t>) -> tensor<?x8xf32, #t>
    %3 = graph.reduce_scatter sum %6 axis 1 ranks 2 : (tensor<?x8xf32, #t>) -> tensor<?x4xf32, #s>
    %4 = graph.kernel "pointwise" (%a = %3) : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s> {
      %5 = graph.unary exp %a : (tensor<?x4xf32, #s>) -> tensor<?x4xf32, #s>
      graph.yield %5 : tensor<?x4xf32, #s>
    }
    return %4 : tensor<?x4xf32, #s>
  }
}

// -----

// A mesh of two by two: a weight has two places, of ranks that are two apart, and adjacent ranks meet.
// CHECK-LABEL: func.func @main
// CHECK: plan.arena @weights weights size <[] -> [128]>
// CHECK: plan.buffer @{{.*}} in @weights {{.*}} offset 0 stride 64 ranks [2, 2] source "part"
// CHECK: plan.collective all_reduce by sum {{.*}} ranks [2, 1]
// CHECK: plan.collective all_reduce by sum
// CHECK-NOT: ranks [
module attributes {graph.ranks = 4 : i64} {
  graph.weight @all : tensor<8xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
  graph.weight @part : tensor<4xf32> {graph.part = {of = @all, axis = 0, stride = 2}}
  func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
    %w = graph.get_weight @part : tensor<4xf32>
    %0 = graph.kernel "pointwise" (%a = %x, %b = %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
      %1 = graph.binary mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      graph.yield %1 : tensor<4xf32>
    }
    %2 = graph.all_reduce sum %0 ranks 2 : (tensor<4xf32>) -> tensor<4xf32>
    %3 = graph.all_reduce sum %2 ranks 4 : (tensor<4xf32>) -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}
