// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @scaled_mma_c1_rows(%x: !tile.staged<2x32xi8>, %s: !tile.staged<3x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C1) expects codes, scales and totals of 2 rows}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 4 : !tile.staged<2x32xi8>, !tile.staged<3x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c1_codes(%x: !tile.staged<2x32xf16>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C1) expects codes, scales and totals of 2 rows}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 4 : !tile.staged<2x32xf16>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c2_columns(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x32xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C2) expects codes, scales and zeros of 16 columns}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 4 : !tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x32xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c2_scaleType(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C2) expects codes, scales and zeros of 16 columns}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 4 : !tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xi8>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c3_accumulator(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf16>) {
  // expected-error@+1 {{(C3) expects an accumulator MxN of f32}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 4 : !tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf16>
  return
}

// -----

func.func @scaled_mma_c4_bits(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C4) expects 4 or 8 bits, or e2m1 of 4 or e4m3 of 8 without zeros, found 2}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 2 : !tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c4_block(%x: !tile.staged<2x20xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C4) expects a block of a multiple of 8 steps}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 4 : !tile.staged<2x20xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c4_dynamic(%x: !tile.staged<2x?xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C4) expects a block of a multiple of 8 steps}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 4 : !tile.staged<2x?xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c2_narrowScale(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C2) expects codes, scales and zeros of 16 columns}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %c bits 4 {scale_type = f8E5M2} : !tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xi8>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c4_e2m1(%x: !tile.staged<2x32xi8>, %s: !tile.staged<2x1xf32>, %u: !tile.staged<2x1xi32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %z: !tile.staged<1x16xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C4) expects 4 or 8 bits, or e2m1 of 4 or e4m3 of 8 without zeros}}
  %0 = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) zeros(%z : !tile.staged<1x16xi8>) into %c bits 4 {e2m1} : !tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c1_halves(%x: !tile.staged<2x32xf16>, %s: !tile.staged<2x1xf32>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x16xbf16>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C1) expects codes, scales and totals of 2 rows}}
  %0 = tile.scaled_mma %x scales(%s, %x) by %w scales(%t) into %c bits 4 : !tile.staged<2x32xf16>, !tile.staged<2x1xf32>, !tile.staged<2x32xf16>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c1_e4m3(%x: !tile.staged<2x32xi8>, %w: !tile.staged<8x64xi8>, %s: !tile.staged<2x1xf32>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C1) expects codes, scales and totals of 2 rows}}
  %0 = tile.scaled_mma %x scales(%s, %x) by %w scales(%w) into %c bits 8 {e4m3} : !tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x32xi8>, !tile.staged<8x64xi8>, !tile.staged<8x64xi8>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c1_e4m3OfHalves(%x: !tile.staged<2x32xf16>, %w: !tile.staged<8x64xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C1) expects codes, scales and totals of 2 rows}}
  %0 = tile.scaled_mma %x scales(%x, %x) by %w scales(%w) into %c bits 8 {e4m3} : !tile.staged<2x32xf16>, !tile.staged<2x32xf16>, !tile.staged<2x32xf16>, !tile.staged<8x64xi8>, !tile.staged<8x64xi8>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c2_codesAreNoScales(%x: !tile.staged<2x32xf16>, %w: !tile.staged<8x64xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C2) expects codes, scales and zeros of 16 columns}}
  %0 = tile.scaled_mma %x scales(%x, %x) by %w scales(%w) into %c bits 8  : !tile.staged<2x32xf16>, !tile.staged<2x32xf16>, !tile.staged<2x32xf16>, !tile.staged<8x64xi8>, !tile.staged<8x64xi8>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c4_e4m3Bits(%x: !tile.staged<2x32xi8>, %w: !tile.staged<4x64xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C4) expects 4 or 8 bits, or e2m1 of 4 or e4m3 of 8 without zeros}}
  %0 = tile.scaled_mma %x scales(%x, %x) by %w scales(%w) into %c bits 4 {e4m3} : !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<4x64xi8>, !tile.staged<4x64xi8>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c4_e4m3Zeros(%x: !tile.staged<2x32xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x16xf32>, %z: !tile.staged<1x16xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C4) expects 4 or 8 bits, or e2m1 of 4 or e4m3 of 8 without zeros}}
  %0 = tile.scaled_mma %x scales(%x, %x) by %w scales(%t) zeros(%z : !tile.staged<1x16xi8>) into %c bits 8 {e4m3} : !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c5_fastScales(%x: !tile.staged<2x32xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x16xf32>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C5) expects fast_accum with e4m3 and without scales}}
  %0 = tile.scaled_mma %x scales(%x, %x) by %w scales(%t) into %c bits 8 {e4m3, fast_accum} : !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c5_fastHalves(%x: !tile.staged<2x32xf16>, %w: !tile.staged<8x64xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C5) expects fast_accum with e4m3 and without scales}}
  %0 = tile.scaled_mma %x scales(%x, %x) by %w scales(%w) into %c bits 8 {fast_accum} : !tile.staged<2x32xf16>, !tile.staged<2x32xf16>, !tile.staged<2x32xf16>, !tile.staged<8x64xi8>, !tile.staged<8x64xi8>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c4_e2m1OfBytes(%x: !tile.staged<2x32xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x16xf32>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C4) expects 4 or 8 bits, or e2m1 of 4 or e4m3 of 8 without zeros}}
  %0 = tile.scaled_mma %x scales(%x, %x) by %w scales(%t) into %c bits 8 {e2m1, e4m3} : !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c2_codesOfE4m3WithoutScales(%x: !tile.staged<2x32xi8>, %w: !tile.staged<4x64xi8>, %c: !tile.frag<2x16xf32>) {
  // expected-error@+1 {{(C2) expects codes, scales and zeros of 16 columns}}
  %0 = tile.scaled_mma %x scales(%x, %x) by %w scales(%w) into %c bits 4 {e2m1, e4m3} : !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<2x32xi8>, !tile.staged<4x64xi8>, !tile.staged<4x64xi8>, !tile.frag<2x16xf32>
  return
}

