// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Rotary embeddings: both elements of a pair from the same loads where the kernel ends in
// the last dim of the rope, by a choice elsewhere.

// Whole heads, one table for all of them.
// CHECK-LABEL: func.func @halves
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 480 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 480 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 480 elements equal
func.func @halves(%x0: tensor<2x3x5x16xf32>, %c0: tensor<2x1x5x8xf32>, %s0: tensor<2x1x5x8xf32>) -> tensor<2x3x5x16xf32> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<2x3x5x16xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x3x5x16xf32> {
    %o = graph.rope %v, %c, %s : (tensor<2x3x5x16xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x3x5x16xf32>
    graph.yield %o : tensor<2x3x5x16xf32>
  }
  return %k : tensor<2x3x5x16xf32>
}

// Pairs that fill no vector; a table of two dims.
// CHECK-LABEL: func.func @odd
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 462 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 462 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 462 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 462 elements equal
func.func @odd(%x0: tensor<3x1x7x22xf32>, %c0: tensor<7x11xf32>, %s0: tensor<7x11xf32>) -> tensor<3x1x7x22xf32> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<3x1x7x22xf32>, tensor<7x11xf32>, tensor<7x11xf32>) -> tensor<3x1x7x22xf32> {
    %o = graph.rope %v, %c, %s : (tensor<3x1x7x22xf32>, tensor<7x11xf32>, tensor<7x11xf32>) -> tensor<3x1x7x22xf32>
    graph.yield %o : tensor<3x1x7x22xf32>
  }
  return %k : tensor<3x1x7x22xf32>
}

// What is not rotated is copied by the same positions.
// CHECK-LABEL: func.func @partial
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 720 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 720 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 720 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 720 elements equal
func.func @partial(%x0: tensor<2x3x5x24xf32>, %c0: tensor<1x1x5x4xf32>, %s0: tensor<1x1x5x4xf32>) -> tensor<2x3x5x24xf32> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<2x3x5x24xf32>, tensor<1x1x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<2x3x5x24xf32> {
    %o = graph.rope %v, %c, %s : (tensor<2x3x5x24xf32>, tensor<1x1x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<2x3x5x24xf32>
    graph.yield %o : tensor<2x3x5x24xf32>
  }
  return %k : tensor<2x3x5x24xf32>
}

// And by a choice where it is no multiple of the pairs.
// CHECK-LABEL: func.func @partialOdd
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 690 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 690 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 690 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 690 elements equal
func.func @partialOdd(%x0: tensor<2x3x5x23xf32>, %c0: tensor<1x1x5x4xf32>, %s0: tensor<1x1x5x4xf32>) -> tensor<2x3x5x23xf32> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<2x3x5x23xf32>, tensor<1x1x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<2x3x5x23xf32> {
    %o = graph.rope %v, %c, %s : (tensor<2x3x5x23xf32>, tensor<1x1x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<2x3x5x23xf32>
    graph.yield %o : tensor<2x3x5x23xf32>
  }
  return %k : tensor<2x3x5x23xf32>
}

// Adjacent elements.
// CHECK-LABEL: func.func @pairs
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 480 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 480 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 480 elements equal
func.func @pairs(%x0: tensor<2x3x5x16xf32>, %c0: tensor<2x1x5x8xf32>, %s0: tensor<2x1x5x8xf32>) -> tensor<2x3x5x16xf32> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<2x3x5x16xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x3x5x16xf32> {
    %o = graph.rope %v, %c, %s {interleaved} : (tensor<2x3x5x16xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x3x5x16xf32>
    graph.yield %o : tensor<2x3x5x16xf32>
  }
  return %k : tensor<2x3x5x16xf32>
}

// Adjacent elements, of which some stay, in f16.
// CHECK-LABEL: func.func @pairsPartial
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 810 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 810 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 810 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 810 elements equal
func.func @pairsPartial(%x0: tensor<2x3x5x27xf16>, %c0: tensor<2x1x5x6xf16>, %s0: tensor<2x1x5x6xf16>) -> tensor<2x3x5x27xf16> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<2x3x5x27xf16>, tensor<2x1x5x6xf16>, tensor<2x1x5x6xf16>) -> tensor<2x3x5x27xf16> {
    %o = graph.rope %v, %c, %s {interleaved} : (tensor<2x3x5x27xf16>, tensor<2x1x5x6xf16>, tensor<2x1x5x6xf16>) -> tensor<2x3x5x27xf16>
    graph.yield %o : tensor<2x3x5x27xf16>
  }
  return %k : tensor<2x3x5x27xf16>
}

// Heads beside each other behind it.
// CHECK-LABEL: func.func @joined
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 480 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 480 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 480 elements equal
func.func @joined(%x0: tensor<2x3x5x16xf32>, %c0: tensor<2x1x5x8xf32>, %s0: tensor<2x1x5x8xf32>) -> tensor<2x5x48xf32> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<2x3x5x16xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x5x48xf32> {
    %r = graph.rope %v, %c, %s : (tensor<2x3x5x16xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x3x5x16xf32>
    %t = graph.transpose %r [0, 2, 1, 3] : (tensor<2x3x5x16xf32>) -> tensor<2x5x3x16xf32>
    %o = graph.reshape %t : (tensor<2x5x3x16xf32>) -> tensor<2x5x48xf32>
    graph.yield %o : tensor<2x5x48xf32>
  }
  return %k : tensor<2x5x48xf32>
}

