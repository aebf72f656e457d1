// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefix=HOST

// HOST-NOT: staging_config

// Long rows of f32: eight of them are whole sectors; a warp has a row.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.staging_config<tile = [256, 8], pads = [4], compute = <lanes = 1024, {{.*}}threads = 256, group_threads = 32>>
func.func @main(%x: tensor<768x512xf32>) -> tensor<512x768xf32> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<768x512xf32>) -> tensor<512x768xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<768x512xf32>) -> tensor<512x768xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<512x768xf32>) -> tensor<512x768xf32>
    graph.yield %2 : tensor<512x768xf32>
  }
  return %0 : tensor<512x768xf32>
}

// -----

// Of 16 bits, sixteen; of bytes it would be 32.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.staging_config<tile = [256, 16], pads = [{{[0-9]+}}], compute = <lanes = 1024, {{.*}}threads = 256, group_threads = 32>>
func.func @main(%x: tensor<768x512xf16>) -> tensor<512x768xf16> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<768x512xf16>) -> tensor<512x768xf16> {
    %1 = graph.transpose %xk [1, 0] : (tensor<768x512xf16>) -> tensor<512x768xf16>
    %2 = graph.softmax %1 axis 1 : (tensor<512x768xf16>) -> tensor<512x768xf16>
    graph.yield %2 : tensor<512x768xf16>
  }
  return %0 : tensor<512x768xf16>
}

// -----

// Short rows: lines of 128 bytes.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.staging_config<tile = [64, 32], {{.*}}group_threads = 16>>
// CHECK-NEXT: #tile.staging_config<tile = [{{[0-9]+}}, 16],
// CHECK-NEXT: #tile.staging_config<tile = [{{[0-9]+}}, 8],
func.func @main(%x: tensor<64x512xf32>) -> tensor<512x64xf32> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<64x512xf32>) -> tensor<512x64xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<64x512xf32>) -> tensor<512x64xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<512x64xf32>) -> tensor<512x64xf32>
    graph.yield %2 : tensor<512x64xf32>
  }
  return %0 : tensor<512x64xf32>
}

// -----

// Four rows are all there are: lines follow each other.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.staging_config<tile = [{{[0-9]+}}, 4],
func.func @main(%x: tensor<64x4xf32>) -> tensor<4x64xf32> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<64x4xf32>) -> tensor<4x64xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<64x4xf32>) -> tensor<4x64xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<4x64xf32>) -> tensor<4x64xf32>
    graph.yield %2 : tensor<4x64xf32>
  }
  return %0 : tensor<4x64xf32>
}

// -----

// A block computes one row after the other.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.staging_config<tile = [512, 8], pads = [4], compute = <lanes = 4096, {{.*}}threads = 256, group_threads = 256>>
func.func @main(%x: tensor<4096x64xf32>) -> tensor<64x4096xf32> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<4096x64xf32>) -> tensor<64x4096xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<4096x64xf32>) -> tensor<64x4096xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<64x4096xf32>) -> tensor<64x4096xf32>
    graph.yield %2 : tensor<64x4096xf32>
  }
  return %0 : tensor<64x4096xf32>
}

// -----

// Two operands, of which the narrower one says how many rows; a third lies along the rows.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.staging_config<tile = [128, 16], pads = [{{[0-9]+}}, {{[0-9]+}}], compute =
func.func @main(%x: tensor<768x512xf32>, %y: tensor<768x512xf16>, %z: tensor<512x768xf32>) -> tensor<512x768xf32> {
  %0 = graph.kernel "row" (%xk = %x, %yk = %y, %zk = %z) : (tensor<768x512xf32>, tensor<768x512xf16>, tensor<512x768xf32>) -> tensor<512x768xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<768x512xf32>) -> tensor<512x768xf32>
    %2 = graph.transpose %yk [1, 0] : (tensor<768x512xf16>) -> tensor<512x768xf16>
    %3 = graph.cast %2 : (tensor<512x768xf16>) -> tensor<512x768xf32>
    %4 = graph.binary add %1, %3 : (tensor<512x768xf32>, tensor<512x768xf32>) -> tensor<512x768xf32>
    %5 = graph.binary add %4, %zk : (tensor<512x768xf32>, tensor<512x768xf32>) -> tensor<512x768xf32>
    %6 = graph.softmax %5 axis 1 : (tensor<512x768xf32>) -> tensor<512x768xf32>
    graph.yield %6 : tensor<512x768xf32>
  }
  return %0 : tensor<512x768xf32>
}

