// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=n:1,m:1" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=n:7,m:33" -o /dev/null | FileCheck %s --check-prefix=AT1
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=n:65,m:40" -o /dev/null | FileCheck %s --check-prefix=AT2
// Dims that only the launch knows, at sizes that cross the edges of tiles and fragments: none, one,
// odd ones and one more than a power of two.

graph.symbol @n in [0, 600]
graph.symbol @m in [1, 600]

// Rows of the launch.
// AT0-LABEL: func.func @rows
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 20 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 20 elements equal
// AT1-LABEL: func.func @rows
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 140 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 140 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 140 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 140 elements equal
// AT2-LABEL: func.func @rows
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1300 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1300 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 1300 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 1300 elements equal
func.func @rows(%a0: tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>>, %b0: tensor<20xf32>) -> tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>>, tensor<20xf32>) -> tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>> {
    %1 = graph.binary add %a, %b : (tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>>, tensor<20xf32>) -> tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>>
    %2 = graph.unary relu %1 : (tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>>) -> tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>>
    graph.yield %2 : tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>>
  }
  return %k : tensor<?x20xf32, #graph.shape<[n] -> [n, 20]>>
}

// A row length of the launch.
// AT0-LABEL: func.func @columns
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
// AT1-LABEL: func.func @columns
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 99 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 99 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 99 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 99 elements equal
// AT2-LABEL: func.func @columns
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 120 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 120 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 120 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 120 elements equal
func.func @columns(%a0: tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>, %b0: tensor<3x1xf32>) -> tensor<3x?xf32, #graph.shape<[m] -> [3, m]>> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>, tensor<3x1xf32>) -> tensor<3x?xf32, #graph.shape<[m] -> [3, m]>> {
    %1 = graph.binary mul %a, %b : (tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>, tensor<3x1xf32>) -> tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>
    graph.yield %1 : tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>
  }
  return %k : tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>
}

// Both.
// AT0-LABEL: func.func @both
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 1 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 1 elements equal
// AT1-LABEL: func.func @both
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 231 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 231 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 231 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 231 elements equal
// AT2-LABEL: func.func @both
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 2600 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 2600 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 2600 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 2600 elements equal
func.func @both(%a0: tensor<?x?xf16, #graph.shape<[m, n] -> [n, m]>>, %b0: tensor<?xf16, #graph.shape<[m] -> [m]>>) -> tensor<?x?xf16, #graph.shape<[m, n] -> [n, m]>> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<?x?xf16, #graph.shape<[m, n] -> [n, m]>>, tensor<?xf16, #graph.shape<[m] -> [m]>>) -> tensor<?x?xf16, #graph.shape<[m, n] -> [n, m]>> {
    %1 = graph.binary add %a, %b : (tensor<?x?xf16, #graph.shape<[m, n] -> [n, m]>>, tensor<?xf16, #graph.shape<[m] -> [m]>>) -> tensor<?x?xf16, #graph.shape<[m, n] -> [n, m]>>
    graph.yield %1 : tensor<?x?xf16, #graph.shape<[m, n] -> [n, m]>>
  }
  return %k : tensor<?x?xf16, #graph.shape<[m, n] -> [n, m]>>
}

