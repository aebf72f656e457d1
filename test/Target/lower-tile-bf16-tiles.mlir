// RUN: kiln-opt --kiln-lower-tile=features=amx-bf16,avx512bw --cse %s | FileCheck %s
// Products of bf16 on AMX tile registers: tdpbf16ps.

// Two panels of 32 rows: four sums, two registers of A, and two of B, whose rows are
// interleaved on the stack.
// CHECK-LABEL: llvm.func @square(
// CHECK:       "llvm.x86.ldtilecfg"
// CHECK:       scf.for
// CHECK-COUNT-4: "llvm.x86.tilezero"
// CHECK:       scf.for %{{.*}} = %c0 to %c64 step %c32
// CHECK:       vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27] : vector<16xi16>
// CHECK:       vector.shuffle {{.*}} [4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31] : vector<16xi16>
// CHECK-COUNT-62: vector.shuffle
// CHECK:       "llvm.x86.tileloadd64"(%c6_i8
// CHECK:       "llvm.x86.tileloadd64"(%c4_i8, %{{.*}}, %c128_i64
// CHECK:       "llvm.x86.tdpbf16ps"(%c0_i8, %c4_i8, %c6_i8)
// CHECK:       "llvm.x86.tileloadd64"(%c5_i8, %{{.*}}, %c128_i64
// CHECK:       "llvm.x86.tdpbf16ps"(%c1_i8, %c5_i8, %c6_i8)
// CHECK:       "llvm.x86.tileloadd64"(%c7_i8
// CHECK-NOT:   tileloadd64
// CHECK:       "llvm.x86.tdpbf16ps"(%c2_i8, %c4_i8, %c7_i8)
// CHECK:       "llvm.x86.tdpbf16ps"(%c3_i8, %c5_i8, %c7_i8)
// CHECK:       }
// CHECK-COUNT-4: "llvm.x86.tilestored64"
// CHECK:       "llvm.x86.tilerelease"
tile.kernel @square(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<32x64xbf16, [64, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x32xbf16, [32, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32x32xf32, [32, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<32x16xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<32x64xbf16, [64, 1]> -> !tile.staged<32x64xbf16>
  %p = tile.stage %u[%c0, %c0] : !tile.view<64x32xbf16, [32, 1]> -> !tile.staged<64x16xbf16>
  %q = tile.stage %u[%c0, %c16] : !tile.view<64x32xbf16, [32, 1]> -> !tile.staged<64x16xbf16>
  %r0 = tile.mma %l, %p, %s {dot = #tile.dot_product<tdpbf16ps>} : !tile.staged<32x64xbf16>, !tile.staged<64x16xbf16>, !tile.frag<32x16xf32>
  %r1 = tile.mma %l, %q, %s {dot = #tile.dot_product<tdpbf16ps>} : !tile.staged<32x64xbf16>, !tile.staged<64x16xbf16>, !tile.frag<32x16xf32>
  tile.store %r0, %w[%c0, %c0] : !tile.frag<32x16xf32>, !tile.view<32x32xf32, [32, 1]>
  tile.store %r1, %w[%c0, %c16] : !tile.frag<32x16xf32>, !tile.view<32x32xf32, [32, 1]>
}

// One row is copied to the stack, with zeros behind the last step of K; the sums start
// at numbers in memory.
// CHECK-LABEL: llvm.func @few(
// CHECK-NOT:   tilezero
// CHECK:       llvm.store %{{.*}} : vector<16xf32>
// CHECK:       "llvm.x86.tileloadd64"(%c0_i8
// CHECK:       scf.for %{{.*}} = %c0 to %c32 step %c32
// CHECK:       "llvm.x86.tdpbf16ps"(%c0_i8,
// CHECK:       }
// CHECK-NOT:   scf.if
// CHECK:       llvm.intr.masked.load {{.*}} -> vector<32xi16>
// CHECK:       "llvm.x86.tdpbf16ps"(%c0_i8,
// CHECK-NOT:   tdpbf16ps
// CHECK:       "llvm.x86.tilestored64"(%c0_i8
tile.kernel @few(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<1x33xbf16, [33, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<33x16xbf16, [16, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %s = tile.load %w[%c0, %c0] : !tile.view<1x16xf32, [16, 1]> -> !tile.frag<1x16xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x33xbf16, [33, 1]> -> !tile.staged<1x33xbf16>
  %q = tile.stage %u[%c0, %c0] : !tile.view<33x16xbf16, [16, 1]> -> !tile.staged<33x16xbf16>
  %r = tile.mma %l, %q, %s {dot = #tile.dot_product<tdpbf16ps>} : !tile.staged<1x33xbf16>, !tile.staged<33x16xbf16>, !tile.frag<1x16xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<1x16xf32>, !tile.view<1x16xf32, [16, 1]>
}

// K is known at run time only: a block of up to 31 steps stands behind the loop.
// CHECK-LABEL: llvm.func @any(
// CHECK:       %[[LEFT:.*]] = arith.remui
// CHECK:       %[[WHOLE:.*]] = arith.subi %{{.*}}, %[[LEFT]]
// CHECK:       scf.for %{{.*}} = %c0 to %[[WHOLE]] step %c32
// CHECK-COUNT-32: vector.shuffle
// CHECK:       "llvm.x86.tdpbf16ps"
// CHECK:       scf.if
// CHECK-COUNT-32: llvm.intr.masked.load {{.*}} -> vector<16xi16>
// CHECK:       llvm.intr.masked.load {{.*}} -> vector<32xi16>
// CHECK:       "llvm.x86.tdpbf16ps"
tile.kernel @any(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols(%k) task(%t)
    attributes {symbols = ["k"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes(%k) strides(%k) : !tile.buffer<bf16> -> !tile.view<1x?xbf16, [?, 1]>
  %u = tile.view %b offset %c0 sizes(%k) strides() : !tile.buffer<bf16> -> !tile.view<?x16xbf16, [16, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<1x16xf32>
  %l = tile.stage %v[%c0, %c0] sizes(%k) : !tile.view<1x?xbf16, [?, 1]> -> !tile.staged<1x?xbf16>
  %q = tile.stage %u[%c0, %c0] sizes(%k) : !tile.view<?x16xbf16, [16, 1]> -> !tile.staged<?x16xbf16>
  %r = tile.mma %l, %q, %s {dot = #tile.dot_product<tdpbf16ps>} : !tile.staged<1x?xbf16>, !tile.staged<?x16xbf16>, !tile.frag<1x16xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<1x16xf32>, !tile.view<1x16xf32, [16, 1]>
}

// Every fourth row of B is prefetched at a distance: 4,096 elements from row 0 on.
// CHECK-LABEL: llvm.func @ahead(
// CHECK-COUNT-32: vector.shuffle
// CHECK-COUNT-8: "llvm.intr.prefetch"({{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// CHECK-NOT:   llvm.intr.prefetch
// CHECK:       "llvm.x86.tdpbf16ps"
tile.kernel @ahead(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<16x64xbf16, [64, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x16xbf16, [16, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<16x64xbf16, [64, 1]> -> !tile.staged<16x64xbf16>
  %q = tile.stage %u[%c0, %c0] : !tile.view<64x16xbf16, [16, 1]> -> !tile.staged<64x16xbf16>
  %r = tile.mma %l, %q, %s ahead %c4096 {dot = #tile.dot_product<tdpbf16ps>} : !tile.staged<16x64xbf16>, !tile.staged<64x16xbf16>, !tile.frag<16x16xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}
