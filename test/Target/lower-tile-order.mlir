// RUN: kiln-opt --kiln-allocate-shared --kiln-lower-tile-to-nvvm %s | FileCheck %s
// Three consumer warpgroups take turns: each waits at its barrier, 5 to 7, where the one before it arrives.

// CHECK-LABEL: llvm.func {{.*}}@ordered(
// The last one lets the first one begin.
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[GROUP:.*]], %c2_i32{{.*}} : i32
// CHECK: scf.if %[[LAST]] {
// CHECK: "bar.arrive $0, 256;"
// CHECK: scf.for
// CHECK: %[[OWN:.*]] = arith.addi %[[GROUP]], %c5_i32{{.*}} : i32
// CHECK: llvm.inline_asm has_side_effects "bar.sync $0, 256;", "r,~{memory}" %[[OWN]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[GROUP]], %c1_i32{{.*}} : i32
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c3_i32{{.*}} : i32
// CHECK: %[[AFTER:.*]] = arith.select %[[WRAPS]], %c0_i32{{.*}}, %[[NEXT]] : i32
// CHECK: %[[OTHER:.*]] = arith.addi %[[AFTER]], %c5_i32{{.*}} : i32
// CHECK: "bar.arrive $0, 256;", "r,~{memory}" %[[OTHER]]
// At the end no arrival is left.
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[GROUP]], %c0_i32{{.*}} : i32
// CHECK: scf.if %[[FIRST]] {
// CHECK: "bar.sync $0, 256;"
tile.kernel @ordered() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 384, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  tile.warp_specialize registers(0, 0) producer {
  } consumer {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      tile.wait_order
      tile.arrive_order
    }
  }
}

// No turns, no barriers.
// CHECK-LABEL: llvm.func {{.*}}@unordered(
// CHECK-NOT: bar.sync
// CHECK-NOT: bar.arrive
tile.kernel @unordered() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 256, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  tile.warp_specialize registers(0, 0) producer {
  } consumer {
  }
}
