// RUN: kiln-opt %s --split-input-file --kiln-build-plan=stages=3 --kiln-verify-plan --mlir-print-local-scope | FileCheck %s

#s = #graph.shape<[n] -> [n, 64]>

// A value that one later stage reads is handed to that one, whichever it is; what two read, and the output, all ranks get.
// CHECK: plan.program stages 3
// CHECK: plan.launch @pointwise {{.*}} writes [@[[A:[a-z0-9]+]]] {{.*}} stage 0
// CHECK-NEXT: plan.collective broadcast from @[[A]] to @[[A]] {{.*}} stage 0
// CHECK-NEXT: plan.launch @pointwise {{.*}} writes [@[[B:[a-z0-9]+]]] {{.*}} stage 0
// CHECK-NEXT: plan.collective permute from @[[B]] to @[[B]] {{.*}} stage 0 takers 2
// CHECK-NEXT: plan.launch @pointwise reads [@[[A]], {{.*}} writes [@[[C:[a-z0-9]+]]] {{.*}} stage 1
// CHECK-NEXT: plan.collective permute from @[[C]] to @[[C]] {{.*}} stage 1 takers 2
// CHECK-NEXT: plan.launch @pointwise reads [@[[C]], {{.*}} stage 2
// CHECK-NEXT: plan.launch @pointwise reads [{{.*}}, @[[A]]] {{.*}} stage 2
// CHECK-NEXT: plan.launch @pointwise reads [{{.*}}, @[[B]]] writes [@[[Y:[a-z0-9]+]]] {{.*}} stage 2
// CHECK-NEXT: plan.collective broadcast from @[[Y]] to @[[Y]] {{.*}} stage 2
graph.symbol @n in [1, 8]
graph.weight @w0 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @main(%x: tensor<?x64xf32, #s> {graph.name = "x"}) -> (tensor<?x64xf32, #s> {graph.name = "y"}) {
  %w0 = graph.get_weight @w0 : tensor<64xf32>
  %w1 = graph.get_weight @w1 : tensor<64xf32>
  %w2 = graph.get_weight @w2 : tensor<64xf32>
  %k0 = graph.kernel "pointwise" (%a = %x, %b = %w0) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %rk0 = graph.binary mul %a, %b : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %rk0 : tensor<?x64xf32, #s>
  }
  %k1 = graph.kernel "pointwise" (%a = %k0, %b = %k0) : (tensor<?x64xf32, #s>, tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %rk1 = graph.binary add %a, %b : (tensor<?x64xf32, #s>, tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %rk1 : tensor<?x64xf32, #s>
  }
  %k2 = graph.kernel "pointwise" (%a = %k0, %b = %w1) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %rk2 = graph.binary mul %a, %b : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %rk2 : tensor<?x64xf32, #s>
  }
  %k3 = graph.kernel "pointwise" (%a = %k2, %b = %w2) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %rk3 = graph.binary mul %a, %b : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %rk3 : tensor<?x64xf32, #s>
  }
  %k4 = graph.kernel "pointwise" (%a = %k3, %b = %k0) : (tensor<?x64xf32, #s>, tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %rk4 = graph.binary add %a, %b : (tensor<?x64xf32, #s>, tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %rk4 : tensor<?x64xf32, #s>
  }
  %k5 = graph.kernel "pointwise" (%a = %k4, %b = %k1) : (tensor<?x64xf32, #s>, tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %rk5 = graph.binary add %a, %b : (tensor<?x64xf32, #s>, tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %rk5 : tensor<?x64xf32, #s>
  }
  return %k5 : tensor<?x64xf32, #s>
}
