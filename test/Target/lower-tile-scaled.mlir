// RUN: kiln-opt %s --kiln-lower-tile="features=avx512bw,avx512vl,avx512vnni,amx-int8" | FileCheck %s --check-prefix=TILES
// RUN: kiln-opt %s --kiln-lower-tile="features=avx512bw,avx512vl,avx512vnni" | FileCheck %s --check-prefix=VNNI --implicit-check-not=llvm.x86.t
// RUN: kiln-opt %s --kiln-lower-tile | FileCheck %s --check-prefix=AVX2 --implicit-check-not=llvm.x86.t --implicit-check-not=avx512
// Products of codes: in tile registers (AMX), by VNNI, by 16-bit products.

// 16 rows, 8 bits, blocks of 128: two tiles of 64 steps, both operands from where they lie.
// TILES-LABEL: llvm.func @tall
// TILES: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// TILES: llvm.call_intrinsic "llvm.x86.tilezero"
// TILES-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbsud"
// TILES-NOT: tdpbsud
// TILES: llvm.call_intrinsic "llvm.x86.tilestored64"
// TILES-NOT: vpdpbusd
// TILES: llvm.call_intrinsic "llvm.x86.tilerelease"
// VNNI-LABEL: llvm.func @tall
// VNNI: scf.for
// VNNI-COUNT-16: "llvm.x86.avx512.vpdpbusd.512"
// VNNI-NOT: vpdpbusd
// VNNI: scf.yield
// AVX2-LABEL: llvm.func @tall
// AVX2: "llvm.x86.avx2.pmadd.wd"
tile.kernel @tall(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<16x128xi8, [128, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<32x64xi8, [64, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<16x1xi32, [1, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<16x128xi8, [128, 1]> -> !tile.staged<16x128xi8>
  %w = tile.stage %W[%c0, %c0] : !tile.view<32x64xi8, [64, 1]> -> !tile.staged<32x64xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<16x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<16x1xi32, [1, 1]> -> !tile.staged<16x1xi32>
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w of ui8 scales(%r) into %c : (!tile.staged<16x128xi8>, !tile.staged<16x1xf32>, !tile.staged<16x1xi32>, !tile.staged<32x64xi8>, !tile.staged<1x16xf32>, !tile.frag<16x16xf32>) -> !tile.frag<16x16xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// 8 rows, 4 bits, blocks of 32: half a tile, from codes that are unpacked to the stack.
// TILES-LABEL: llvm.func @short_four_bits
// TILES: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// TILES: arith.shrui
// TILES: llvm.store {{.*}} vector<64xi8>
// TILES-COUNT-1: llvm.call_intrinsic "llvm.x86.tdpbsud"
// TILES-NOT: tdpbsud
// TILES: llvm.call_intrinsic "llvm.x86.tilerelease"
// VNNI-LABEL: llvm.func @short_four_bits
// VNNI: scf.for
// VNNI-COUNT-16: "llvm.x86.avx512.vpdpbusd.512"
// VNNI-NOT: vpdpbusd
// VNNI: scf.yield
// AVX2-LABEL: llvm.func @short_four_bits
// AVX2: "llvm.x86.avx2.pmadd.ub.sw"
tile.kernel @short_four_bits(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x32xi8, [32, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4x64xi8, [64, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8x1xi32, [1, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<8x32xi8, [32, 1]> -> !tile.staged<8x32xi8>
  %w = tile.stage %W[%c0, %c0] : !tile.view<4x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<8x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<8x1xi32, [1, 1]> -> !tile.staged<8x1xi32>
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w of ui4 scales(%r) into %c : (!tile.staged<8x32xi8>, !tile.staged<8x1xf32>, !tile.staged<8x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xf32>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// Not: rows that are no tile, and blocks that are none.
// TILES-LABEL: llvm.func @few_rows
// TILES-NOT: llvm.x86.{{tile|ldtile|tdp}}
// TILES-COUNT-24: "llvm.x86.avx512.vpdpbusd.512"
// TILES-NOT: llvm.x86.{{tile|ldtile|tdp}}
tile.kernel @few_rows(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3x32xi8, [32, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8x1xi32, [1, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x16xf32, [16, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<3x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<3x32xi8, [32, 1]> -> !tile.staged<3x32xi8>
  %w = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<3x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<8x1xi32, [1, 1]> -> !tile.staged<3x1xi32>
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w of ui8 scales(%r) into %c : (!tile.staged<3x32xi8>, !tile.staged<3x1xf32>, !tile.staged<3x1xi32>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.frag<3x16xf32>) -> !tile.frag<3x16xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<3x16xf32>, !tile.view<3x16xf32, [16, 1]>
}

// TILES-LABEL: llvm.func @blocks_of_16
// TILES-NOT: llvm.x86.{{tile|ldtile|tdp}}
// TILES-COUNT-8: "llvm.x86.avx512.vpdpbusd.512"
// TILES-NOT: vpdpbusd
// TILES: scf.yield
tile.kernel @blocks_of_16(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x16xi8, [16, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4x64xi8, [64, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8x1xi32, [1, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<8x16xi8, [16, 1]> -> !tile.staged<8x16xi8>
  %w = tile.stage %W[%c0, %c0] : !tile.view<4x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<8x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<8x1xi32, [1, 1]> -> !tile.staged<8x1xi32>
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w of ui8 scales(%r) into %c : (!tile.staged<8x16xi8>, !tile.staged<8x1xf32>, !tile.staged<8x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xf32>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// Numbers of f16 have neither: f32 on both sides, 16 steps of three rows, and a scale for each. TILES and VNNI as well.
// TILES-LABEL: llvm.func @halves
// VNNI-LABEL: llvm.func @halves
// AVX2-LABEL: llvm.func @halves
// AVX2-NOT: pmadd
// AVX2: arith.extf {{.*}} : f16 to f32
// AVX2-COUNT-51: math.fma
// AVX2-NOT: math.fma
tile.kernel @halves(%a: !tile.buffer<f16>, %b: !tile.buffer<i8>, %p: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<3x16xf16, [16, 1]>
  %W = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x32xi8, [32, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x8xf32, [8, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x8xf32, [8, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<3x8xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<3x16xf16, [16, 1]> -> !tile.staged<3x16xf16>
  %w = tile.stage %W[%c0, %c0] : !tile.view<2x32xi8, [32, 1]> -> !tile.staged<2x32xi8>
  %r = tile.stage %P[%c0, %c0] : !tile.view<1x8xf32, [8, 1]> -> !tile.staged<1x8xf32>
  %n = tile.scaled_mma %x of f16 by %w of ui4 scales(%r) into %c : (!tile.staged<3x16xf16>, !tile.staged<2x32xi8>, !tile.staged<1x8xf32>, !tile.frag<3x8xf32>) -> !tile.frag<3x8xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<3x8xf32>, !tile.view<3x8xf32, [8, 1]>
}

// Two panels by the same rows: one loop over the words of both, in which a row's codes are read once.
// AVX2-LABEL: llvm.func @side_by_side
// VNNI-LABEL: llvm.func @side_by_side
// VNNI: scf.for {{.*}} iter_args
// VNNI-COUNT-4: llvm.load {{.*}} -> i32
// VNNI-NOT: llvm.load
// VNNI: scf.yield
// VNNI-NOT: vpdpbusd
tile.kernel @side_by_side(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x16xi8, [16, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8x1xi32, [1, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<4x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<8x16xi8, [16, 1]> -> !tile.staged<4x16xi8>
  %z = tile.stage %A[%c4, %c0] : !tile.view<8x16xi8, [16, 1]> -> !tile.staged<4x16xi8>
  %w0 = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %w1 = tile.stage %W[%c4, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<4x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<8x1xi32, [1, 1]> -> !tile.staged<4x1xi32>
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w0 of ui8 scales(%r) into %c : (!tile.staged<4x16xi8>, !tile.staged<4x1xf32>, !tile.staged<4x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xf32>, !tile.frag<4x16xf32>) -> !tile.frag<4x16xf32>
  %m = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w1 of ui8 scales(%r) into %c : (!tile.staged<4x16xi8>, !tile.staged<4x1xf32>, !tile.staged<4x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xf32>, !tile.frag<4x16xf32>) -> !tile.frag<4x16xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<8x16xf32, [16, 1]>
  tile.store %m, %Y[%c4, %c0] : !tile.frag<4x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// Not: other rows. Four sums each are too few for a loop: 16 instructions, and 16 more.
// VNNI-LABEL: llvm.func @other_rows
// VNNI-NOT: iter_args
// VNNI-COUNT-32: vpdpbusd
// VNNI-NOT: vpdpbusd
tile.kernel @other_rows(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x16xi8, [16, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8x1xi32, [1, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<4x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<8x16xi8, [16, 1]> -> !tile.staged<4x16xi8>
  %z = tile.stage %A[%c4, %c0] : !tile.view<8x16xi8, [16, 1]> -> !tile.staged<4x16xi8>
  %w0 = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %w1 = tile.stage %W[%c4, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<4x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<8x1xi32, [1, 1]> -> !tile.staged<4x1xi32>
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w0 of ui8 scales(%r) into %c : (!tile.staged<4x16xi8>, !tile.staged<4x1xf32>, !tile.staged<4x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xf32>, !tile.frag<4x16xf32>) -> !tile.frag<4x16xf32>
  %m = tile.scaled_mma %z of i8 scales(%s) totals(%v) by %w1 of ui8 scales(%r) into %c : (!tile.staged<4x16xi8>, !tile.staged<4x1xf32>, !tile.staged<4x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xf32>, !tile.frag<4x16xf32>) -> !tile.frag<4x16xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<8x16xf32, [16, 1]>
  tile.store %m, %Y[%c4, %c0] : !tile.frag<4x16xf32>, !tile.view<8x16xf32, [16, 1]>
}
