// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | sed "s/ attributes {nodes = .*} {/ {/" | FileCheck %s
// Which ops of a mask and behind attention join its kernel.
// NOTE: checks by tools/update-lit-checks

// A bias of positions is computed where the scores are: no tensor of queries times keys is written.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<4x1xf32>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<1x6xf32>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<1x2x1x1xf32>
// CHECK-SAME: ) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG_4]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_3]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_5]], %[[KERNEL_5:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_6:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<1x6xf32>, tensor<4x1xf32>, tensor<1x2x1x1xf32>, tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<1x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[SUB]], %[[KERNEL_4]] : (tensor<4x6xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x6xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_5]], %[[KERNEL_6]], %[[KERNEL_6]] mask %[[MUL]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<1x2x4x6xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x2x4x8xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %rows: tensor<4x1xf32>, %columns: tensor<1x6xf32>, %slope: tensor<1x2x1x1xf32>) -> tensor<2x2x4x8xf32> {
  %d = graph.binary sub %columns, %rows : (tensor<1x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %m = graph.binary mul %d, %slope : (tensor<4x6xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x6xf32>
  %a = graph.attention %q, %k, %k mask %m {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<1x2x4x6xf32>) -> tensor<2x2x4x8xf32>
  return %a : tensor<2x2x4x8xf32>
}

// -----

// A condition of a byte is read in place of a mask of four.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2x1x4x6xi1>
// CHECK-SAME: ) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG_3]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x1x4x6xi1>, tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<-1.000000e+30> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[KERNEL_2]], %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<2x1x4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x4x6xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_3]], %[[KERNEL_4]], %[[KERNEL_4]] mask %[[SELECT]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x4x6xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x2x4x8xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %keep: tensor<2x1x4x6xi1>) -> tensor<2x2x4x8xf32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %low = graph.constant dense<-1.0e30> : tensor<f32>
  %m = graph.select %keep, %zero, %low : (tensor<2x1x4x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x4x6xf32>
  %a = graph.attention %q, %k, %k mask %m {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x4x6xf32>) -> tensor<2x2x4x8xf32>
  return %a : tensor<2x2x4x8xf32>
}

// -----

// Not: all queries have the same mask, which is small.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2x1x1x6xi1>
// CHECK-SAME: ) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG_3]]) : (tensor<2x1x1x6xi1>) -> tensor<2x1x1x6xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<-1.000000e+30> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[KERNEL_2]], %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<2x1x1x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x1x6xf32>
// CHECK-NEXT: graph.yield %[[SELECT]] : tensor<2x1x1x6xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_2]], %[[KERNEL_5:[^ ,:)]+]] = %[[KERNEL]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x1x6xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[CONSTANT]] = graph.attention %[[KERNEL_2]], %[[KERNEL_4]], %[[KERNEL_4]] mask %[[KERNEL_5]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x1x6xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[CONSTANT]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<2x2x4x8xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %keep: tensor<2x1x1x6xi1>) -> tensor<2x2x4x8xf32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %low = graph.constant dense<-1.0e30> : tensor<f32>
  %m = graph.select %keep, %zero, %low : (tensor<2x1x1x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x1x6xf32>
  %a = graph.attention %q, %k, %k mask %m {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x1x6xf32>) -> tensor<2x2x4x8xf32>
  return %a : tensor<2x2x4x8xf32>
}

// -----

// Not: to compute it costs more than to read it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<4x1xf32>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<1x6xf32>
// CHECK-SAME: ) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG_4]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_3]]) : (tensor<1x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<1x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %[[SIN:[^ ,:)]+]] = graph.unary sin %[[SUB]] : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %[[COS:[^ ,:)]+]] = graph.unary cos %[[SIN]] : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: graph.yield %[[COS]] : tensor<4x6xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_3]] = %[[ARG_2]], %[[KERNEL_5:[^ ,:)]+]] = %[[KERNEL]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[SUB]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] mask %[[KERNEL_5]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[SUB]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_4]] : tensor<2x2x4x8xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %rows: tensor<4x1xf32>, %columns: tensor<1x6xf32>) -> tensor<2x2x4x8xf32> {
  %d = graph.binary sub %columns, %rows : (tensor<1x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %m = graph.unary sin %d : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %n = graph.unary cos %m : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %k mask %n {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32>
  return %a : tensor<2x2x4x8xf32>
}

// -----

// Not: two sums of four bytes each would be read for all heads, a mask of four is written once.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2x1x4x6xf32>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<2x1x4x6xf32>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<2x1x4x6xf32>,
// CHECK-SAME: %[[ARG_6:[^ ,:)]+]]: tensor<2x1x4x6xf32>
// CHECK-SAME: ) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG_3]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_4]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_5]], %[[KERNEL_5:[^ ,:)]+]] = %[[ARG_6]]) : (tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>) -> tensor<2x1x4x6xf32> {
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>) -> tensor<2x1x4x6xf32>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[KERNEL_4]], %[[KERNEL_5]] : (tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>) -> tensor<2x1x4x6xf32>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[ADD]], %[[ADD_2]] : (tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>) -> tensor<2x1x4x6xf32>
// CHECK-NEXT: graph.yield %[[ADD_3]] : tensor<2x1x4x6xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_6:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_3]] = %[[ARG_2]], %[[KERNEL_4]] = %[[KERNEL]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x4x6xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[ADD]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] mask %[[KERNEL_4]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x4x6xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[ADD]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_6]] : tensor<2x2x4x8xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %x: tensor<2x1x4x6xf32>, %y: tensor<2x1x4x6xf32>, %u: tensor<2x1x4x6xf32>, %v: tensor<2x1x4x6xf32>) -> tensor<2x2x4x8xf32> {
  %d = graph.binary add %x, %y : (tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>) -> tensor<2x1x4x6xf32>
  %e = graph.binary add %u, %v : (tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>) -> tensor<2x1x4x6xf32>
  %m = graph.binary add %d, %e : (tensor<2x1x4x6xf32>, tensor<2x1x4x6xf32>) -> tensor<2x1x4x6xf32>
  %a = graph.attention %q, %k, %k mask %m {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x1x4x6xf32>) -> tensor<2x2x4x8xf32>
  return %a : tensor<2x2x4x8xf32>
}