// Another dim is last: a choice per element.
// CHECK-LABEL: func.func @transposed
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [4, 4], pads = [0, 0, 0, 0, 0, 0, 0, 0], compute = <lanes = 4, grain = 512, stage = false>>: 24 tasks, 480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [4, 4], pads = [0, 0, 0, 0, 0, 0, 0, 0], compute = <lanes = 4, grain = 512, stage = false>>: 24 tasks, 480 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [8, 16], pads = [0, 0, 0, 0, 0, 0, 0, 0], compute = <lanes = 8, grain = 128, stage = false, threads = 32, group_threads = 8>>: 6 tasks, 480 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [8, 16], pads = [0, 0, 0, 0, 0, 0, 0, 0], compute = <lanes = 8, grain = 128, stage = false, threads = 32, group_threads = 8>>: 6 tasks, 480 elements equal
func.func @transposed(%x0: tensor<2x3x5x16xf32>, %c0: tensor<2x1x5x8xf32>, %s0: tensor<2x1x5x8xf32>) -> tensor<2x3x16x5xf32> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<2x3x5x16xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x3x16x5xf32> {
    %r = graph.rope %v, %c, %s : (tensor<2x3x5x16xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>) -> tensor<2x3x5x16xf32>
    %o = graph.transpose %r [0, 1, 3, 2] : (tensor<2x3x5x16xf32>) -> tensor<2x3x16x5xf32>
    graph.yield %o : tensor<2x3x16x5xf32>
  }
  return %k : tensor<2x3x16x5xf32>
}

// In bf16, scaled.
// CHECK-LABEL: func.func @narrow
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 480 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 480 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 480 elements equal
func.func @narrow(%x0: tensor<2x3x5x16xbf16>, %c0: tensor<2x1x5x8xbf16>, %s0: tensor<2x1x5x8xbf16>) -> tensor<2x3x5x16xbf16> {
  %k = graph.kernel "pointwise" (%v = %x0, %c = %c0, %s = %s0) : (tensor<2x3x5x16xbf16>, tensor<2x1x5x8xbf16>, tensor<2x1x5x8xbf16>) -> tensor<2x3x5x16xbf16> {
    %r = graph.rope %v, %c, %s : (tensor<2x3x5x16xbf16>, tensor<2x1x5x8xbf16>, tensor<2x1x5x8xbf16>) -> tensor<2x3x5x16xbf16>
    %two = graph.constant dense<2.0> : tensor<bf16>
    %o = graph.binary mul %r, %two : (tensor<2x3x5x16xbf16>, tensor<bf16>) -> tensor<2x3x5x16xbf16>
    graph.yield %o : tensor<2x3x5x16xbf16>
  }
  return %k : tensor<2x3x5x16xbf16>
}

// Into a cache, of keys that lie in another order.
// CHECK-LABEL: func.func @written
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 1344 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 1344 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 1344 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 1344 elements equal
func.func @written(%s0: tensor<7x2x6x16xf32>, %n0: tensor<7x3x2x16xf32>, %c0: tensor<7x1x3x8xf32>, %d0: tensor<7x1x3x8xf32>, %i0: tensor<7xi64>, %j0: tensor<7xi64>) -> tensor<7x2x6x16xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %c = %c0, %d = %d0, %i = %i0, %j = %j0) : (tensor<7x2x6x16xf32>, tensor<7x3x2x16xf32>, tensor<7x1x3x8xf32>, tensor<7x1x3x8xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x6x16xf32> {
    %t = graph.transpose %n [0, 2, 1, 3] : (tensor<7x3x2x16xf32>) -> tensor<7x2x3x16xf32>
    %r = graph.rope %t, %c, %d : (tensor<7x2x3x16xf32>, tensor<7x1x3x8xf32>, tensor<7x1x3x8xf32>) -> tensor<7x2x3x16xf32>
    %1 = graph.kv_write %s, %r starts %i counts %j axis 2 : (tensor<7x2x6x16xf32>, tensor<7x2x3x16xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x6x16xf32>
    graph.yield %1 : tensor<7x2x6x16xf32>
  }
  return %k : tensor<7x2x6x16xf32>
}

// Into a cache, of keys that lie in another order.
// CHECK-LABEL: func.func @writtenPairs
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1680 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1680 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 1680 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 1680 elements equal
func.func @writtenPairs(%s0: tensor<7x2x6x20xf32>, %n0: tensor<7x3x2x20xf32>, %c0: tensor<7x1x3x8xf32>, %d0: tensor<7x1x3x8xf32>, %i0: tensor<7xi64>, %j0: tensor<7xi64>) -> tensor<7x2x6x20xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %c = %c0, %d = %d0, %i = %i0, %j = %j0) : (tensor<7x2x6x20xf32>, tensor<7x3x2x20xf32>, tensor<7x1x3x8xf32>, tensor<7x1x3x8xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x6x20xf32> {
    %t = graph.transpose %n [0, 2, 1, 3] : (tensor<7x3x2x20xf32>) -> tensor<7x2x3x20xf32>
    %r = graph.rope %t, %c, %d {interleaved} : (tensor<7x2x3x20xf32>, tensor<7x1x3x8xf32>, tensor<7x1x3x8xf32>) -> tensor<7x2x3x20xf32>
    %1 = graph.kv_write %s, %r starts %i counts %j axis 2 : (tensor<7x2x6x20xf32>, tensor<7x2x3x20xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x6x20xf32>
    graph.yield %1 : tensor<7x2x6x20xf32>
  }
  return %k : tensor<7x2x6x20xf32>
}
