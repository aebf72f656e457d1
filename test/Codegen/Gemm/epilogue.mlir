// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// A transposed operand is packed in squares of 8 first. The long epilogue is
// there once per width, in a loop over rows in scratch; the partial panel's store
// is masked.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-SAME: staged_epilogue = true
// CHECK: %[[PANEL:.*]] = tile.view %{{.*}} -> <64x16xf32, [16, 1]>
// CHECK: %[[SQUARE:.*]] = tile.load %{{.*}} masked [0] : <?x64xf32, [64, 1]> -> !tile.frag<8x8xf32>
// CHECK: %[[TURNED:.*]] = tile.transpose %[[SQUARE]]
// CHECK: tile.store %[[TURNED]], %[[PANEL]]
// CHECK: %[[STRIP:.*]] = tile.view %{{.*}} -> <96x16xf32, [16, 1]>
// CHECK: %[[TILE:.*]] = tile.pipeline
// CHECK: tile.stage %[[PANEL]]
// CHECK: tile.store %[[TILE]], %[[STRIP]]
// CHECK: scf.if
// CHECK: %[[ROW:.*]] = tile.load %[[STRIP]]
// CHECK: tile.map %[[ROW]]
// CHECK: math.erf
// CHECK: tile.store
// CHECK-NOT: masked
// CHECK: else
// CHECK: math.erf
// CHECK: tile.store {{.*}} masked [0]
// CHECK-NOT: math.erf
func.func @main(%x: tensor<6x64xf32>, %w: tensor<20x64xf32>) -> tensor<6x20xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<6x64xf32>, tensor<20x64xf32>) -> tensor<6x20xf32> {
    %1 = graph.matmul %a, %b {transpose_b} : (tensor<6x64xf32>, tensor<20x64xf32>) -> tensor<6x20xf32>
    %2 = graph.unary gelu %1 : (tensor<6x20xf32>) -> tensor<6x20xf32>
    graph.yield %2 : tensor<6x20xf32>
  }
  return %0 : tensor<6x20xf32>
}

// -----

// A short epilogue stays on the register tile.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-SAME: staged_epilogue = false
// CHECK: %[[TILE:.*]] = tile.pipeline
// CHECK: %[[ROW:.*]] = tile.extract %[[TILE]] [0]
// CHECK: %[[BIAS:.*]] = tile.load %{{.*}} -> !tile.frag<16xf32>
// CHECK: %[[SUM:.*]] = tile.map %[[ROW]], %[[BIAS]]
// CHECK: arith.addf
// CHECK: tile.store %[[SUM]]
func.func @main(%x: tensor<6x64xf32>, %w: tensor<2x64x16xf32>, %c: tensor<32xf32>) -> tensor<6x32xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w, %d = %c) : (tensor<6x64xf32>, tensor<2x64x16xf32>, tensor<32xf32>) -> tensor<6x32xf32> {
    %1 = graph.unpack %b : (tensor<2x64x16xf32>) -> tensor<64x32xf32>
    %2 = graph.matmul %a, %1 : (tensor<6x64xf32>, tensor<64x32xf32>) -> tensor<6x32xf32>
    %3 = graph.binary add %2, %d : (tensor<6x32xf32>, tensor<32xf32>) -> tensor<6x32xf32>
    graph.yield %3 : tensor<6x32xf32>
  }
  return %0 : tensor<6x32xf32>
}

// -----

// bf16 is multiplied and added up in f32 and rounded where it is stored.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK: %[[ROWS:.*]] = tile.view %{{.*}} -> <6x64xf32, [80, 1]>
// CHECK: tile.pipeline {{.*}} : !tile.frag<6x16xf32> load {
// CHECK: tile.stage %[[ROWS]]
// CHECK: tile.mma {{.*}} : !tile.staged<6x?xf32>, !tile.staged<?x16xbf16>, <6x16xf32>
// CHECK: %[[NARROW:.*]] = tile.convert %{{.*}} : <16xf32> -> <16xbf16>
// CHECK: tile.store %[[NARROW]]
func.func @main(%x: tensor<6x64xbf16>, %w: tensor<2x64x16xbf16>) -> tensor<6x32xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<6x64xbf16>, tensor<2x64x16xbf16>) -> tensor<6x32xbf16> {
    %1 = graph.unpack %b : (tensor<2x64x16xbf16>) -> tensor<64x32xbf16>
    %2 = graph.matmul %a, %1 : (tensor<6x64xbf16>, tensor<64x32xbf16>) -> tensor<6x32xbf16>
    graph.yield %2 : tensor<6x32xbf16>
  }
  return %0 : tensor<6x32xbf16>
}
