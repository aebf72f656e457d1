// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @scaled_mma_c1_rows(%x: !tile.staged<2x32xi8>, %s: !tile.staged<3x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C1) expects 2 rows of}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<3x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c1_element(%x: !tile.staged<2x32xf16>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C1) expects 2 rows of}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %c : (!tile.staged<2x32xf16>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c1_no_sums(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C1) expects 2 rows of}}
  %0 = tile.scaled_mma %x of i8 scales(%s) by %w of ui4 scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c1_halves_with_scales(%x: !tile.staged<2x32xf16>, %s: !tile.staged<2x1xf32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C1) expects 2 rows of}}
  %0 = tile.scaled_mma %x of f16 scales(%s) by %w of ui4 scales(%t) into %c : (!tile.staged<2x32xf16>, !tile.staged<2x1xf32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c1_halves_of_bytes(%x: !tile.staged<2x32xi8>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C1) expects 2 rows of}}
  %0 = tile.scaled_mma %x of f16 by %w of ui4 scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c1_float8_with_scales(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %w: !tile.staged<8x64xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C1) expects 2 rows of}}
  %0 = tile.scaled_mma %x of f8E4M3FN scales(%s) by %w of f8E4M3FN into %c : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<8x64xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c1_float8_of_halves(%x: !tile.staged<2x32xf16>, %w: !tile.staged<8x64xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C1) expects 2 rows of}}
  %0 = tile.scaled_mma %x of f8E4M3FN by %w of f8E4M3FN into %c : (!tile.staged<2x32xf16>, !tile.staged<8x64xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c1_float4_scales(%x: !tile.staged<8x64xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x32xi8>, %c: !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32> {
  // expected-error@+1 {{(C1) expects 8 rows of}}
  %0 = tile.scaled_mma %x of f4E2M1FN scales(%s) by %w of f4E2M1FN scales(%t) into %c {scale_type = f8E8M0FNU} : (!tile.staged<8x64xi8>, !tile.staged<8x4xi8>, !tile.staged<8x64xi8>, !tile.staged<1x32xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  return %0 : !tile.frag<8x16xf32>
}

// -----

func.func @scaled_mma_c2_columns(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x32xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x32xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c2_bytes_without_scale_type(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c2_scale_type(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %c {scale_type = f8E5M2} : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c2_zeros_of_float4(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %z: !tile.staged<1x16xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of f4E2M1FN scales(%t) zeros(%z) into %c : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.staged<1x16xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c2_zeros_of_float8(%x: !tile.staged<2x32xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x16xf32>, %z: !tile.staged<1x16xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of f8E4M3FN by %w of f8E4M3FN scales(%t) zeros(%z) into %c : (!tile.staged<2x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.staged<1x16xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c2_codes_without_scales(%x: !tile.staged<2x32xf16>, %w: !tile.staged<8x64xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of f16 by %w of ui8 into %c : (!tile.staged<2x32xf16>, !tile.staged<8x64xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c2_float4_without_scales(%x: !tile.staged<2x32xi8>, %w: !tile.staged<4x64xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of f8E4M3FN by %w of f4E2M1FN into %c : (!tile.staged<2x32xi8>, !tile.staged<4x64xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c2_float8_words(%x: !tile.staged<2x32xi8>, %w: !tile.staged<4x64xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of f8E4M3FN by %w of f8E4M3FN into %c : (!tile.staged<2x32xi8>, !tile.staged<4x64xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c2_float4_scales(%x: !tile.staged<8x64xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x32xi8>, %c: !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32> {
  // expected-error@+1 {{(C2) expects 16 columns of}}
  %0 = tile.scaled_mma %x of f4E2M1FN scales(%s) by %w of f4E2M1FN scales(%t) into %c {scale_type = f8E4M3FN} : (!tile.staged<8x64xi8>, !tile.staged<8x4xi8>, !tile.staged<8x64xi8>, !tile.staged<1x32xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  return %0 : !tile.frag<8x16xf32>
}

// -----

func.func @scaled_mma_c1_float4_no_scale_type(%x: !tile.staged<8x64xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x64xi8>, %c: !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32> {
  // expected-error@+1 {{(C1) expects 8 rows of}}
  %0 = tile.scaled_mma %x of f4E2M1FN scales(%s) by %w of f4E2M1FN scales(%t) into %c : (!tile.staged<8x64xi8>, !tile.staged<8x4xi8>, !tile.staged<8x64xi8>, !tile.staged<1x64xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  return %0 : !tile.frag<8x16xf32>
}

// -----

func.func @scaled_mma_c3_accumulator(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf16>) -> !tile.frag<2x16xf16> {
  // expected-error@+1 {{(C3) expects an accumulator MxN of f32}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf16>) -> !tile.frag<2x16xf16>
  return %0 : !tile.frag<2x16xf16>
}

// -----

func.func @scaled_mma_c4_width(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C4) expects i8, f16 or bf16 by ui4, ui8 or f4E2M1FN}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui2 scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c4_float8_by_integers(%x: !tile.staged<2x32xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x16xf32>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C4) expects i8, f16 or bf16 by ui4, ui8 or f4E2M1FN, f8E4M3FN by itself or f4E2M1FN}}
  %0 = tile.scaled_mma %x of f8E4M3FN by %w of ui8 scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c4_integers_by_float8(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C4) expects i8, f16 or bf16 by}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of f8E4M3FN scales(%t) into %c : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<8x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c4_float4_by_float8(%x: !tile.staged<8x64xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<16x64xi8>, %t: !tile.staged<1x64xi8>, %c: !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32> {
  // expected-error@+1 {{(C4) expects i8, f16 or bf16 by}}
  %0 = tile.scaled_mma %x of f4E2M1FN scales(%s) by %w of f8E4M3FN scales(%t) into %c {scale_type = f8E4M3FN} : (!tile.staged<8x64xi8>, !tile.staged<8x4xi8>, !tile.staged<16x64xi8>, !tile.staged<1x64xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  return %0 : !tile.frag<8x16xf32>
}

// -----

func.func @scaled_mma_c4_block(%x: !tile.staged<2x20xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C4) expects a block of a multiple of 8 steps}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %c : (!tile.staged<2x20xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c4_dynamic(%x: !tile.staged<2x?xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C4) expects a block of a multiple of 8 steps}}
  %0 = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %c : (!tile.staged<2x?xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c4_float4_steps(%x: !tile.staged<8x32xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x64xi8>, %c: !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32> {
  // expected-error@+1 {{of f4E2M1FN by itself 64}}
  %0 = tile.scaled_mma %x of f4E2M1FN scales(%s) by %w of f4E2M1FN scales(%t) into %c {scale_type = f8E4M3FN} : (!tile.staged<8x32xi8>, !tile.staged<8x4xi8>, !tile.staged<4x64xi8>, !tile.staged<1x64xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  return %0 : !tile.frag<8x16xf32>
}

// -----

func.func @scaled_mma_c5_fast_with_scales(%x: !tile.staged<2x32xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x16xf32>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C5) expects fast_accum of f8E4M3FN by itself and without scales}}
  %0 = tile.scaled_mma %x of f8E4M3FN by %w of f8E4M3FN scales(%t) into %c {fast_accum} : (!tile.staged<2x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}

// -----

func.func @scaled_mma_c5_fast_of_halves(%x: !tile.staged<2x32xf16>, %w: !tile.staged<8x64xi8>, %c: !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32> {
  // expected-error@+1 {{(C5) expects fast_accum of f8E4M3FN by itself and without scales}}
  %0 = tile.scaled_mma %x of f16 by %w of ui8 into %c {fast_accum} : (!tile.staged<2x32xf16>, !tile.staged<8x64xi8>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
  return %0 : !tile.frag<2x16xf32>
}
