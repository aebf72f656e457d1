// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-attention))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-attention))' | FileCheck %s --check-prefix=RAISED
// What is raised of sinks computes what the model does.

// RAISED-COUNT-2: graph.attention {{.*}} sinks
// RAISED-NOT: graph.softmax

// Four scores of 0 and a sink of ln 4, and one of minus infinity.
// CHECK-LABEL: func.func @of_heads
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.750000e+00]], {{\[\[}}3.500000e+00]]]]> : tensor<1x2x1x1xf32>
func.func @of_heads() -> tensor<1x2x1x1xf32> {
  %q = graph.constant dense<0.0> : tensor<1x2x1x2xf32>
  %k = graph.constant dense<1.0> : tensor<1x2x4x2xf32>
  %v = graph.constant dense<[[[[1.0], [2.0], [4.0], [7.0]], [[1.0], [2.0], [4.0], [7.0]]]]> : tensor<1x2x4x1xf32>
  %e = graph.constant dense<[[[[1.38629436]], [[0xFF800000]]]]> : tensor<1x2x1x1xf32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<1x2x1x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x1x4xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<1x2x1x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x1x5xf32>
  %w = graph.softmax %c axis 3 : (tensor<1x2x1x5xf32>) -> tensor<1x2x1x5xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x2x1x5xf32>) -> tensor<1x2x1x4xf32>
  %o = graph.matmul %z, %v : (tensor<1x2x1x4xf32>, tensor<1x2x4x1xf32>) -> tensor<1x2x1x1xf32>
  return %o : tensor<1x2x1x1xf32>
}

// All scores are minus infinity: the sink has all of the weight, also where the maximum of
// the row is taken off.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<1x1x1x1xf32>
func.func @nothing() -> tensor<1x1x1x1xf32> {
  %q = graph.constant dense<0.0> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<1.0> : tensor<1x1x2x2xf32>
  %v = graph.constant dense<3.0> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<0xFF800000> : tensor<1x1x1x2xf32>
  %e = graph.constant dense<-300.0> : tensor<1x1x1x1xf32>
  %d = graph.matmul %q, %k {transpose_b} : (tensor<1x1x1x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x2xf32>
  %s = graph.binary add %d, %m : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %c = graph.concat %s, %e axis 3 : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x3xf32>
  %x = graph.reduce max %c axes [3] {keep_dims} : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x1xf32>
  %y = graph.binary sub %c, %x : (tensor<1x1x1x3xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x3xf32>
  %w = graph.softmax %y axis 3 : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
  %z = graph.slice %w starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x2xf32>
  %o = graph.matmul %z, %v : (tensor<1x1x1x2xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %o : tensor<1x1x1x1xf32>
}
