// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefix=HOST

// HOST-NOT: tile_config

// Both sides end in 2 neighbours: 16 positions of the next dim of either make 128 bytes.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [2, 32, 16], pads = [2], compute = <{{.*}}threads = 128, group_threads = 16>>
func.func @main(%x: tensor<64x64x2xf32>) -> tensor<64x64x2xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x64x2xf32>) -> tensor<64x64x2xf32> {
    %1 = graph.transpose %a [1, 0, 2] : (tensor<64x64x2xf32>) -> tensor<64x64x2xf32>
    graph.yield %1 : tensor<64x64x2xf32>
  }
  return %0 : tensor<64x64x2xf32>
}

// -----

// The result ends in two short dims, which are far apart in the operand.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [2, 4, 64], pads = [0], compute = <{{.*}}threads = 32, group_threads = 32>>
func.func @main(%x: tensor<2x64x4x64xf16>) -> tensor<64x64x4x2xf16> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<2x64x4x64xf16>) -> tensor<64x64x4x2xf16> {
    %1 = graph.transpose %a [1, 3, 2, 0] : (tensor<2x64x4x64xf16>) -> tensor<64x64x4x2xf16>
    graph.yield %1 : tensor<64x64x4x2xf16>
  }
  return %0 : tensor<64x64x4x2xf16>
}

// -----

// One block of short dims in another order: a row for all threads.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [4, 2, 64], pads = [0], compute = <{{.*}}threads = 64, group_threads = 64>>
func.func @main(%x: tensor<64x4x2xf32>) -> tensor<64x2x4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x4x2xf32>) -> tensor<64x2x4xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<64x4x2xf32>) -> tensor<64x2x4xf32>
    graph.yield %1 : tensor<64x2x4xf32>
  }
  return %0 : tensor<64x2x4xf32>
}

// -----

// Of a length that is known at run time only.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<tile = [3, 32, 16], pads = [19], compute = <{{.*}}threads = 256, group_threads = 32>>
func.func @main(%x: tensor<?x?x3xf32, #graph.shape<[m, n] -> [m, n, 3]>>) -> tensor<?x?x3xf32, #graph.shape<[m, n] -> [n, m, 3]>> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x?x3xf32, #graph.shape<[m, n] -> [m, n, 3]>>) -> tensor<?x?x3xf32, #graph.shape<[m, n] -> [n, m, 3]>> {
    %1 = graph.transpose %a [1, 0, 2] : (tensor<?x?x3xf32, #graph.shape<[m, n] -> [m, n, 3]>>) -> tensor<?x?x3xf32, #graph.shape<[m, n] -> [n, m, 3]>>
    graph.yield %1 : tensor<?x?x3xf32, #graph.shape<[m, n] -> [n, m, 3]>>
  }
  return %0 : tensor<?x?x3xf32, #graph.shape<[m, n] -> [n, m, 3]>>
}

// -----

// Whole sectors on either side need none; nor does one long dim of either.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<64x64x8xf32>) -> tensor<64x64x8xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64x64x8xf32>) -> tensor<64x64x8xf32> {
    %1 = graph.transpose %a [1, 0, 2] : (tensor<64x64x8xf32>) -> tensor<64x64x8xf32>
    graph.yield %1 : tensor<64x64x8xf32>
  }
  return %0 : tensor<64x64x8xf32>
}

// -----

// The short dim of the result is next to the operand's: a tile of both is one run.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.staging_config<
func.func @main(%x: tensor<2x3x4096xf32>) -> tensor<2x4096x3xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<2x3x4096xf32>) -> tensor<2x4096x3xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<2x3x4096xf32>) -> tensor<2x4096x3xf32>
    graph.yield %1 : tensor<2x4096x3xf32>
  }
  return %0 : tensor<2x4096x3xf32>
}

// -----

// A gather along the short dim says nothing of neighbours.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<64x64x2xf32>, %i: tensor<2xi64>) -> tensor<64x64x2xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %i) : (tensor<64x64x2xf32>, tensor<2xi64>) -> tensor<64x64x2xf32> {
    %1 = graph.gather %a, %b axis 2 : (tensor<64x64x2xf32>, tensor<2xi64>) -> tensor<64x64x2xf32>
    %2 = graph.transpose %1 [1, 0, 2] : (tensor<64x64x2xf32>) -> tensor<64x64x2xf32>
    graph.yield %2 : tensor<64x64x2xf32>
  }
  return %0 : tensor<64x64x2xf32>
}
