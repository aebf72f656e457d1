// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-shard-context=divide-caches
// Models of which no cache can be divided.

// No state.
// expected-error-re @below {{KILN-E0209{{.*}}no cache can be divided among context-parallel ranks}}
module {
func.func @decode(%past: tensor<1x2x64x4xf32> , %n: tensor<1xi64>, %q: tensor<1x2x1x4xf32>, %m: tensor<1x1x1x64xf32>, %s: tensor<2xf32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32> ) {
  %k = graph.kv_write %past, %q starts %n counts %n axis 2 : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x64x4xf32>
  %a = graph.attention %q, %k, %k lengths %n {causal, from_length, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1xi64>) -> tensor<1x2x1x4xf32>
  return %a, %k : tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>
}
}

// -----

// A rolling buffer has the last positions alone.
// expected-error-re @below {{KILN-E0209{{.*}}no cache can be divided among context-parallel ranks}}
module {
func.func @decode(%past: tensor<1x2x64x4xf32> {graph.state = "past"}, %n: tensor<1xi64>, %q: tensor<1x2x1x4xf32>, %m: tensor<1x1x1x64xf32>, %s: tensor<2xf32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32> {graph.state = "past"}) {
  %k = graph.kv_write %past, %q starts %n counts %n axis 2 {ring} : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x64x4xf32>
  %a = graph.attention %q, %k, %k lengths %n {causal, from_length, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1xi64>) -> tensor<1x2x1x4xf32>
  return %a, %k : tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>
}
}

// -----

// A mask is of all positions.
// expected-error-re @below {{KILN-E0209{{.*}}no cache can be divided among context-parallel ranks}}
module {
func.func @decode(%past: tensor<1x2x64x4xf32> {graph.state = "past"}, %n: tensor<1xi64>, %q: tensor<1x2x1x4xf32>, %m: tensor<1x1x1x64xf32>, %s: tensor<2xf32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32> {graph.state = "past"}) {
  %k = graph.kv_write %past, %q starts %n counts %n axis 2 : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x64x4xf32>
  %a = graph.attention %q, %k, %k mask %m lengths %n {causal, from_length, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x1x1x64xf32>, tensor<1xi64>) -> tensor<1x2x1x4xf32>
  return %a, %k : tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>
}
}

// -----

// A sink counts once, and not once per rank.
// expected-error-re @below {{KILN-E0209{{.*}}no cache can be divided among context-parallel ranks}}
module {
func.func @decode(%past: tensor<1x2x64x4xf32> {graph.state = "past"}, %n: tensor<1xi64>, %q: tensor<1x2x1x4xf32>, %m: tensor<1x1x1x64xf32>, %s: tensor<2xf32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32> {graph.state = "past"}) {
  %k = graph.kv_write %past, %q starts %n counts %n axis 2 : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x64x4xf32>
  %a = graph.attention %q, %k, %k lengths %n sinks %s {causal, from_length, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1xi64>, tensor<2xf32>) -> tensor<1x2x1x4xf32>
  return %a, %k : tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>
}
}

// -----

// Lengths only end the keys, and no rank can say where its queries stand.
// expected-error-re @below {{KILN-E0209{{.*}}no cache can be divided among context-parallel ranks}}
module {
func.func @decode(%past: tensor<1x2x64x4xf32> {graph.state = "past"}, %n: tensor<1xi64>, %q: tensor<1x2x1x4xf32>, %m: tensor<1x1x1x64xf32>, %s: tensor<2xf32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32> {graph.state = "past"}) {
  %k = graph.kv_write %past, %q starts %n counts %n axis 2 : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x64x4xf32>
  %a = graph.attention %q, %k, %k lengths %n {causal, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1xi64>) -> tensor<1x2x1x4xf32>
  return %a, %k : tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>
}
}
