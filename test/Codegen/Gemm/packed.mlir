// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// Packed weights are read where they lie; every block of 6 rows is one register
// tile, fetches two lines of the next panel and stores from registers.
// CHECK-DAG: #[[$GRID:.*]] = affine_map<() -> (2)>
// CHECK-DAG: #[[$NONE:.*]] = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-SAME: (%[[X:.*]]: !tile.buffer<f32>, %[[W:.*]]: !tile.buffer<f32>) -> (%[[Y:.*]]: !tile.buffer<f32>)
// CHECK-SAME: grid = #[[$GRID]]
// CHECK-SAME: scratch = #[[$NONE]]
// CHECK-NOT: tile.scratch
// CHECK: %[[ROWS:.*]] = tile.view %[[X]] {{.*}} -> <12x64xf32, [64, 1]>
// CHECK: scf.for
// CHECK: %[[PANEL:.*]] = tile.view %[[W]] {{.*}} -> <64x16xf32, [16, 1]>
// CHECK: scf.for
// CHECK: %[[ZERO:.*]] = tile.fill {{.*}} -> <6x16xf32>
// CHECK: %[[TILE:.*]] = tile.pipeline {{.*}} init(%[[ZERO]]) : !tile.frag<6x16xf32> load {
// CHECK: tile.stage %[[ROWS]]{{.*}} -> <6x?xf32>
// CHECK: tile.stage %[[PANEL]]{{.*}} -> <?x16xf32>
// CHECK-COUNT-2: tile.prefetch
// CHECK-NOT: tile.prefetch
// CHECK: } compute {
// CHECK: tile.mma {{.*}} : !tile.staged<6x?xf32>, !tile.staged<?x16xf32>, <6x16xf32>
// CHECK: tile.extract %[[TILE]] [0]
// CHECK: tile.view %[[Y]]
// CHECK: tile.store
// CHECK: tile.extract %[[TILE]] [5]
// CHECK: tile.store
// CHECK-NOT: masked
func.func @main(%x: tensor<12x64xf32>, %w: tensor<3x64x16xf32>) -> tensor<12x48xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<12x64xf32>, tensor<3x64x16xf32>) -> tensor<12x48xf32> {
    %1 = graph.unpack %b : (tensor<3x64x16xf32>) -> tensor<64x48xf32>
    %2 = graph.matmul %a, %1 : (tensor<12x64xf32>, tensor<64x48xf32>) -> tensor<12x48xf32>
    graph.yield %2 : tensor<12x48xf32>
  }
  return %0 : tensor<12x48xf32>
}

// -----

// Few rows: one height, and panels side by side whose products share the loop. They are four streams of memory.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK: tile.pipeline {{.*}} : !tile.frag<1x16xf32>, !tile.frag<1x16xf32>, !tile.frag<1x16xf32>, !tile.frag<1x16xf32> load {
// CHECK-NOT: tile.prefetch
// CHECK-COUNT-4: tile.mma {{.*}} : !tile.staged<1x?xf32>, !tile.staged<?x16xf32>, <1x16xf32>
func.func @main(%x: tensor<1x64xf32>, %w: tensor<16x64x16xf32>) -> tensor<1x256xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<1x64xf32>, tensor<16x64x16xf32>) -> tensor<1x256xf32> {
    %1 = graph.unpack %b : (tensor<16x64x16xf32>) -> tensor<64x256xf32>
    %2 = graph.matmul %a, %1 : (tensor<1x64xf32>, tensor<64x256xf32>) -> tensor<1x256xf32>
    graph.yield %2 : tensor<1x256xf32>
  }
  return %0 : tensor<1x256xf32>
}

// -----

// Tasks of two panels multiply both side by side, and have no code for more or for a rest.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-NOT: tile.mma
// CHECK: tile.pipeline {{.*}} : !tile.frag<1x16xf32>, !tile.frag<1x16xf32> load {
// CHECK-COUNT-2: tile.mma
// CHECK-NOT: tile.mma
func.func @main(%x: tensor<1x64xf32>, %w: tensor<8x64x16xf32>) -> tensor<1x128xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<1x64xf32>, tensor<8x64x16xf32>) -> tensor<1x128xf32> {
    %1 = graph.unpack %b : (tensor<8x64x16xf32>) -> tensor<64x128xf32>
    %2 = graph.matmul %a, %1 : (tensor<1x64xf32>, tensor<64x128xf32>) -> tensor<1x128xf32>
    graph.yield %2 : tensor<1x128xf32>
  }
  return %0 : tensor<1x128xf32>
}

// -----

// A wide panel of 16-bit weights is one stream: four steps fetch the eight lines that lie 4096 elements behind theirs.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-COUNT-4: tile.fill {{.*}} -> <1x16xf32>
// CHECK-NEXT: %[[STEPS:.*]] = arith.constant 4 : index
// CHECK-NEXT: {{.*}} = tile.pipeline {{.*}} step %[[STEPS]] init({{.*}} load {
// CHECK-COUNT-4: tile.stage {{.*}} sizes(%[[STEPS]]) : {{.*}} -> <?x16xbf16>
// CHECK: %[[AHEAD:.*]] = arith.constant 4096 : index
// CHECK: arith.addi %{{.*}}, %[[AHEAD]]
// CHECK-COUNT-8: tile.prefetch
// CHECK-NOT: tile.prefetch
// CHECK: } compute {
func.func @main(%x: tensor<1x64xbf16>, %w: tensor<2x64x64xbf16>) -> tensor<1x128xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<1x64xbf16>, tensor<2x64x64xbf16>) -> tensor<1x128xf32> {
    %1 = graph.unpack %b : (tensor<2x64x64xbf16>) -> tensor<64x128xbf16>
    %2 = graph.matmul %a, %1 {result_element = f32} : (tensor<1x64xbf16>, tensor<64x128xbf16>) -> tensor<1x128xf32>
    graph.yield %2 : tensor<1x128xf32>
  }
  return %0 : tensor<1x128xf32>
}

// -----

// Deep products keep their tiles in scratch between blocks of kc = 1024 steps.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK: %[[STRIP:.*]] = tile.view %{{.*}} -> <96x16xf32, [16, 1]>
// CHECK: scf.for
// CHECK: tile.store %{{.*}}, %[[STRIP]]
// CHECK: %[[BLOCK:.*]] = arith.constant 1024 : index
// CHECK: scf.for {{.*}} step %[[BLOCK]]
// CHECK: scf.for
// CHECK: %[[CARRIED:.*]] = tile.load %[[STRIP]]{{.*}} -> !tile.frag<6x16xf32>
// CHECK: tile.pipeline {{.*}} init(%[[CARRIED]])
// CHECK: tile.store {{.*}}, %[[STRIP]]
func.func @main(%x: tensor<96x3072xf32>, %w: tensor<48x3072x16xf32>) -> tensor<96x768xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<96x3072xf32>, tensor<48x3072x16xf32>) -> tensor<96x768xf32> {
    %1 = graph.unpack %b : (tensor<48x3072x16xf32>) -> tensor<3072x768xf32>
    %2 = graph.matmul %a, %1 : (tensor<96x3072xf32>, tensor<3072x768xf32>) -> tensor<96x768xf32>
    graph.yield %2 : tensor<96x768xf32>
  }
  return %0 : tensor<96x768xf32>
}