// Neither extent of the tiles is known.
// AT0-LABEL: func.func @transpose
// AT0-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 1 tasks, 1 elements equal
// AT0-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0], compute = <lanes = 16, grain = 8192, stage = false>>: 1 tasks, 1 elements equal
// AT0-NEXT: sm_80 #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 32>>: 1 tasks, 1 elements equal
// AT0-NEXT: sm_90a #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 32>>: 1 tasks, 1 elements equal
// AT1-LABEL: func.func @transpose
// AT1-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 5 tasks, 231 elements equal
// AT1-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0], compute = <lanes = 16, grain = 8192, stage = false>>: 3 tasks, 231 elements equal
// AT1-NEXT: sm_80 #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 32>>: 2 tasks, 231 elements equal
// AT1-NEXT: sm_90a #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 32>>: 2 tasks, 231 elements equal
// AT2-LABEL: func.func @transpose
// AT2-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 5 tasks, 2600 elements equal
// AT2-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0], compute = <lanes = 16, grain = 8192, stage = false>>: 3 tasks, 2600 elements equal
// AT2-NEXT: sm_80 #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 32>>: 6 tasks, 2600 elements equal
// AT2-NEXT: sm_90a #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 32>>: 6 tasks, 2600 elements equal
func.func @transpose(%a0: tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [m, n]>> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [m, n]>> {
    %1 = graph.transpose %a [1, 0] : (tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [m, n]>>
    graph.yield %1 : tensor<?x?xf32, #graph.shape<[m, n] -> [m, n]>>
  }
  return %k : tensor<?x?xf32, #graph.shape<[m, n] -> [m, n]>>
}

// The boundary is where the launch says.
// AT0-LABEL: func.func @concat
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 16 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 16 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 16 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 16 elements equal
// AT1-LABEL: func.func @concat
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 320 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 320 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 320 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 320 elements equal
// AT2-LABEL: func.func @concat
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 840 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 840 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 840 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 840 elements equal
func.func @concat(%a0: tensor<?x8xf32, #graph.shape<[n] -> [n, 8]>>, %b0: tensor<?x8xf32, #graph.shape<[m] -> [m, 8]>>) -> tensor<?x8xf32, #graph.shape<[m, n] -> [n + m, 8]>> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<?x8xf32, #graph.shape<[n] -> [n, 8]>>, tensor<?x8xf32, #graph.shape<[m] -> [m, 8]>>) -> tensor<?x8xf32, #graph.shape<[m, n] -> [n + m, 8]>> {
    %1 = graph.concat %a, %b axis 0 : (tensor<?x8xf32, #graph.shape<[n] -> [n, 8]>>, tensor<?x8xf32, #graph.shape<[m] -> [m, 8]>>) -> tensor<?x8xf32, #graph.shape<[m, n] -> [n + m, 8]>>
    graph.yield %1 : tensor<?x8xf32, #graph.shape<[m, n] -> [n + m, 8]>>
  }
  return %k : tensor<?x8xf32, #graph.shape<[m, n] -> [n + m, 8]>>
}

// From the symbol on.
// AT0-LABEL: func.func @slice_from
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 8 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 8 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 8 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 8 elements equal
// AT1-LABEL: func.func @slice_from
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 264 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 264 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 264 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 264 elements equal
// AT2-LABEL: func.func @slice_from
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 320 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 320 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 320 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 320 elements equal
func.func @slice_from(%a0: tensor<?x8xf32, #graph.shape<[m, n] -> [n + m, 8]>>) -> tensor<?x8xf32, #graph.shape<[m] -> [m, 8]>> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<?x8xf32, #graph.shape<[m, n] -> [n + m, 8]>>) -> tensor<?x8xf32, #graph.shape<[m] -> [m, 8]>> {
    %1 = graph.slice %a starts <[n] -> [n, 0]> steps [1, 1] : (tensor<?x8xf32, #graph.shape<[m, n] -> [n + m, 8]>>) -> tensor<?x8xf32, #graph.shape<[m] -> [m, 8]>>
    graph.yield %1 : tensor<?x8xf32, #graph.shape<[m] -> [m, 8]>>
  }
  return %k : tensor<?x8xf32, #graph.shape<[m] -> [m, 8]>>
}

// As many lookups as the launch says.
// AT0-LABEL: func.func @gather
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 12 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 12 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 12 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 12 elements equal
// AT1-LABEL: func.func @gather
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 84 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 84 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 84 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 84 elements equal
// AT2-LABEL: func.func @gather
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 780 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 780 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 780 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 780 elements equal
func.func @gather(%a0: tensor<30x12xf32>, %b0: tensor<?xi64, #graph.shape<[n] -> [n]>>) -> tensor<?x12xf32, #graph.shape<[n] -> [n, 12]>> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<30x12xf32>, tensor<?xi64, #graph.shape<[n] -> [n]>>) -> tensor<?x12xf32, #graph.shape<[n] -> [n, 12]>> {
    %1 = graph.gather %a, %b axis 0 : (tensor<30x12xf32>, tensor<?xi64, #graph.shape<[n] -> [n]>>) -> tensor<?x12xf32, #graph.shape<[n] -> [n, 12]>>
    graph.yield %1 : tensor<?x12xf32, #graph.shape<[n] -> [n, 12]>>
  }
  return %k : tensor<?x12xf32, #graph.shape<[n] -> [n, 12]>>
}

// Reduced along a symbol.
// AT0-LABEL: func.func @sum_of_rows
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
// AT1-LABEL: func.func @sum_of_rows
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
// AT2-LABEL: func.func @sum_of_rows
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
func.func @sum_of_rows(%a0: tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>) -> tensor<3xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>) -> tensor<3xf32> {
    %1 = graph.reduce sum %a axes [1] : (tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>) -> tensor<3xf32>
    graph.yield %1 : tensor<3xf32>
  }
  return %k : tensor<3xf32>
}

