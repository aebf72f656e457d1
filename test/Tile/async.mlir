// RUN: kiln-opt --verify-roundtrip %s | FileCheck %s
// What a warp-specialized kernel is made of, through the printer and back.

// CHECK-LABEL: tile.kernel @specialized
tile.kernel @specialized(%a: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, cluster = 2,
                config = #tile.warpgroup_attention_config<rows = 64, keys = 64, stages = 2, producer_registers = 24, consumer_registers = 240>,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %yes = arith.constant true
  %z = arith.constant 0.0 : f32
  // CHECK: tile.view
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // CHECK: %[[M:.*]] = tile.alloc : <2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  // CHECK: tile.alloc : <1x64x128xf16, #tile.mem_layout<contiguous = 0, swizzle = 64>, tensor>
  %tensor = tile.alloc : !tile.mem<1x64x128xf16, #tile.mem_layout<contiguous = 0, swizzle = 64>, tensor>
  // CHECK: %[[R:.*]] = tile.create_barriers 1 : <2>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  // CHECK: tile.sync_cluster
  tile.sync_cluster
  // CHECK: tile.warp_specialize registers(24, 240) producer {
  tile.warp_specialize registers(24, 240) producer {
    // CHECK: tile.prefetch_box %{{.*}}[%{{.*}}] box [64, 64] swizzle 128
    tile.prefetch_box %A[%c0, %c0] box [64, 64] swizzle 128 : !tile.view<128x64xbf16, [64, 1]>
    // CHECK: tile.wait_prior
    tile.wait_prior
    // CHECK: tile.first_task
    %first = tile.first_task
    // CHECK: tile.task_stride
    %stride = tile.task_stride
    // CHECK: tile.expect_bytes %[[R]][%{{.*}}], 8192
    tile.expect_bytes %r[%s], 8192 : !tile.barrier<2>
    // CHECK: tile.async_copy %{{.*}}[%{{.*}}] box [64, 64] to %[[M]][%{{.*}}] at [0, 0] barrier %[[R]]
    tile.async_copy %A[%c0, %c0] box [64, 64] to %m[%s] at [0, 0] barrier %r : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
    // CHECK: tile.async_copy {{.*}} barrier %[[R]] multicast 0 :
    tile.async_copy %A[%c0, %c0] box [64, 64] to %m[%s] at [0, 0] barrier %r multicast 0 : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
    // CHECK: } consumer {
  } consumer {
    %f = tile.fill %z : f32 -> !tile.frag<64x64xf32>
    // CHECK: tile.wait_barrier %[[R]][%{{.*}}] parity %{{.*}} : <2>
    tile.wait_barrier %r[%s] parity %s : !tile.barrier<2>
    // CHECK: tile.as_pending
    %p = tile.as_pending %f : !tile.frag<64x64xf32> -> !tile.pending<64x64xf32>
    // CHECK: %[[X:.*]] = tile.issue_mma %[[M]][%{{.*}}], %[[M]][%{{.*}}] into(%{{.*}})
    %x = tile.issue_mma %m[%s], %m[%s] into(%p) : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.pending<64x64xf32> -> !tile.pending<64x64xf32>
    // CHECK: tile.wait_mma 1 of %[[X]]
    %y = tile.wait_mma 1 of %x : !tile.pending<64x64xf32> -> !tile.frag<64x64xf32>
    %half = tile.convert %y : !tile.frag<64x64xf32> -> !tile.frag<64x64xbf16>
    // CHECK: %[[LEFT:.*]] = tile.pack_operand %{{.*}} : <64x64xbf16> -> <64x64xbf16>
    %left = tile.pack_operand %half : !tile.frag<64x64xbf16> -> !tile.operand<64x64xbf16>
    // CHECK: tile.issue_mma %[[LEFT]], %[[M]][%{{.*}}] into(%{{.*}}) : !tile.operand<64x64xbf16>
    %w = tile.issue_mma %left, %m[%s] into(%y) : !tile.operand<64x64xbf16>, !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.frag<64x64xf32> -> !tile.pending<64x64xf32>
    // CHECK: tile.wait_mma 0 keep(%[[LEFT]] : !tile.operand<64x64xbf16>)
    tile.wait_mma 0 keep(%left : !tile.operand<64x64xbf16>)
    // CHECK: tile.arrive_barrier %[[R]][%{{.*}}] :
    tile.arrive_barrier %r[%s] : !tile.barrier<2>
    // CHECK: tile.arrive_barrier %[[R]][%{{.*}}] if %{{.*}} :
    tile.arrive_barrier %r[%s] if %yes : !tile.barrier<2>
    // CHECK: tile.arrive_barrier %[[R]][%{{.*}}] if %{{.*}} cluster :
    tile.arrive_barrier %r[%s] if %yes cluster : !tile.barrier<2>
    // CHECK: tile.wait_stores 1
    tile.wait_stores 1
    // CHECK: tile.write_buffer %{{.*}} to %[[M]][%{{.*}}] at [0, 0] : <64x64xbf16> to
    tile.write_buffer %half to %m[%s] at [0, 0] : !tile.frag<64x64xbf16> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
    // CHECK: tile.async_store %[[M]][%{{.*}}] to %{{.*}}[%{{.*}}, %{{.*}}]
    tile.async_store %m[%s] to %A[%c0, %c0] : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared> to !tile.view<128x64xbf16, [64, 1]>
    // CHECK: tile.wait_stores 0 written
    tile.wait_stores 0 written
  }
}

// What a pipeline of the threads of a block is made of.
// CHECK-LABEL: tile.kernel @copies
tile.kernel @copies(%a: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // CHECK: %[[M:.*]] = tile.alloc : <2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
  // CHECK: tile.alloc : <1x3x5xf32, #tile.mem_layout<contiguous = 0, lines>, shared>
  %l = tile.alloc : !tile.mem<1x3x5xf32, #tile.mem_layout<contiguous = 0, lines>, shared>
  // CHECK: tile.issue_copy %{{.*}}[%{{.*}}, %{{.*}}] to %[[M]][%{{.*}}] masked [0, 1] :
  tile.issue_copy %A[%c0, %c0] to %m[%c0] masked [0, 1] : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
  // CHECK-NEXT: tile.commit_copies
  tile.commit_copies
  // CHECK-NEXT: tile.wait_copies 0
  tile.wait_copies 0
  // CHECK-NEXT: tile.buffer_stage %[[M]][%{{.*}}] : <2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared> -> <64x64xbf16, matrices>
  %s = tile.buffer_stage %m[%c0] : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared> -> !tile.staged<64x64xbf16, matrices>
}
