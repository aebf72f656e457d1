// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | FileCheck %s
// Gates whose halves lie in the panels of one product.

// The gate and what is behind it: one kernel.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "matmul" ({{.*}}) : ({{.*}}) -> tensor<3x16xf32>
// CHECK: graph.matmul
// CHECK: graph.unary
// CHECK-NOT: graph.kernel
// CHECK: return
func.func @main(%x: tensor<3x8xf32>, %w: tensor<2x8x16xf32>, %r: tensor<3x16xf32>) -> tensor<3x16xf32> {
  %u = graph.unpack %w : (tensor<2x8x16xf32>) -> tensor<8x32xf32>
  %m = graph.matmul %x, %u : (tensor<3x8xf32>, tensor<8x32xf32>) -> tensor<3x32xf32>
  %s = graph.reshape %m : (tensor<3x32xf32>) -> tensor<3x2x2x8xf32>
  %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 1, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %g = graph.reshape %a : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %o = graph.reshape %b : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %f = graph.unary silu %g : (tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = graph.binary mul %f, %o : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  %e = graph.binary add %y, %r : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  return %e : tensor<3x16xf32>
}

// -----

// The gate is the second half.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "matmul" ({{.*}}) : ({{.*}}) -> tensor<3x16xf32>
// CHECK: graph.matmul
// CHECK: graph.unary
// CHECK-NOT: graph.kernel
// CHECK: return
func.func @main(%x: tensor<3x8xf32>, %w: tensor<2x8x16xf32>) -> tensor<3x16xf32> {
  %u = graph.unpack %w : (tensor<2x8x16xf32>) -> tensor<8x32xf32>
  %m = graph.matmul %x, %u : (tensor<3x8xf32>, tensor<8x32xf32>) -> tensor<3x32xf32>
  %s = graph.reshape %m : (tensor<3x32xf32>) -> tensor<3x2x2x8xf32>
  %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 1, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %g = graph.reshape %a : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %o = graph.reshape %b : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %f = graph.unary gelu %g : (tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = graph.binary mul %f, %o : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y : tensor<3x16xf32>
}

// -----

// Not: a half is read by another op.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "matmul" ({{.*}}) : ({{.*}}) -> tensor<3x32xf32>
// CHECK: graph.kernel "pointwise"
// CHECK: return
func.func @main(%x: tensor<3x8xf32>, %w: tensor<2x8x16xf32>) -> (tensor<3x16xf32>, tensor<3x16xf32>) {
  %u = graph.unpack %w : (tensor<2x8x16xf32>) -> tensor<8x32xf32>
  %m = graph.matmul %x, %u : (tensor<3x8xf32>, tensor<8x32xf32>) -> tensor<3x32xf32>
  %s = graph.reshape %m : (tensor<3x32xf32>) -> tensor<3x2x2x8xf32>
  %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 1, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %g = graph.reshape %a : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %o = graph.reshape %b : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %f = graph.unary silu %g : (tensor<3x16xf32>) -> tensor<3x16xf32>
  %h = graph.unary exp %o : (tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = graph.binary mul %f, %o : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y, %h : tensor<3x16xf32>, tensor<3x16xf32>
}

// -----

// Not: the product is a result too.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "matmul" ({{.*}}) : ({{.*}}) -> tensor<3x32xf32>
// CHECK: graph.kernel "pointwise"
// CHECK: return
func.func @main(%x: tensor<3x8xf32>, %w: tensor<2x8x16xf32>) -> (tensor<3x16xf32>, tensor<3x32xf32>) {
  %u = graph.unpack %w : (tensor<2x8x16xf32>) -> tensor<8x32xf32>
  %m = graph.matmul %x, %u : (tensor<3x8xf32>, tensor<8x32xf32>) -> tensor<3x32xf32>
  %s = graph.reshape %m : (tensor<3x32xf32>) -> tensor<3x2x2x8xf32>
  %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 1, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %g = graph.reshape %a : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %o = graph.reshape %b : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %f = graph.unary silu %g : (tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = graph.binary mul %f, %o : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y, %m : tensor<3x16xf32>, tensor<3x32xf32>
}

// -----

// Not: both read the same half.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "matmul" ({{.*}}) : ({{.*}}) -> tensor<3x32xf32>
// CHECK: graph.kernel "pointwise"
// CHECK: return
func.func @main(%x: tensor<3x8xf32>, %w: tensor<2x8x16xf32>) -> tensor<3x16xf32> {
  %u = graph.unpack %w : (tensor<2x8x16xf32>) -> tensor<8x32xf32>
  %m = graph.matmul %x, %u : (tensor<3x8xf32>, tensor<8x32xf32>) -> tensor<3x32xf32>
  %s = graph.reshape %m : (tensor<3x32xf32>) -> tensor<3x2x2x8xf32>
  %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<3x2x2x8xf32>) -> tensor<3x2x1x8xf32>
  %g = graph.reshape %a : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %o = graph.reshape %b : (tensor<3x2x1x8xf32>) -> tensor<3x16xf32>
  %f = graph.unary silu %g : (tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = graph.binary mul %f, %o : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y : tensor<3x16xf32>
}
