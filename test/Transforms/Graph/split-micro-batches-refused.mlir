// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-split-micro-batches=parts=2
// Models that stages of a pipeline cannot compute in parts, and why.

// expected-error-re @below {{KILN-E0209{{.*}}a run cannot be split into 2 micro-batches; parts of rows: it has no attention that Kiln recognizes; parts of sequences: it has no attention that Kiln recognizes}}
module {
func.func @main(%x: tensor<4x64x4xf32>) -> tensor<4x64x4xf32> {
  %0 = graph.unary tanh %x : (tensor<4x64x4xf32>) -> tensor<4x64x4xf32>
  return %0 : tensor<4x64x4xf32>
}
}

// -----

// Few rows of one sequence.
// expected-error-re @below {{KILN-E0209{{.*}}parts of rows: {{.*}}a sequence has at most 32 rows; parts of sequences: {{.*}}a batch has at most 1 sequence}}
module {
func.func @main(%q: tensor<1x2x32x4xf32>) -> tensor<1x2x32x4xf32> {
  %a = graph.attention %q, %q, %q {causal, scale = 1.0 : f64} : (tensor<1x2x32x4xf32>, tensor<1x2x32x4xf32>, tensor<1x2x32x4xf32>) -> tensor<1x2x32x4xf32>
  return %a : tensor<1x2x32x4xf32>
}
}

// -----

// Each query reads keys behind it, which are computed as the queries are.
// expected-error-re @below {{KILN-E0209{{.*}}parts of rows: {{.*}} needs all of them; parts of sequences: {{.*}}a batch has at most 1 sequence}}
module {
func.func @main(%x: tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32> {
  %q = graph.unary tanh %x : (tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  %a = graph.attention %q, %q, %q {scale = 1.0 : f64} : (tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  return %a : tensor<1x2x64x4xf32>
}
}

// -----

// A total of all rows stands between two attentions.
// expected-error-re @below {{KILN-E0209{{.*}}parts of rows: {{.*}} needs all of them}}
module {
func.func @main(%q: tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32> {
  %a = graph.attention %q, %q, %q {causal, scale = 1.0 : f64} : (tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  %s = graph.softmax %a axis 2 : (tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  %b = graph.attention %s, %s, %s {causal, scale = 1.0 : f64} : (tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  return %b : tensor<1x2x64x4xf32>
}
}
