// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// A rotated query and the rows of a key and a value by one kernel, each with tasks of its own.

// One position of one sequence, as a step of decoding has.
// CHECK-LABEL: func.func @one
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 3 tasks, 64 elements equal
// CHECK-NEXT: 192 elements equal
// CHECK-NEXT: 192 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 3 tasks, 64 elements equal
// CHECK-NEXT: 192 elements equal
// CHECK-NEXT: 192 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 3 tasks, 64 elements equal
// CHECK-NEXT: 192 elements equal
// CHECK-NEXT: 192 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 3 tasks, 64 elements equal
// CHECK-NEXT: 192 elements equal
// CHECK-NEXT: 192 elements equal
func.func @one(%p0: tensor<1x1x128xf32>, %c0: tensor<1x1x1x8xf32>, %d0: tensor<1x1x1x8xf32>, %s0: tensor<1x2x6x16xf32>, %u0: tensor<1x2x6x16xf32>, %i0: tensor<1xi64>, %j0: tensor<1xi64>) -> (tensor<1x4x1x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>) {
  %k:3 = graph.kernel "kv_write" (%p = %p0, %c = %c0, %d = %d0, %s = %s0, %u = %u0, %i = %i0, %j = %j0) : (tensor<1x1x128xf32>, tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>, tensor<1xi64>, tensor<1xi64>) -> (tensor<1x4x1x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>) {
    %q0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 0]> steps [1, 1, 1] : (tensor<1x1x128xf32>) -> tensor<1x1x64xf32>
    %q1 = graph.reshape %q0 : (tensor<1x1x64xf32>) -> tensor<1x1x4x16xf32>
    %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x1x4x16xf32>) -> tensor<1x4x1x16xf32>
    %k0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 64]> steps [1, 1, 1] : (tensor<1x1x128xf32>) -> tensor<1x1x32xf32>
    %k1 = graph.reshape %k0 : (tensor<1x1x32xf32>) -> tensor<1x1x2x16xf32>
    %k2 = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x1x2x16xf32>) -> tensor<1x2x1x16xf32>
    %v0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 96]> steps [1, 1, 1] : (tensor<1x1x128xf32>) -> tensor<1x1x32xf32>
    %v1 = graph.reshape %v0 : (tensor<1x1x32xf32>) -> tensor<1x1x2x16xf32>
    %v2 = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x1x2x16xf32>) -> tensor<1x2x1x16xf32>
    %q = graph.rope %q2, %c, %d : (tensor<1x4x1x16xf32>, tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x4x1x16xf32>
    %k = graph.rope %k2, %c, %d : (tensor<1x2x1x16xf32>, tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x2x1x16xf32>
    %1 = graph.kv_write %s, %k starts %i counts %j axis 2 : (tensor<1x2x6x16xf32>, tensor<1x2x1x16xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x6x16xf32>
    %2 = graph.kv_write %u, %v2 starts %i counts %j axis 2 : (tensor<1x2x6x16xf32>, tensor<1x2x1x16xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x6x16xf32>
    graph.yield %q, %1, %2 : tensor<1x4x1x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>
  }
  return %k#0, %k#1, %k#2 : tensor<1x4x1x16xf32>, tensor<1x2x6x16xf32>, tensor<1x2x6x16xf32>
}

// Several, heads of an odd width, values wider than keys.
// CHECK-LABEL: func.func @several
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 3 tasks, 990 elements equal
// CHECK-NEXT: 462 elements equal
// CHECK-NEXT: 546 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 3 tasks, 990 elements equal
// CHECK-NEXT: 462 elements equal
// CHECK-NEXT: 546 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 3 tasks, 990 elements equal
// CHECK-NEXT: 462 elements equal
// CHECK-NEXT: 546 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 3 tasks, 990 elements equal
// CHECK-NEXT: 462 elements equal
// CHECK-NEXT: 546 elements equal
func.func @several(%p0: tensor<3x5x114xf32>, %c0: tensor<3x1x5x11xf32>, %d0: tensor<3x1x5x11xf32>, %s0: tensor<3x1x7x22xf32>, %u0: tensor<3x1x7x26xf32>, %i0: tensor<3xi64>, %j0: tensor<3xi64>) -> (tensor<3x3x5x22xf32>, tensor<3x1x7x22xf32>, tensor<3x1x7x26xf32>) {
  %k:3 = graph.kernel "kv_write" (%p = %p0, %c = %c0, %d = %d0, %s = %s0, %u = %u0, %i = %i0, %j = %j0) : (tensor<3x5x114xf32>, tensor<3x1x5x11xf32>, tensor<3x1x5x11xf32>, tensor<3x1x7x22xf32>, tensor<3x1x7x26xf32>, tensor<3xi64>, tensor<3xi64>) -> (tensor<3x3x5x22xf32>, tensor<3x1x7x22xf32>, tensor<3x1x7x26xf32>) {
    %q0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 0]> steps [1, 1, 1] : (tensor<3x5x114xf32>) -> tensor<3x5x66xf32>
    %q1 = graph.reshape %q0 : (tensor<3x5x66xf32>) -> tensor<3x5x3x22xf32>
    %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<3x5x3x22xf32>) -> tensor<3x3x5x22xf32>
    %k0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 66]> steps [1, 1, 1] : (tensor<3x5x114xf32>) -> tensor<3x5x22xf32>
    %k1 = graph.reshape %k0 : (tensor<3x5x22xf32>) -> tensor<3x5x1x22xf32>
    %k2 = graph.transpose %k1 [0, 2, 1, 3] : (tensor<3x5x1x22xf32>) -> tensor<3x1x5x22xf32>
    %v0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 88]> steps [1, 1, 1] : (tensor<3x5x114xf32>) -> tensor<3x5x26xf32>
    %v1 = graph.reshape %v0 : (tensor<3x5x26xf32>) -> tensor<3x5x1x26xf32>
    %v2 = graph.transpose %v1 [0, 2, 1, 3] : (tensor<3x5x1x26xf32>) -> tensor<3x1x5x26xf32>
    %q = graph.rope %q2, %c, %d : (tensor<3x3x5x22xf32>, tensor<3x1x5x11xf32>, tensor<3x1x5x11xf32>) -> tensor<3x3x5x22xf32>
    %k = graph.rope %k2, %c, %d : (tensor<3x1x5x22xf32>, tensor<3x1x5x11xf32>, tensor<3x1x5x11xf32>) -> tensor<3x1x5x22xf32>
    %1 = graph.kv_write %s, %k starts %i counts %j axis 2 : (tensor<3x1x7x22xf32>, tensor<3x1x5x22xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3x1x7x22xf32>
    %2 = graph.kv_write %u, %v2 starts %i counts %j axis 2 : (tensor<3x1x7x26xf32>, tensor<3x1x5x26xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3x1x7x26xf32>
    graph.yield %q, %1, %2 : tensor<3x3x5x22xf32>, tensor<3x1x7x22xf32>, tensor<3x1x7x26xf32>
  }
  return %k#0, %k#1, %k#2 : tensor<3x3x5x22xf32>, tensor<3x1x7x22xf32>, tensor<3x1x7x26xf32>
}

