// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 | FileCheck %s --check-prefix=GPU

// Depthwise: vectors run along the channels, and several positions have accumulators side
// by side, so that weights are loaded once for all. Taps are written out, products are added
// with one rounding. 11 positions are two blocks of four and three by themselves.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: #tile.pointwise_config<lanes = 16, {{.*}}positions = 4>
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK-COUNT-1: tile.load {{.*}} !tile.frag<16xf32>
// CHECK-COUNT-4: math.fma
// CHECK: tile.store
// CHECK: tile.store
// CHECK: tile.store
// CHECK: tile.store
// GPU-LABEL: tile.kernel
// GPU-NOT: positions
// GPU: math.fma
func.func @main(%x: tensor<1x13x16xf32>, %w: tensor<3x16xf32>) -> tensor<1x11x16xf32> {
  %0 = graph.kernel "row" (%a = %x, %b = %w) : (tensor<1x13x16xf32>, tensor<3x16xf32>) -> tensor<1x11x16xf32> {
    %1 = graph.iota axis 0 : tensor<11x3xi64>
    %2 = graph.iota axis 1 : tensor<11x3xi64>
    %3 = graph.binary add %1, %2 : (tensor<11x3xi64>, tensor<11x3xi64>) -> tensor<11x3xi64>
    %4 = graph.gather %a, %3 axis 1 : (tensor<1x13x16xf32>, tensor<11x3xi64>) -> tensor<1x11x3x16xf32>
    %5 = graph.binary mul %4, %b : (tensor<1x11x3x16xf32>, tensor<3x16xf32>) -> tensor<1x11x3x16xf32>
    %6 = graph.reduce sum %5 axes [2] : (tensor<1x11x3x16xf32>) -> tensor<1x11x16xf32>
    graph.yield %6 : tensor<1x11x16xf32>
  }
  return %0 : tensor<1x11x16xf32>
}

// -----

// Pooling: the innermost window dim is short, so vectors run along the result's last dim, and
// lanes read every other element. A GPU reduces along the window.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: positions =
// CHECK: tile.load {{.*}} : <16xf32, [2]> -> !tile.frag<16xf32>
// CHECK-NOT: tile.reduce
// CHECK-NOT: tile.gather
// GPU-LABEL: tile.kernel
// GPU: tile.reduce
func.func @main(%x: tensor<8x33xf32>) -> tensor<8x16xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<8x33xf32>) -> tensor<8x16xf32> {
    %1 = graph.iota axis 0 {step = 2.000000e+00 : f64} : tensor<16x3xi64>
    %2 = graph.iota axis 1 : tensor<16x3xi64>
    %3 = graph.binary add %1, %2 : (tensor<16x3xi64>, tensor<16x3xi64>) -> tensor<16x3xi64>
    %4 = graph.gather %a, %3 axis 1 : (tensor<8x33xf32>, tensor<16x3xi64>) -> tensor<8x16x3xf32>
    %5 = graph.reduce max %4 axes [2] : (tensor<8x16x3xf32>) -> tensor<8x16xf32>
    graph.yield %5 : tensor<8x16xf32>
  }
  return %0 : tensor<8x16xf32>
}

// -----

// A row of many elements is reduced along itself.
// CHECK-LABEL: tile.kernel
// CHECK-NOT: positions
// CHECK: tile.reduce
func.func @main(%x: tensor<8x16x64xf32>) -> tensor<8x16xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<8x16x64xf32>) -> tensor<8x16xf32> {
    %1 = graph.reduce max %a axes [2] : (tensor<8x16x64xf32>) -> tensor<8x16xf32>
    graph.yield %1 : tensor<8x16xf32>
  }
  return %0 : tensor<8x16xf32>
}

// -----

// Windows too far apart: lanes would skip most of what they read.
// CHECK-LABEL: tile.kernel
// CHECK-NOT: positions
// CHECK: tile.reduce
func.func @main(%x: tensor<8x16x9xf32>) -> tensor<8x16xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<8x16x9xf32>) -> tensor<8x16xf32> {
    %1 = graph.reduce max %a axes [2] : (tensor<8x16x9xf32>) -> tensor<8x16xf32>
    graph.yield %1 : tensor<8x16xf32>
  }
  return %0 : tensor<8x16xf32>
}

// -----

// Columns of a length that only the run knows, and statistics of two passes, are one
// position at a time.
// CHECK-LABEL: tile.kernel
// CHECK-NOT: positions
func.func @main(%x: tensor<4x?x16xf32, #graph.shape<[n] -> [4, n, 16]>>) -> tensor<4x16xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<4x?x16xf32, #graph.shape<[n] -> [4, n, 16]>>) -> tensor<4x16xf32> {
    %1 = graph.reduce sum %a axes [1] : (tensor<4x?x16xf32, #graph.shape<[n] -> [4, n, 16]>>) -> tensor<4x16xf32>
    graph.yield %1 : tensor<4x16xf32>
  }
  return %0 : tensor<4x16xf32>
}
