// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | FileCheck %s

// A matmul takes its bias, activation and residual as epilogue.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "matmul" (%{{.*}} = %arg0, %{{.*}} = %arg1, %{{.*}} = %arg2, %{{.*}} = %arg3)
// CHECK-NEXT: graph.matmul
// CHECK-NEXT: graph.binary add
// CHECK-NEXT: graph.unary gelu
// CHECK-NEXT: graph.binary add
// CHECK-NEXT: graph.yield
// CHECK-NOT: graph.kernel
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>,
                %r: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = graph.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.binary add %0, %b : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %2 = graph.unary gelu %1 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = graph.binary add %2, %r : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// -----

// An epilogue that would change the shape stays apart.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "matmul"
// CHECK-NEXT: graph.matmul
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "pointwise"
// CHECK-NEXT: graph.binary add
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>,
                %r: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
  %0 = graph.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.binary add %0, %r : (tensor<4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return %1 : tensor<2x4x16xf32>
}

// -----

// A result with two users is written once and read by both.
// CHECK-LABEL: func.func @main
// CHECK: %[[M:.*]] = graph.kernel "matmul"
// CHECK-NEXT: graph.matmul
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "pointwise" (%{{.*}} = %[[M]])
// CHECK-NEXT: graph.unary tanh
// CHECK-NEXT: graph.binary add
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %0 = graph.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.unary tanh %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = graph.binary add %1, %0 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}

// -----

// Gathers and adds feed only a norm: its prologue.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "row"
// CHECK-NEXT: graph.gather
// CHECK-NEXT: graph.binary add
// CHECK-NEXT: graph.layer_norm
// CHECK-NEXT: graph.yield
// CHECK-NOT: graph.kernel
func.func @main(%t: tensor<100x8xf32>, %i: tensor<2x3xi64>, %p: tensor<3x8xf32>,
                %s: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %0 = graph.gather %t, %i axis 0 : (tensor<100x8xf32>, tensor<2x3xi64>) -> tensor<2x3x8xf32>
  %1 = graph.binary add %0, %p : (tensor<2x3x8xf32>, tensor<3x8xf32>) -> tensor<2x3x8xf32>
  %2 = graph.layer_norm %1 scale %s axis 2 {epsilon = 1.0e-12 : f64} : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %2 : tensor<2x3x8xf32>
}

// -----

// Views of an attention's operands are copied into it, and it writes its result
// in the order that its only reader wants.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "attention" (%[[Q:.*]] = %arg0)
// CHECK-NEXT: graph.reshape %[[Q]]
// CHECK-NEXT: graph.transpose
// CHECK-NEXT: graph.attention
// CHECK-NEXT: graph.transpose
// CHECK-NEXT: graph.reshape
// CHECK-NEXT: graph.yield
// CHECK-NOT: graph.transpose
func.func @main(%q: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = graph.reshape %q : (tensor<2x3x8xf32>) -> tensor<2x3x2x4xf32>
  %1 = graph.transpose %0 [0, 2, 1, 3] : (tensor<2x3x2x4xf32>) -> tensor<2x2x3x4xf32>
  %2 = graph.attention %1, %1, %1 {scale = 5.000000e-01 : f64} : (tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %3 = graph.transpose %2 [0, 2, 1, 3] : (tensor<2x2x3x4xf32>) -> tensor<2x3x2x4xf32>
  %4 = graph.reshape %3 : (tensor<2x3x2x4xf32>) -> tensor<2x3x8xf32>
  return %4 : tensor<2x3x8xf32>
}

// -----

// Two matmuls and an add: the add joins one, the other is its operand.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "matmul"
// CHECK: graph.kernel "matmul"
// CHECK-NEXT: graph.matmul
// CHECK-NEXT: graph.binary add
// CHECK-NOT: graph.kernel
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %0 = graph.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.matmul %x, %v : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %2 = graph.binary add %0, %1 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}

// -----

