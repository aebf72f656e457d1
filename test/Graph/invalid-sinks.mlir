// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// Sinks and windows of attention that do not fit.

// graph.attention C7: a sink for each key head
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x2x3x8xf32>, %s: tensor<2xf32>) {
  // expected-error@below {{(C7) expected a sink per query head, [4], found [2]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %k sinks %s {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x2x3x8xf32>, tensor<2x2x3x8xf32>, tensor<2xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C7: sinks of a type that is neither the query's nor f32
func.func @f(%q: tensor<2x4x3x8xbf16>, %s: tensor<4xf16>) {
  // expected-error@below {{(C7) expected equal element types, found 'bf16' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q sinks %s {scale = 1.0 : f64} : (tensor<2x4x3x8xbf16>, tensor<2x4x3x8xbf16>, tensor<2x4x3x8xbf16>, tensor<4xf16>) -> tensor<2x4x3x8xbf16>
  return
}

// -----

// graph.attention C8: a window of no keys
func.func @f(%q: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C8) expected a window of 1 to 2^30 and causal, found 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q {causal, scale = 1.0 : f64, window = 0 : i64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C8: a window of what is not causal
func.func @f(%q: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C8) expected a window of 1 to 2^30 and causal, found 2 without causal}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q {scale = 1.0 : f64, window = 2 : i64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C8: a window longer than 2^30
func.func @f(%q: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C8) expected a window of 1 to 2^30 and causal, found 1073741825}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q {causal, scale = 1.0 : f64, window = 1073741825 : i64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C9: what hides is a mask
func.func @f(%q: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C9) mask_hides needs a mask}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q {mask_hides, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C11: what is not kept is replaced by a mask
func.func @f(%q: tensor<2x4x3x8xf32>, %c: tensor<3x3xi1>) {
  // expected-error@below {{(C11) keep needs a mask without mask_hides}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q keep %c {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<3x3xi1>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C11: a condition for other scores
func.func @f(%q: tensor<2x4x3x8xf32>, %m: tensor<3x3xf32>, %c: tensor<3x4xi1>) {
  // expected-error@below {{(C11) keep [3, 4] does not broadcast to [2, 4, 3, 3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q mask %m keep %c {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<3x3xf32>, tensor<3x4xi1>) -> tensor<2x4x3x8xf32>
  return
}
