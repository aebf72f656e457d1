// RUN: kiln-opt --kiln-partition-warps=target=sm_90a --split-input-file %s | FileCheck %s
// Results of consumers by way of shared memory and TMA, and what threads store instead.

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// One tile per task: one stage. Its copy ends under the next task's products, and the last
// one before the block is over.
// CHECK-LABEL: tile.kernel @one_tile
// CHECK: tile.create_barriers 4
// CHECK: %[[M:.*]] = tile.alloc : <1x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
// CHECK: } consumer {
// CHECK: scf.for
// CHECK: %[[H:.*]] = tile.convert
// CHECK-NEXT: tile.wait_stores 0
// CHECK-NOT: written
// CHECK: tile.write_buffer %[[H]] to %[[M]][%{{.*}}] at [0, 0]
// CHECK: tile.async_store %[[M]][%{{.*}}] to %{{.*}}[%{{.*}}, %{{.*}}]
// CHECK-NOT: tile.store
// CHECK: }
// CHECK-NEXT: tile.wait_stores 0 written
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

// Two tiles, one computed behind the other's store: two stages, of which one is written
// while the other is copied. The first of a task waits for both.
// CHECK-LABEL: tile.kernel @two_tiles
// CHECK: tile.create_barriers 4
// CHECK: %[[M:.*]] = tile.alloc : <2x64x64xbf16
// CHECK: tile.wait_stores 0
// CHECK: tile.write_buffer %{{.*}} to %[[M]]
// CHECK: tile.async_store %[[M]]
// CHECK: tile.convert
// CHECK: tile.wait_stores 1
// CHECK: %[[S1:.*]] = arith.constant 1 : i32
// CHECK: tile.write_buffer %{{.*}} to %[[M]][%[[S1]]]
// CHECK: tile.async_store %[[M]]
tile.kernel @two_tiles(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<bf16>)
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
  %i = tile.convert %r : !tile.frag<64x64xf32> -> !tile.frag<64x64xbf16>
  tile.store %i, %C[%row, %c64] masked [0] : !tile.frag<64x64xbf16>, !tile.view<100x128xbf16, [128, 1]>
}

// -----

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// The first tile is not of every task: the copy in flight may be of the second one's stage.
// CHECK-LABEL: tile.kernel @two_branches
// CHECK: scf.if
// CHECK: tile.wait_stores 0
// CHECK: tile.async_store
// CHECK: tile.wait_stores 0
// CHECK: tile.async_store
tile.kernel @two_branches(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<bf16>)
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
  %even = arith.cmpi ult, %row, %c64 : index
  scf.if %even {
    tile.store %h, %C[%row, %c0] masked [0] : !tile.frag<64x64xbf16>, !tile.view<100x128xbf16, [128, 1]>
  }
  %i = tile.convert %r : !tile.frag<64x64xf32> -> !tile.frag<64x64xbf16>
  tile.store %i, %C[%row, %c64] masked [0] : !tile.frag<64x64xbf16>, !tile.view<100x128xbf16, [128, 1]>
}

// -----

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// Tiles side by side that are there at the same time go together: one copy of 128 columns.
// CHECK-LABEL: tile.kernel @side_by_side
// CHECK: tile.create_barriers 4
// CHECK: %[[M:.*]] = tile.alloc : <1x64x128xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
// CHECK: tile.write_buffer %{{.*}} to %[[M]][%{{.*}}] at [0, 0]
// CHECK: tile.write_buffer %{{.*}} to %[[M]][%{{.*}}] at [0, 64]
// CHECK: tile.async_store
// CHECK-NOT: tile.async_store
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

// -----

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// f32 is stored by the threads.
// CHECK-LABEL: tile.kernel @wide_elements
// CHECK-NOT: tile.async_store
// CHECK: tile.store
tile.kernel @wide_elements(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>)
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
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<100x128xf32, [128, 1]>
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
  tile.store %r, %C[%row, %c0] masked [0] : !tile.frag<64x64xf32>, !tile.view<100x128xf32, [128, 1]>
}

// -----

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// So is what no map describes: rows that are no multiple of 16 bytes apart,
// CHECK-LABEL: tile.kernel @odd_rows
// CHECK-NOT: tile.async_store
// CHECK: tile.store
tile.kernel @odd_rows(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<bf16>)
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
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<100x100xbf16, [100, 1]>
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
  tile.store %h, %C[%row, %c0] masked [0] : !tile.frag<64x64xbf16>, !tile.view<100x100xbf16, [100, 1]>
}

// -----

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// an origin that tasks choose,
// CHECK-LABEL: tile.kernel @origin_of_a_task
// CHECK-NOT: tile.async_store
// CHECK: tile.store
tile.kernel @origin_of_a_task(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<bf16>)
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
  %C = tile.view %c offset %row sizes() strides() : !tile.buffer<bf16> -> !tile.view<100x128xbf16, [128, 1]>
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

// and columns that are contiguous.
// CHECK-LABEL: tile.kernel @contiguous_columns
// CHECK-NOT: tile.async_store
// CHECK: tile.store
tile.kernel @contiguous_columns(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<bf16>)
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
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<100x128xbf16, [1, 104]>
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
  tile.store %h, %C[%row, %c0] masked [0] : !tile.frag<64x64xbf16>, !tile.view<100x128xbf16, [1, 104]>
}
