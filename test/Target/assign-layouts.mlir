// RUN: kiln-opt --kiln-assign-layouts=target=sm_80 --split-input-file %s | FileCheck %s
// RUN: kiln-opt --kiln-assign-layouts=target=x86-64-v3 --split-input-file %s | FileCheck %s --check-prefix=HOST

// A host has no threads to spread a fragment over.
// HOST-NOT: linear_layout
// HOST-NOT: mma_sync

// Four neighbours of f32 are an access of 16 bytes; 32 threads follow each other, and what is left is in further registers.
// CHECK: #[[$ROW:.*]] = #tile.linear_layout<registers = [1, 2, 128], threads = [4, 8, 16, 32, 64]>
// CHECK-LABEL: tile.kernel @row
// CHECK: %[[F:.*]] = tile.load {{.*}} -> !tile.frag<256xf32, #[[$ROW]]>
// CHECK: %[[G:.*]] = tile.map {{.*}}%[[F]]{{.*}}256xf32, #[[$ROW]]>{{.*}}256xf32, #[[$ROW]]>
// CHECK: tile.store %[[G]], {{.*}} : !tile.frag<256xf32, #[[$ROW]]>
tile.kernel @row(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<256xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<256xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<256xf32, [1]> -> !tile.frag<256xf32>
  %g = tile.map %f : !tile.frag<256xf32> -> !tile.frag<256xf32> {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    tile.yield %s : f32
  }
  tile.store %g, %w[%c0] : !tile.frag<256xf32>, !tile.view<256xf32, [1]>
}

// -----

// The rows of this view begin at odd elements: no two neighbours are one access.
// CHECK: #[[$ODD:.*]] = #tile.linear_layout<registers = [32], threads = [1, 2, 4, 8, 16]>
// CHECK-LABEL: tile.kernel @odd
// CHECK: tile.load {{.*}} -> !tile.frag<64xf32, #[[$ODD]]>
tile.kernel @odd(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<9x65xf32, [65, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.load %v[%t, %c0] : !tile.view<9x65xf32, [65, 1]> -> !tile.frag<64xf32>
  tile.store %f, %w[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
}

// -----

// Fewer elements than threads: a basis of 0 is threads that hold the same.
// CHECK: #[[$FEW:.*]] = #tile.linear_layout<registers = [], threads = [1, 2, 4, 0, 0]>
// CHECK-LABEL: tile.kernel @few
// CHECK: tile.fill {{.*}} -> <8xf32, #[[$FEW]]>
tile.kernel @few() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.fill %one : f32 -> !tile.frag<8xf32>
  tile.store %f, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// -----

// What is the same for all threads crosses to a smaller team; the loop's own fragments are the team's from the start.
// CHECK-DAG: #[[$BLOCK:.*]] = #tile.linear_layout<registers = [], threads = [1, 2, 4, 8, 16, 0, 0]>
// CHECK-DAG: #[[$WARP:.*]] = #tile.linear_layout<registers = [], threads = [1, 2, 4, 8, 16]>
// CHECK-LABEL: tile.kernel @teams
// CHECK: %[[F:.*]] = tile.fill {{.*}} -> <32xf32, #[[$BLOCK]]>
// CHECK: scf.for
// CHECK: %[[G:.*]] = tile.convert_layout %[[F]] : <32xf32, #[[$BLOCK]]> -> <32xf32, #[[$WARP]]>
// CHECK: tile.store %[[G]]
// CHECK-NOT: convert_layout
// CHECK: tile.store %[[F]]
tile.kernel @teams() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<9x32xf32, [32, 1]>
  %f = tile.fill %one : f32 -> !tile.frag<32xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    tile.store %f, %w[%i, %c0] : !tile.frag<32xf32>, !tile.view<9x32xf32, [32, 1]>
  } {tile.team = 32 : i64}
  tile.store %f, %w[%c8, %c0] : !tile.frag<32xf32>, !tile.view<9x32xf32, [32, 1]>
}

// -----

