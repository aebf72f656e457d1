// RUN: kiln-opt %s --split-input-file --kiln-externalize-constants | FileCheck %s

// Data becomes a weight that @bake sets.
// CHECK: graph.weight @constant : tensor<2xi64>
// CHECK-LABEL: func.func @main
// CHECK: graph.get_weight @constant : tensor<2xi64>
// CHECK: func.func @bake
// CHECK: %[[C:.*]] = graph.constant dense<[1, 2]> : tensor<2xi64>
// CHECK: graph.set_weight @constant, %[[C]]
func.func @main() -> tensor<2xi64> {
  %0 = graph.constant dense<[1, 2]> : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// One value for all elements is no data: kernels hold it.
// CHECK-NOT: graph.weight
// CHECK-LABEL: func.func @main
// CHECK: graph.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NOT: @bake
func.func @main() -> tensor<4xf32> {
  %0 = graph.constant dense<2.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Constants of @bake stay where they are.
// CHECK: graph.weight @w : tensor<2xf32>
// CHECK-NOT: graph.weight
// CHECK: graph.constant dense<[1.000000e+00, 2.000000e+00]>
graph.weight @w : tensor<2xf32>
func.func @bake() {
  %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  graph.set_weight @w, %0 : tensor<2xf32>
  return
}

// -----

// Equal constants of two programs are one weight, others are another one.
// CHECK: graph.weight @constant_0 : tensor<2xi64>
// CHECK: graph.weight @constant : tensor<2xi64>
// CHECK-LABEL: func.func @prefill
// CHECK: graph.get_weight @constant : tensor<2xi64>
// CHECK-LABEL: func.func @decode
// CHECK: graph.get_weight @constant : tensor<2xi64>
// CHECK: graph.get_weight @constant_0 : tensor<2xi64>
// CHECK-LABEL: func.func @bake
// CHECK-COUNT-2: graph.set_weight
// CHECK-NOT: graph.set_weight
func.func @prefill() -> tensor<2xi64> {
  %0 = graph.constant dense<[1, 2]> : tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func @decode() -> (tensor<2xi64>, tensor<2xi64>) {
  %0 = graph.constant dense<[1, 2]> : tensor<2xi64>
  %1 = graph.constant dense<[1, 3]> : tensor<2xi64>
  return %0, %1 : tensor<2xi64>, tensor<2xi64>
}