// A transposed result is copied by a kernel; it cannot stay a view.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise"
// CHECK-NEXT: graph.transpose
func.func @main(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %0 = graph.transpose %x [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// A view between two ops of a kernel is copied in; what it read is gone outside, and its constant with it.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: graph.kernel "pointwise" (%{{.*}} = %arg0)
// CHECK: graph.compare equal
// CHECK: graph.reshape
// CHECK: graph.select
// CHECK: graph.yield
// CHECK-NOT: graph.constant
// CHECK-NOT: graph.compare
// CHECK: return
func.func @main(%mask: tensor<2x3xi64>) -> tensor<2x1x1x3xf32> {
  %zero = graph.constant dense<0> : tensor<i64>
  %low = graph.constant dense<-1.0> : tensor<f32>
  %none = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.compare equal %mask, %zero : (tensor<2x3xi64>, tensor<i64>) -> tensor<2x3xi1>
  %1 = graph.reshape %0 : (tensor<2x3xi1>) -> tensor<2x1x1x3xi1>
  %2 = graph.select %1, %low, %none : (tensor<2x1x1x3xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x1x3xf32>
  return %2 : tensor<2x1x1x3xf32>
}

// -----

// A scatter reads memory, through views at most, and nothing is fused behind it.
// CHECK-LABEL: func.func @main
// CHECK: %[[U:.*]] = graph.kernel "pointwise"
// CHECK-NEXT: graph.unary tanh
// CHECK: %[[S:.*]] = graph.kernel "scatter" (%{{.*}} = %arg0, %{{.*}} = %arg1, %{{.*}} = %[[U]])
// CHECK-NEXT: graph.reshape
// CHECK-NEXT: graph.scatter
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "pointwise" (%{{.*}} = %[[S]])
// CHECK-NEXT: graph.unary relu
func.func @main(%x: tensor<1x9x4xf32>, %i: tensor<3xi64>, %u: tensor<1x3x4xf32>) -> tensor<1x9x4xf32> {
  %0 = graph.unary tanh %u : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %1 = graph.reshape %i : (tensor<3xi64>) -> tensor<1x3x1xi64>
  %2 = graph.scatter %x, %1, %0 : (tensor<1x9x4xf32>, tensor<1x3x1xi64>, tensor<1x3x4xf32>) -> tensor<1x9x4xf32>
  %3 = graph.unary relu %2 : (tensor<1x9x4xf32>) -> tensor<1x9x4xf32>
  return %3 : tensor<1x9x4xf32>
}

// -----

// A product reads memory: a fill that it reads becomes a kernel. What else reads the fill goes on computing it.
// CHECK-LABEL: func.func @main
// CHECK: %[[F:.*]] = graph.kernel "pointwise" () : ()
// CHECK-NEXT: graph.fill
// CHECK-NEXT: graph.yield
// CHECK: %[[M:.*]] = graph.kernel "matmul" (%{{.*}} = %[[F]], %{{.*}} = %arg0)
// CHECK-NEXT: graph.matmul
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "pointwise" (%{{.*}} = %arg1)
// CHECK-NEXT: graph.fill
// CHECK-NEXT: graph.binary mul
// CHECK-NEXT: graph.yield
// CHECK-NOT: graph.kernel
func.func @main(%w: tensor<8x16xf32>, %x: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
  %0 = graph.fill 2.0 : f32 : tensor<4x8xf32>
  %1 = graph.matmul %0, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %2 = graph.binary mul %x, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %2 : tensor<4x16xf32>, tensor<4x8xf32>
}

// -----

// A concat whose parts are one concat would have 16 * 16 branches: each is a kernel of its own.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise"
// CHECK-NEXT: graph.concat
// CHECK-NEXT: graph.yield
// CHECK: graph.kernel "pointwise"
// CHECK-NEXT: graph.concat
// CHECK-NEXT: graph.yield
func.func @main(%0: tensor<4x4xf32>) -> tensor<1024x4xf32> {
  %1 = graph.concat %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0 axis 0 : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<64x4xf32>
  %2 = graph.concat %1, %1, %1, %1, %1, %1, %1, %1, %1, %1, %1, %1, %1, %1, %1, %1 axis 0 : (tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<1024x4xf32>
  return %2 : tensor<1024x4xf32>
}

// -----

// Windows of windows are one strided read of padded memory: the padding is not computed
// once per tap, and positions are not stored.
// CHECK-LABEL: func.func @main
// CHECK: %[[PADDED:.*]] = graph.kernel "pointwise"
// CHECK: graph.concat
// CHECK: graph.yield
// CHECK: graph.kernel "row" (%{{.*}} = %[[PADDED]]
// CHECK: graph.gather
// CHECK: graph.gather
// CHECK: graph.reduce
// CHECK-NOT: graph.kernel
func.func @main(%x: tensor<1x6x6x8xf32>) -> tensor<1x5x6x8xf32> {
  %z = graph.fill 0.0 : f32 : tensor<1x1x6x8xf32>
  %p = graph.concat %x, %z axis 1 : (tensor<1x6x6x8xf32>, tensor<1x1x6x8xf32>) -> tensor<1x7x6x8xf32>
  %i = graph.iota axis 0 : tensor<5x3xi64>
  %t = graph.iota axis 1 : tensor<5x3xi64>
  %it = graph.binary add %i, %t : (tensor<5x3xi64>, tensor<5x3xi64>) -> tensor<5x3xi64>
  %a = graph.gather %p, %it axis 1 : (tensor<1x7x6x8xf32>, tensor<5x3xi64>) -> tensor<1x5x3x6x8xf32>
  %j = graph.iota axis 0 : tensor<6x1xi64>
  %u = graph.iota axis 1 : tensor<6x1xi64>
  %ju = graph.binary add %j, %u : (tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi64>
  %b = graph.gather %a, %ju axis 3 : (tensor<1x5x3x6x8xf32>, tensor<6x1xi64>) -> tensor<1x5x3x6x1x8xf32>
  %s = graph.reduce sum %b axes [2, 4] : (tensor<1x5x3x6x1x8xf32>) -> tensor<1x5x6x8xf32>
  return %s : tensor<1x5x6x8xf32>
}

// -----

// Windows that a product reads are stored in the order it wants, by the kernel that gathers
// them: what is contiguous stays so.
// CHECK-LABEL: func.func @main
// CHECK: %[[ROWS:.*]] = graph.kernel "pointwise"
// CHECK: graph.gather
// CHECK: graph.gather
// CHECK: graph.transpose {{.*}} [0, 1, 3, 2, 4, 5]
// CHECK: graph.reshape
// CHECK: graph.yield {{.*}} : tensor<1x30x72xf32>
// CHECK: graph.kernel "matmul" (%{{.*}} = %[[ROWS]]
// CHECK-NOT: graph.transpose
// CHECK-NOT: graph.kernel
func.func @main(%x: tensor<1x7x8x8xf32>, %w: tensor<72x16xf32>) -> tensor<1x30x16xf32> {
  %i = graph.iota axis 0 : tensor<5x3xi64>
  %t = graph.iota axis 1 : tensor<5x3xi64>
  %it = graph.binary add %i, %t : (tensor<5x3xi64>, tensor<5x3xi64>) -> tensor<5x3xi64>
  %j = graph.iota axis 0 : tensor<6x3xi64>
  %u = graph.iota axis 1 : tensor<6x3xi64>
  %ju = graph.binary add %j, %u : (tensor<6x3xi64>, tensor<6x3xi64>) -> tensor<6x3xi64>
  %a = graph.gather %x, %ju axis 2 : (tensor<1x7x8x8xf32>, tensor<6x3xi64>) -> tensor<1x7x6x3x8xf32>
  %b = graph.gather %a, %it axis 1 : (tensor<1x7x6x3x8xf32>, tensor<5x3xi64>) -> tensor<1x5x3x6x3x8xf32>
  %c = graph.transpose %b [0, 1, 3, 2, 4, 5] : (tensor<1x5x3x6x3x8xf32>) -> tensor<1x5x6x3x3x8xf32>
  %d = graph.reshape %c : (tensor<1x5x6x3x3x8xf32>) -> tensor<1x30x72xf32>
  %y = graph.matmul %d, %w : (tensor<1x30x72xf32>, tensor<72x16xf32>) -> tensor<1x30x16xf32>
  return %y : tensor<1x30x16xf32>
}

// -----

// A transpose of what is contiguous is the product's: it reads its operand so.
// CHECK-LABEL: func.func @main
// CHECK: %[[COLUMNS:.*]] = graph.kernel "pointwise"
// CHECK: graph.gather
// CHECK-NOT: graph.transpose
// CHECK: graph.yield {{.*}} : tensor<1x3x30xf32>
// CHECK: graph.kernel "matmul" (%{{.*}} = %[[COLUMNS]]
// CHECK: graph.transpose {{.*}} [0, 2, 1]
func.func @main(%x: tensor<1x32xf32>, %w: tensor<3x16xf32>) -> tensor<1x30x16xf32> {
  %t = graph.iota axis 0 : tensor<3x30xi64>
  %i = graph.iota axis 1 : tensor<3x30xi64>
  %it = graph.binary add %i, %t : (tensor<3x30xi64>, tensor<3x30xi64>) -> tensor<3x30xi64>
  %a = graph.gather %x, %it axis 1 : (tensor<1x32xf32>, tensor<3x30xi64>) -> tensor<1x3x30xf32>
  %b = graph.transpose %a [0, 2, 1] : (tensor<1x3x30xf32>) -> tensor<1x30x3xf32>
  %y = graph.matmul %b, %w : (tensor<1x30x3xf32>, tensor<3x16xf32>) -> tensor<1x30x16xf32>
  return %y : tensor<1x30x16xf32>
}

// -----

// Of few parts they are one kernel.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise"
// CHECK-NEXT: graph.concat
// CHECK-NEXT: graph.concat
// CHECK-NEXT: graph.yield
func.func @main(%0: tensor<4x4xf32>) -> tensor<16x4xf32> {
  %1 = graph.concat %0, %0 axis 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %2 = graph.concat %1, %1 axis 0 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}

// -----

// Rows that a gather picks by values from memory are computed as they are read, if it
// reads no more of them than there are.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise"
// CHECK-NEXT: graph.unary exp
// CHECK-NEXT: graph.gather
// CHECK-NOT: graph.kernel
func.func @main(%x: tensor<6x8xf32>, %i: tensor<4xi64>) -> tensor<4x8xf32> {
  %e = graph.unary exp %x : (tensor<6x8xf32>) -> tensor<6x8xf32>
  %g = graph.gather %e, %i axis 0 : (tensor<6x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  return %g : tensor<4x8xf32>
}
