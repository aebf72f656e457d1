// RUN: kiln-opt %s -split-input-file -verify-diagnostics
// Block scales of tile.mma that no format has.

func.func @mma_c6_mixed(%a: !tile.staged<16x64xf8E4M3FN>, %b: !tile.staged<64x8xf8E4M3FN>, %c: !tile.frag<16x8xf32>, %s: !tile.staged<16x4xf8E8M0FNU>) {
  // expected-error @+1 {{(C6) expects operands and scales of a format, found 'f8E4M3FN' by 'f8E8M0FNU' and 'f8E4M3FN' by 'f8E4M3FN'}}
  %0 = tile.mma %a, %b, %c scales(%s, %a : !tile.staged<16x4xf8E8M0FNU>, !tile.staged<16x64xf8E4M3FN>) : !tile.staged<16x64xf8E4M3FN>, !tile.staged<64x8xf8E4M3FN>, !tile.frag<16x8xf32>
  return
}

// -----
// Blocks of 16 are NVFP4's.
func.func @mma_c5(%a: !tile.staged<16x64xf8E4M3FN>, %b: !tile.staged<64x8xf8E4M3FN>, %c: !tile.frag<16x8xf32>, %s: !tile.staged<16x4xf8E8M0FNU>, %t: !tile.staged<4x8xf8E8M0FNU>) {
  // expected-error @+1 {{(C5) expects scales of every 32 steps of K, found '!tile.staged<16x4xf8E8M0FNU>' and '!tile.staged<4x8xf8E8M0FNU>'}}
  %0 = tile.mma %a, %b, %c scales(%s, %t : !tile.staged<16x4xf8E8M0FNU>, !tile.staged<4x8xf8E8M0FNU>) : !tile.staged<16x64xf8E4M3FN>, !tile.staged<64x8xf8E4M3FN>, !tile.frag<16x8xf32>
  return
}

// -----
func.func @mma_c5_remainder(%a: !tile.frag<16x40xf8E5M2>, %b: !tile.frag<40x8xf8E5M2>, %c: !tile.frag<16x8xf32>, %s: !tile.frag<16x1xf8E8M0FNU>, %t: !tile.frag<1x8xf8E8M0FNU>) {
  // expected-error @+1 {{(C5) expects scales of every 32 steps of K}}
  %0 = tile.mma %a, %b, %c scales(%s, %t : !tile.frag<16x1xf8E8M0FNU>, !tile.frag<1x8xf8E8M0FNU>) : !tile.frag<16x40xf8E5M2>, !tile.frag<40x8xf8E5M2>, !tile.frag<16x8xf32>
  return
}

// -----
func.func @mma_c5_dynamic(%a: !tile.staged<16x?xf8E5M2>, %b: !tile.staged<?x8xf8E5M2>, %c: !tile.frag<16x8xf32>, %s: !tile.frag<16x1xf8E8M0FNU>, %t: !tile.frag<1x8xf8E8M0FNU>) {
  // expected-error @+1 {{(C5) expects scales of every 32 steps of K}}
  %0 = tile.mma %a, %b, %c scales(%s, %t : !tile.frag<16x1xf8E8M0FNU>, !tile.frag<1x8xf8E8M0FNU>) : !tile.staged<16x?xf8E5M2>, !tile.staged<?x8xf8E5M2>, !tile.frag<16x8xf32>
  return
}

// -----
func.func @mma_c5_one(%a: !tile.frag<16x32xf8E5M2>, %b: !tile.frag<32x8xf8E5M2>, %c: !tile.frag<16x8xf32>, %s: !tile.frag<16x1xf8E8M0FNU>) {
  // expected-error @+1 {{(C5) expects scales of both operands or of neither}}
  %0 = "tile.mma"(%a, %b, %c, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (!tile.frag<16x32xf8E5M2>, !tile.frag<32x8xf8E5M2>, !tile.frag<16x8xf32>, !tile.frag<16x1xf8E8M0FNU>) -> !tile.frag<16x8xf32>
  return
}

// -----
// MXFP4 has scales that are powers of two, NVFP4 those of f8E4M3FN, of every 16 steps.
func.func @mma_c6(%a: !tile.frag<16x64xf8E4M3FN>, %b: !tile.frag<64x8xf8E4M3FN>, %c: !tile.frag<16x8xf32>, %s: !tile.frag<16x4xf8E4M3FN>, %t: !tile.frag<4x8xf8E4M3FN>) {
  // expected-error @+1 {{(C6) expects operands and scales of a format, found 'f8E4M3FN' by 'f8E4M3FN' and 'f8E4M3FN' by 'f8E4M3FN'}}
  %0 = tile.mma %a, %b, %c scales(%s, %t : !tile.frag<16x4xf8E4M3FN>, !tile.frag<4x8xf8E4M3FN>) : !tile.frag<16x64xf8E4M3FN>, !tile.frag<64x8xf8E4M3FN>, !tile.frag<16x8xf32>
  return
}

// -----
func.func @mma_c6_wide(%a: !tile.frag<16x32xf16>, %b: !tile.frag<32x8xf16>, %c: !tile.frag<16x8xf32>, %s: !tile.frag<16x1xf8E8M0FNU>, %t: !tile.frag<1x8xf8E8M0FNU>) {
  // expected-error @+1 {{(C6) expects operands and scales of a format, found 'f16' by 'f8E8M0FNU'}}
  %0 = tile.mma %a, %b, %c scales(%s, %t : !tile.frag<16x1xf8E8M0FNU>, !tile.frag<1x8xf8E8M0FNU>) : !tile.frag<16x32xf16>, !tile.frag<32x8xf16>, !tile.frag<16x8xf32>
  return
}

// -----
func.func @mma_c7(%a: !tile.frag<16x32xf6E3M2FN>, %b: !tile.frag<32x8xf4E2M1FN>, %c: !tile.frag<16x8xf16>, %s: !tile.frag<16x1xf8E8M0FNU>, %t: !tile.frag<1x8xf8E8M0FNU>) {
  // expected-error @+1 {{(C7) expects an accumulator of f32, found '!tile.frag<16x8xf16>'}}
  %0 = tile.mma %a, %b, %c scales(%s, %t : !tile.frag<16x1xf8E8M0FNU>, !tile.frag<1x8xf8E8M0FNU>) : !tile.frag<16x32xf6E3M2FN>, !tile.frag<32x8xf4E2M1FN>, !tile.frag<16x8xf16>
  return
}
