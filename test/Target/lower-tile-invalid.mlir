// RUN: kiln-opt --kiln-lower-tile --split-input-file %s -verify-diagnostics

tile.kernel @call() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  // expected-error @+2 {{KILN-E0403: kernel 'call': an op that has no meaning on the host; found cf.assert}}
  %true = arith.constant true
  cf.assert %true, "no"
}

// -----

tile.kernel @left_in_registers(%b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x8xf32, [8, 1]>
  %a = tile.fill %one : f32 -> !tile.frag<2x4xf32>
  %c = tile.fill %one : f32 -> !tile.frag<2x8xf32>
  %s = tile.stage %B[%c0, %c0] : !tile.view<4x8xf32, [8, 1]> -> !tile.staged<4x8xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'left_in_registers': a left operand in registers; found tile.mma}}
  %n = tile.mma %a, %s, %c : !tile.frag<2x4xf32>, !tile.staged<4x8xf32>, !tile.frag<2x8xf32>
}

// -----

tile.kernel @right_in_registers(%b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x4xf32, [4, 1]>
  %a = tile.fill %one : f32 -> !tile.frag<4x8xf32>
  %c = tile.fill %one : f32 -> !tile.frag<2x8xf32>
  %s = tile.stage %B[%c0, %c0] : !tile.view<2x4xf32, [4, 1]> -> !tile.staged<2x4xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'right_in_registers': a right operand in registers; found tile.mma}}
  %n = tile.mma %s, %a, %c : !tile.staged<2x4xf32>, !tile.frag<4x8xf32>, !tile.frag<2x8xf32>
}

// -----

tile.kernel @block_scales(%a: !tile.buffer<f8E5M2>, %p: !tile.buffer<f8E8M0FNU>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f8E5M2> -> !tile.view<32x32xf8E5M2, [32, 1]>
  %Q = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f8E8M0FNU> -> !tile.view<32x1xf8E8M0FNU, [1, 1]>
  %R = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f8E8M0FNU> -> !tile.view<1x32xf8E8M0FNU, [32, 1]>
  %c = tile.fill %one : f32 -> !tile.frag<32x32xf32>
  %s = tile.stage %A[%c0, %c0] : !tile.view<32x32xf8E5M2, [32, 1]> -> !tile.staged<32x32xf8E5M2>
  %l = tile.stage %Q[%c0, %c0] : !tile.view<32x1xf8E8M0FNU, [1, 1]> -> !tile.staged<32x1xf8E8M0FNU>
  %r = tile.stage %R[%c0, %c0] : !tile.view<1x32xf8E8M0FNU, [32, 1]> -> !tile.staged<1x32xf8E8M0FNU>
  // expected-error @+1 {{KILN-E0403: kernel 'block_scales': a product with block scales; found tile.mma}}
  %n = tile.mma %s, %s, %c scales(%l, %r : !tile.staged<32x1xf8E8M0FNU>, !tile.staged<1x32xf8E8M0FNU>) : !tile.staged<32x32xf8E5M2>, !tile.staged<32x32xf8E5M2>, !tile.frag<32x32xf32>
}

// -----

tile.kernel @few_columns(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x8xi8, [8, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x4xf32, [4, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %c = tile.fill %one : f32 -> !tile.frag<1x4xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<1x8xi8, [8, 1]> -> !tile.staged<1x8xi8>
  %w = tile.stage %W[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<1x4xf32, [4, 1]> -> !tile.staged<1x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<1x4xf32, [4, 1]> -> !tile.staged<1x4xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<1x1xi32, [1, 1]> -> !tile.staged<1x1xi32>
  // expected-error @+1 {{KILN-E0403: kernel 'few_columns': columns that fill no registers; found tile.scaled_mma}}
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w of ui4 scales(%r) into %c : (!tile.staged<1x8xi8>, !tile.staged<1x1xf32>, !tile.staged<1x1xi32>, !tile.staged<1x16xi8>, !tile.staged<1x4xf32>, !tile.frag<1x4xf32>) -> !tile.frag<1x4xf32>
}

// -----

// A load region that cannot be lowered ends its kernel: what it stages is there for no one.
tile.kernel @load_of_a_pipeline(%a: !tile.buffer<f32>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "matmul", grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %row = arith.muli %t, %c8 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<9x8xf32, [8, 1]>
  tile.pipeline %c0 to %c8 step %c8 load {
  ^bb0(%k: index):
    // expected-error @below {{KILN-E0403: kernel 'load_of_a_pipeline': a staged tile that may reach outside of its view}}
    %x = tile.stage %A[%row, %k] masked [0] : !tile.view<9x8xf32, [8, 1]> -> !tile.staged<8x8xf32>
    tile.yield %x : !tile.staged<8x8xf32>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<8x8xf32>):
    tile.yield
  }
}

// -----

tile.kernel @pairs(%a: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<16x16xbf16, [16, 1]>
  %s = tile.stage %v[%c0, %c0] : !tile.view<16x16xbf16, [16, 1]> -> !tile.staged<16x16xbf16>
  %c = tile.fill %z : f32 -> !tile.frag<16x16xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'pairs': vdpbf16ps without avx512bf16; found tile.mma}}
  %n = tile.mma %s, %s, %c {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<16x16xbf16>, !tile.staged<16x16xbf16>, !tile.frag<16x16xf32>
}

// -----

tile.kernel @tiles(%a: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<16x16xbf16, [16, 1]>
  %s = tile.stage %v[%c0, %c0] : !tile.view<16x16xbf16, [16, 1]> -> !tile.staged<16x16xbf16>
  %c = tile.fill %z : f32 -> !tile.frag<16x16xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'tiles': tdpbf16ps without amx-bf16; found tile.mma}}
  %n = tile.mma %s, %s, %c {dot = #tile.dot_product<tdpbf16ps>} : !tile.staged<16x16xbf16>, !tile.staged<16x16xbf16>, !tile.frag<16x16xf32>
}
