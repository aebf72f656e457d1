// RUN: kiln-opt --split-input-file --kiln-assign-layouts=target=sm_80 --kiln-pipeline-copies=target=sm_80 --kiln-allocate-shared=target=sm_80 --kiln-insert-barriers=target=sm_80 --kiln-lower-tile-to-nvvm=target=sm_80 %s | FileCheck %s --check-prefixes=CHECK,BITS
// RUN: kiln-opt --split-input-file --kiln-assign-layouts=target=sm_90a --kiln-pipeline-copies=target=sm_90a --kiln-allocate-shared=target=sm_90a --kiln-insert-barriers=target=sm_90a --kiln-lower-tile-to-nvvm=target=sm_90a %s | FileCheck %s --check-prefixes=CHECK,CVT
// Bytes of f8E4M3FN: what is loaded and converted, and the right operand of tensor cores in tf32.

// Sixteen neighbours of a thread are one load, and are widened from its words, or two by two.
// CHECK-LABEL: llvm.func @run
// CHECK: %[[LOADED:.*]] = llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<16xi8>
// BITS: %[[WORDS:.*]] = llvm.bitcast %[[LOADED]] : vector<16xi8> to vector<4xi32>
// BITS: %[[WORD:.*]] = llvm.extractelement %[[WORDS]]
// BITS: arith.shli %[[WORD]]
// BITS: arith.shli %[[WORD]]
// BITS: arith.shli %[[WORD]]
// BITS: arith.shrsi %[[WORD]]
// BITS-NOT: e4m3x2
// CVT: %[[PAIRS:.*]] = llvm.bitcast %[[LOADED]] : vector<16xi8> to vector<8xi16>
// CVT: %[[PAIR:.*]] = llvm.extractelement %[[PAIRS]]
// CVT: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%[[PAIR]]) : (i16) -> vector<2xf16>
// CVT-COUNT-7: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"
// CVT-NOT: e4m3x2
// CHECK: llvm.return
tile.kernel @run(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.load %X[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.frag<8x64xf8E4M3FN>
  %r = tile.convert %f : !tile.frag<8x64xf8E4M3FN> -> !tile.frag<8x64xf32>
  %s = tile.reduce sum %r axis 0 : !tile.frag<8x64xf32> -> !tile.frag<64xf32>
  tile.store %s, %Y[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
}

// -----

// Staged as bytes, read byte by byte as fragments want them, and not rounded; the left operand is.
// CHECK-LABEL: llvm.func @gemm
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK-COUNT-8: llvm.load {{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> i8
// CHECK: nvvm.ldmatrix
// CHECK: nvvm.convert.float.to.tf32
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>{{.*}}multiplicandBPtxType = #nvvm.mma_type<tf32>{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>
// CHECK-NOT: math.fma
tile.kernel @gemm(%a: !tile.buffer<f32>, %b: !tile.buffer<i8>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x64xf32, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<64x32xi8, [32, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x32xf32, [32, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<16x32xf32>
  %r = tile.pipeline %c0 to %c64 step %c16 init(%init) : !tile.frag<16x32xf32> load {
  ^bb0(%k: index):
    %l = tile.stage %A[%c0, %k] : !tile.view<16x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    %w = tile.stage %B[%k, %c0] : !tile.view<64x32xi8, [32, 1]> -> !tile.staged<16x32xf8E4M3FN>
    tile.yield %l, %w : !tile.staged<16x16xf32>, !tile.staged<16x32xf8E4M3FN>
  } compute {
  ^bb0(%k: index, %l: !tile.staged<16x16xf32>, %w: !tile.staged<16x32xf8E4M3FN>, %own: !tile.frag<16x32xf32>):
    %s = tile.mma %l, %w, %own {tf32} : !tile.staged<16x16xf32>, !tile.staged<16x32xf8E4M3FN>, !tile.frag<16x32xf32>
    tile.yield %s : !tile.frag<16x32xf32>
  } {stages = 3}
  tile.store %r, %C[%c0, %c0] : !tile.frag<16x32xf32>, !tile.view<16x32xf32, [32, 1]>
}

// -----

// A row that all rows of a product repeat is loaded by the threads that have its columns.
// CHECK-LABEL: llvm.func @row
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.kernel @row(%x: !tile.buffer<f32>, %z: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x64xf32, [64, 1]>
  %f = tile.load %X[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  %r = tile.broadcast %f axis 0 : !tile.frag<64xf32> -> !tile.frag<4x64xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<4x64xf32>, !tile.view<4x64xf32, [64, 1]>
}