// Over as many positions as the launch says.
// AT0-LABEL: func.func @mean_of_columns
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 24 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 24 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 24 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 24 elements equal
// AT1-LABEL: func.func @mean_of_columns
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 24 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 24 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 24 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 24 elements equal
// AT2-LABEL: func.func @mean_of_columns
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 24 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 24 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 24 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 24 elements equal
func.func @mean_of_columns(%a0: tensor<?x24xf32, #graph.shape<[n] -> [n, 24]>>) -> tensor<24xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<?x24xf32, #graph.shape<[n] -> [n, 24]>>) -> tensor<24xf32> {
    %1 = graph.reduce mean %a axes [0] : (tensor<?x24xf32, #graph.shape<[n] -> [n, 24]>>) -> tensor<24xf32>
    graph.yield %1 : tensor<24xf32>
  }
  return %k : tensor<24xf32>
}

// Of rows of the launch's length.
// AT0-LABEL: func.func @softmax
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 1024, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 1 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 1024, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 1 elements equal
// AT1-LABEL: func.func @softmax
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 231 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 231 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 1024, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 231 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 1024, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 231 elements equal
// AT2-LABEL: func.func @softmax
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 2600 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 2600 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 1024, grain = 2048, stage = false, threads = 128, group_threads = 32>: 17 tasks, 2600 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 1024, grain = 2048, stage = false, threads = 128, group_threads = 32>: 17 tasks, 2600 elements equal
func.func @softmax(%a0: tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>> {
    %1 = graph.softmax %a axis 1 : (tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
    graph.yield %1 : tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
  }
  return %k : tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
}

// Along a symbol in the middle.
// AT0-LABEL: func.func @softmax_middle
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 32 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 32 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 32 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 32 elements equal
// AT1-LABEL: func.func @softmax_middle
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 224 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 224 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 224 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 224 elements equal
// AT2-LABEL: func.func @softmax_middle
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 2080 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 2080 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 2080 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 2080 elements equal
func.func @softmax_middle(%a0: tensor<2x?x16xf32, #graph.shape<[n] -> [2, n, 16]>>) -> tensor<2x?x16xf32, #graph.shape<[n] -> [2, n, 16]>> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<2x?x16xf32, #graph.shape<[n] -> [2, n, 16]>>) -> tensor<2x?x16xf32, #graph.shape<[n] -> [2, n, 16]>> {
    %1 = graph.softmax %a axis 1 : (tensor<2x?x16xf32, #graph.shape<[n] -> [2, n, 16]>>) -> tensor<2x?x16xf32, #graph.shape<[n] -> [2, n, 16]>>
    graph.yield %1 : tensor<2x?x16xf32, #graph.shape<[n] -> [2, n, 16]>>
  }
  return %k : tensor<2x?x16xf32, #graph.shape<[n] -> [2, n, 16]>>
}

// Rows of the launch, of known length.
// AT0-LABEL: func.func @layer_norm
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 40 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 40 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 40 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 40 elements equal
// AT1-LABEL: func.func @layer_norm
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 280 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 280 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 280 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 280 elements equal
// AT2-LABEL: func.func @layer_norm
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 2600 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 2600 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 9 tasks, 2600 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 9 tasks, 2600 elements equal
func.func @layer_norm(%a0: tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>>, %b0: tensor<40xf32>) -> tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>>, tensor<40xf32>) -> tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>> {
    %1 = graph.layer_norm %a scale %b axis 1 {epsilon = 1.0e-5 : f64} : (tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>>, tensor<40xf32>) -> tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>>
    graph.yield %1 : tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>>
  }
  return %k : tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>>
}

