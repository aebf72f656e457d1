// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.attention_lse C1: rank 4
func.func @rank(%q: tensor<2x3x8xf32>, %k: tensor<2x4x5x8xf32>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C1) expected rank 4}}
  %0 = graph.attention_lse %q, %k {scale = 1.0 : f64} : (tensor<2x3x8xf32>, tensor<2x4x5x8xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// graph.attention_lse C2: one depth
func.func @depth(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x5x4xf32>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C2) dims do not match}}
  %0 = graph.attention_lse %q, %k {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x5x4xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// graph.attention_lse C3: groups of heads
func.func @heads(%q: tensor<2x4x3x8xf32>, %k: tensor<2x3x5x8xf32>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C3) key heads must divide query heads}}
  %0 = graph.attention_lse %q, %k {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// graph.attention_lse C5: a length per sequence
func.func @lengths(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x5x8xf32>, %n: tensor<3xi64>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C5) expected lengths of [2], found [3]}}
  %0 = graph.attention_lse %q, %k lengths %n {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xf32>, tensor<3xi64>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// graph.attention_lse C5: from_length with lengths
func.func @from_length(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x5x8xf32>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C5) from_length needs causal and lengths}}
  %0 = graph.attention_lse %q, %k {causal, from_length, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// graph.attention_lse C6: a cap above 0
func.func @softcap(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x5x8xf32>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C6) expected a positive softcap}}
  %0 = graph.attention_lse %q, %k {softcap = 0.0 : f64, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// graph.attention_lse C8: a window with causal
func.func @window(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x5x8xf32>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C8) expected a window of 1 to 2^30 and causal}}
  %0 = graph.attention_lse %q, %k {window = 2 : i64, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// graph.attention_lse C10: a scale per key
func.func @scales(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x5x8xi8>, %s: tensor<2x4x1xf32>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C10) expected scales [2, 4, 5] of f32}}
  %0 = graph.attention_lse %q, %k scales %s {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xi8>, tensor<2x4x1xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// graph.attention_lse C1: codes without scales
func.func @codes(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x5x8xi8>) -> tensor<2x4x3xf32> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{(C1)}}
  %0 = graph.attention_lse %q, %k {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xi8>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

func.func @result(%q: tensor<2x4x3x8xbf16>, %k: tensor<2x4x5x8xbf16>) -> tensor<2x4x3xbf16> {
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{inferred type(s) 'tensor<2x4x3xf32>' are incompatible with return type(s) of operation 'tensor<2x4x3xbf16>'}}
  %0 = graph.attention_lse %q, %k {scale = 1.0 : f64} : (tensor<2x4x3x8xbf16>, tensor<2x4x5x8xbf16>) -> tensor<2x4x3xbf16>
  return %0 : tensor<2x4x3xbf16>
}
