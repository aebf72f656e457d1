// A kernel by hand, as PTX for a GPU that need not be there: the mask keeps it inside of its buffers, which kiln-ptx checks
// where it runs the kernel on 10 elements with 32 threads.
// RUN: kiln-translate --to-ptx --target=sm_90a %s -o %t.ptx
// RUN: kiln-ptx check %t.ptx | FileCheck %s --check-prefix=CHECKED
// RUN: FileCheck %s < %t.ptx
// RUN: kiln-ptx run %t.ptx --block 32 --arg 'f32[10]' --arg 'f32[10]' --arg i64:10
// RUN: not kiln-ptx run %t.ptx --block 32 --arg 'f32[10]' --arg 'f32[10]' --arg i64:11 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// CHECKED: 1 kernel, {{[0-9]+}} instructions
// CHECK: .target sm_90a
// CHECK: .visible .entry copy(
// CHECK: ld.global.b32 [[R:%r[0-9]+]], [{{.*}}];
// CHECK-NEXT: st.global.b32 [{{.*}}], [[R]];
// OUTSIDE: out of bounds: {{read|write}} of 4 bytes of global memory

tile.kernel @copy(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %f = tile.load %v[%c0] pad %p : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<32xf32>
  %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  tile.store %f, %w[%c0] masked [0] : !tile.frag<32xf32>, !tile.view<?xf32, [1]>
}
