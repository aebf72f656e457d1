// RUN: kiln-opt %s --kiln-build-plan="stages=3 micro-batches=true" --kiln-verify-plan --mlir-print-local-scope | FileCheck %s
// RUN: kiln-opt %s --kiln-build-plan=stages=3 --kiln-verify-plan --mlir-print-local-scope | FileCheck %s --check-prefix=ORDER

#s = #graph.shape<[n] -> [n, 64]>

// Two parts, one after the other in the program, and three stages: in a wave the first stage computes the second part while the
// next one computes the first part, and what all stages hand on is behind both.
// CHECK: plan.program stages 3
// CHECK: plan.launch @pointwise reads [{{.*}}] writes [@[[A0:[a-z0-9]+]]] {{.*}} stage 0
// CHECK-NEXT: plan.collective permute from @[[A0]] {{.*}} stage 0 takers 1
// CHECK-NEXT: plan.launch @pointwise reads [@[[A0]], {{.*}}] writes [@[[A1:[a-z0-9]+]]] {{.*}} stage 1
// CHECK-NEXT: plan.launch @pointwise reads [{{.*}}] writes [@[[B0:[a-z0-9]+]]] {{.*}} stage 0
// CHECK-NEXT: plan.collective permute from @[[A1]] {{.*}} stage 1 takers 2
// CHECK-NEXT: plan.collective permute from @[[B0]] {{.*}} stage 0 takers 1
// CHECK-NEXT: plan.launch @pointwise reads [@[[A1]], {{.*}} stage 2
// CHECK-NEXT: plan.launch @pointwise reads [@[[B0]], {{.*}}] writes [@[[B1:[a-z0-9]+]]] {{.*}} stage 1
// CHECK-NEXT: plan.collective permute from @[[B1]] {{.*}} stage 1 takers 2
// CHECK-NEXT: plan.launch @pointwise reads [@[[B1]], {{.*}} stage 2
// CHECK-NEXT: plan.collective broadcast {{.*}} stage 2
// CHECK-NEXT: plan.collective broadcast {{.*}} stage 2

// Else a stage waits for all stages of the part before.
// ORDER: plan.launch {{.*}} stage 0
// ORDER: plan.launch {{.*}} stage 1
// ORDER: plan.launch {{.*}} stage 2
// ORDER: plan.launch {{.*}} stage 0
// ORDER: plan.launch {{.*}} stage 1
// ORDER: plan.launch {{.*}} stage 2
graph.symbol @n in [1, 8]
graph.weight @w0 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @main(%a: tensor<?x64xf32, #s> {graph.name = "a"}, %b: tensor<?x64xf32, #s> {graph.name = "b"}) -> (tensor<?x64xf32, #s> {graph.name = "c"}, tensor<?x64xf32, #s> {graph.name = "d"}) {
  %w0 = graph.get_weight @w0 : tensor<64xf32>
  %w1 = graph.get_weight @w1 : tensor<64xf32>
  %w2 = graph.get_weight @w2 : tensor<64xf32>
  %a0 = graph.kernel "pointwise" (%x = %a, %y = %w0) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %10 = graph.binary mul %x, %y : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %10 : tensor<?x64xf32, #s>
  }
  %a1 = graph.kernel "pointwise" (%x = %a0, %y = %w1) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %11 = graph.binary mul %x, %y : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %11 : tensor<?x64xf32, #s>
  }
  %a2 = graph.kernel "pointwise" (%x = %a1, %y = %w2) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %12 = graph.binary mul %x, %y : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %12 : tensor<?x64xf32, #s>
  }
  %b0 = graph.kernel "pointwise" (%x = %b, %y = %w0) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %13 = graph.binary mul %x, %y : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %13 : tensor<?x64xf32, #s>
  }
  %b1 = graph.kernel "pointwise" (%x = %b0, %y = %w1) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %14 = graph.binary mul %x, %y : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %14 : tensor<?x64xf32, #s>
  }
  %b2 = graph.kernel "pointwise" (%x = %b1, %y = %w2) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %15 = graph.binary mul %x, %y : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %15 : tensor<?x64xf32, #s>
  }
  return %a2, %b2 : tensor<?x64xf32, #s>, tensor<?x64xf32, #s>
}
