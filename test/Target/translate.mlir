// A kernel without a compile around it, through the passes of its target, from any of their levels.
// RUN: kiln-translate --to-ptx --target=sm_80 %s | FileCheck %s --check-prefix=PTX
// RUN: kiln-translate --to-llvmir --target=sm_80 %s | FileCheck %s --check-prefix=LLVM
// RUN: not kiln-translate --to-ptx %s 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: error: KILN-E0001: --target: the module of a GPU's kernel does not say for which GPU it is; expected --target, or a module that is named like a target, found neither; fix: write for example --target sm_90a

// Behind each pass of the target the rest of them gives the same text.
// RUN: kiln-translate --to-ptx --target=sm_80 %s -o %t.ptx
// RUN: kiln-opt %s --kiln-assign-layouts | kiln-translate --to-ptx --target=sm_80 -o %t.layouts && cmp %t.ptx %t.layouts
// RUN: kiln-opt %s --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared | kiln-translate --to-ptx --target=sm_80 -o %t.shared && cmp %t.ptx %t.shared
// RUN: kiln-opt %s --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm | kiln-translate --to-ptx --target=sm_80 -o %t.nvvm && cmp %t.ptx %t.nvvm
// RUN: kiln-opt %s --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --kiln-expand-math --cse --kiln-lower-to-llvm | kiln-translate --to-ptx --target=sm_80 -o %t.llvm && cmp %t.ptx %t.llvm

// PTX: .target sm_80
// PTX: .visible .entry masked(
// PTX: ld.global.b32
// PTX: st.global.b32
// LLVM: define {{.*}}void @masked(ptr addrspace(1)
tile.kernel @masked(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %f = tile.load %v[%c0] pad %p : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<32xf32>
  %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  tile.store %f, %w[%c0] masked [0] : !tile.frag<32xf32>, !tile.view<?xf32, [1]>
}