// Adjacent elements of a part of each head, in f16.
// CHECK-LABEL: func.func @pairs
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 3 tasks, 384 elements equal
// CHECK-NEXT: 864 elements equal
// CHECK-NEXT: 864 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 3 tasks, 384 elements equal
// CHECK-NEXT: 864 elements equal
// CHECK-NEXT: 864 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 3 tasks, 384 elements equal
// CHECK-NEXT: 864 elements equal
// CHECK-NEXT: 864 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 3 tasks, 384 elements equal
// CHECK-NEXT: 864 elements equal
// CHECK-NEXT: 864 elements equal
func.func @pairs(%p0: tensor<2x4x144xf16>, %c0: tensor<2x1x4x4xf16>, %d0: tensor<2x1x4x4xf16>, %s0: tensor<2x2x9x24xf16>, %u0: tensor<2x2x9x24xf16>, %i0: tensor<2xi64>, %j0: tensor<2xi64>) -> (tensor<2x2x4x24xf16>, tensor<2x2x9x24xf16>, tensor<2x2x9x24xf16>) {
  %k:3 = graph.kernel "kv_write" (%p = %p0, %c = %c0, %d = %d0, %s = %s0, %u = %u0, %i = %i0, %j = %j0) : (tensor<2x4x144xf16>, tensor<2x1x4x4xf16>, tensor<2x1x4x4xf16>, tensor<2x2x9x24xf16>, tensor<2x2x9x24xf16>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2x2x4x24xf16>, tensor<2x2x9x24xf16>, tensor<2x2x9x24xf16>) {
    %q0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 0]> steps [1, 1, 1] : (tensor<2x4x144xf16>) -> tensor<2x4x48xf16>
    %q1 = graph.reshape %q0 : (tensor<2x4x48xf16>) -> tensor<2x4x2x24xf16>
    %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<2x4x2x24xf16>) -> tensor<2x2x4x24xf16>
    %k0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 48]> steps [1, 1, 1] : (tensor<2x4x144xf16>) -> tensor<2x4x48xf16>
    %k1 = graph.reshape %k0 : (tensor<2x4x48xf16>) -> tensor<2x4x2x24xf16>
    %k2 = graph.transpose %k1 [0, 2, 1, 3] : (tensor<2x4x2x24xf16>) -> tensor<2x2x4x24xf16>
    %v0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 96]> steps [1, 1, 1] : (tensor<2x4x144xf16>) -> tensor<2x4x48xf16>
    %v1 = graph.reshape %v0 : (tensor<2x4x48xf16>) -> tensor<2x4x2x24xf16>
    %v2 = graph.transpose %v1 [0, 2, 1, 3] : (tensor<2x4x2x24xf16>) -> tensor<2x2x4x24xf16>
    %q = graph.rope %q2, %c, %d {interleaved} : (tensor<2x2x4x24xf16>, tensor<2x1x4x4xf16>, tensor<2x1x4x4xf16>) -> tensor<2x2x4x24xf16>
    %k = graph.rope %k2, %c, %d {interleaved} : (tensor<2x2x4x24xf16>, tensor<2x1x4x4xf16>, tensor<2x1x4x4xf16>) -> tensor<2x2x4x24xf16>
    %1 = graph.kv_write %s, %k starts %i counts %j axis 2 : (tensor<2x2x9x24xf16>, tensor<2x2x4x24xf16>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x9x24xf16>
    %2 = graph.kv_write %u, %v2 starts %i counts %j axis 2 : (tensor<2x2x9x24xf16>, tensor<2x2x4x24xf16>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x9x24xf16>
    graph.yield %q, %1, %2 : tensor<2x2x4x24xf16>, tensor<2x2x9x24xf16>, tensor<2x2x9x24xf16>
  }
  return %k#0, %k#1, %k#2 : tensor<2x2x4x24xf16>, tensor<2x2x9x24xf16>, tensor<2x2x9x24xf16>
}

