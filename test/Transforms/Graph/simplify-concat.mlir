// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Concats that exporters write as scatters of rows, between reshapes and transposes.

#rows = #graph.shape<[n] -> [n, 2, 8]>
#half = #graph.shape<[n] -> [n, 2, 4]>
#transposed = #graph.shape<[n] -> [4, 2, n]>
#whole = #graph.shape<[n] -> [8, 2, n]>
#flat = #graph.shape<[n] -> [1, 4, 2 * n]>
#all = #graph.shape<[n] -> [1, 8, 2 * n]>

graph.symbol @n in [0, 8]

// x[..., :4] = a; x[..., 4:] = b, as torch.export writes it.
// CHECK-LABEL: func.func @slice_scatter(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?x2x4xf32, #shape>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x4xf32, #shape>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x8xf32, #shape1>
// CHECK-SAME: ) -> tensor<?x2x8xf32, #shape1> {
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[ARG]], %[[ARG_2]] axis 2 : (tensor<?x2x4xf32, #shape>, tensor<?x2x4xf32, #shape>) -> tensor<?x2x8xf32, #shape1>
// CHECK-NEXT: return %[[CONCAT]] : tensor<?x2x8xf32, #shape1>
func.func @slice_scatter(%a: tensor<?x2x4xf32, #half>, %b: tensor<?x2x4xf32, #half>, %x: tensor<?x2x8xf32, #rows>) -> tensor<?x2x8xf32, #rows> {
  %0 = graph.transpose %a [2, 1, 0] : (tensor<?x2x4xf32, #half>) -> tensor<4x2x?xf32, #transposed>
  %1 = graph.transpose %b [2, 1, 0] : (tensor<?x2x4xf32, #half>) -> tensor<4x2x?xf32, #transposed>
  %2 = graph.transpose %x [2, 1, 0] : (tensor<?x2x8xf32, #rows>) -> tensor<8x2x?xf32, #whole>
  %3 = graph.reshape %0 : (tensor<4x2x?xf32, #transposed>) -> tensor<1x4x?xf32, #flat>
  %4 = graph.reshape %1 : (tensor<4x2x?xf32, #transposed>) -> tensor<1x4x?xf32, #flat>
  %5 = graph.reshape %2 : (tensor<8x2x?xf32, #whole>) -> tensor<1x8x?xf32, #all>
  %front = graph.constant dense<[[[0], [1], [2], [3]]]> : tensor<1x4x1xi64>
  %back = graph.constant dense<[[[4], [5], [6], [7]]]> : tensor<1x4x1xi64>
  %6 = graph.scatter %5, %front, %3 : (tensor<1x8x?xf32, #all>, tensor<1x4x1xi64>, tensor<1x4x?xf32, #flat>) -> tensor<1x8x?xf32, #all>
  %7 = graph.scatter %6, %back, %4 : (tensor<1x8x?xf32, #all>, tensor<1x4x1xi64>, tensor<1x4x?xf32, #flat>) -> tensor<1x8x?xf32, #all>
  %8 = graph.reshape %7 : (tensor<1x8x?xf32, #all>) -> tensor<8x2x?xf32, #whole>
  %9 = graph.transpose %8 [2, 1, 0] : (tensor<8x2x?xf32, #whole>) -> tensor<?x2x8xf32, #rows>
  return %9 : tensor<?x2x8xf32, #rows>
}

// The middle of the data.
// CHECK-LABEL: func.func @middle(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x6x5xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x5xf32>
// CHECK-SAME: ) -> tensor<1x6x5xf32> {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape2 steps [1, 1, 1] : (tensor<1x6x5xf32>) -> tensor<1x3x5xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape3 steps [1, 1, 1] : (tensor<1x6x5xf32>) -> tensor<1x1x5xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[SLICE]], %[[ARG_2]], %[[SLICE_2]] axis 1 : (tensor<1x3x5xf32>, tensor<1x2x5xf32>, tensor<1x1x5xf32>) -> tensor<1x6x5xf32>
// CHECK-NEXT: return %[[CONCAT]] : tensor<1x6x5xf32>
func.func @middle(%x: tensor<1x6x5xf32>, %y: tensor<1x2x5xf32>) -> tensor<1x6x5xf32> {
  %i = graph.constant dense<[[[3], [4]]]> : tensor<1x2x1xi64>
  %0 = graph.scatter %x, %i, %y : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
  return %0 : tensor<1x6x5xf32>
}

// Not: places out of order, outside, counted from the end, and added to.
// CHECK-LABEL: func.func @other_scatters(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x6x5xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x5xf32>
// CHECK-SAME: ) -> (tensor<1x6x5xf32>, tensor<1x6x5xf32>, tensor<1x6x5xf32>, tensor<1x6x5xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[4], [3]]]> : tensor<1x2x1xi64>
// CHECK-NEXT: %[[SCATTER:[^ ,:)]+]] = graph.scatter %[[ARG]], %[[CONSTANT]], %[[ARG_2]] : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[5], [6]]]> : tensor<1x2x1xi64>
// CHECK-NEXT: %[[SCATTER_2:[^ ,:)]+]] = graph.scatter %[[ARG]], %[[CONSTANT_2]], %[[ARG_2]] : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[-2], [-1]]]> : tensor<1x2x1xi64>
// CHECK-NEXT: %[[SCATTER_3:[^ ,:)]+]] = graph.scatter %[[ARG]], %[[CONSTANT_3]], %[[ARG_2]] : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[3], [4]]]> : tensor<1x2x1xi64>
// CHECK-NEXT: %[[SCATTER_4:[^ ,:)]+]] = graph.scatter %[[ARG]], %[[CONSTANT_4]], %[[ARG_2]] combine  sum : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
// CHECK-NEXT: return %[[SCATTER]], %[[SCATTER_2]], %[[SCATTER_3]], %[[SCATTER_4]] : tensor<1x6x5xf32>, tensor<1x6x5xf32>, tensor<1x6x5xf32>, tensor<1x6x5xf32>
func.func @other_scatters(%x: tensor<1x6x5xf32>, %y: tensor<1x2x5xf32>) -> (tensor<1x6x5xf32>, tensor<1x6x5xf32>, tensor<1x6x5xf32>, tensor<1x6x5xf32>) {
  %i = graph.constant dense<[[[4], [3]]]> : tensor<1x2x1xi64>
  %0 = graph.scatter %x, %i, %y : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
  %j = graph.constant dense<[[[5], [6]]]> : tensor<1x2x1xi64>
  %1 = graph.scatter %x, %j, %y : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
  %k = graph.constant dense<[[[-2], [-1]]]> : tensor<1x2x1xi64>
  %2 = graph.scatter %x, %k, %y : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
  %l = graph.constant dense<[[[3], [4]]]> : tensor<1x2x1xi64>
  %3 = graph.scatter %x, %l, %y combine sum : (tensor<1x6x5xf32>, tensor<1x2x1xi64>, tensor<1x2x5xf32>) -> tensor<1x6x5xf32>
  return %0, %1, %2, %3 : tensor<1x6x5xf32>, tensor<1x6x5xf32>, tensor<1x6x5xf32>, tensor<1x6x5xf32>
}

// Not: a reshape that joins the joined dim, inputs that are no reshapes, and another order of dims.
// CHECK-LABEL: func.func @other_views(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<6x4xf32>
// CHECK-SAME: ) -> (tensor<24x2xf32>, tensor<2x3x8xf32>, tensor<4x6x2xf32>) {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[RESHAPE]], %[[RESHAPE]] axis 1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CONCAT]] : (tensor<6x8xf32>) -> tensor<24x2xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[RESHAPE]], %[[ARG_2]] axis 1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[CONCAT_2]] : (tensor<6x8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ARG]] [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[TRANSPOSE]], %[[TRANSPOSE]] axis 0 : (tensor<3x2x4xf32>, tensor<3x2x4xf32>) -> tensor<6x2x4xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[CONCAT_3]] [2, 0, 1] : (tensor<6x2x4xf32>) -> tensor<4x6x2xf32>
// CHECK-NEXT: return %[[RESHAPE_2]], %[[RESHAPE_3]], %[[TRANSPOSE_2]] : tensor<24x2xf32>, tensor<2x3x8xf32>, tensor<4x6x2xf32>
func.func @other_views(%a: tensor<2x3x4xf32>, %b: tensor<6x4xf32>) -> (tensor<24x2xf32>, tensor<2x3x8xf32>, tensor<4x6x2xf32>) {
  %0 = graph.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = graph.concat %0, %0 axis 1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
  %2 = graph.reshape %1 : (tensor<6x8xf32>) -> tensor<24x2xf32>
  %3 = graph.concat %0, %b axis 1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
  %4 = graph.reshape %3 : (tensor<6x8xf32>) -> tensor<2x3x8xf32>
  %5 = graph.transpose %a [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %6 = graph.concat %5, %5 axis 0 : (tensor<3x2x4xf32>, tensor<3x2x4xf32>) -> tensor<6x2x4xf32>
  %7 = graph.transpose %6 [2, 0, 1] : (tensor<6x2x4xf32>) -> tensor<4x6x2xf32>
  return %2, %4, %7 : tensor<24x2xf32>, tensor<2x3x8xf32>, tensor<4x6x2xf32>
}
