// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefix=HOST

// 128 bytes on either side, rows of eight threads. A host transposes squares of registers.
// HOST-LABEL: kernel "pointwise" for
// HOST-NEXT: #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, {{.*}}threads = 128, group_threads = 8>>
func.func @main(%x: tensor<64x512xf32>) -> tensor<512x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x512xf32>) -> tensor<512x64xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x512xf32>) -> tensor<512x64xf32>
    graph.yield %1 : tensor<512x64xf32>
  }
  return %0 : tensor<512x64xf32>
}

// -----

// Of 16 bits, rows of four threads: eight would meet in banks.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [64, 64], pads = [2], compute = <lanes = 64, {{.*}}threads = 256, group_threads = 4>>
func.func @main(%x: tensor<64x512xf16>) -> tensor<512x64xf16> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x512xf16>) -> tensor<512x64xf16> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x512xf16>) -> tensor<512x64xf16>
    graph.yield %1 : tensor<512x64xf16>
  }
  return %0 : tensor<512x64xf16>
}

// -----

// Bytes, rows of a sector.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [64, 128], pads = [4], compute = <lanes = 64, {{.*}}threads = 256, group_threads = 2>>
func.func @main(%x: tensor<64x512xi8>) -> tensor<512x64xi8> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x512xi8>) -> tensor<512x64xi8> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x512xi8>) -> tensor<512x64xi8>
    graph.yield %1 : tensor<512x64xi8>
  }
  return %0 : tensor<512x64xi8>
}

// -----

// Of 64 bits, 16 are lines of 128 bytes; 32 columns make it 4 KiB.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 16], pads = [1], compute = <lanes = 32, {{.*}}threads = 128, group_threads = 8>>
func.func @main(%x: tensor<64x512xf64>) -> tensor<512x64xf64> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x512xf64>) -> tensor<512x64xf64> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x512xf64>) -> tensor<512x64xf64>
    graph.yield %1 : tensor<512x64xf64>
  }
  return %0 : tensor<512x64xf64>
}

// -----

// Odd lines are accessed element by element, a warp to a row.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, {{.*}}threads = 128, group_threads = 32>>
func.func @main(%x: tensor<63x511xf32>) -> tensor<511x63xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<63x511xf32>) -> tensor<511x63xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<63x511xf32>) -> tensor<511x63xf32>
    graph.yield %1 : tensor<511x63xf32>
  }
  return %0 : tensor<511x63xf32>
}

// -----

// A short side makes the other longer.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [256, 4],
func.func @main(%x: tensor<2x1024x3xf32>) -> tensor<2x3x1024xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<2x1024x3xf32>) -> tensor<2x3x1024xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<2x1024x3xf32>) -> tensor<2x3x1024xf32>
    graph.yield %1 : tensor<2x3x1024xf32>
  }
  return %0 : tensor<2x3x1024xf32>
}

// -----

// Of two operands one goes through the tile; of two, both do.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1],
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1, 1],
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.binary add %1, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    graph.yield %2 : tensor<64x64xf32>
  }
  %3 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %1 = graph.binary add %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.binary mul %1, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %4 = graph.transpose %2 [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    graph.yield %4 : tensor<64x64xf32>
  }
  return %0, %3 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Symbols: lines of the operand begin anywhere, and so do rows.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, {{.*}}threads = 128, group_threads = 32>>
func.func @main(%x: tensor<?x?xf32, #graph.shape<[m, n] -> [m, n]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x?xf32, #graph.shape<[m, n] -> [m, n]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>> {
    %1 = graph.transpose %a [1, 0] : (tensor<?x?xf32, #graph.shape<[m, n] -> [m, n]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
    graph.yield %1 : tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
  }
  return %0 : tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
}

// -----

// No tile: heads keep the contiguous dim.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<2x64x4x64xf32>) -> tensor<2x4x64x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<2x64x4x64xf32>) -> tensor<2x4x64x64xf32> {
    %1 = graph.transpose %a [0, 2, 1, 3] : (tensor<2x64x4x64xf32>) -> tensor<2x4x64x64xf32>
    graph.yield %1 : tensor<2x4x64x64xf32>
  }
  return %0 : tensor<2x4x64x64xf32>
}

// -----

// No tile: a thread has a whole row, its neighbour the next.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<4x256xf32>) -> tensor<256x4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4x256xf32>) -> tensor<256x4xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<4x256xf32>) -> tensor<256x4xf32>
    graph.yield %1 : tensor<256x4xf32>
  }
  return %0 : tensor<256x4xf32>
}

// -----

// No tile: a slice of every other element has no neighbours along any loop.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<64x512xf32>) -> tensor<64x256xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x512xf32>) -> tensor<64x256xf32> {
    %1 = graph.slice %a starts <[] -> [0, 0]> steps [1, 2] : (tensor<64x512xf32>) -> tensor<64x256xf32>
    graph.yield %1 : tensor<64x256xf32>
  }
  return %0 : tensor<64x256xf32>
}

// -----

// Below a concatenation: what the tile has of the operand goes through scratch.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, {{.*}}threads = 128, group_threads = 8>>
func.func @main(%x: tensor<64x64xf32>, %y: tensor<32x64xf32>) -> tensor<96x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<96x64xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.concat %1, %b axis 0 : (tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<96x64xf32>
    graph.yield %2 : tensor<96x64xf32>
  }
  return %0 : tensor<96x64xf32>
}

// -----

// Behind one row: tiles begin where the operand does, so its accesses are as wide.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, {{.*}}threads = 128, group_threads = 8>>
func.func @main(%x: tensor<64x64xf32>, %y: tensor<1x64xf32>) -> tensor<65x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<64x64xf32>, tensor<1x64xf32>) -> tensor<65x64xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.concat %b, %1 axis 0 : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<65x64xf32>
    graph.yield %2 : tensor<65x64xf32>
  }
  return %0 : tensor<65x64xf32>
}

// -----

// Along neither side: the whole tile is the operand's or not.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, {{.*}}threads = 128, group_threads = 8>>
func.func @main(%x: tensor<2x64x64xf32>, %y: tensor<1x64x64xf32>) -> tensor<3x64x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<2x64x64xf32>, tensor<1x64x64xf32>) -> tensor<3x64x64xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
    %2 = graph.concat %1, %b axis 0 : (tensor<2x64x64xf32>, tensor<1x64x64xf32>) -> tensor<3x64x64xf32>
    graph.yield %2 : tensor<3x64x64xf32>
  }
  return %0 : tensor<3x64x64xf32>
}

// -----

// No tile: the concatenation goes along a side, but not one by one.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.concat %1, %b axis 1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x128xf32>
    %3 = graph.slice %2 starts <[] -> [0, 0]> steps [1, 2] : (tensor<64x128xf32>) -> tensor<64x64xf32>
    graph.yield %3 : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// -----

// One operand in two places, each of which has its lines.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [32, 32], pads = [1, 1],
func.func @main(%x: tensor<64x64xf32>) -> tensor<128x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x64xf32>) -> tensor<128x64xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.concat %1, %a axis 0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %3 = graph.concat %a, %1 axis 0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %4 = graph.binary add %2, %3 : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
    graph.yield %4 : tensor<128x64xf32>
  }
  return %0 : tensor<128x64xf32>
}