// More elements than a task has.
// CHECK-LABEL: func.func @many
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 6 tasks, 67584 elements equal
// CHECK-NEXT: 20480 elements equal
// CHECK-NEXT: 20480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 6 tasks, 67584 elements equal
// CHECK-NEXT: 20480 elements equal
// CHECK-NEXT: 20480 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 31 tasks, 67584 elements equal
// CHECK-NEXT: 20480 elements equal
// CHECK-NEXT: 20480 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 31 tasks, 67584 elements equal
// CHECK-NEXT: 20480 elements equal
// CHECK-NEXT: 20480 elements equal
func.func @many(%p0: tensor<4x33x768xf32>, %c0: tensor<4x1x33x32xf32>, %d0: tensor<4x1x33x32xf32>, %s0: tensor<4x2x40x64xf32>, %u0: tensor<4x2x40x64xf32>, %i0: tensor<4xi64>, %j0: tensor<4xi64>) -> (tensor<4x8x33x64xf32>, tensor<4x2x40x64xf32>, tensor<4x2x40x64xf32>) {
  %k:3 = graph.kernel "kv_write" (%p = %p0, %c = %c0, %d = %d0, %s = %s0, %u = %u0, %i = %i0, %j = %j0) : (tensor<4x33x768xf32>, tensor<4x1x33x32xf32>, tensor<4x1x33x32xf32>, tensor<4x2x40x64xf32>, tensor<4x2x40x64xf32>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4x8x33x64xf32>, tensor<4x2x40x64xf32>, tensor<4x2x40x64xf32>) {
    %q0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 0]> steps [1, 1, 1] : (tensor<4x33x768xf32>) -> tensor<4x33x512xf32>
    %q1 = graph.reshape %q0 : (tensor<4x33x512xf32>) -> tensor<4x33x8x64xf32>
    %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<4x33x8x64xf32>) -> tensor<4x8x33x64xf32>
    %k0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 512]> steps [1, 1, 1] : (tensor<4x33x768xf32>) -> tensor<4x33x128xf32>
    %k1 = graph.reshape %k0 : (tensor<4x33x128xf32>) -> tensor<4x33x2x64xf32>
    %k2 = graph.transpose %k1 [0, 2, 1, 3] : (tensor<4x33x2x64xf32>) -> tensor<4x2x33x64xf32>
    %v0 = graph.slice %p starts #graph.shape<[] -> [0, 0, 640]> steps [1, 1, 1] : (tensor<4x33x768xf32>) -> tensor<4x33x128xf32>
    %v1 = graph.reshape %v0 : (tensor<4x33x128xf32>) -> tensor<4x33x2x64xf32>
    %v2 = graph.transpose %v1 [0, 2, 1, 3] : (tensor<4x33x2x64xf32>) -> tensor<4x2x33x64xf32>
    %q = graph.rope %q2, %c, %d : (tensor<4x8x33x64xf32>, tensor<4x1x33x32xf32>, tensor<4x1x33x32xf32>) -> tensor<4x8x33x64xf32>
    %k = graph.rope %k2, %c, %d : (tensor<4x2x33x64xf32>, tensor<4x1x33x32xf32>, tensor<4x1x33x32xf32>) -> tensor<4x2x33x64xf32>
    %1 = graph.kv_write %s, %k starts %i counts %j axis 2 : (tensor<4x2x40x64xf32>, tensor<4x2x33x64xf32>, tensor<4xi64>, tensor<4xi64>) -> tensor<4x2x40x64xf32>
    %2 = graph.kv_write %u, %v2 starts %i counts %j axis 2 : (tensor<4x2x40x64xf32>, tensor<4x2x33x64xf32>, tensor<4xi64>, tensor<4xi64>) -> tensor<4x2x40x64xf32>
    graph.yield %q, %1, %2 : tensor<4x8x33x64xf32>, tensor<4x2x40x64xf32>, tensor<4x2x40x64xf32>
  }
  return %k#0, %k#1, %k#2 : tensor<4x8x33x64xf32>, tensor<4x2x40x64xf32>, tensor<4x2x40x64xf32>
}
