// RUN: kiln-opt %s --split-input-file -verify-diagnostics

func.func @scaled_matmul_c1_codes(%x: tensor<2x64xui8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C1) expected codes of i8}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xui8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
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
  // expected-error@+2 {{(C2) expected 4 or 8 bits}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 2 columns 40 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_bytes(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xi8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) expected 4 or 8 bits in panels}}
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
