// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @mma_c8_elements(%a: !tile.staged<2x4xf16>, %b: !tile.staged<4x8xf16>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C8) expects staged bf16 and 16 to 256 columns of f32 (4 or 8 by vdpbf16ps, too) for a dot product, found '!tile.staged<2x4xf16>'}}
  %0 = tile.mma %a, %b, %c {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<2x4xf16>, !tile.staged<4x8xf16>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_c8_columns(%a: !tile.staged<2x4xbf16>, %b: !tile.staged<4x12xbf16>, %c: !tile.frag<2x12xf32>) {
  // expected-error @+1 {{(C8) expects staged bf16 and 16 to 256 columns of f32 (4 or 8 by vdpbf16ps, too) for a dot product}}
  %0 = tile.mma %a, %b, %c {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<2x4xbf16>, !tile.staged<4x12xbf16>, !tile.frag<2x12xf32>
  return
}

// -----
func.func @mma_c8_registers(%a: !tile.frag<2x4xbf16>, %b: !tile.staged<4x8xbf16>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C8) expects staged bf16 and 16 to 256 columns of f32 (4 or 8 by vdpbf16ps, too) for a dot product}}
  %0 = tile.mma %a, %b, %c {dot = #tile.dot_product<vdpbf16ps>} : !tile.frag<2x4xbf16>, !tile.staged<4x8xbf16>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_c8_many_columns(%a: !tile.staged<1x4xbf16>, %b: !tile.staged<4x65536xbf16>, %c: !tile.frag<1x65536xf32>) {
  // expected-error@+1 {{(C8) expects staged bf16 and 16 to 256 columns of f32 (4 or 8 by vdpbf16ps, too) for a dot product}}
  %0 = tile.mma %a, %b, %c {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<1x4xbf16>, !tile.staged<4x65536xbf16>, !tile.frag<1x65536xf32>
  return
}

// -----
func.func @mma_c8_tile_columns(%a: !tile.staged<2x4xbf16>, %b: !tile.staged<4x8xbf16>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C8) expects staged bf16 and 16 to 256 columns of f32 (4 or 8 by vdpbf16ps, too) for a dot product, found '!tile.staged<2x4xbf16>'}}
  %0 = tile.mma %a, %b, %c {dot = #tile.dot_product<tdpbf16ps>} : !tile.staged<2x4xbf16>, !tile.staged<4x8xbf16>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_dot_unknown(%a: !tile.staged<2x4xbf16>, %b: !tile.staged<4x16xbf16>, %c: !tile.frag<2x16xf32>) {
  // expected-error @+2 {{expected ::kiln::tile::DotProduct to be one of: vdpbf16ps, tdpbf16ps}}
  // expected-error @+1 {{failed to parse Tile_DotProductAttr parameter 'value'}}
  %0 = tile.mma %a, %b, %c {dot = #tile.dot_product<tdpfp16ps>} : !tile.staged<2x4xbf16>, !tile.staged<4x16xbf16>, !tile.frag<2x16xf32>
  return
}

// -----
func.func @mma_c9(%a: !tile.staged<2x4xbf16>, %b: !tile.staged<4x16xbf16>, %c: !tile.frag<2x16xf32>, %n: index) {
  // expected-error @+1 {{(C9) expects tdpbf16ps for prefetches ahead}}
  %0 = tile.mma %a, %b, %c ahead %n {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<2x4xbf16>, !tile.staged<4x16xbf16>, !tile.frag<2x16xf32>
  return
}
