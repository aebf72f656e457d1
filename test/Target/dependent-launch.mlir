// RUN: kiln-opt --kiln-lower-tile-to-nvvm=target=sm_90a %s | FileCheck %s
// RUN: kiln-opt --kiln-lower-tile-to-nvvm=target=sm_120 %s | FileCheck %s
// RUN: kiln-opt --kiln-lower-tile-to-nvvm=target=sm_80 %s | FileCheck %s --check-prefix=NONE
// RUN: kiln-opt --kiln-lower-tile-to-nvvm=target=sm_89 %s | FileCheck %s --check-prefix=NONE

// Every thread waits for earlier kernels before it touches memory, once.
// CHECK-LABEL: llvm.func @add
// CHECK-NOT: llvm.load
// CHECK-NOT: scf.
// CHECK: llvm.inline_asm has_side_effects "griddepcontrol.wait;\0Agriddepcontrol.launch_dependents;", "~{memory}"
// CHECK-NOT: griddepcontrol
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK-NOT: griddepcontrol

// NONE-LABEL: llvm.func @add
// NONE-NOT: griddepcontrol
// NONE: llvm.store
tile.kernel @add(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "pointwise", threads = 32,
                grid = affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %v = tile.view %x offset %t sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?x16xf32, [16, 1]>
  %w = tile.view %y offset %t sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?x16xf32, [16, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<?x16xf32, [16, 1]> -> !tile.frag<2x16xf32>
  %g = tile.map %f : !tile.frag<2x16xf32> -> !tile.frag<2x16xf32> {
  ^bb0(%e: f32):
    %s = arith.addf %e, %one : f32
    tile.yield %s : f32
  }
  tile.store %g, %w[%c0, %c0] : !tile.frag<2x16xf32>, !tile.view<?x16xf32, [16, 1]>
}
