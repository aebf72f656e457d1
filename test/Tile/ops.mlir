// RUN: kiln-opt --verify-roundtrip %s | FileCheck %s --strict-whitespace
// Every op of the dialect, through the printer and back.

// CHECK-LABEL: tile.kernel @gemm(%{{.*}}: !tile.buffer<f32>, %{{.*}}: !tile.buffer<f32>) -> (%{{.*}}: !tile.buffer<f32>) symbols(%{{.*}}) task(%{{.*}})
tile.kernel @gemm(%a: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%c: !tile.buffer<f32>)
    symbols(%m) task(%t)
    attributes {symbols = ["m"], hero = "matmul", nodes = ["/dense/MatMul"],
                grid = affine_map<()[s0] -> (s0 ceildiv 6)>,
                scratch = affine_map<()[s0] -> (384)>,
                config = #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 24, kc = 0, ku = 1, group = 1, staged_epilogue = false>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %k = arith.constant 384 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: tile.view %{{.*}} offset %{{.*}} sizes(%{{.*}}) strides() : {{.*}}<f32> -> {{.*}}<?x384xf32, [384, 1]>
  %A = tile.view %a offset %c0 sizes(%m) strides() : !tile.buffer<f32> -> !tile.view<?x384xf32, [384, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<24x384x16xf32, [6144, 16, 1]>
  %C = tile.view %c offset %c0 sizes(%m) strides() : !tile.buffer<f32> -> !tile.view<?x384xf32, [384, 1]>
  %i = affine.apply affine_map<(d0) -> (d0 * 6)>(%t)
  // CHECK: tile.fill %{{.*}} : f32 -> {{.*}}<6x16xf32>
  %z = tile.fill %zero : f32 -> !tile.frag<6x16xf32>
  // CHECK: tile.pipeline %{{.*}} to %{{.*}} step %{{.*}} init(%{{.*}}) : {{.*}}<6x16xf32> load {
  %acc = tile.pipeline %c0 to %k step %c8 init(%z) : !tile.frag<6x16xf32> load {
  ^bb0(%p: index):
    %sa = tile.stage %A[%i, %p] sizes(%c8) : !tile.view<?x384xf32, [384, 1]> -> !tile.staged<6x?xf32>
    %sb = tile.stage %B[%c0, %p, %c0] sizes(%c8) : !tile.view<24x384x16xf32, [6144, 16, 1]> -> !tile.staged<?x16xf32>
    // CHECK: tile.prefetch %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] {locality = 1 : i64}
    tile.prefetch %B[%c8, %p, %c0] {locality = 1} : !tile.view<24x384x16xf32, [6144, 16, 1]>
    tile.yield %sa, %sb : !tile.staged<6x?xf32>, !tile.staged<?x16xf32>
  } compute {
  ^bb0(%p: index, %sa: !tile.staged<6x?xf32>, %sb: !tile.staged<?x16xf32>, %x: !tile.frag<6x16xf32>):
    // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}<6x?xf32>, {{.*}}<?x16xf32>, {{.*}}<6x16xf32>
    %n = tile.mma %sa, %sb, %x : !tile.staged<6x?xf32>, !tile.staged<?x16xf32>, !tile.frag<6x16xf32>
    tile.yield %n : !tile.frag<6x16xf32>
  }
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] masked [0, 1] :
  tile.store %acc, %C[%i, %c0] masked [0, 1] : !tile.frag<6x16xf32>, !tile.view<?x384xf32, [384, 1]>
}

// CHECK-LABEL: func.func @scaled(
func.func @scaled(%a: !tile.staged<16x64xf6E2M3FN>, %b: !tile.frag<64x8xf4E2M1FN>, %c: !tile.frag<16x8xf32>, %s: !tile.staged<16x2xf8E8M0FNU>, %t: !tile.frag<2x8xf8E8M0FNU>) -> !tile.frag<16x8xf32> {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} scales(%{{.*}}, %{{.*}} : !tile.staged<16x2xf8E8M0FNU>, !tile.frag<2x8xf8E8M0FNU>) : !tile.staged<16x64xf6E2M3FN>, !tile.frag<64x8xf4E2M1FN>, <16x8xf32>
  %0 = tile.mma %a, %b, %c scales(%s, %t : !tile.staged<16x2xf8E8M0FNU>, !tile.frag<2x8xf8E8M0FNU>) : !tile.staged<16x64xf6E2M3FN>, !tile.frag<64x8xf4E2M1FN>, !tile.frag<16x8xf32>
  return %0 : !tile.frag<16x8xf32>
}