// [n, 4 m] is [n, 4, m], heads first.
// AT0-LABEL: func.func @heads
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 4 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 4 elements equal
// AT1-LABEL: func.func @heads
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 924 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 924 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 924 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 924 elements equal
// AT2-LABEL: func.func @heads
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 10400 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 10400 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 6 tasks, 10400 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 6 tasks, 10400 elements equal
func.func @heads(%a0: tensor<?x?xf32, #graph.shape<[m, n] -> [n, 4*m]>>) -> tensor<4x?x?xf32, #graph.shape<[m, n] -> [4, n, m]>> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<?x?xf32, #graph.shape<[m, n] -> [n, 4*m]>>) -> tensor<4x?x?xf32, #graph.shape<[m, n] -> [4, n, m]>> {
    %1 = graph.reshape %a : (tensor<?x?xf32, #graph.shape<[m, n] -> [n, 4*m]>>) -> tensor<?x4x?xf32, #graph.shape<[m, n] -> [n, 4, m]>>
    %2 = graph.transpose %1 [1, 0, 2] : (tensor<?x4x?xf32, #graph.shape<[m, n] -> [n, 4, m]>>) -> tensor<4x?x?xf32, #graph.shape<[m, n] -> [4, n, m]>>
    graph.yield %2 : tensor<4x?x?xf32, #graph.shape<[m, n] -> [4, n, m]>>
  }
  return %k : tensor<4x?x?xf32, #graph.shape<[m, n] -> [4, n, m]>>
}

// Row numbers against a length.
// AT0-LABEL: func.func @iota
// AT0-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// AT0-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// AT0-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 6 elements equal
// AT0-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 6 elements equal
// AT1-LABEL: func.func @iota
// AT1-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 42 elements equal
// AT1-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 42 elements equal
// AT1-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 42 elements equal
// AT1-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 42 elements equal
// AT2-LABEL: func.func @iota
// AT2-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 390 elements equal
// AT2-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 390 elements equal
// AT2-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 390 elements equal
// AT2-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 390 elements equal
func.func @iota(%a0: tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>>, %b0: tensor<1xi64>) -> tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>>, tensor<1xi64>) -> tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>> {
    %1 = graph.iota axis 0 : tensor<?x6xi64, #graph.shape<[n] -> [n, 6]>>
    %2 = graph.compare less %1, %b : (tensor<?x6xi64, #graph.shape<[n] -> [n, 6]>>, tensor<1xi64>) -> tensor<?x6xi1, #graph.shape<[n] -> [n, 6]>>
    %3 = graph.fill 0.0 : f32 : tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>>
    %4 = graph.select %2, %a, %3 : (tensor<?x6xi1, #graph.shape<[n] -> [n, 6]>>, tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>>, tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>>) -> tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>>
    graph.yield %4 : tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>>
  }
  return %k : tensor<?x6xf32, #graph.shape<[n] -> [n, 6]>>
}
