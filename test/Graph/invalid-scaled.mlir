// RUN: kiln-opt %s --split-input-file -verify-diagnostics

func.func @scaled_matmul_c1_codes(%x: tensor<2x64xi16>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C1) expected i8, ui8, f16, bf16 or f8E4M3FN}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi16>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c1_scaleType(%x: tensor<2x64xi8>, %s: tensor<2x2xf16>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C1) expected scales of f32 and totals of i32}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi8>, tensor<2x2xf16>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c1_totals(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x4xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C1) expected a scale and a sum per row and block}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x4xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_bits(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) expected 4 or 8 bits (e2m1: 4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 2 columns 40 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_bytes(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xi8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) expected 4 or 8 bits (e2m1: 4) in panels}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xi8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c3_weightScales(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xi32>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C3) expected scales [P, K / B, W] of floats}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xi32>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c3_zeros(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x8xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C3) expected zero points of ui8}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x8xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c4_columns(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C4) expected scales in the panels of the weight and 33 to 48 columns}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 49 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c5_words(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x16x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C5) expected K = 64 in blocks}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x16x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c5_blocks(%x: tensor<2x64xi8>, %s: tensor<2x32xf32>, %u: tensor<2x32xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x32x16xbf16>, %z: tensor<3x32x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C5) expected K = 64 in blocks of a multiple of 8}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi8>, tensor<2x32xf32>, tensor<2x32xi32>, tensor<3x8x16x4xui8>, tensor<3x32x16xbf16>, tensor<3x32x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c3_e2m1(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C3) expected zero points of ui8 as many as scales, and none for e2m1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 {e2m1} : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_e2m1(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x16x16x4xui8>, %t: tensor<3x2x16xbf16>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) expected 4 or 8 bits (e2m1: 4) in panels}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t bits 8 columns 40 {e2m1} : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x16x16x4xui8>, tensor<3x2x16xbf16>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @quantize_weight_c1_rank(%w: tensor<2x64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C1) expected a static matrix}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w bits 4 block 32 as bf16 : (tensor<2x64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c1_unit(%w: tensor<64x40xf32>, %u: tensor<1xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C1) expected a scalar unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w unit %u bits 4 block 32 as bf16 : (tensor<64x40xf32>, tensor<1xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c2_factor(%w: tensor<64x40xf32>, %f: tensor<40x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C2) expected a factor of 64 rows and columns}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w factor %f bits 4 block 32 as bf16 : (tensor<64x40xf32>, tensor<40x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c3_bits(%w: tensor<64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C3) expected 4 or 8 bits}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w bits 3 block 32 as bf16 : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c3_zeros(%w: tensor<64x40xf32>) -> tensor<3x2x16xui8> {
  // expected-error@+2 {{(C3) expected 4 or 8 bits, or e2m1 of 4 without zeros}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight zeros of %w bits 4 block 32 as bf16 {e2m1} : (tensor<64x40xf32>) -> tensor<3x2x16xui8>
  return %0 : tensor<3x2x16xui8>
}

// -----

func.func @quantize_weight_c3_e2m3(%w: tensor<64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C3) expected e2m3 alone and of 8 bits, found 4 bits}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w bits 4 block 32 as f8E8M0FNU {e2m3} : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c4_block(%w: tensor<64x40xf32>) -> tensor<3x8x16x4xui8> {
  // expected-error@+2 {{(C4) expected a block of a multiple of 8 that divides 64, found 48}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight codes of %w bits 4 block 48 as bf16 : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  return %0 : tensor<3x8x16x4xui8>
}

// -----

func.func @quantize_weight_c5_scaleType(%w: tensor<64x40xf32>) -> tensor<3x2x16xf64> {
  // expected-error@+2 {{(C5) expected a type of scales}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight scales of %w bits 4 block 32 as f64 : (tensor<64x40xf32>) -> tensor<3x2x16xf64>
  return %0 : tensor<3x2x16xf64>
}

// -----

