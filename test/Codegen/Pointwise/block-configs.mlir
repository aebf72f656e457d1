// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s

// A warp shares a fragment of four elements per thread.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>
// CHECK-NEXT: #tile.pointwise_config<lanes = 32, grain = 512, stage = false, threads = 128, group_threads = 32>
// CHECK-NOT: #tile.pointwise_config
// CHECK: module {
func.func @main(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4x1024xf32>) -> tensor<4x1024xf32> {
    %1 = graph.unary gelu %a : (tensor<4x1024xf32>) -> tensor<4x1024xf32>
    graph.yield %1 : tensor<4x1024xf32>
  }
  return %0 : tensor<4x1024xf32>
}

// -----

// Rows that are walked over again: of 16, four threads each; of 1000, in the registers
// of a warp; of 5000, in those of a block; of 32768, in shared memory; longer ones are
// read again.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 1024, grain = 2048, stage = false, threads = 128, group_threads = 32>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 8192, grain = 8192, stage = false, threads = 512, group_threads = 512>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 1024, grain = 4096, stage = true, threads = 256, group_threads = 256>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 1024, grain = 4096, stage = false, threads = 256, group_threads = 256>
func.func @main(%a: tensor<64x16xf32>, %b: tensor<64x1000xf32>, %c: tensor<2x5000xf32>, %d: tensor<2x32768xf32>, %e: tensor<2x65536xf32>) -> (tensor<64x16xf32>, tensor<64x1000xf32>, tensor<2x5000xf32>, tensor<2x32768xf32>, tensor<2x65536xf32>) {
  %0 = graph.kernel "row" (%x = %a) : (tensor<64x16xf32>) -> tensor<64x16xf32> {
    %s = graph.softmax %x axis 1 : (tensor<64x16xf32>) -> tensor<64x16xf32>
    graph.yield %s : tensor<64x16xf32>
  }
  %1 = graph.kernel "row" (%x = %b) : (tensor<64x1000xf32>) -> tensor<64x1000xf32> {
    %s = graph.softmax %x axis 1 : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
    graph.yield %s : tensor<64x1000xf32>
  }
  %2 = graph.kernel "row" (%x = %c) : (tensor<2x5000xf32>) -> tensor<2x5000xf32> {
    %s = graph.softmax %x axis 1 : (tensor<2x5000xf32>) -> tensor<2x5000xf32>
    graph.yield %s : tensor<2x5000xf32>
  }
  %3 = graph.kernel "row" (%x = %d) : (tensor<2x32768xf32>) -> tensor<2x32768xf32> {
    %s = graph.softmax %x axis 1 : (tensor<2x32768xf32>) -> tensor<2x32768xf32>
    graph.yield %s : tensor<2x32768xf32>
  }
  %4 = graph.kernel "row" (%x = %e) : (tensor<2x65536xf32>) -> tensor<2x65536xf32> {
    %s = graph.softmax %x axis 1 : (tensor<2x65536xf32>) -> tensor<2x65536xf32>
    graph.yield %s : tensor<2x65536xf32>
  }
  return %0, %1, %2, %3, %4 : tensor<64x16xf32>, tensor<64x1000xf32>, tensor<2x5000xf32>, tensor<2x32768xf32>, tensor<2x65536xf32>
}

// -----

// A length known at run time only counts as the most that its range allows: 1000, 5000,
// 40000. What is walked over once needs no place to stay.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 1024, grain = 2048, stage = false, threads = 128, group_threads = 32>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 8192, grain = 8192, stage = false, threads = 512, group_threads = 512>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 1024, grain = 4096, stage = true, threads = 256, group_threads = 256>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>
#x = #graph.shape<[a] -> [4, a]>
#y = #graph.shape<[b] -> [4, 5*b]>
#z = #graph.shape<[c] -> [4, c]>
graph.symbol @a in [1, 1000]
graph.symbol @b in [1, 1000]
graph.symbol @c in [1, 40000]
func.func @main(%a: tensor<4x?xf32, #x>, %b: tensor<4x?xf32, #y>, %c: tensor<4x?xf32, #z>) -> (tensor<4x?xf32, #x>, tensor<4x?xf32, #y>, tensor<4x?xf32, #z>, tensor<4xf32>) {
  %0 = graph.kernel "row" (%v = %a) : (tensor<4x?xf32, #x>) -> tensor<4x?xf32, #x> {
    %s = graph.softmax %v axis 1 : (tensor<4x?xf32, #x>) -> tensor<4x?xf32, #x>
    graph.yield %s : tensor<4x?xf32, #x>
  }
  %1 = graph.kernel "row" (%v = %b) : (tensor<4x?xf32, #y>) -> tensor<4x?xf32, #y> {
    %s = graph.softmax %v axis 1 : (tensor<4x?xf32, #y>) -> tensor<4x?xf32, #y>
    graph.yield %s : tensor<4x?xf32, #y>
  }
  %2 = graph.kernel "row" (%v = %c) : (tensor<4x?xf32, #z>) -> tensor<4x?xf32, #z> {
    %s = graph.softmax %v axis 1 : (tensor<4x?xf32, #z>) -> tensor<4x?xf32, #z>
    graph.yield %s : tensor<4x?xf32, #z>
  }
  %3 = graph.kernel "row" (%v = %c) : (tensor<4x?xf32, #z>) -> tensor<4xf32> {
    %s = graph.reduce sum %v axes [1] : (tensor<4x?xf32, #z>) -> tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  return %0, %1, %2, %3 : tensor<4x?xf32, #x>, tensor<4x?xf32, #y>, tensor<4x?xf32, #z>, tensor<4xf32>
}

// -----

// Rows that are walked over once: 1000 elements by a whole warp.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>
func.func @main(%a: tensor<64x1000xf32>) -> tensor<64xf32> {
  %0 = graph.kernel "row" (%x = %a) : (tensor<64x1000xf32>) -> tensor<64xf32> {
    %s = graph.reduce sum %x axes [1] : (tensor<64x1000xf32>) -> tensor<64xf32>
    graph.yield %s : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// A row without elements has a fragment all the same.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>
func.func @main(%a: tensor<64x0xf32>) -> tensor<64xf32> {
  %0 = graph.kernel "row" (%x = %a) : (tensor<64x0xf32>) -> tensor<64xf32> {
    %s = graph.reduce sum %x axes [1] : (tensor<64x0xf32>) -> tensor<64xf32>
    graph.yield %s : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// A concatenation has fragments that end at its seams, if accesses can.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>
func.func @main(%a: tensor<64x32xf32>, %b: tensor<64x96xf32>, %c: tensor<64x33xf32>, %d: tensor<64x95xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %0 = graph.kernel "pointwise" (%x = %a, %y = %b) : (tensor<64x32xf32>, tensor<64x96xf32>) -> tensor<64x128xf32> {
    %s = graph.concat %x, %y axis 1 : (tensor<64x32xf32>, tensor<64x96xf32>) -> tensor<64x128xf32>
    graph.yield %s : tensor<64x128xf32>
  }
  %1 = graph.kernel "pointwise" (%x = %c, %y = %d) : (tensor<64x33xf32>, tensor<64x95xf32>) -> tensor<64x128xf32> {
    %s = graph.concat %x, %y axis 1 : (tensor<64x33xf32>, tensor<64x95xf32>) -> tensor<64x128xf32>
    graph.yield %s : tensor<64x128xf32>
  }
  return %0, %1 : tensor<64x128xf32>, tensor<64x128xf32>
}