// -----

func.func @scaled_mma_c1_float4_steps(%x: !tile.staged<8x32xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<4x64xi8>, %t: !tile.staged<1x64xi8>, %c: !tile.frag<8x16xf32>) {
  // expected-error@+1 {{(C1) expects 64 codes and 4 scales of 8 rows}}
  %0 = tile.scaled_mma %x scales(%s, %x) by %w scales(%t) into %c bits 4 {e2m1, scale_type = f8E4M3FN} : !tile.staged<8x32xi8>, !tile.staged<8x4xi8>, !tile.staged<8x32xi8>, !tile.staged<4x64xi8>, !tile.staged<1x64xi8>, !tile.frag<8x16xf32>
  return
}

// -----

func.func @scaled_mma_c1_float4_scales(%x: !tile.staged<8x64xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x32xi8>, %c: !tile.frag<8x16xf32>) {
  // expected-error@+1 {{(C1) expects 64 codes and 2 scales of 8 rows}}
  %0 = tile.scaled_mma %x scales(%s, %x) by %w scales(%t) into %c bits 4 {e2m1, scale_type = f8E8M0FNU} : !tile.staged<8x64xi8>, !tile.staged<8x4xi8>, !tile.staged<8x64xi8>, !tile.staged<8x64xi8>, !tile.staged<1x32xi8>, !tile.frag<8x16xf32>
  return
}

// -----

func.func @scaled_mma_c2_float4_scales(%x: !tile.staged<8x64xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x32xi8>, %c: !tile.frag<8x16xf32>) {
  // expected-error@+1 {{(C2) expects 64 codes and 4 scales of 16 columns}}
  %0 = tile.scaled_mma %x scales(%s, %x) by %w scales(%t) into %c bits 4 {e2m1, scale_type = f8E4M3FN} : !tile.staged<8x64xi8>, !tile.staged<8x4xi8>, !tile.staged<8x64xi8>, !tile.staged<8x64xi8>, !tile.staged<1x32xi8>, !tile.frag<8x16xf32>
  return
}

// -----

func.func @scaled_mma_c4_float4_scaleType(%x: !tile.staged<8x64xi8>, %s: !tile.staged<8x4xi8>, %w: !tile.staged<8x64xi8>, %t: !tile.staged<1x64xi8>, %c: !tile.frag<8x16xf32>) {
  // expected-error@+1 {{(C4) expects codes of f4E2M1FN to have 4 bits}}
  %0 = tile.scaled_mma %x scales(%s, %x) by %w scales(%t) into %c bits 4 {e2m1} : !tile.staged<8x64xi8>, !tile.staged<8x4xi8>, !tile.staged<8x64xi8>, !tile.staged<8x64xi8>, !tile.staged<1x64xi8>, !tile.frag<8x16xf32>
  return
}