func.func @quantize_weight_c5_unit(%w: tensor<64x40xf32>) -> tensor<f32> {
  // expected-error@+2 {{(C5) expected a type of scales}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight unit of %w bits 4 block 32 as bf16 : (tensor<64x40xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @quantize_weight_c6_multipliers(%w: tensor<64x40xf32>) -> tensor<64xf32> {
  // expected-error@+2 {{(C6) expected a factor of multipliers, a unit of neither and of no unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight multipliers of %w bits 4 block 32 as bf16 : (tensor<64x40xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @quantize_weight_c6_multipliersUnit(%w: tensor<64x40xf32>, %f: tensor<64x64xf32>, %u: tensor<f32>) -> tensor<64xf32> {
  // expected-error@+2 {{(C6) expected a factor of multipliers, a unit of neither and of no unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight multipliers of %w factor %f unit %u bits 4 block 32 as bf16 : (tensor<64x40xf32>, tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @quantize_weight_c6_unit(%w: tensor<64x40xf32>, %f: tensor<64x64xf32>) -> tensor<f32> {
  // expected-error@+2 {{(C6) expected a factor of multipliers, a unit of neither and of no unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight unit of %w factor %f bits 4 block 16 as f8E4M3FN : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @quantize_weight_c6_unitOfUnit(%w: tensor<64x40xf32>, %u: tensor<f32>) -> tensor<f32> {
  // expected-error@+2 {{(C6) expected a factor of multipliers, a unit of neither and of no unit}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.quantize_weight unit of %w unit %u bits 4 block 16 as f8E4M3FN : (tensor<64x40xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @scaled_matmul_c1_halves(%x: tensor<3x64xf16>, %s: tensor<3x2xf32>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x2x16xf16>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) expected the input itself in place of scales and totals}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %t bits 4 columns 32 : (tensor<3x64xf16>, tensor<3x2xf32>, tensor<3x64xf16>, tensor<2x8x16x4xui8>, tensor<2x2x16xf16>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_float8_scalePerBlock(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x2xf32>, %w: tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) expected a scale of f32 per row and the input itself}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %w bits 8 columns 32 : (tensor<3x64xf8E4M3FN>, tensor<3x2xf32>, tensor<3x64xf8E4M3FN>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_float8_totals(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xf8E4M3FN>, %u: tensor<3x1xi32>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) expected a scale of f32 per row and the input itself}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %w bits 8 columns 32 : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x1xi32>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c2_float8_codes(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C2) expected 4 or 8 bits (e2m1: 4) in panels}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %t bits 8 columns 32 : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c2_float8_bits(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x8x16x4xf8E4M3FN>, %t: tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C2) expected 4 or 8 bits (e2m1: 4) in panels}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %t bits 4 columns 32 : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x8x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_float8_zeros(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xf8E4M3FN>, %t: tensor<2x2x16xf8E8M0FNU>, %z: tensor<2x2x16xui8>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected a weight of f8E4M3FN to have neither}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %t zeros %z bits 8 columns 32 : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>, tensor<2x2x16xui8>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_float8_fastScales(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xf8E4M3FN>, %t: tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected a weight of f8E4M3FN to have neither}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %t bits 8 columns 32 {fast_accum} : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_codesAreNoScales(%x: tensor<3x64xi8>, %s: tensor<3x2xf32>, %w: tensor<2x16x16x4xui8>, %u: tensor<3x2xi32>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected a weight of f8E4M3FN to have neither}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %w bits 8 columns 32 : (tensor<3x64xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<2x16x16x4xui8>, tensor<2x16x16x4xui8>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c2_float8_e2m1OfNumbers(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x8x16x4xf8E4M3FN>, %t: tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C2) expected 4 or 8 bits (e2m1: 4) in panels}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %t bits 4 columns 32 {e2m1} : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x8x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_float8_codesAreNoScales(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x8x16x4xui8>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected a weight of f8E4M3FN to have neither}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %w bits 4 columns 32 {e2m1} : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x8x16x4xui8>, tensor<2x8x16x4xui8>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_float4_steps(%x: tensor<3x96xui8>, %s: tensor<3x1xf32>, %a: tensor<3x6xf8E4M3FN>, %w: tensor<2x12x16x4xui8>, %t: tensor<2x1x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) expected K to be a multiple of 64}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %a by %w scales %t bits 4 columns 32 {e2m1} : (tensor<3x96xui8>, tensor<3x1xf32>, tensor<3x6xf8E4M3FN>, tensor<2x12x16x4xui8>, tensor<2x1x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_float4_blocks(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x4xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) expected K to be a multiple of 64}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %a by %w scales %t bits 4 columns 32 {e2m1} : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x4xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_float4_rows(%x: tensor<3x128xui8>, %s: tensor<3x8xf32>, %a: tensor<3x8xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) expected K to be a multiple of 64}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %a by %w scales %t bits 4 columns 32 {e2m1} : (tensor<3x128xui8>, tensor<3x8xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_float4_groups(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x8xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x8x16xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected e2m1, no zero points and scales}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %a by %w scales %t bits 4 columns 32 {e2m1} : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x8x16xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_float4_types(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x8xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xf8E8M0FNU>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected e2m1, no zero points and scales}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %a by %w scales %t bits 4 columns 32 {e2m1} : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_float4_integers(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x8xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected e2m1, no zero points and scales}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %a by %w scales %t bits 4 columns 32 : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}