// CHECK-LABEL: tile.kernel @frags() -> (%{{.*}}: !tile.buffer<f32>) symbols() task(%{{.*}})
tile.kernel @frags() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "pointwise",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (64)>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: tile.scratch %{{.*}} : {{.*}}<f32>
  %s = tile.scratch %c0 : !tile.buffer<f32>
  %v = tile.view %s offset %c0 sizes(%c3) strides(%t) : !tile.buffer<f32> -> !tile.view<?x16xf32, [?, 1]>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} : f32 masked [1] : {{.*}}<?x16xf32, [?, 1]> -> {{.*}}<6x16xf32>
  %f = tile.load %v[%t, %c0] pad %zero : f32 masked [1] : !tile.view<?x16xf32, [?, 1]> -> !tile.frag<6x16xf32>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} : f32 masked [0, 1] before : {{.*}}<?x16xf32, [?, 1]> -> {{.*}}<6x16xf32>
  %behind = tile.load %v[%c0, %t] pad %zero : f32 masked [0, 1] before : !tile.view<?x16xf32, [?, 1]> -> !tile.frag<6x16xf32>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}}<?x16xf32, [?, 1]> -> f32
  %e = tile.load %v[%t, %c0] : !tile.view<?x16xf32, [?, 1]> -> f32
  // CHECK: tile.iota %{{.*}} axis 1 : index -> {{.*}}<6x16xindex>
  %iota = tile.iota %c3 axis 1 : index -> !tile.frag<6x16xindex>
  // CHECK: tile.gather %{{.*}}[%{{.*}}] at %{{.*}} pad %{{.*}} : f32 :
  %g = tile.gather %v[%t] at %iota pad %zero : f32 : !tile.view<?x16xf32, [?, 1]>, !tile.frag<6x16xindex> -> !tile.frag<6x16xf32>
  // CHECK: tile.map %{{.*}}, %{{.*}} : {{.*}}<6x16xf32>, {{.*}}<6x16xf32> -> {{.*}}<6x16xf32> {
  %m = tile.map %f, %g : !tile.frag<6x16xf32>, !tile.frag<6x16xf32> -> !tile.frag<6x16xf32> {
  ^bb0(%0: f32, %1: f32):
    %2 = arith.addf %0, %1 : f32
    %3 = arith.mulf %2, %e : f32
    %4 = math.exp %3 : f32
    tile.yield %4 : f32
  }
  // CHECK: tile.reduce max %{{.*}} axis 1 : {{.*}}<6x16xf32> -> {{.*}}<6xf32>
  %r = tile.reduce max %m axis 1 : !tile.frag<6x16xf32> -> !tile.frag<6xf32>
  // CHECK: tile.reduce sum %{{.*}} axis 0 : {{.*}}<6xf32> -> f32
  %sum = tile.reduce sum %r axis 0 : !tile.frag<6xf32> -> f32
  // CHECK: tile.broadcast %{{.*}} axis 1 : {{.*}}<6xf32> -> {{.*}}<6x16xf32>
  %b = tile.broadcast %r axis 1 : !tile.frag<6xf32> -> !tile.frag<6x16xf32>
  // CHECK: tile.select_range %{{.*}} in[%{{.*}}, %{{.*}}) else %{{.*}} : f32 axis 1 : {{.*}}<6x16xf32>
  %sel = tile.select_range %b in [%c0, %c3) else %zero : f32 axis 1 : !tile.frag<6x16xf32>
  // CHECK: tile.transpose %{{.*}} : {{.*}}<6x16xf32> -> {{.*}}<16x6xf32>
  %tr = tile.transpose %sel : !tile.frag<6x16xf32> -> !tile.frag<16x6xf32>
  // CHECK: tile.convert %{{.*}} : {{.*}}<16x6xf32> -> {{.*}}<16x6xbf16>
  %h = tile.convert %tr : !tile.frag<16x6xf32> -> !tile.frag<16x6xbf16>
  // CHECK: tile.extract %{{.*}} [2] : {{.*}}<6x16xf32> -> {{.*}}<16xf32>
  %row = tile.extract %sel [2] : !tile.frag<6x16xf32> -> !tile.frag<16xf32>
  // CHECK: tile.stack %{{.*}}, %{{.*}} : {{.*}}<16xf32>, {{.*}}<16xf32> -> {{.*}}<2x16xf32>
  %st = tile.stack %row, %row : !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<2x16xf32>
  // CHECK: tile.scatter %{{.*}}, %{{.*}}[%{{.*}}] at %{{.*}} masked :
  tile.scatter %m, %v[%t] at %iota masked : !tile.frag<6x16xf32>, !tile.view<?x16xf32, [?, 1]>, !tile.frag<6x16xindex>
  tile.store %sum, %v[%t, %c0] : f32, !tile.view<?x16xf32, [?, 1]>
}

// CHECK-LABEL: tile.kernel @shared
// CHECK-SAME: tickets = {{.*}}, workspace =
tile.kernel @shared() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (4)>, threads = 32,
                scratch = affine_map<() -> (0)>, workspace = affine_map<() -> (64)>,
                tickets = affine_map<() -> (1)>} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.workspace : {{.*}}<f32>
  %w = tile.workspace : !tile.buffer<f32>
  // CHECK: tile.ticket %{{.*}} of 4
  %last = tile.ticket %c0 of 4
}
