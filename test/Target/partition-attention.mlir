// RUN: kiln-opt %s --split-input-file --pass-pipeline='builtin.module(kiln-emit-kernels{targets=sm_90a},builtin.module(kiln-partition-warps{target=sm_90a}))' | FileCheck %s

// Queries once per task, keys and values once per step, each with barriers of their own.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK: %[[Q:.*]] = tile.alloc : <1x128x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
// CHECK: %[[K:.*]] = tile.alloc : <3x64x128xbf16, #tile.mem_layout<contiguous = 0, swizzle = 128>, shared>
// CHECK: %[[V:.*]] = tile.alloc : <3x128x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
// CHECK: %[[K_FULL:.*]] = tile.create_barriers 1 : <3>
// CHECK: %[[K_EMPTY:.*]] = tile.create_barriers 8 : <3>
// CHECK: %[[Q_FULL:.*]] = tile.create_barriers 1 : <1>
// CHECK: %[[Q_EMPTY:.*]] = tile.create_barriers 8 : <1>
// CHECK: %[[V_FULL:.*]] = tile.create_barriers 1 : <3>
// CHECK: %[[V_EMPTY:.*]] = tile.create_barriers 8 : <3>
// CHECK: tile.warp_specialize registers(40, 232) producer {
// CHECK: tile.wait_barrier %[[Q_EMPTY]]
// CHECK: tile.expect_bytes %[[Q_FULL]][{{.*}}], 16384
// CHECK: tile.async_copy {{.*}} box [1, 128, 64] to %[[Q]]
// CHECK: scf.for
// CHECK: tile.async_copy {{.*}} box [1, 64, 128] to %[[K]]
// CHECK: tile.async_copy {{.*}} box [1, 128, 64] to %[[V]]
// CHECK: } consumer {

// The first scores by themselves; then the scores of a step and the second product of the
// step before are in flight together, and the softmax runs under the second one. Both
// warpgroups issue in turn.
// CHECK: tile.wait_barrier %[[Q_FULL]]
// CHECK: tile.issue_mma %[[Q]][{{.*}}], %[[K]][
// CHECK: tile.wait_mma 0 of
// CHECK: math.exp2
// CHECK: %[[P:.*]] = tile.pack_operand
// CHECK: scf.for
// CHECK: tile.wait_order
// CHECK-NEXT: tile.wait_barrier %[[K_FULL]]
// CHECK: %[[SCORES:.*]] = tile.issue_mma %[[Q]][{{.*}}], %[[K]][
// CHECK-NEXT: tile.wait_barrier %[[V_FULL]]
// CHECK-NEXT: %[[RESULT:.*]] = tile.issue_mma %[[WEIGHTS:.*]], %[[V]][
// CHECK-NEXT: tile.arrive_order
// CHECK-NEXT: tile.wait_mma 1 of %[[SCORES]]
// CHECK-NEXT: tile.arrive_barrier %[[K_EMPTY]]
// CHECK-NOT: tile.wait_mma
// CHECK: tile.reduce max
// CHECK: math.exp2
// CHECK: %[[POWERS:.*]] = tile.as_pending
// CHECK: tile.wait_mma 0 of %[[RESULT]], %[[POWERS]] {{.*}} keep(%[[WEIGHTS]] : !tile.operand<128x128xbf16>)
// CHECK-NEXT: tile.arrive_barrier %[[V_EMPTY]]
// CHECK: tile.convert
// CHECK: tile.pack_operand
// CHECK: scf.yield
// CHECK: tile.issue_mma {{.*}}, %[[V]][
// CHECK: tile.wait_mma 0
// CHECK: tile.arrive_barrier %[[V_EMPTY]]
// CHECK: } else {
// CHECK: tile.arrive_barrier %[[Q_EMPTY]]

// The result leaves through shared memory, in one piece.
// CHECK: tile.wait_stores 0
// CHECK: tile.write_buffer {{.*}} at [0, 0] : <128x64xbf16
// CHECK: tile.async_store
// CHECK-NOT: tile.store
// CHECK: tile.wait_stores 0 written
func.func @main(%q: tensor<1x2x512x64xbf16>, %k: tensor<1x2x512x64xbf16>) -> tensor<1x2x512x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x512x64xbf16> {
    %1 = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x512x64xbf16>
    graph.yield %1 : tensor<1x2x512x64xbf16>
  }
  return %0 : tensor<1x2x512x64xbf16>
}

// -----

// Few queries stay with mma.sync.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-NOT: tile.warp_specialize
// CHECK: tile.pipeline
func.func @main(%q: tensor<1x2x16x64xbf16>, %k: tensor<1x2x512x64xbf16>) -> tensor<1x2x16x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (tensor<1x2x16x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x16x64xbf16> {
    %1 = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x2x16x64xbf16>, tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x16x64xbf16>
    graph.yield %1 : tensor<1x2x16x64xbf16>
  }
  return %0 : tensor<1x2x16x64xbf16>
}

// -----

// Heads of 256: products are long enough, nobody waits for a turn.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK: tile.warp_specialize
// CHECK-NOT: tile.wait_order
func.func @main(%q: tensor<1x2x512x256xbf16>, %k: tensor<1x2x512x256xbf16>) -> tensor<1x2x512x256xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (tensor<1x2x512x256xbf16>, tensor<1x2x512x256xbf16>) -> tensor<1x2x512x256xbf16> {
    %1 = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x2x512x256xbf16>, tensor<1x2x512x256xbf16>, tensor<1x2x512x256xbf16>) -> tensor<1x2x512x256xbf16>
    graph.yield %1 : tensor<1x2x512x256xbf16>
  }
  return %0 : tensor<1x2x512x256xbf16>
}
