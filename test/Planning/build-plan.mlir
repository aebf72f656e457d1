// RUN: kiln-opt %s --split-input-file --kiln-build-plan --kiln-verify-plan --mlir-print-local-scope | FileCheck %s

#s = #graph.shape<[n] -> [n, 64]>

// A chain of three: the second result takes the place of the first (in place),
// the last is written into the caller's memory.
// CHECK-LABEL: func.func @main
// CHECK: plan.arena @activations {{ *}}activations size <[n] -> [256 * n]>
// CHECK: plan.buffer @[[X:.*]] in @input size {{.*}} live{{ ?}}[0, 2] type tensor<?x64xf32, {{.*}}> source "x"
// CHECK: plan.buffer @[[Y:.*]] in @output size {{.*}} live{{ ?}}[2, 2] type tensor<?x64xf32, {{.*}}> source "y"
// CHECK: plan.buffer @[[A:.*]] in @activations size {{.*}} live{{ ?}}[0, 2]
// CHECK: plan.buffer @[[B:.*]] in @activations size {{.*}} live{{ ?}}[1, 2] alias @[[A]]
// CHECK: plan.launch @pointwise reads [@[[X]]] writes [@[[A]]]
// CHECK: plan.launch @pointwise reads [@[[A]]] writes [@[[B]]]
// CHECK: plan.launch @pointwise reads [@[[B]]] writes [@[[Y]]]
graph.symbol @n in [1, 8]
func.func @main(%x: tensor<?x64xf32, #s> {graph.name = "x"}) -> (tensor<?x64xf32, #s> {graph.name = "y"}) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %1 = graph.unary exp %a : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %1 : tensor<?x64xf32, #s>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %3 = graph.unary tanh %a : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %3 : tensor<?x64xf32, #s>
  }
  %4 = graph.kernel "pointwise" (%a = %2) : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %5 = graph.unary neg %a : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %5 : tensor<?x64xf32, #s>
  }
  return %4 : tensor<?x64xf32, #s>
}

// -----

#s = #graph.shape<[n] -> [n, 64]>

// Not in place: a transposed operand is read elsewhere than it is written.
// CHECK-LABEL: func.func @main
// CHECK: plan.arena @activations {{ *}}activations size <[] -> [512]>
// CHECK-NOT: alias
func.func @main(%x: tensor<8x8xf32> {graph.name = "x"}) -> (tensor<8x8xf32> {graph.name = "y"}) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = graph.unary exp %a : (tensor<8x8xf32>) -> tensor<8x8xf32>
    graph.yield %1 : tensor<8x8xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
    %3 = graph.transpose %a [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    graph.yield %3 : tensor<8x8xf32>
  }
  %4 = graph.kernel "pointwise" (%a = %2) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
    %5 = graph.transpose %a [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    graph.yield %5 : tensor<8x8xf32>
  }
  return %4 : tensor<8x8xf32>
}

// -----

// An input returned as it is is copied; a weight is placed at a fixed offset.
// CHECK-LABEL: func.func @main
// CHECK: plan.buffer @[[X:.*]] in @input {{.*}} source "x"
// CHECK: plan.buffer @{{.*}} in @output {{.*}} source "y"
// CHECK: plan.buffer @[[Z:.*]] in @output {{.*}} source "z"
// CHECK: plan.buffer @{{.*}} in @weights {{.*}} offset 0 source "w"
// CHECK: plan.launch
// CHECK: plan.copy @[[X]] to @[[Z]]
graph.weight @w : tensor<4xf32>
func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}, tensor<4xf32> {graph.name = "z"}) {
  %w = graph.get_weight @w : tensor<4xf32>
  %0 = graph.kernel "pointwise" (%a = %x, %b = %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    %1 = graph.binary add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// Outputs are listed as the model lists them, not as they are computed.
// CHECK-LABEL: func.func @main
// CHECK: plan.buffer @[[LAST:.*]] in @output {{.*}} source "last"
// CHECK: plan.buffer @[[FIRST:.*]] in @output {{.*}} source "first"
// CHECK: plan.launch @pointwise reads [@{{.*}}] writes [@[[FIRST]]]
// CHECK: plan.launch @pointwise reads [@[[FIRST]]] writes [@[[LAST]]]
module {
  func.func @main(%x: tensor<4xf32> {graph.name = "x"})
      -> (tensor<4xf32> {graph.name = "last"}, tensor<4xf32> {graph.name = "first"}) {
    %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
      %2 = graph.unary neg %a : (tensor<4xf32>) -> tensor<4xf32>
      graph.yield %2 : tensor<4xf32>
    }
    %1 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
      %2 = graph.unary exp %a : (tensor<4xf32>) -> tensor<4xf32>
      graph.yield %2 : tensor<4xf32>
    }
    return %1, %0 : tensor<4xf32>, tensor<4xf32>
  }
}
