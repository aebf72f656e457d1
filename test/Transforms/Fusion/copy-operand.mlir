// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels=targets=native,sm_80 --kiln-verify-kernels | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels=targets=native --kiln-verify-kernels | FileCheck %s --check-prefix=HOST

// HOST-LABEL: func.func @main
// HOST-COUNT-2: graph.kernel

// Two operands lie across the result, along different dims: the tile is for the one with more bytes per
// element, the other one is turned by a kernel of its own. The rest stays one kernel.
// CHECK-LABEL: func.func @main
// CHECK: %[[T:.*]] = graph.kernel "pointwise" (%{{.*}} = %arg1)
// CHECK-NEXT: graph.transpose %{{.*}} [2, 1, 0]
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "pointwise" (%{{.*}} = %[[T]], %{{.*}} = %arg0)
// CHECK-NEXT: graph.cast
// CHECK-NEXT: graph.transpose %{{.*}} [0, 2, 1]
// CHECK-NEXT: graph.binary add
// CHECK-NEXT: graph.unary exp
// CHECK-NEXT: graph.yield
// CHECK-NOT: graph.kernel
func.func @main(%a: tensor<64x64x64xf32>, %b: tensor<64x64x64xf16>) -> tensor<64x64x64xf32> {
  %0 = graph.transpose %a [0, 2, 1] : (tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  %1 = graph.transpose %b [2, 1, 0] : (tensor<64x64x64xf16>) -> tensor<64x64x64xf16>
  %2 = graph.cast %1 : (tensor<64x64x64xf16>) -> tensor<64x64x64xf32>
  %3 = graph.binary add %0, %2 : (tensor<64x64x64xf32>, tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  %4 = graph.unary exp %3 : (tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  return %4 : tensor<64x64x64xf32>
}

// -----

// Along one dim both go through the tile.
// CHECK-LABEL: func.func @main
// HOST-LABEL: func.func @main
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @main(%a: tensor<64x64x64xf32>, %b: tensor<64x64x64xf32>) -> tensor<64x64x64xf32> {
  %0 = graph.transpose %a [0, 2, 1] : (tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  %1 = graph.transpose %b [0, 2, 1] : (tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  %2 = graph.binary add %0, %1 : (tensor<64x64x64xf32>, tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  return %2 : tensor<64x64x64xf32>
}

// -----

// A small operand is read where it lies: it comes from L1.
// CHECK-LABEL: func.func @main
// HOST-LABEL: func.func @main
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @main(%a: tensor<8x64x64xf32>, %b: tensor<64x16x8xf32>) -> tensor<8x64x64xf32> {
  %0 = graph.transpose %a [0, 2, 1] : (tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %1 = graph.slice %b starts <[] -> [0, 0, 0]> steps [1, 1, 1] : (tensor<64x16x8xf32>) -> tensor<64x1x8xf32>
  %2 = graph.transpose %1 [2, 1, 0] : (tensor<64x1x8xf32>) -> tensor<8x1x64xf32>
  %3 = graph.binary add %0, %2 : (tensor<8x64x64xf32>, tensor<8x1x64xf32>) -> tensor<8x64x64xf32>
  return %3 : tensor<8x64x64xf32>
}

// -----

// An operand that lies as the result does, and one that a dim of which broadcasts, are no reason.
// CHECK-LABEL: func.func @main
// HOST-LABEL: func.func @main
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @main(%a: tensor<64x64x64xf32>, %b: tensor<64x64x64xf32>, %c: tensor<1x64xf32>) -> tensor<64x64x64xf32> {
  %0 = graph.transpose %a [1, 2, 0] : (tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  %1 = graph.binary add %0, %b : (tensor<64x64x64xf32>, tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  %2 = graph.transpose %c [1, 0] : (tensor<1x64xf32>) -> tensor<64x1xf32>
  %3 = graph.binary mul %1, %2 : (tensor<64x64x64xf32>, tensor<64x1xf32>) -> tensor<64x64x64xf32>
  return %3 : tensor<64x64x64xf32>
}

// -----

// Shared memory does not hold eight rows: they are turned first. Hosts read them as they lie.
// CHECK-LABEL: func.func @main
// HOST-LABEL: func.func @main
// CHECK: %[[T:.*]] = graph.kernel "pointwise"
// CHECK-NEXT: graph.transpose
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "row" (%{{.*}} = %[[T]])
// CHECK-NEXT: graph.softmax
// CHECK-NOT: graph.kernel
// HOST-COUNT-1: graph.kernel
// HOST-NOT: graph.kernel
func.func @main(%a: tensor<20000x16xf32>) -> tensor<16x20000xf32> {
  %0 = graph.transpose %a [1, 0] : (tensor<20000x16xf32>) -> tensor<16x20000xf32>
  %1 = graph.softmax %0 axis 1 : (tensor<16x20000xf32>) -> tensor<16x20000xf32>
  return %1 : tensor<16x20000xf32>
}

// -----

// It holds rows of one operand, not of two.
// CHECK-LABEL: func.func @main
// HOST-LABEL: func.func @main
// CHECK: %[[T:.*]] = graph.kernel "pointwise" (%{{.*}} = %arg0)
// CHECK-NEXT: graph.transpose
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "row"
// CHECK-DAG: graph.transpose
// CHECK: graph.softmax
// CHECK-NOT: graph.kernel
func.func @main(%a: tensor<4000x64xf32>, %b: tensor<4000x64xf32>) -> tensor<64x4000xf32> {
  %0 = graph.transpose %a [1, 0] : (tensor<4000x64xf32>) -> tensor<64x4000xf32>
  %1 = graph.transpose %b [1, 0] : (tensor<4000x64xf32>) -> tensor<64x4000xf32>
  %2 = graph.binary add %0, %1 : (tensor<64x4000xf32>, tensor<64x4000xf32>) -> tensor<64x4000xf32>
  %3 = graph.softmax %2 axis 1 : (tensor<64x4000xf32>) -> tensor<64x4000xf32>
  return %3 : tensor<64x4000xf32>
}

// -----

// It holds these.
// CHECK-LABEL: func.func @main
// HOST-LABEL: func.func @main
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @main(%a: tensor<1000x64xf32>, %b: tensor<1000x64xf32>) -> tensor<64x2000xf32> {
  %0 = graph.transpose %a [1, 0] : (tensor<1000x64xf32>) -> tensor<64x1000xf32>
  %1 = graph.transpose %b [1, 0] : (tensor<1000x64xf32>) -> tensor<64x1000xf32>
  %2 = graph.concat %0, %1 axis 1 : (tensor<64x1000xf32>, tensor<64x1000xf32>) -> tensor<64x2000xf32>
  %3 = graph.softmax %2 axis 1 : (tensor<64x2000xf32>) -> tensor<64x2000xf32>
  return %3 : tensor<64x2000xf32>
}

// -----

// The softmax is over the dim that neighbours lie along, and another one is the last.
// CHECK-LABEL: func.func @main
// HOST-LABEL: func.func @main
// CHECK: %[[T:.*]] = graph.kernel "pointwise"
// CHECK-NEXT: graph.transpose
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "row" (%{{.*}} = %[[T]])
// CHECK-NEXT: graph.softmax
// CHECK-NOT: graph.kernel
// HOST-COUNT-1: graph.kernel
// HOST-NOT: graph.kernel
func.func @main(%a: tensor<8x64x128xf32>) -> tensor<8x128x64xf32> {
  %0 = graph.transpose %a [0, 2, 1] : (tensor<8x64x128xf32>) -> tensor<8x128x64xf32>
  %1 = graph.softmax %0 axis 1 : (tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
  return %1 : tensor<8x128x64xf32>
}

// -----

// A reduction over that dim needs none: its vectors run along the other one.
// CHECK-LABEL: func.func @main
// HOST-LABEL: func.func @main
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @main(%a: tensor<8x64x128xf32>) -> tensor<8x128xf32> {
  %0 = graph.transpose %a [0, 2, 1] : (tensor<8x64x128xf32>) -> tensor<8x128x64xf32>
  %1 = graph.reduce sum %0 axes [2] : (tensor<8x128x64xf32>) -> tensor<8x128xf32>
  return %1 : tensor<8x128xf32>
}
