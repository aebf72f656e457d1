// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @scaled_matmul_c1_no_input_format(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C1) expected an input of i8, f16, bf16, f8E4M3FN or f4E2M1FN, found}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <ui8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c1_integers_by_float8(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<2x16x16x4xf8E4M3FN>) -> tensor<2x32xf32> {
  // expected-error@+2 {{(C1) no kernel multiplies}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <f8E4M3FN> columns 32 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}

// -----

func.func @scaled_matmul_c1_float8_by_integers(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x2x16xbf16>) -> tensor<3x32xf32> {
  // expected-error@+2 {{expected a weight of f8E4M3FN, f4E2M1FN}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <ui4, block 32, scale bf16> scales %t columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x8x16x4xui8>, tensor<2x2x16xbf16>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_float8_by_e3m2(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xui8>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) no kernel multiplies}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f6E3M2FN> columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xui8>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_float4_by_integers(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x8xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{expected a weight of f4E2M1FN}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f4E2M1FN, block 16, scale f8E4M3FN, per_row f32> row_scales %s scales %a by %w <ui4, block 16, scale f8E4M3FN> scales %t columns 32 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_accumulation_of_integers(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C1) expected wide accumulation}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate two_level : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c1_accumulation_of_float8(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) expected wide accumulation, of f8E4M3FN two_level or, of a weight without scales, fast, found wide}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 32 accumulate wide : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c1_fast_with_scales(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xf8E4M3FN>, %t: tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C1) expected wide accumulation}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN, block 32, scale f8E8M0FNU> scales %t columns 32 accumulate fast : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c2_input(%x: tensor<2x64xi16>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) expected an input [..., M, K] of 'i8'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi16>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_vector(%x: tensor<64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) expected an input [..., M, K]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_scale_type(%x: tensor<2x64xi8>, %s: tensor<2x2xf16>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) the format says that the input's scales are [2, 2] of f32}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf16>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_sums(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x4xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) the format says that the input's totals are [2, 2] of i32}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x4xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_no_sums(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C2) the format says that the input's totals are [2, 2] of i32, found none}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c2_halves_with_scales(%x: tensor<3x64xf16>, %s: tensor<3x2xf32>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x2x16xf16>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C2) the format says that the input's scales are none}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f16> scales %s by %w <ui4, block 32, scale f16> scales %t columns 32 accumulate wide : (tensor<3x64xf16>, tensor<3x2xf32>, tensor<2x8x16x4xui8>, tensor<2x2x16xf16>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c2_float8_block_scales(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x2xf32>, %w: tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C2) the format says that the input's row_scales are [3, 1] of f32}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x2xf32>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c2_float8_with_sums(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %u: tensor<3x1xi32>, %w: tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C2) the format says that the input's totals are none}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s totals %u by %w <f8E4M3FN> columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x1xi32>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c2_float4_scales(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x4xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C2) the format says that the input's scales are [3, 8] of f8E4M3FN}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f4E2M1FN, block 16, scale f8E4M3FN, per_row f32> row_scales %s scales %a by %w <f4E2M1FN, block 16, scale f8E4M3FN> scales %t columns 32 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x4xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_weight_type(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xi8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C3) expected panels [P, 8, W, 4]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xi8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c3_words(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x16x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C3) expected panels [P, 8, W, 4]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x16x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c3_float8_of_bytes(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xui8>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected panels [P, 16, W, 4]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xui8>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_scales(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C3) expected scales [3, 2, 16] of}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c3_zeros(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x8xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C3) expected zeros [3, 2, 16] of ui8}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x8xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c3_no_zeros(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C3) expected scales of a weight whose format has blocks, and zeros}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c3_no_scales(%x: tensor<3x64xf16>, %w: tensor<2x8x16x4xui8>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected scales of a weight whose format has blocks}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f16> by %w <ui4, block 32, scale f16> columns 32 accumulate wide : (tensor<3x64xf16>, tensor<2x8x16x4xui8>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_scales_without_format(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xf8E4M3FN>, %t: tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected scales of a weight whose format has blocks}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> scales %t columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c3_float4_scales_in_panels(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x8xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x8x16xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C3) expected scales [2, 2, 16, 4] of}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f4E2M1FN, block 16, scale f8E4M3FN, per_row f32> row_scales %s scales %a by %w <f4E2M1FN, block 16, scale f8E4M3FN> scales %t columns 32 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x8x16xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c4_columns(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C4) expected 33 to 48 columns, found 49}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 49 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c5_input_block(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{(C5) expected a known K in blocks of 48}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 48, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c5_weight_block(%x: tensor<3x64xf16>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x2x16xf16>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C5) expected K = 64 in blocks of a multiple of 8}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f16> by %w <ui4, block 48, scale f16> scales %t columns 32 accumulate wide : (tensor<3x64xf16>, tensor<2x8x16x4xui8>, tensor<2x2x16xf16>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c5_block_below_a_word(%x: tensor<3x64xf16>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x16x16xf16>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C5) expected K = 64 in blocks of a multiple of 8}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f16> by %w <ui4, block 4, scale f16> scales %t columns 32 accumulate wide : (tensor<3x64xf16>, tensor<2x8x16x4xui8>, tensor<2x16x16xf16>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c5_two_blocks(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x4x16xbf16>, %z: tensor<3x4x16xui8>) -> tensor<2x40xf32> {
  // expected-error@+2 {{the same of both operands, found 32 and 16}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 16, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x4x16xbf16>, tensor<3x4x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// -----

func.func @scaled_matmul_c5_no_k(%x: tensor<3x0xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x0x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C5) expected a known K}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 32 accumulate two_level : (tensor<3x0xf8E4M3FN>, tensor<3x1xf32>, tensor<2x0x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c5_float4_k(%x: tensor<3x96xui8>, %s: tensor<3x1xf32>, %a: tensor<3x6xf8E4M3FN>, %w: tensor<2x12x16x4xui8>, %t: tensor<2x1x16x4xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C5) expected K to be a multiple of 64}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f4E2M1FN, block 16, scale f8E4M3FN, per_row f32> row_scales %s scales %a by %w <f4E2M1FN, block 16, scale f8E4M3FN> scales %t columns 32 accumulate wide : (tensor<3x96xui8>, tensor<3x1xf32>, tensor<3x6xf8E4M3FN>, tensor<2x12x16x4xui8>, tensor<2x1x16x4xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c5_float4_block(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x4xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x2xf8E4M3FN>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C5) expected K to be a multiple of 64, and scales of both operands of f8E4M3FN per 16}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f4E2M1FN, block 32, scale f8E4M3FN, per_row f32> row_scales %s scales %a by %w <f4E2M1FN, block 32, scale f8E4M3FN> scales %t columns 32 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x4xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x2xf8E4M3FN>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

func.func @scaled_matmul_c5_float4_scale_types(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x8xf8E4M3FN>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xbf16>) -> tensor<3x32xf32> {
  // expected-error@+2 {{(C5) expected K to be a multiple of 64, and scales of both}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = graph.scaled_matmul %x <f4E2M1FN, block 16, scale f8E4M3FN, per_row f32> row_scales %s scales %a by %w <f4E2M1FN, block 16, scale bf16> scales %t columns 32 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xbf16>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}
