// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | FileCheck %s --check-prefix=IR
// Attention with sinks written out computes what the op does.

// A column of sinks behind the scores, and weights without it.
// IR-LABEL: func.func @of_heads
// IR: %[[SCORES:.*]] = graph.binary mul
// IR: %[[ROW:.*]] = graph.reshape %{{.*}} : (tensor<2xf32>) -> tensor<1x2x1x1xf32>
// IR: %[[COLUMN:.*]] = graph.broadcast %[[ROW]] : (tensor<1x2x1x1xf32>) -> tensor<2x2x1x1xf32>
// IR: %[[ALL:.*]] = graph.concat %[[SCORES]], %[[COLUMN]] axis 3
// IR: %[[W:.*]] = graph.softmax %[[ALL]] axis 3
// IR: graph.slice %[[W]] {{.*}} -> tensor<2x2x1x4xf32>
// IR-NOT: graph.attention
// CHECK-LABEL: func.func @of_heads
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.750000e+00]], {{\[\[}}3.500000e+00]]], {{\[\[}}[1.750000e+00]], {{\[\[}}3.500000e+00]]]]> : tensor<2x2x1x1xf32>
func.func @of_heads() -> tensor<2x2x1x1xf32> {
  %q = graph.fill 0.0 : f32 : tensor<2x2x1x300xf32>
  %k = graph.fill 1.0 : f32 : tensor<2x1x4x300xf32>
  %u = graph.constant dense<[[[[1.0], [2.0], [4.0], [7.0]]], [[[1.0], [2.0], [4.0], [7.0]]]]> : tensor<2x1x4x1xf32>
  %v = graph.broadcast %u : (tensor<2x1x4x1xf32>) -> tensor<2x1x4x300xf32>
  %s = graph.constant dense<[1.38629436, 0xFF800000]> : tensor<2xf32>
  %0 = graph.attention %q, %k, %v sinks %s {scale = 0.5 : f64} : (tensor<2x2x1x300xf32>, tensor<2x1x4x300xf32>, tensor<2x1x4x300xf32>, tensor<2xf32>) -> tensor<2x2x1x300xf32>
  %1 = graph.slice %0 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x2x1x300xf32>) -> tensor<2x2x1x1xf32>
  return %1 : tensor<2x2x1x1xf32>
}

// Queries that see no key: 0, but NaN without a sink.
// CHECK-LABEL: func.func @no_keys
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.750000e+00]], {{\[\[0x[7F]}}FC00000], [7.000000e+00]]]]> : tensor<1x2x2x1xf32>
func.func @no_keys() -> tensor<1x2x2x1xf32> {
  %q = graph.fill 0.0 : f32 : tensor<1x2x2x300xf32>
  %k = graph.fill 1.0 : f32 : tensor<1x1x3x300xf32>
  %u = graph.constant dense<[[[[7.0], [0x7FC00000], [0x7F800000]]]]> : tensor<1x1x3x1xf32>
  %v = graph.broadcast %u : (tensor<1x1x3x1xf32>) -> tensor<1x1x3x300xf32>
  %l = graph.constant dense<1> : tensor<1xi64>
  %s = graph.constant dense<[1.09861231, 0xFF800000]> : tensor<2xf32>
  %0 = graph.attention %q, %k, %v lengths %l sinks %s {causal, from_length, scale = 0.5 : f64} : (tensor<1x2x2x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>, tensor<1xi64>, tensor<2xf32>) -> tensor<1x2x2x300xf32>
  %1 = graph.slice %0 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x2x2x300xf32>) -> tensor<1x2x2x1xf32>
  return %1 : tensor<1x2x2x1xf32>
}

// 16 bits: sinks join the scores in f32. Minus infinity is no sink, and a query without
// keys then is 0 by `masked_zero`.
// IR-LABEL: func.func @narrow
// IR: %[[WIDE:.*]] = graph.cast %{{.*}} : (tensor<1xbf16>) -> tensor<1xf32>
// IR: graph.concat %{{.*}}, %{{.*}} axis 3 : (tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>)
// IR-NOT: graph.attention
// CHECK-LABEL: func.func @narrow
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00]]], {{\[\[}}[4.000000e+00]]]]> : tensor<2x1x1x1xbf16>
func.func @narrow() -> tensor<2x1x1x1xbf16> {
  %q = graph.fill 0.0 : bf16 : tensor<2x1x1x320xbf16>
  %k = graph.fill 1.0 : bf16 : tensor<2x1x2x320xbf16>
  %u = graph.constant dense<[[[[1.0], [7.0]]], [[[1.0], [7.0]]]]> : tensor<2x1x2x1xbf16>
  %v = graph.broadcast %u : (tensor<2x1x2x1xbf16>) -> tensor<2x1x2x320xbf16>
  %l = graph.constant dense<[0, 2]> : tensor<2xi64>
  %s = graph.constant dense<0xFF80> : tensor<1xbf16>
  %0 = graph.attention %q, %k, %v lengths %l sinks %s {masked_zero, scale = 0.5 : f64} : (tensor<2x1x1x320xbf16>, tensor<2x1x2x320xbf16>, tensor<2x1x2x320xbf16>, tensor<2xi64>, tensor<1xbf16>) -> tensor<2x1x1x320xbf16>
  %1 = graph.slice %0 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x1x1x320xbf16>) -> tensor<2x1x1x1xbf16>
  return %1 : tensor<2x1x1x1xbf16>
}
