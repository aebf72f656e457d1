// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// Splitting heads moves runs of 32 elements: no quotient inside of the loop
// over a row.
// CHECK-LABEL: tile.kernel
// CHECK: arith.remui
// CHECK: arith.divui
// CHECK-NOT: tile.gather
// CHECK: tile.load %{{.*}} -> !tile.frag<32xf32>
// CHECK: tile.store
func.func @main(%x: tensor<1x128x384xf32>) -> tensor<1x12x128x32xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<1x128x384xf32>) -> tensor<1x12x128x32xf32> {
    %1 = graph.reshape %a : (tensor<1x128x384xf32>) -> tensor<1x128x12x32xf32>
    %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x128x12x32xf32>) -> tensor<1x12x128x32xf32>
    graph.yield %2 : tensor<1x12x128x32xf32>
  }
  return %0 : tensor<1x12x128x32xf32>
}

// -----

// Fragments inside one operand of a concatenation are loads; the one at the
// seam is two, each of what the operand has of it.
// CHECK-LABEL: tile.kernel
// CHECK: scf.if
// CHECK: tile.load
// CHECK: scf.if
// CHECK: tile.load
// CHECK: tile.load %{{.*}}[%c0{{[^]]*}}] pad %{{.*}} : f32 masked [0] : <?xf32, [1]>
// CHECK: tile.load %{{.*}}[%{{.*}}] pad %{{.*}} : f32 masked [0] before : <?xf32, [1]>
// CHECK: arith.select
// CHECK-NOT: tile.gather
func.func @main(%x: tensor<4x50xf32>, %y: tensor<4x14xf32>) -> tensor<4x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<4x50xf32>, tensor<4x14xf32>) -> tensor<4x64xf32> {
    %1 = graph.concat %a, %b axis 1 : (tensor<4x50xf32>, tensor<4x14xf32>) -> tensor<4x64xf32>
    graph.yield %1 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

// Extents that are symbols: the grid and the scratch are formulas.
// CHECK-DAG: #[[$GRID:.*]] = affine_map<()[s0] -> (s0 ceildiv
// CHECK-DAG: #[[$SCRATCH:.*]] = affine_map<()[s0] -> ({{.*}}s0{{.*}})>
// CHECK-LABEL: tile.kernel
// CHECK-SAME: symbols(%[[SEQ:.*]]) task
// CHECK-SAME: grid = #[[$GRID]]
// CHECK-SAME: scratch = #[[$SCRATCH]]
// CHECK-SAME: symbols = ["seq"]
graph.symbol @seq in [1, 512]
func.func @main(%x: tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>>) -> tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>>) -> tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>> {
    %1 = graph.softmax %a axis 1 : (tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>>) -> tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>>
    graph.yield %1 : tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>>
  }
  return %0 : tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>>
}

// -----

// Narrow floats are computed in f32.
// CHECK-LABEL: tile.kernel
// CHECK: tile.load %{{.*}} -> !tile.frag<[[W:.*]]xf16>
// CHECK: tile.convert %{{.*}} : <[[W]]xf16> -> <[[W]]xf32>
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: tile.convert %{{.*}} : <[[W]]xf32> -> <[[W]]xf16>
// CHECK: tile.store %{{.*}} : !tile.frag<[[W]]xf16>
func.func @main(%x: tensor<64xf16>) -> tensor<64xf16> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64xf16>) -> tensor<64xf16> {
    %1 = graph.binary mul %a, %a : (tensor<64xf16>, tensor<64xf16>) -> tensor<64xf16>
    graph.yield %1 : tensor<64xf16>
  }
  return %0 : tensor<64xf16>
}

// -----

// Windows at i * 2 + t are loads at an affine place: no index is computed, clamped or
// gathered.
// CHECK-LABEL: tile.kernel
// CHECK-NOT: arith.cmpi
// CHECK-NOT: tile.gather
// CHECK: tile.load %{{.*}} -> !tile.frag<32xf32>
// CHECK: tile.store
func.func @main(%x: tensor<1x9x64xf32>) -> tensor<1x4x3x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<1x9x64xf32>) -> tensor<1x4x3x64xf32> {
    %1 = graph.iota axis 0 {step = 2.0} : tensor<4x3xi64>
    %2 = graph.iota axis 1 : tensor<4x3xi64>
    %3 = graph.binary add %1, %2 : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
    %4 = graph.gather %a, %3 axis 1 : (tensor<1x9x64xf32>, tensor<4x3xi64>) -> tensor<1x4x3x64xf32>
    graph.yield %4 : tensor<1x4x3x64xf32>
  }
  return %0 : tensor<1x4x3x64xf32>
}

