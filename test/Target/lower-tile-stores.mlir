// RUN: kiln-opt --kiln-partition-warps=target=sm_90a --kiln-assign-layouts=target=sm_90a --kiln-pipeline-copies=target=sm_90a --kiln-allocate-shared=target=sm_90a --kiln-insert-barriers=target=sm_90a --kiln-lower-tile-to-nvvm=target=sm_90a --split-input-file %s | FileCheck %s

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// A warpgroup waits until its stage was read, writes it by stmatrix (four instructions of 16
// columns), and one of its threads copies 64 rows of it: boxes of 64 columns, ended by the map.
// CHECK-LABEL: llvm.func @one_tile
// CHECK-SAME: #tile.tensor_map<buffer = 2, element = bf16, offset = #{{.*}}, extents = #{{.*}}, strides = #{{.*}}, box = [64, 64], swizzle = 128>
// CHECK: scf.for
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// CHECK: @p cp.async.bulk.wait_group.read 0;
// CHECK: "bar.sync $0, 128;", "r,~{memory}"
// CHECK-COUNT-4: "stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0], {$1, $2, $3, $4};"
// CHECK-NOT: stmatrix
// CHECK: "fence.proxy.async.shared::cta;"
// CHECK: "bar.sync $0, 128;", "r,~{memory}"
// CHECK: @p cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$1, {$3, $4}], [$2];
// CHECK-NOT: cp.async.bulk.tensor
// CHECK: @p cp.async.bulk.commit_group;
// CHECK: @p cp.async.bulk.wait_group 0;
// CHECK: llvm.return
tile.kernel @one_tile(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<bf16>)
    symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 128, config = #config,
                grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.muli %t, %c64 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<100x64xbf16, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x64xbf16, [64, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<100x128xbf16, [128, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x64xf32>
  %r = tile.pipeline %c0 to %c64 step %c64 init(%init) : !tile.frag<64x64xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%row, %k] masked [0] : !tile.view<100x64xbf16, [64, 1]> -> !tile.staged<64x64xbf16>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x64xbf16, [64, 1]> -> !tile.staged<64x64xbf16>
    tile.yield %x, %y : !tile.staged<64x64xbf16>, !tile.staged<64x64xbf16>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x64xbf16>, %y: !tile.staged<64x64xbf16>, %u: !tile.frag<64x64xf32>):
    %n = tile.mma %x, %y, %u : !tile.staged<64x64xbf16>, !tile.staged<64x64xbf16>, !tile.frag<64x64xf32>
    tile.yield %n : !tile.frag<64x64xf32>
  } {stages = 2 : i64}
  %h = tile.convert %r : !tile.frag<64x64xf32> -> !tile.frag<64x64xbf16>
  tile.store %h, %C[%row, %c0] masked [0] : !tile.frag<64x64xbf16>, !tile.view<100x128xbf16, [128, 1]>
}

// -----

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// 128 columns are two lines of 128 bytes: two copies, one group.
// CHECK-LABEL: llvm.func @side_by_side
// CHECK-COUNT-8: stmatrix
// CHECK-COUNT-2: cp.async.bulk.tensor.2d.global
// CHECK-COUNT-1: cp.async.bulk.commit_group
// CHECK-NOT: cp.async.bulk.commit_group
tile.kernel @side_by_side(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<bf16>)
    symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 128, config = #config,
                grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.muli %t, %c64 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<100x64xbf16, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x64xbf16, [64, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<100x128xbf16, [128, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x64xf32>
  %r = tile.pipeline %c0 to %c64 step %c64 init(%init) : !tile.frag<64x64xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%row, %k] masked [0] : !tile.view<100x64xbf16, [64, 1]> -> !tile.staged<64x64xbf16>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x64xbf16, [64, 1]> -> !tile.staged<64x64xbf16>
    tile.yield %x, %y : !tile.staged<64x64xbf16>, !tile.staged<64x64xbf16>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x64xbf16>, %y: !tile.staged<64x64xbf16>, %u: !tile.frag<64x64xf32>):
    %n = tile.mma %x, %y, %u : !tile.staged<64x64xbf16>, !tile.staged<64x64xbf16>, !tile.frag<64x64xf32>
    tile.yield %n : !tile.frag<64x64xf32>
  } {stages = 2 : i64}
  %h = tile.convert %r : !tile.frag<64x64xf32> -> !tile.frag<64x64xbf16>
  tile.store %h, %C[%row, %c0] masked [0] : !tile.frag<64x64xbf16>, !tile.view<100x128xbf16, [128, 1]>
  tile.store %h, %C[%row, %c64] masked [0] : !tile.frag<64x64xbf16>, !tile.view<100x128xbf16, [128, 1]>
}