// Sums of rows lie as a slice of what was read, and are repeated over it where they are. A second fragment with as many
// rows, but other columns, wants other threads to have them.
// CHECK-DAG: #[[$WIDE:.*]] = #tile.linear_layout<registers = [1, 2], threads = [4, 8, 16, 32, 64]>
// CHECK-DAG: #[[$SUMS:.*]] = #tile.linear_layout<registers = [], threads = [0, 0, 1, 2, 4]>
// CHECK-DAG: #[[$LONG:.*]] = #tile.linear_layout<registers = [1, 2, 128, 256], threads = [4, 8, 16, 32, 64]>
// CHECK-DAG: #[[$OTHER:.*]] = #tile.linear_layout<registers = [2, 4], threads = [0, 0, 0, 0, 1]>
// CHECK-LABEL: tile.kernel @slices
// CHECK: %[[S:.*]] = tile.reduce {{.*}} -> !tile.frag<8xf32, #[[$SUMS]]>
// CHECK: tile.broadcast %[[S]] {{.*}} -> <8x16xf32, #[[$WIDE]]>
// CHECK: %[[T:.*]] = tile.convert_layout %[[S]] : <8xf32, #[[$SUMS]]> -> <8xf32, #[[$OTHER]]>
// CHECK: tile.broadcast %[[T]] {{.*}} -> <8x64xf32, #[[$LONG]]>
tile.kernel @slices(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>, %z: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %u = tile.view %z offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x64xf32, [64, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.frag<8x16xf32>
  %s = tile.reduce sum %f axis 1 : !tile.frag<8x16xf32> -> !tile.frag<8xf32>
  %b = tile.broadcast %s axis 1 : !tile.frag<8xf32> -> !tile.frag<8x16xf32>
  tile.store %b, %w[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
  %d = tile.broadcast %s axis 1 : !tile.frag<8xf32> -> !tile.frag<8x64xf32>
  tile.store %d, %u[%c0, %c0] : !tile.frag<8x64xf32>, !tile.view<8x64xf32, [64, 1]>
}

// -----

// bf16 is for tensor cores: tiles in chunks that ldmatrix reads, sums as mma.m16n8 has them. The product of f32 beside it
// is of multiply-adds, its tiles are padded lines.
// CHECK: #[[$SUM:.*]] = #tile.linear_layout<registers = [1, {{.*}}], threads = [2, 4, 16, 32, 64]>
// CHECK-LABEL: tile.kernel @products
// CHECK: tile.stage {{.*}} -> <16x16xbf16, matrices>
// CHECK: tile.stage {{.*}} -> <16x16xbf16, matrices>
// CHECK: tile.mma {{.*}} {mma_sync} : !tile.staged<16x16xbf16, matrices>, !tile.staged<16x16xbf16, matrices>, <16x16xf32, #[[$SUM]]>
// CHECK: tile.stage {{.*}} -> <8x16xf32, lines>
// CHECK: tile.mma %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} : !tile.staged<8x16xf32, lines>
tile.kernel @products(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>, %d: !tile.buffer<f32>)
    -> (%y: !tile.buffer<f32>, %z: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<16x16xbf16, [16, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<16x16xbf16, [16, 1]>
  %D = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %Z = tile.view %z offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %n = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %A[%c0, %c0] : !tile.view<16x16xbf16, [16, 1]> -> !tile.staged<16x16xbf16>
  %r = tile.stage %B[%c0, %c0] : !tile.view<16x16xbf16, [16, 1]> -> !tile.staged<16x16xbf16>
  %p = tile.mma %l, %r, %n : !tile.staged<16x16xbf16>, !tile.staged<16x16xbf16>, !tile.frag<16x16xf32>
  tile.store %p, %Y[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
  %m = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %e = tile.stage %D[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<8x16xf32>
  %f = tile.stage %D[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<16x16xf32>
  %q = tile.mma %e, %f, %m : !tile.staged<8x16xf32>, !tile.staged<16x16xf32>, !tile.frag<8x16xf32>
  tile.store %q, %Z[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// tf32: a left operand along K is read by ldmatrix, a right one along N word by word, as nothing transposes 4 bytes.
// CHECK-LABEL: tile.kernel @tf32
// CHECK: tile.stage {{.*}} -> <16x8xf32, matrices>
// CHECK: tile.stage {{.*}} -> <8x16xf32, words>
// CHECK: tile.mma {{.*}} {mma_sync, tf32}
tile.kernel @tf32(%a: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x8xf32, [8, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %n = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %A[%c0, %c0] : !tile.view<16x8xf32, [8, 1]> -> !tile.staged<16x8xf32>
  %r = tile.stage %B[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<8x16xf32>
  %p = tile.mma %l, %r, %n {tf32} : !tile.staged<16x8xf32>, !tile.staged<8x16xf32>, !tile.frag<16x16xf32>
  tile.store %p, %Y[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}