// -----

// A reduction of what lies across and what does not.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.staging_config<tile = [{{[0-9]+}}, 8],
func.func @main(%x: tensor<768x512xf32>, %y: tensor<512x768xf32>) -> tensor<512xf32> {
  %0 = graph.kernel "row" (%xk = %x, %yk = %y) : (tensor<768x512xf32>, tensor<512x768xf32>) -> tensor<512xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<768x512xf32>) -> tensor<512x768xf32>
    %2 = graph.binary add %1, %yk : (tensor<512x768xf32>, tensor<512x768xf32>) -> tensor<512x768xf32>
    %3 = graph.reduce max %2 axes [1] : (tensor<512x768xf32>) -> tensor<512xf32>
    graph.yield %3 : tensor<512xf32>
  }
  return %0 : tensor<512xf32>
}

// -----

// A length known at run time only counts as the most that its range allows.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.staging_config<tile = [256, 8], {{.*}}lanes = 1024,
graph.symbol @c in [1, 768]
graph.symbol @n in [1, 4096]
func.func @main(%x: tensor<?x?xf32, #graph.shape<[c, n] -> [c, n]>>) -> tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<?x?xf32, #graph.shape<[c, n] -> [c, n]>>) -> tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>> {
    %1 = graph.transpose %xk [1, 0] : (tensor<?x?xf32, #graph.shape<[c, n] -> [c, n]>>) -> tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>
    %2 = graph.softmax %1 axis 1 : (tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>) -> tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>
    graph.yield %2 : tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>
  }
  return %0 : tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>
}

// -----

// No tile: shared memory does not hold what the range allows.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<
graph.symbol @c in [1, 100000]
graph.symbol @n in [1, 4096]
func.func @main(%x: tensor<?x?xf32, #graph.shape<[c, n] -> [c, n]>>) -> tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<?x?xf32, #graph.shape<[c, n] -> [c, n]>>) -> tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>> {
    %1 = graph.transpose %xk [1, 0] : (tensor<?x?xf32, #graph.shape<[c, n] -> [c, n]>>) -> tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>
    %2 = graph.softmax %1 axis 1 : (tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>) -> tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>
    graph.yield %2 : tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>
  }
  return %0 : tensor<?x?xf32, #graph.shape<[c, n] -> [n, c]>>
}

// -----

// No tile: shared memory does not hold eight rows.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<8192x64xf32>) -> tensor<64x8192xf32> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<8192x64xf32>) -> tensor<64x8192xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<8192x64xf32>) -> tensor<64x8192xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<64x8192xf32>) -> tensor<64x8192xf32>
    graph.yield %2 : tensor<64x8192xf32>
  }
  return %0 : tensor<64x8192xf32>
}

// -----

// No tile: a thread has a whole row, its neighbour the next.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<4x512xf32>) -> tensor<512x4xf32> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<4x512xf32>) -> tensor<512x4xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<4x512xf32>) -> tensor<512x4xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<512x4xf32>) -> tensor<512x4xf32>
    graph.yield %2 : tensor<512x4xf32>
  }
  return %0 : tensor<512x4xf32>
}

// -----

// No tile: nothing lies across the rows.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<2x64x4x64xf32>) -> tensor<2x4x64x64xf32> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<2x64x4x64xf32>) -> tensor<2x4x64x64xf32> {
    %1 = graph.transpose %xk [0, 2, 1, 3] : (tensor<2x64x4x64xf32>) -> tensor<2x4x64x64xf32>
    %2 = graph.softmax %1 axis 3 : (tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    graph.yield %2 : tensor<2x4x64x64xf32>
  }
  return %0 : tensor<2x4x64x64xf32>
}

// -----

// No tile: a reduction of what lies across runs along the dim that stays.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<
func.func @main(%x: tensor<768x512xf32>) -> tensor<512xf32> {
  %0 = graph.kernel "row" (%xk = %x) : (tensor<768x512xf32>) -> tensor<512xf32> {
    %1 = graph.transpose %xk [1, 0] : (tensor<768x512xf32>) -> tensor<512x768xf32>
    %3 = graph.reduce max %1 axes [1] : (tensor<512x768xf32>) -> tensor<512xf32>
    graph.yield %3 : tensor<512xf32>
  }
  return %0 : tensor<512xf32>
}