// -----

// Not: two attentions read the mask.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<4x1xf32>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<1x6xf32>
// CHECK-SAME: ) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG_4]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_3]]) : (tensor<1x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<1x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: graph.yield %[[SUB]] : tensor<4x6xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_3]] = %[[ARG_2]], %[[KERNEL_5:[^ ,:)]+]] = %[[KERNEL]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[SUB]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] mask %[[KERNEL_5]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[SUB]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_6:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2]] = %[[KERNEL_4]], %[[KERNEL_3]] = %[[ARG_2]], %[[KERNEL_5]] = %[[KERNEL]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[SUB]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] mask %[[KERNEL_5]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[SUB]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_6]] : tensor<2x2x4x8xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %rows: tensor<4x1xf32>, %columns: tensor<1x6xf32>) -> tensor<2x2x4x8xf32> {
  %m = graph.binary sub %columns, %rows : (tensor<1x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %a = graph.attention %q, %k, %k mask %m {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32>
  %b = graph.attention %a, %k, %k mask %m {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<4x6xf32>) -> tensor<2x2x4x8xf32>
  return %b : tensor<2x2x4x8xf32>
}

// -----

// A gate and a residual behind heads that are side by side again.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2x4x16xf32>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<2x4x16xf32>
// CHECK-SAME: ) -> tensor<2x4x16xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_3]], %[[KERNEL_5:[^ ,:)]+]] = %[[ARG_4]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: %[[SIGMOID:[^ ,:)]+]] = graph.unary sigmoid %[[KERNEL_4]] : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ATTENTION]] [0, 2, 1, 3] : (tensor<2x2x4x8xf32>) -> tensor<2x4x2x8xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE]] : (tensor<2x4x2x8xf32>) -> tensor<2x4x16xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[SIGMOID]] : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[KERNEL_5]] : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
// CHECK-NEXT: graph.yield %[[ADD]] : tensor<2x4x16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x4x16xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %gate: tensor<2x4x16xf32>, %residual: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
  %a = graph.attention %q, %k, %k {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
  %t = graph.transpose %a [0, 2, 1, 3] : (tensor<2x2x4x8xf32>) -> tensor<2x4x2x8xf32>
  %r = graph.reshape %t : (tensor<2x4x2x8xf32>) -> tensor<2x4x16xf32>
  %s = graph.unary sigmoid %gate : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %g = graph.binary mul %r, %s : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %y = graph.binary add %g, %residual : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return %y : tensor<2x4x16xf32>
}

// -----

// A scale, and the transpose behind it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>
// CHECK-SAME: ) -> tensor<2x4x2x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x2x8xf32> {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ATTENTION]], %[[CONSTANT]] : (tensor<2x2x4x8xf32>, tensor<f32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[MUL]] [0, 2, 1, 3] : (tensor<2x2x4x8xf32>) -> tensor<2x4x2x8xf32>
// CHECK-NEXT: graph.yield %[[TRANSPOSE]] : tensor<2x4x2x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x4x2x8xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>) -> tensor<2x4x2x8xf32> {
  %c = graph.constant dense<2.0> : tensor<f32>
  %a = graph.attention %q, %k, %k {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
  %s = graph.binary mul %a, %c : (tensor<2x2x4x8xf32>, tensor<f32>) -> tensor<2x2x4x8xf32>
  %t = graph.transpose %s [0, 2, 1, 3] : (tensor<2x2x4x8xf32>) -> tensor<2x4x2x8xf32>
  return %t : tensor<2x4x2x8xf32>
}

// -----

// A cast that narrows.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>
// CHECK-SAME: ) -> tensor<2x2x4x8xf16> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf16> {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ATTENTION]] : (tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf16>
// CHECK-NEXT: graph.yield %[[CAST]] : tensor<2x2x4x8xf16>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x2x4x8xf16>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf16> {
  %a = graph.attention %q, %k, %k {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
  %y = graph.cast %a : (tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf16>
  return %y : tensor<2x2x4x8xf16>
}

// -----

// Not: a cast that widens.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf16>
// CHECK-SAME: ) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x2x4x8xf16>, tensor<2x2x6x8xf16>) -> tensor<2x2x4x8xf16> {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf16>, tensor<2x2x6x8xf16>, tensor<2x2x6x8xf16>) -> tensor<2x2x4x8xf16>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<2x2x4x8xf16>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[KERNEL]]) : (tensor<2x2x4x8xf16>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[ATTENTION]] = graph.cast %[[KERNEL_2]] : (tensor<2x2x4x8xf16>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_4]] : tensor<2x2x4x8xf32>
func.func @main(%q: tensor<2x2x4x8xf16>, %k: tensor<2x2x6x8xf16>) -> tensor<2x2x4x8xf32> {
  %a = graph.attention %q, %k, %k {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf16>, tensor<2x2x6x8xf16>, tensor<2x2x6x8xf16>) -> tensor<2x2x4x8xf16>
  %y = graph.cast %a : (tensor<2x2x4x8xf16>) -> tensor<2x2x4x8xf32>
  return %y : tensor<2x2x4x8xf32>
}

// -----

// Not: a slice keeps some elements only.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>
// CHECK-SAME: ) -> tensor<1x2x4x8xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[KERNEL]]) : (tensor<2x2x4x8xf32>) -> tensor<1x2x4x8xf32> {
// CHECK-NEXT: %[[ATTENTION]] = graph.slice %[[KERNEL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<2x2x4x8xf32>) -> tensor<1x2x4x8xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[ATTENTION]] : (tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[RELU]] : tensor<1x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_4]] : tensor<1x2x4x8xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>) -> tensor<1x2x4x8xf32> {
  %a = graph.attention %q, %k, %k {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
  %s = graph.slice %a starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %y = graph.unary relu %s : (tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %y : tensor<1x2x4x8xf32>
}

// -----

// Not: the result has another user.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x4x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2x6x8xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<8x3xf32>
// CHECK-SAME: ) -> tensor<2x2x4x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "attention" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[KERNEL_2]], %[[KERNEL_3]], %[[KERNEL_3]] {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[KERNEL]]) : (tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32> {
// CHECK-NEXT: %[[ATTENTION]] = graph.unary relu %[[KERNEL_2]] : (tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ATTENTION]], %[[KERNEL_2]] : (tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
// CHECK-NEXT: graph.yield %[[ADD]] : tensor<2x2x4x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_5:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2]] = %[[KERNEL_4]], %[[KERNEL_3]] = %[[ARG_3]]) : (tensor<2x2x4x8xf32>, tensor<8x3xf32>) -> tensor<2x2x4x3xf32> {
// CHECK-NEXT: %[[ATTENTION]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x2x4x8xf32>, tensor<8x3xf32>) -> tensor<2x2x4x3xf32>
// CHECK-NEXT: graph.yield %[[ATTENTION]] : tensor<2x2x4x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_6:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2]] = %[[KERNEL]], %[[KERNEL_3]] = %[[ARG_3]], %[[KERNEL_7:[^ ,:)]+]] = %[[KERNEL_5]]) : (tensor<2x2x4x8xf32>, tensor<8x3xf32>, tensor<2x2x4x3xf32>) -> tensor<2x2x4x3xf32> {
// CHECK-NEXT: %[[ATTENTION]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x2x4x8xf32>, tensor<8x3xf32>) -> tensor<2x2x4x3xf32>
// CHECK-NEXT: %[[ADD]] = graph.binary mul %[[ATTENTION]], %[[KERNEL_7]] : (tensor<2x2x4x3xf32>, tensor<2x2x4x3xf32>) -> tensor<2x2x4x3xf32>
// CHECK-NEXT: graph.yield %[[ADD]] : tensor<2x2x4x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_6]] : tensor<2x2x4x3xf32>
func.func @main(%q: tensor<2x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %w: tensor<8x3xf32>) -> tensor<2x2x4x3xf32> {
  %a = graph.attention %q, %k, %k {scale = 5.000000e-01 : f64} : (tensor<2x2x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x2x4x8xf32>
  %y = graph.unary relu %a : (tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  %z = graph.binary add %y, %a : (tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  %p = graph.matmul %a, %w : (tensor<2x2x4x8xf32>, tensor<8x3xf32>) -> tensor<2x2x4x3xf32>
  %v = graph.matmul %z, %w : (tensor<2x2x4x8xf32>, tensor<8x3xf32>) -> tensor<2x2x4x3xf32>
  %o = graph.binary mul %p, %v : (tensor<2x2x4x3xf32>, tensor<2x2x4x3xf32>) -> tensor<2x2x4x3xf32>
  return %o : tensor<2x2x4x3xf32>
}