// -----

// Positions that may lie outside of the data are clamped: (3 * 2 + 2) is not below 8.
// CHECK-LABEL: tile.kernel
// CHECK: arith.{{cmpi|minsi|maxsi|select}}
func.func @main(%x: tensor<1x8x64xf32>) -> tensor<1x4x3x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<1x8x64xf32>) -> tensor<1x4x3x64xf32> {
    %1 = graph.iota axis 0 {step = 2.0} : tensor<4x3xi64>
    %2 = graph.iota axis 1 : tensor<4x3xi64>
    %3 = graph.binary add %1, %2 : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
    %4 = graph.gather %a, %3 axis 1 : (tensor<1x8x64xf32>, tensor<4x3xi64>) -> tensor<1x4x3x64xf32>
    graph.yield %4 : tensor<1x4x3x64xf32>
  }
  return %0 : tensor<1x4x3x64xf32>
}

// -----

// Heads beside each other again, of a merged batch: elements are stored where the
// reshape leaves them, and counted in the dims before it.
// CHECK-LABEL: tile.kernel @pointwise_0
// CHECK-NOT: tile.gather
// CHECK: %[[FRAG:.*]] = tile.load %{{.*}} -> !tile.frag<16xf32>
// CHECK: tile.store %[[FRAG]]
#x = #graph.shape<[b, s] -> [4 * b, s, 16]>
#t = #graph.shape<[b, s] -> [s, 4 * b, 16]>
#y = #graph.shape<[b, s] -> [b * s, 64]>
graph.symbol @b in [1, 8]
graph.symbol @s in [1, 128]
func.func @main(%x: tensor<?x?x16xf32, #x>) -> tensor<?x64xf32, #y> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x?x16xf32, #x>) -> tensor<?x64xf32, #y> {
    %1 = graph.transpose %a [1, 0, 2] : (tensor<?x?x16xf32, #x>) -> tensor<?x?x16xf32, #t>
    %2 = graph.reshape %1 : (tensor<?x?x16xf32, #t>) -> tensor<?x64xf32, #y>
    graph.yield %2 : tensor<?x64xf32, #y>
  }
  return %0 : tensor<?x64xf32, #y>
}

// -----

// A last dim that a reshape has joined is the dims it was before: lines of 48 elements, and
// no quotient per element.
// CHECK-LABEL: tile.kernel
// CHECK-NOT: tile.gather
// CHECK: tile.load %{{.*}} -> !tile.frag<16xf32>
// CHECK-NOT: tile.gather
func.func @main(%x: tensor<20x192xf32>) -> tensor<4x960xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<20x192xf32>) -> tensor<4x960xf32> {
    %1 = graph.reshape %a : (tensor<20x192xf32>) -> tensor<20x4x48xf32>
    %2 = graph.transpose %1 [1, 0, 2] : (tensor<20x4x48xf32>) -> tensor<4x20x48xf32>
    %3 = graph.reshape %2 : (tensor<4x20x48xf32>) -> tensor<4x960xf32>
    graph.yield %3 : tensor<4x960xf32>
  }
  return %0 : tensor<4x960xf32>
}

// -----

// Lines of three elements are not worth a loop.
// CHECK-LABEL: tile.kernel
// CHECK: tile.gather
func.func @main(%x: tensor<20x12xf32>) -> tensor<4x60xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<20x12xf32>) -> tensor<4x60xf32> {
    %1 = graph.reshape %a : (tensor<20x12xf32>) -> tensor<20x4x3xf32>
    %2 = graph.transpose %1 [1, 0, 2] : (tensor<20x4x3xf32>) -> tensor<4x20x3xf32>
    %3 = graph.reshape %2 : (tensor<4x20x3xf32>) -> tensor<4x60xf32>
    graph.yield %3 : tensor<4x60xf32>
  }
  return %0 : tensor<4x60xf32>
}
