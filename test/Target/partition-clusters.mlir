// RUN: kiln-opt %s --split-input-file --pass-pipeline='builtin.module(kiln-emit-kernels{targets=sm_90a},builtin.module(kiln-partition-warps{target=sm_90a}))' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --pass-pipeline='builtin.module(kiln-emit-kernels{targets=sm_90a},builtin.module(kiln-partition-warps{target=sm_90a},kiln-assign-layouts{target=sm_90a},kiln-pipeline-copies{target=sm_90a},kiln-allocate-shared{target=sm_90a},kiln-insert-barriers{target=sm_90a},kiln-lower-tile-to-nvvm{target=sm_90a}))' | FileCheck %s --check-prefix=LOWER

// What a block reads is no longer proven to be the same for its neighbour: each copies its own.
// RUN: kiln-opt %s --split-input-file --pass-pipeline='builtin.module(kiln-emit-kernels{targets=sm_90a})' | sed 's/arith.divui %arg3,/arith.maxui %arg3,/' | kiln-opt --split-input-file --pass-pipeline='builtin.module(builtin.module(kiln-partition-warps{target=sm_90a}))' | FileCheck %s --check-prefix=OWN

// A task without a neighbour.
// RUN: kiln-opt %s --split-input-file --pass-pipeline='builtin.module(kiln-emit-kernels{targets=sm_90a})' | sed 's/affine_map<() -> (512)>/affine_map<() -> (511)>/' | not kiln-opt --split-input-file --pass-pipeline='builtin.module(builtin.module(kiln-partition-warps{target=sm_90a}))' 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: KILN-E0403: kernel 'matmul_0': tasks that are no whole clusters

// Several waves: pairs of blocks along the rows. The empty barriers wait for the eight warps
// of both blocks; the left operand is a block's own, the right one comes in two halves.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-SAME: cluster = 2
// CHECK: %[[A:.*]] = tile.alloc : <3x128x64xf16
// CHECK: %[[B:.*]] = tile.alloc : <3x64x256xf16
// CHECK: %[[FULL:.*]] = tile.create_barriers 1 : <3>
// CHECK: %[[EMPTY:.*]] = tile.create_barriers 16 : <3>
// CHECK: tile.sync_cluster
// CHECK: tile.warp_specialize
// CHECK: tile.wait_barrier %[[EMPTY]]
// CHECK: tile.expect_bytes %[[FULL]][%{{.*}}], 49152
// CHECK: tile.async_copy {{.*}} box [128, 64] to %[[A]]{{.*}} barrier %[[FULL]] :
// CHECK: tile.async_copy {{.*}} box [16, 64, 16] to %[[B]]{{.*}} barrier %[[FULL]] multicast 0 :
// CHECK: } consumer {
// CHECK: tile.arrive_barrier %[[EMPTY]][%{{.*}}] if %{{.*}} cluster :
// CHECK: tile.arrive_barrier %[[EMPTY]][%{{.*}}] if %{{.*}} cluster :
// CHECK: tile.wait_stores 0 written
// CHECK: tile.sync_cluster

// LOWER-LABEL: llvm.func @matmul_0
// LOWER-SAME: nvvm.cluster_dim = array<i32: 2>
// Half of the panels at a time.
// LOWER-SAME: box = [16, 64, 8], swizzle = 32
// LOWER: mbarrier.init
// LOWER: "barrier.cluster.arrive.release;\0Abarrier.cluster.wait.acquire;"
// LOWER: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// LOWER: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0]
// LOWER: nvvm.read.ptx.sreg.cluster.ctarank
// LOWER: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$3, $4, $5}], [$2], $6;
// LOWER: mapa.shared::cluster.u32
// LOWER-SAME: mbarrier.arrive.release.cluster.shared::cluster.b64
// LOWER: cp.async.bulk.wait_group 0
// LOWER: "barrier.cluster.arrive.release;\0Abarrier.cluster.wait.acquire;"

// OWN-LABEL: tile.kernel @matmul_0
// OWN: tile.create_barriers 8 : <3>
// OWN: tile.sync_cluster
// OWN-NOT: multicast
func.func @main(%x: tensor<4096x128xf16>, %w: tensor<256x128x16xf16>) -> tensor<4096x4096xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4096x128xf16>, tensor<256x128x16xf16>) -> tensor<4096x4096xf16> {
    %1 = graph.unpack %b : (tensor<256x128x16xf16>) -> tensor<128x4096xf16>
    %2 = graph.matmul %a, %1 : (tensor<4096x128xf16>, tensor<128x4096xf16>) -> tensor<4096x4096xf16>
    graph.yield %2 : tensor<4096x4096xf16>
  }
  return %0 : tensor<4096x4096xf16>
}

// -----

// Where tensors lie with K first, the parts are lines of K.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-SAME: cluster = 2
// CHECK: tile.async_copy {{.*}} box [64, 64] to {{.*}} at [0, 0] barrier %{{.*}} multicast 0 :
// CHECK: tile.async_copy {{.*}} box [64, 64] to {{.*}} at [0, 64] barrier %{{.*}} multicast 0 :
// LOWER-LABEL: llvm.func @matmul_0
// LOWER-SAME: box = [64, 32], swizzle = 128
func.func @main(%x: tensor<4096x128xf16>, %w: tensor<128x4096xf16>) -> tensor<4096x4096xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4096x128xf16>, tensor<128x4096xf16>) -> tensor<4096x4096xf16> {
    %2 = graph.matmul %a, %b : (tensor<4096x128xf16>, tensor<128x4096xf16>) -> tensor<4096x4096xf16>
    graph.yield %2 : tensor<4096x4096xf16>
  }
  return %0 : tensor<4096x4096xf16>
}

// -----

// One wave.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-NOT: cluster
// CHECK-NOT: multicast
// CHECK: tile.warp_specialize
// CHECK-NOT: cluster
// LOWER-LABEL: llvm.func @matmul_0
// LOWER-NOT: cluster_dim
// LOWER-NOT: barrier.cluster
func.func @main(%x: tensor<512x128xf16>, %w: tensor<128x512xf16>) -> tensor<512x512xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<512x128xf16>, tensor<128x512xf16>) -> tensor<512x512xf16> {
    %2 = graph.matmul %a, %b : (tensor<512x128xf16>, tensor<128x512xf16>) -> tensor<512x512xf16>
    graph.yield %2 : tensor<512x512xf16>
  }
  return %0 : tensor<512x512xf16>
}
