// RUN: kiln-opt %s --split-input-file --kiln-build-plan=overlap=true --kiln-verify-plan --mlir-print-local-scope | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-build-plan --kiln-verify-plan --mlir-print-local-scope | FileCheck %s --check-prefix=ORDER

// Two parts: the sum of the first runs beside the kernel of the second, which was behind all of the first, and the sum of
// the second beside the last kernel of the first. Operand and result of a sum are nobody else's until then.
// ORDER-NOT: join
// CHECK-LABEL: func.func @main
// CHECK-DAG: plan.buffer @[[A:b[0-9]+]] in @activations {{.*}} live[0, 4]
// CHECK-DAG: plan.buffer @[[S:b[0-9]+]] in @activations {{.*}} live[1, 4] above
// CHECK: plan.launch @pointwise reads {{.*}} writes [@[[A]]]
// CHECK-NEXT: plan.collective all_reduce by sum from @[[A]] to @[[S]] {{.*}} join 4
// CHECK-NEXT: plan.launch @pointwise reads {{.*}} writes [@[[B:b[0-9]+]]] grid
// CHECK-NEXT: plan.collective all_reduce by sum from @[[B]] to @[[T:b[0-9]+]] {{.*}} join 5
// CHECK-NEXT: plan.launch @pointwise reads [@[[S]]]
// CHECK-NEXT: plan.launch @pointwise reads [@[[T]]]
module attributes {graph.ranks = 2 : i64} {
  func.func @main(%x: tensor<1024xf32> {graph.name = "x"}, %y: tensor<1024xf32> {graph.name = "y"})
      -> (tensor<1024xf32> {graph.name = "a"}, tensor<1024xf32> {graph.name = "b"}) {
    %0 = graph.kernel "pointwise" (%a = %x) : (tensor<1024xf32>) -> tensor<1024xf32> {
      %1 = graph.unary exp %a : (tensor<1024xf32>) -> tensor<1024xf32>
      graph.yield %1 : tensor<1024xf32>
    }
    %2 = graph.all_reduce sum %0 ranks 2 : (tensor<1024xf32>) -> tensor<1024xf32>
    %3 = graph.kernel "pointwise" (%a = %2) : (tensor<1024xf32>) -> tensor<1024xf32> {
      %1 = graph.unary exp %a : (tensor<1024xf32>) -> tensor<1024xf32>
      graph.yield %1 : tensor<1024xf32>
    }
    %4 = graph.kernel "pointwise" (%a = %y) : (tensor<1024xf32>) -> tensor<1024xf32> {
      %1 = graph.unary exp %a : (tensor<1024xf32>) -> tensor<1024xf32>
      graph.yield %1 : tensor<1024xf32>
    }
    %5 = graph.all_reduce sum %4 ranks 2 : (tensor<1024xf32>) -> tensor<1024xf32>
    %6 = graph.kernel "pointwise" (%a = %5) : (tensor<1024xf32>) -> tensor<1024xf32> {
      %1 = graph.unary exp %a : (tensor<1024xf32>) -> tensor<1024xf32>
      graph.yield %1 : tensor<1024xf32>
    }
    return %3, %6 : tensor<1024xf32>, tensor<1024xf32>
  }
}

// -----

// All depends on all in front of it: the sum stays in the stream of kernels, and takes the place of its operand.
// CHECK-LABEL: func.func @main
// CHECK-NOT: join
// CHECK: plan.buffer @{{.*}} alias
// CHECK-NOT: join
module attributes {graph.ranks = 2 : i64} {
  func.func @main(%x: tensor<1024xf32> {graph.name = "x"}) -> (tensor<1024xf32> {graph.name = "a"}) {
    %0 = graph.kernel "pointwise" (%a = %x) : (tensor<1024xf32>) -> tensor<1024xf32> {
      %1 = graph.unary exp %a : (tensor<1024xf32>) -> tensor<1024xf32>
      graph.yield %1 : tensor<1024xf32>
    }
    %2 = graph.all_reduce sum %0 ranks 2 : (tensor<1024xf32>) -> tensor<1024xf32>
    %3 = graph.kernel "pointwise" (%a = %2) : (tensor<1024xf32>) -> tensor<1024xf32> {
      %1 = graph.unary exp %a : (tensor<1024xf32>) -> tensor<1024xf32>
      graph.yield %1 : tensor<1024xf32>
    }
    return %3 : tensor<1024xf32>
  }
}
