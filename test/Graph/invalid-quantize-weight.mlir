// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @quantize_weight_c1_rank(%w: tensor<2x64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C1) expected a static matrix}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w as <ui4, block 32, scale bf16, zero_point> : (tensor<2x64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c1_unit(%w: tensor<64x40xf32>, %u: tensor<1xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C1) expected a scalar unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w unit %u as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>, tensor<1xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c2_factor(%w: tensor<64x40xf32>, %f: tensor<40x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C2) expected a factor of 64 rows and columns}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w factor %f as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>, tensor<40x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c3_symmetric(%w: tensor<64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C3) expected blocks of f4E2M1FN, f6E2M3FN, or ui4 or ui8 with zero points}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w as <ui4, block 32, scale bf16> : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c3_zeros(%w: tensor<64x40xf32>) -> tensor<3x2x16xui8> {
  // expected-error@+2 {{(C3) expected blocks of f4E2M1FN, f6E2M3FN, or ui4 or ui8 with zero points, and zeros of the latter, found zeros}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight zeros of %w as <f4E2M1FN, block 32, scale bf16> : (tensor<64x40xf32>) -> tensor<3x2x16xui8>
  return %0 : tensor<3x2x16xui8>
}

// -----

func.func @quantize_weight_c3_float8(%w: tensor<64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C3) expected blocks of f4E2M1FN, f6E2M3FN}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w as <f8E4M3FN, block 32, scale f8E8M0FNU> : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c3_no_block(%w: tensor<64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C3) expected blocks of f4E2M1FN, f6E2M3FN}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w as <f4E2M1FN> : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c4_block(%w: tensor<64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C4) expected a block of a multiple of 8 that divides 64, found 48}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w as <ui4, block 48, scale bf16, zero_point> : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c5_unit_type(%w: tensor<64x40xf32>) -> tensor<f32> {
  // expected-error@+2 {{(C5) expected a unit of scales of f8E4M3FN}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight unit of %w as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @quantize_weight_c5_unit(%w: tensor<64x40xf32>, %u: tensor<f32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C5) expected a unit of scales of f8E4M3FN with one per tensor}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w unit %u as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>, tensor<f32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c6_factor(%w: tensor<64x40xf32>) -> tensor<64xf32> {
  // expected-error@+2 {{(C6) expected a factor of multipliers, a unit of neither and of no unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight multipliers of %w as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @quantize_weight_c6_unit(%w: tensor<64x40xf32>, %f: tensor<64x64xf32>, %u: tensor<f32>) -> tensor<64xf32> {
  // expected-error@+2 {{(C6) expected a factor of multipliers, a unit of neither and of no unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight multipliers of %w factor %f unit %u as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @quantize_weight_c6_unit_factor(%w: tensor<64x40xf32>, %f: tensor<64x64xf32>) -> tensor<f32> {
  // expected-error@+2 {{(C6) expected a factor of multipliers, a unit of neither and of no unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight unit of %w factor %f as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @quantize_weight_c6_unit_unit(%w: tensor<64x40xf32>, %u: tensor<f32>) -> tensor<f32> {
  // expected-error@+2 {{(C6) expected a factor of multipliers, a unit of neither and of no unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight unit of %w unit %u as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
