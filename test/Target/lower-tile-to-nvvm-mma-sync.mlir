// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --split-input-file %s | FileCheck %s

// Both operands bf16: tensor cores. Each of four warps has 16 rows of both panels;
// rows of the left operand are read as they lie, columns of the right one
// transposed, and the left operand once for both panels.
// CHECK: llvm.mlir.global external @kiln_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK-LABEL: llvm.func @gemm
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-COUNT-2: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK-NOT: nvvm.ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK-NOT: nvvm.mma.sync
// CHECK-COUNT-2: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK-NOT: nvvm.ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK-NOT: math.fma
tile.kernel @gemm(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>)
    symbols(%m) task(%t)
    attributes {symbols = ["m"], hero = "matmul", threads = 128,
                grid = affine_map<()[s0] -> (s0 ceildiv 64)>,
                scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.muli %t, %c64 : index
  %A = tile.view %a offset %c0 sizes(%m) strides() : !tile.buffer<bf16> -> !tile.view<?x64xbf16, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x32xbf16, [32, 1]>
  %C = tile.view %c offset %c0 sizes(%m) strides() : !tile.buffer<f32> -> !tile.view<?x32xf32, [32, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x16xf32>
  %r:2 = tile.pipeline %c0 to %c64 step %c32 init(%init, %init) : !tile.frag<64x16xf32>, !tile.frag<64x16xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%row, %k] masked [0] : !tile.view<?x64xbf16, [64, 1]> -> !tile.staged<64x32xbf16>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x32xbf16, [32, 1]> -> !tile.staged<32x16xbf16>
    %z = tile.stage %B[%k, %c16] : !tile.view<64x32xbf16, [32, 1]> -> !tile.staged<32x16xbf16>
    tile.yield %x, %y, %z : !tile.staged<64x32xbf16>, !tile.staged<32x16xbf16>, !tile.staged<32x16xbf16>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x32xbf16>, %y: !tile.staged<32x16xbf16>, %z: !tile.staged<32x16xbf16>, %p: !tile.frag<64x16xf32>, %q: !tile.frag<64x16xf32>):
    %n = tile.mma %x, %y, %p : !tile.staged<64x32xbf16>, !tile.staged<32x16xbf16>, !tile.frag<64x16xf32>
    %o = tile.mma %x, %z, %q : !tile.staged<64x32xbf16>, !tile.staged<32x16xbf16>, !tile.frag<64x16xf32>
    tile.yield %n, %o : !tile.frag<64x16xf32>, !tile.frag<64x16xf32>
  } {stages = 3 : i64}
  tile.store %r#0, %C[%row, %c0] masked [0] : !tile.frag<64x16xf32>, !tile.view<?x32xf32, [32, 1]>
  tile.store %r#1, %C[%row, %c16] masked [0] : !tile.frag<64x16xf32>, !tile.view<?x32xf32, [32, 1]>
}

// -----

