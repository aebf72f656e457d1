// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @mma_c8_elements(%a: !tile.staged<2x4xf16>, %b: !tile.staged<4x8xf16>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C8) expects staged bf16 and 4, 8 or 16 to 256 columns of f32 for pairs, found '!tile.staged<2x4xf16>'}}
  %0 = tile.mma %a, %b, %c {pairs} : !tile.staged<2x4xf16>, !tile.staged<4x8xf16>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_c8_columns(%a: !tile.staged<2x4xbf16>, %b: !tile.staged<4x12xbf16>, %c: !tile.frag<2x12xf32>) {
  // expected-error @+1 {{(C8) expects staged bf16 and 4, 8 or 16 to 256 columns of f32 for pairs}}
  %0 = tile.mma %a, %b, %c {pairs} : !tile.staged<2x4xbf16>, !tile.staged<4x12xbf16>, !tile.frag<2x12xf32>
  return
}

// -----
func.func @mma_c8_registers(%a: !tile.frag<2x4xbf16>, %b: !tile.staged<4x8xbf16>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C8) expects staged bf16 and 4, 8 or 16 to 256 columns of f32 for pairs}}
  %0 = tile.mma %a, %b, %c {pairs} : !tile.frag<2x4xbf16>, !tile.staged<4x8xbf16>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_c8_many_columns(%a: !tile.staged<1x4xbf16>, %b: !tile.staged<4x65536xbf16>, %c: !tile.frag<1x65536xf32>) {
  // expected-error@+1 {{(C8) expects staged bf16 and 4, 8 or 16 to 256 columns of f32 for pairs}}
  %0 = tile.mma %a, %b, %c {pairs} : !tile.staged<1x4xbf16>, !tile.staged<4x65536xbf16>, !tile.frag<1x65536xf32>
  return
}
