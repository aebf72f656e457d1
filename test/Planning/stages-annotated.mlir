// RUN: kiln-opt %s --split-input-file --kiln-build-plan=stages=2 --kiln-verify-plan --verify-diagnostics --mlir-print-local-scope | FileCheck %s
// Stages that the user has said of weights (graph.stage), which need not be of equal bytes.

// What is said of @w1 is true of what @bake makes of it; @w2, of which nothing is said, follows it.
// CHECK: plan.program stages 2
// CHECK: plan.launch @pointwise {{.*}} stage 0
// CHECK-NEXT: plan.collective permute {{.*}} stage 0 takers 1
// CHECK-NEXT: plan.launch @pointwise {{.*}} stage 1
// CHECK-NEXT: plan.launch @pointwise {{.*}} stage 1
// CHECK-NEXT: plan.launch @pointwise {{.*}} stage 1
// CHECK-NEXT: plan.collective broadcast {{.*}} stage 1
graph.weight @w0 : tensor<64xf32> {file = "w", graph.stage = 0 : i64, hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<64xf32> {file = "w", graph.stage = 1 : i64, hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @baked : tensor<64xf32>
graph.weight @w2 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w3 : tensor<64xf32> {file = "w", graph.stage = 1 : i64, hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @bake() {
  %w1 = graph.get_weight @w1 : tensor<64xf32>
  %0 = graph.unary neg %w1 : (tensor<64xf32>) -> tensor<64xf32>
  graph.set_weight @baked, %0 : tensor<64xf32>
  return
}
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %w0 = graph.get_weight @w0 : tensor<64xf32>
  %w1 = graph.get_weight @baked : tensor<64xf32>
  %w2 = graph.get_weight @w2 : tensor<64xf32>
  %w3 = graph.get_weight @w3 : tensor<64xf32>
  %k0 = graph.kernel "pointwise" (%a = %x, %b = %w0) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %1 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %1 : tensor<64xf32>
  }
  %k1 = graph.kernel "pointwise" (%a = %k0, %b = %w1) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %2 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %2 : tensor<64xf32>
  }
  %k2 = graph.kernel "pointwise" (%a = %k1, %b = %w2) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %3 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %3 : tensor<64xf32>
  }
  %k3 = graph.kernel "pointwise" (%a = %k2, %b = %w3) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %4 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %4 : tensor<64xf32>
  }
  return %k3 : tensor<64xf32>
}

// -----

// Weights are read in the order of their stages.
graph.weight @w0 : tensor<64xf32> {file = "w", graph.stage = 1 : i64, hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<64xf32> {file = "w", graph.stage = 0 : i64, hash = "0", length = 256 : i64, offset = 0 : i64}
// expected-error@below {{weight 'w1': its stage is an earlier one than that of a weight that is read before it; expected stages in the order in which weights are read, found stage 0 behind stage 1 of 'w0'; fix: annotate stages of layers that follow each other}}
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %w0 = graph.get_weight @w0 : tensor<64xf32>
  %w1 = graph.get_weight @w1 : tensor<64xf32>
  %k0 = graph.kernel "pointwise" (%a = %x, %b = %w0) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %1 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %1 : tensor<64xf32>
  }
  %k1 = graph.kernel "pointwise" (%a = %k0, %b = %w1) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %2 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %2 : tensor<64xf32>
  }
  return %k1 : tensor<64xf32>
}