// The left operand lies along M: it is the one that is transposed.
// CHECK-LABEL: llvm.func @transposed
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK: nvvm.mma.sync {{.*}}(vector<2xf16>, vector<2xf16>, f32)
tile.kernel @transposed(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%c: !tile.buffer<f32>)
    symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>,
                scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<16x16xf16, [1, 16]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<16x16xf16, [1, 16]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<16x16xf16, [1, 16]> -> !tile.staged<16x16xf16>
  %y = tile.stage %B[%c0, %c0] : !tile.view<16x16xf16, [1, 16]> -> !tile.staged<16x16xf16>
  %n = tile.mma %x, %y, %init : !tile.staged<16x16xf16>, !tile.staged<16x16xf16>, !tile.frag<16x16xf32>
  tile.store %n, %C[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// -----

// Two types, or sums that are not f32, or steps that no instruction has: by fused
// multiply-adds, in blocks of which as many are resident as have 128 registers per thread.
// CHECK-LABEL: llvm.func @mixed
// CHECK-SAME: nvvm.minctasm = 16 : i32
// CHECK-NOT: nvvm.ldmatrix
// CHECK-NOT: nvvm.mma.sync
// CHECK: math.fma
tile.kernel @mixed(%a: !tile.buffer<f16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>)
    symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>,
                scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<16x16xf16, [16, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<16x16xbf16, [16, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<16x16xf16, [16, 1]> -> !tile.staged<16x16xf16>
  %y = tile.stage %B[%c0, %c0] : !tile.view<16x16xbf16, [16, 1]> -> !tile.staged<16x16xbf16>
  %n = tile.mma %x, %y, %init : !tile.staged<16x16xf16>, !tile.staged<16x16xbf16>, !tile.frag<16x16xf32>
  tile.store %n, %C[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// -----

// CHECK-LABEL: llvm.func @eight_steps
// CHECK-NOT: nvvm.mma.sync
// CHECK: math.fma
tile.kernel @eight_steps(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%c: !tile.buffer<f32>)
    symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>,
                scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<16x8xf16, [8, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<8x16xf16, [16, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<16x8xf16, [8, 1]> -> !tile.staged<16x8xf16>
  %y = tile.stage %B[%c0, %c0] : !tile.view<8x16xf16, [16, 1]> -> !tile.staged<8x16xf16>
  %n = tile.mma %x, %y, %init : !tile.staged<16x8xf16>, !tile.staged<8x16xf16>, !tile.frag<16x16xf32>
  tile.store %n, %C[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// -----

// f32 as tf32: words along K are matrices for ldmatrix, words along N come one by
// one; both are rounded.
// CHECK-LABEL: llvm.func @tf32
// CHECK-COUNT-4: nvvm.convert.float.to.tf32 {{.*}}rna
// CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK-COUNT-4: nvvm.convert.float.to.tf32 {{.*}}rna
// CHECK: nvvm.mma.sync {{.*}}#nvvm.mma_type<tf32>{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
// CHECK-NOT: math.fma
tile.kernel @tf32(%a: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%c: !tile.buffer<f32>)
    symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>,
                scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x8xf32, [8, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<16x8xf32, [8, 1]> -> !tile.staged<16x8xf32>
  %y = tile.stage %B[%c0, %c0] : !tile.view<8x16xf32, [16, 1]> -> !tile.staged<8x16xf32>
  %n = tile.mma %x, %y, %init {tf32} : !tile.staged<16x8xf32>, !tile.staged<8x16xf32>, !tile.frag<16x16xf32>
  tile.store %n, %C[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// -----

// Sums of one product, rounded, are the left operand of the next in their registers.
// CHECK-LABEL: llvm.func @chain
// CHECK: nvvm.mma.sync
// CHECK: llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"
// CHECK-NOT: nvvm.stmatrix
// CHECK-NOT: shfl
// CHECK: nvvm.mma.sync
tile.kernel @chain(%a: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>)
    symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 64, grid = affine_map<() -> (1)>,
                scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<32x32xbf16, [32, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32x32xf32, [32, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<32x32xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<32x32xbf16, [32, 1]> -> !tile.staged<32x32xbf16>
  %y = tile.stage %A[%c0, %c0] : !tile.view<32x32xbf16, [32, 1]> -> !tile.staged<32x32xbf16>
  %n = tile.mma %x, %y, %init : !tile.staged<32x32xbf16>, !tile.staged<32x32xbf16>, !tile.frag<32x32xf32>
  %p = tile.convert %n : !tile.frag<32x32xf32> -> !tile.frag<32x32xbf16>
  %o = tile.mma %p, %y, %init : !tile.frag<32x32xbf16>, !tile.staged<32x32xbf16>, !tile.frag<32x32xf32>
  tile.store %o, %C[%c0, %c0] : !tile.frag<32x32xf32>, !tile.view<32x32xf32, [32, 1]>
}
