// RUN: kiln-opt %s --verify-roundtrip | FileCheck %s

// CHECK-DAG: #[[$SCORES:shape.*]] = #graph.shape<[batch, seq] -> [batch, 12, seq, 64]>

!q = tensor<?x12x?x64xf32, #graph.shape<[batch, seq] -> [batch, 12, seq, 64]>>
!k = tensor<?x4x?x64xf32, #graph.shape<[batch, past, seq] -> [batch, 4, seq + past, 64]>>
!m = tensor<?x1x1x?xf32, #graph.shape<[batch, past, seq] -> [batch, 1, 1, past + seq]>>

// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<5x2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<1x3x2xf32>, %d: tensor<4x3xf32>) {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  %0 = graph.matmul %a, %b : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  // CHECK: graph.matmul %{{.*}}, %{{.*}} {transpose_a, transpose_b} : (tensor<1x3x2xf32>, tensor<4x3xf32>) -> tensor<1x2x4xf32>
  %1 = graph.matmul %c, %d {transpose_a, transpose_b} : (tensor<1x3x2xf32>, tensor<4x3xf32>) -> tensor<1x2x4xf32>
  return
}

// CHECK-LABEL: func.func @precision
func.func @precision(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>, %c: tensor<2x3xf32>, %d: tensor<3x4xf32>) {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} {result_element = f32} : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  %0 = graph.matmul %a, %b {result_element = f32} : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  // CHECK: graph.matmul %{{.*}}, %{{.*}} {tf32} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = graph.matmul %c, %d {tf32} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @attention_lse
func.func @attention_lse(%q: tensor<1x4x3x4xbf16>, %k: tensor<1x2x6x4xi8>, %s: tensor<1x2x6xf32>, %l: tensor<1xi64>) {
  // CHECK: graph.attention_lse %{{.*}}, %{{.*}} {scale = 1.000000e+00 : f64, softcap = 2.000000e+00 : f64} : (tensor<1x4x3x4xbf16>, tensor<1x4x3x4xbf16>) -> tensor<1x4x3xf32>
  %0 = graph.attention_lse %q, %q {scale = 1.0 : f64, softcap = 2.0 : f64} : (tensor<1x4x3x4xbf16>, tensor<1x4x3x4xbf16>) -> tensor<1x4x3xf32>
  // CHECK: graph.attention_lse %{{.*}}, %{{.*}} lengths %{{.*}} scales %{{.*}} {causal, from_length, scale = 1.000000e+00 : f64, window = 3 : i64} : (tensor<1x4x3x4xbf16>, tensor<1x2x6x4xi8>, tensor<1xi64>, tensor<1x2x6xf32>) -> tensor<1x4x3xf32>
  %1 = graph.attention_lse %q, %k lengths %l scales %s {causal, from_length, scale = 1.0 : f64, window = 3 : i64} : (tensor<1x4x3x4xbf16>, tensor<1x2x6x4xi8>, tensor<1xi64>, tensor<1x2x6xf32>) -> tensor<1x4x3xf32>
  return
}

// CHECK-LABEL: func.func @attention_mask
func.func @attention_mask(%q: tensor<1x2x3x4xbf16>, %m: tensor<1x1x1x3xf32>) {
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} {scale = 1.000000e+00 : f64} : (tensor<1x2x3x4xbf16>, {{.*}}, tensor<1x1x1x3xf32>) -> tensor<1x2x3x4xbf16>
  %0 = graph.attention %q, %q, %q mask %m {scale = 1.0 : f64} : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x1x1x3xf32>) -> tensor<1x2x3x4xbf16>
  return
}

// CHECK-LABEL: func.func @attention_keep
func.func @attention_keep(%q: tensor<1x2x3x4xf32>, %m: tensor<1x1x1x3xf32>, %c: tensor<3x3xi1>) {
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} keep %{{.*}} {scale = 1.000000e+00 : f64} : (tensor<1x2x3x4xf32>, {{.*}}, tensor<1x1x1x3xf32>, tensor<3x3xi1>) -> tensor<1x2x3x4xf32>
  %0 = graph.attention %q, %q, %q mask %m keep %c {scale = 1.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x1x1x3xf32>, tensor<3x3xi1>) -> tensor<1x2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @attention_softcap
func.func @attention_softcap(%q: tensor<1x2x3x4xf32>) {
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} {nan_zero, scale = 1.000000e+00 : f64, softcap = 3.000000e+01 : f64}
  %0 = graph.attention %q, %q, %q {nan_zero, scale = 1.0 : f64, softcap = 30.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @attention_lengths
func.func @attention_lengths(%q: tensor<2x2x3x4xf32>, %m: tensor<1x1x1x3xf32>, %n: tensor<2xi32>) {
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} lengths %{{.*}} {scale = 1.000000e+00 : f64}
  %0 = graph.attention %q, %q, %q lengths %n {scale = 1.0 : f64} : (tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2xi32>) -> tensor<2x2x3x4xf32>
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} lengths %{{.*}} {causal, from_length, masked_zero, scale = 1.000000e+00 : f64}
  %1 = graph.attention %q, %q, %q mask %m lengths %n {causal, from_length, masked_zero, scale = 1.0 : f64} : (tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<1x1x1x3xf32>, tensor<2xi32>) -> tensor<2x2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: !q, %k: !k, %m: !m) {
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} {causal, scale = 1.250000e-01 : f64} : (tensor<?x12x?x64xf32, #[[$SCORES]]>,
  %0 = graph.attention %q, %k, %k {causal, scale = 0.125 : f64} : (!q, !k, !k) -> !q
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} {scale = 1.000000e+00 : f64}
  %1 = graph.attention %q, %k, %k mask %m {scale = 1.0 : f64} : (!q, !k, !k, !m) -> !q
  return
}

// CHECK-LABEL: func.func @attention_sinks
func.func @attention_sinks(%q: tensor<1x2x3x4xf32>, %s: tensor<2xf32>) {
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} sinks %{{.*}} {causal, scale = 1.000000e+00 : f64, window = 2 : i64}
  %0 = graph.attention %q, %q, %q sinks %s {causal, scale = 1.0 : f64, window = 2 : i64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2xf32>) -> tensor<1x2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @rope
func.func @rope(%x: !q, %t: tensor<1x32xf32>) {
  // CHECK: graph.rope %{{.*}}, %{{.*}}, %{{.*}} {interleaved} : (tensor<?x12x?x64xf32, #[[$SCORES]]>, tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<?x12x?x64xf32, #[[$SCORES]]>
  %0 = graph.rope %x, %t, %t {interleaved} : (!q, tensor<1x32xf32>, tensor<1x32xf32>) -> !q
  return
}
