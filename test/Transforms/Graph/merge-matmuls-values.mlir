// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-merge-matmuls))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-merge-matmuls))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Products with joined weights compute what the products did.
// NOTE: checks by tools/update-lit-checks

// Two products that a concat reads.
// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}2.500000e-01, -1.000000e+00, -1.500000e+00], [1.000000e+00, -2.500000e-01, -5.000000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}2.000000e+00, -7.500000e-01, 1.500000e+00], [-1.250000e+00, 5.000000e-01, 2.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_2]] axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONCAT]] : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape steps [1, 1] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape1 steps [1, 1] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[SLICE]], %[[SLICE_2]] axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[CONCAT_2]] : tensor<4x3xf32>
// VALUES-LABEL: func.func @two
// VALUES-NEXT: #0 = dense<{{\[\[}}1.000000e+00, -2.500000e-01, -5.000000e-01], [3.500000e+00, -2.750000e+00, -4.500000e+00], [-1.250000e+00, 5.000000e-01, 2.500000e-01], [2.500000e-01, 0.000000e+00, 3.750000e+00]]> : tensor<4x3xf32>
func.func @two(%x0: tensor<2x2xf32>) -> tensor<4x3xf32> {
  %a = graph.constant dense<[[0.25, -1.0, -1.5], [1.0, -0.25, -0.5]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = graph.constant dense<[[2.0, -0.75, 1.5], [-1.25, 0.5, 0.25]]> : tensor<2x3xf32>
  %3 = graph.matmul %x0, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = graph.concat %1, %3 axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %4 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @three_with_biases(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<6x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-1.500000e+00, 2.000000e+00, 2.000000e+00], [-1.500000e+00, -5.000000e-01, 1.500000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[-1.750000e+00, 1.250000e+00, -7.500000e-01]> : tensor<3xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}5.000000e-01, 0.000000e+00, 2.500000e-01], [-1.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<[-1.750000e+00, 1.000000e+00, 2.500000e-01]> : tensor<3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<{{\[\[}}0.000000e+00, 2.000000e+00, -1.000000e+00], [1.000000e+00, -1.500000e+00, -2.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<[1.750000e+00, -2.500000e-01, -2.500000e-01]> : tensor<3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_3]], %[[CONSTANT_5]] axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_4]], %[[CONSTANT_6]] axis 0 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<9xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONCAT]] : (tensor<2x2xf32>, tensor<2x9xf32>) -> tensor<2x9xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MATMUL]], %[[CONCAT_2]] : (tensor<2x9xf32>, tensor<9xf32>) -> tensor<2x9xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ADD]] starts #shape steps [1, 1] : (tensor<2x9xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[ADD]] starts #shape1 steps [1, 1] : (tensor<2x9xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SLICE_3:[^ ,:)]+]] = graph.slice %[[ADD]] starts #shape2 steps [1, 1] : (tensor<2x9xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[SLICE]], %[[SLICE_2]], %[[SLICE_3]] axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
// CHECK-NEXT: return %[[CONCAT_3]] : tensor<6x3xf32>
// VALUES-LABEL: func.func @three_with_biases
// VALUES-NEXT: #0 = dense<{{\[\[}}-3.250000e+00, 7.500000e-01, 7.500000e-01], [-9.250000e+00, 3.750000e+00, 7.750000e+00], [-2.750000e+00, 1.000000e+00, 2.500000e-01], [-3.750000e+00, 1.000000e+00, 7.500000e-01], [2.750000e+00, -1.750000e+00, -5.000000e-01], [4.750000e+00, -7.500000e-01, -3.000000e+00]]> : tensor<6x3xf32>
func.func @three_with_biases(%x0: tensor<2x2xf32>) -> tensor<6x3xf32> {
  %a = graph.constant dense<[[-1.5, 2.0, 2.0], [-1.5, -0.5, 1.5]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %ab = graph.constant dense<[-1.75, 1.25, -0.75]> : tensor<3xf32>
  %3 = graph.binary add %1, %ab : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b = graph.constant dense<[[0.5, 0.0, 0.25], [-1.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %5 = graph.matmul %x0, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %bb = graph.constant dense<[-1.75, 1.0, 0.25]> : tensor<3xf32>
  %7 = graph.binary add %5, %bb : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %c = graph.constant dense<[[0.0, 2.0, -1.0], [1.0, -1.5, -0.25]]> : tensor<2x3xf32>
  %9 = graph.matmul %x0, %c : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %cb = graph.constant dense<[1.75, -0.25, -0.25]> : tensor<3xf32>
  %11 = graph.binary add %9, %cb : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %12 = graph.concat %3, %7, %11 axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  return %12 : tensor<6x3xf32>
}

// A product without a bias gets one that changes nothing.
// CHECK-LABEL: func.func @one_bias(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -7.500000e-01, -2.000000e+00], [-2.000000e+00, -1.250000e+00, 2.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[2.000000e+00, 2.000000e+00, 7.500000e-01]> : tensor<3xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-1.000000e+00, 1.500000e+00, -5.000000e-01], [2.500000e-01, 1.250000e+00, -2.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<-0.000000e+00> : tensor<3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_3]] axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_4]] axis 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONCAT]] : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MATMUL]], %[[CONCAT_2]] : (tensor<2x6xf32>, tensor<6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ADD]] starts #shape steps [1, 1] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[ADD]] starts #shape1 steps [1, 1] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[SLICE]], %[[SLICE_2]] axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[CONCAT_3]] : tensor<4x3xf32>
// VALUES-LABEL: func.func @one_bias
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 7.500000e-01, 1.000000e+00], [-1.000000e+00, -3.250000e+00, -2.500000e+00], [2.500000e-01, 1.250000e+00, -2.000000e+00], [-1.250000e+00, 6.750000e+00, -7.000000e+00]]> : tensor<4x3xf32>
func.func @one_bias(%x0: tensor<2x2xf32>) -> tensor<4x3xf32> {
  %a = graph.constant dense<[[1.5, -0.75, -2.0], [-2.0, -1.25, 0.25]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %ab = graph.constant dense<[2.0, 2.0, 0.75]> : tensor<3xf32>
  %3 = graph.binary add %1, %ab : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b = graph.constant dense<[[-1.0, 1.5, -0.5], [0.25, 1.25, -2.0]]> : tensor<2x3xf32>
  %5 = graph.matmul %x0, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = graph.concat %3, %5 axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %6 : tensor<4x3xf32>
}

// Weights of different widths.
// CHECK-LABEL: func.func @widths(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<2x5xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}0.000000e+00], [2.500000e-01]]> : tensor<2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-1.000000e+00, 5.000000e-01, 1.000000e+00, -1.750000e+00], [1.750000e+00, 0.000000e+00, 7.500000e-01, 2.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_2]] axis 1 : (tensor<2x1xf32>, tensor<2x4xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONCAT]] : (tensor<2x2xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape steps [1, 1] : (tensor<2x5xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape3 steps [1, 1] : (tensor<2x5xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[SLICE]], %[[SLICE_2]] axis 1 : (tensor<2x1xf32>, tensor<2x4xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: return %[[CONCAT_2]] : tensor<2x5xf32>
// VALUES-LABEL: func.func @widths
// VALUES-NEXT: #0 = dense<{{\[\[}}2.500000e-01, 1.750000e+00, 0.000000e+00, 7.500000e-01, 2.000000e+00], [7.500000e-01, 3.250000e+00, 1.000000e+00, 4.250000e+00, 2.500000e+00]]> : tensor<2x5xf32>
func.func @widths(%x0: tensor<2x2xf32>) -> tensor<2x5xf32> {
  %a = graph.constant dense<[[0.0], [0.25]]> : tensor<2x1xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %b = graph.constant dense<[[-1.0, 0.5, 1.0, -1.75], [1.75, 0.0, 0.75, 2.0]]> : tensor<2x4xf32>
  %3 = graph.matmul %x0, %b : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = graph.concat %1, %3 axis 1 : (tensor<2x1xf32>, tensor<2x4xf32>) -> tensor<2x5xf32>
  return %4 : tensor<2x5xf32>
}

// One weight is stored transposed.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -1.750000e+00, 0.000000e+00], [-2.000000e+00, 2.000000e+00, -1.750000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-1.750000e+00, 7.500000e-01], [-5.000000e-01, 1.750000e+00], [-7.500000e-01, -1.500000e+00]]> : tensor<3x2xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[CONSTANT_2]] [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[TRANSPOSE]] axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONCAT]] : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape steps [1, 1] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape1 steps [1, 1] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[SLICE]], %[[SLICE_2]] axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[CONCAT_2]] : tensor<4x3xf32>
// VALUES-LABEL: func.func @transposed
// VALUES-NEXT: #0 = dense<{{\[\[}}-2.000000e+00, 2.000000e+00, -1.750000e+00], [-3.000000e+00, 2.500000e+00, -5.250000e+00], [7.500000e-01, 1.750000e+00, -1.500000e+00], [-1.250000e+00, 4.250000e+00, -6.000000e+00]]> : tensor<4x3xf32>
func.func @transposed(%x0: tensor<2x2xf32>) -> tensor<4x3xf32> {
  %a = graph.constant dense<[[1.5, -1.75, 0.0], [-2.0, 2.0, -1.75]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = graph.constant dense<[[-1.75, 0.75], [-0.5, 1.75], [-0.75, -1.5]]> : tensor<3x2xf32>
  %3 = graph.matmul %x0, %b {transpose_b} : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  %4 = graph.concat %1, %3 axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %4 : tensor<4x3xf32>
}

// Read through a transpose.
// CHECK-LABEL: func.func @through_views(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<6x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}0.000000e+00, 1.500000e+00, 5.000000e-01], [-1.250000e+00, 1.000000e+00, 2.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}5.000000e-01, 1.000000e+00, 1.000000e+00], [-1.500000e+00, -1.750000e+00, 0.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_2]] axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONCAT]] : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape steps [1, 1] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape1 steps [1, 1] : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[SLICE]] [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[SLICE_2]] [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[TRANSPOSE]], %[[TRANSPOSE_2]] axis 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
// CHECK-NEXT: return %[[CONCAT_2]] : tensor<6x2xf32>
// VALUES-LABEL: func.func @through_views
// VALUES-NEXT: #0 = dense<{{\[\[}}-1.250000e+00, -3.750000e+00], [1.000000e+00, 6.000000e+00], [2.500000e-01, 1.750000e+00], [-1.500000e+00, -3.500000e+00], [-1.750000e+00, -3.250000e+00], [0.000000e+00, 2.000000e+00]]> : tensor<6x2xf32>
func.func @through_views(%x0: tensor<2x2xf32>) -> tensor<6x2xf32> {
  %a = graph.constant dense<[[0.0, 1.5, 0.5], [-1.25, 1.0, 0.25]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.transpose %1 [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %b = graph.constant dense<[[0.5, 1.0, 1.0], [-1.5, -1.75, 0.0]]> : tensor<2x3xf32>
  %4 = graph.matmul %x0, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = graph.transpose %4 [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %6 = graph.concat %2, %5 axis 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
  return %6 : tensor<6x2xf32>
}

// CHECK-LABEL: func.func @batched(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2x2xf32>
// CHECK-SAME: ) -> tensor<4x2x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-5.000000e-01, 1.500000e+00, -1.250000e+00], [-5.000000e-01, -1.250000e+00, 1.250000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-7.500000e-01, -2.500000e-01, 1.250000e+00], [2.000000e+00, -1.500000e+00, -5.000000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_2]] axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONCAT]] : (tensor<2x2x2xf32>, tensor<2x6xf32>) -> tensor<2x2x6xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape4 steps [1, 1, 1] : (tensor<2x2x6xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape5 steps [1, 1, 1] : (tensor<2x2x6xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[SLICE]], %[[SLICE_2]] axis 0 : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return %[[CONCAT_2]] : tensor<4x2x3xf32>
// VALUES-LABEL: func.func @batched
// VALUES-NEXT: #0 = dense<{{\[\[}}[-5.000000e-01, -1.250000e+00, 1.250000e+00], [-2.500000e+00, -7.500000e-01, 1.250000e+00]], {{\[\[}}-4.500000e+00, -2.500000e-01, 1.250000e+00], [-6.500000e+00, 2.500000e-01, 1.250000e+00]], {{\[\[}}2.000000e+00, -1.500000e+00, -5.000000e-01], [4.500000e+00, -5.000000e+00, 1.000000e+00]], {{\[\[}}7.000000e+00, -8.500000e+00, 2.500000e+00], [9.500000e+00, -1.200000e+01, 4.000000e+00]]]> : tensor<4x2x3xf32>
func.func @batched(%x0: tensor<2x2x2xf32>) -> tensor<4x2x3xf32> {
  %a = graph.constant dense<[[-0.5, 1.5, -1.25], [-0.5, -1.25, 1.25]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2x2xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  %b = graph.constant dense<[[-0.75, -0.25, 1.25], [2.0, -1.5, -0.5]]> : tensor<2x3xf32>
  %3 = graph.matmul %x0, %b : (tensor<2x2x2xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  %4 = graph.concat %1, %3 axis 0 : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<4x2x3xf32>
  return %4 : tensor<4x2x3xf32>
}

// Not: an activation reads it.
// CHECK-LABEL: func.func @activation(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.250000e+00, 1.250000e+00, 1.250000e+00], [-1.750000e+00, 7.500000e-01, -7.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT]] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-1.250000e+00, -1.500000e+00, 2.000000e+00], [-5.000000e-01, 7.500000e-01, -5.000000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT_2]] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[RELU]], %[[MATMUL_2]] axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[CONCAT]] : tensor<4x3xf32>
// VALUES-LABEL: func.func @activation
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 7.500000e-01, 0.000000e+00], [0.000000e+00, 4.750000e+00, 2.500000e-01], [-5.000000e-01, 7.500000e-01, -5.000000e-01], [-4.000000e+00, -7.500000e-01, 2.500000e+00]]> : tensor<4x3xf32>
func.func @activation(%x0: tensor<2x2xf32>) -> tensor<4x3xf32> {
  %a = graph.constant dense<[[1.25, 1.25, 1.25], [-1.75, 0.75, -0.75]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.unary relu %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = graph.constant dense<[[-1.25, -1.5, 2.0], [-0.5, 0.75, -0.5]]> : tensor<2x3xf32>
  %4 = graph.matmul %x0, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = graph.concat %2, %4 axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %5 : tensor<4x3xf32>
}

// Not: it leaves the function.
// CHECK-LABEL: func.func @returned(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.750000e+00, -1.000000e+00, 1.750000e+00], [-2.500000e-01, 1.500000e+00, 7.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT]] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}7.500000e-01, 2.500000e-01, -1.750000e+00], [-1.000000e+00, -1.750000e+00, 1.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT_2]] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]], %[[MATMUL_2]] : tensor<2x3xf32>, tensor<2x3xf32>
// VALUES-LABEL: func.func @returned
// VALUES-NEXT: #0 = dense<{{\[\[}}-2.500000e-01, 1.500000e+00, 7.500000e-01], [2.750000e+00, 2.500000e+00, 5.750000e+00]]> : tensor<2x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}-1.000000e+00, -1.750000e+00, 1.000000e+00], [-1.500000e+00, -4.750000e+00, -5.000000e-01]]> : tensor<2x3xf32>
func.func @returned(%x0: tensor<2x2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = graph.constant dense<[[1.75, -1.0, 1.75], [-0.25, 1.5, 0.75]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = graph.constant dense<[[0.75, 0.25, -1.75], [-1.0, -1.75, 1.0]]> : tensor<2x3xf32>
  %3 = graph.matmul %x0, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// Not: of two left operands.
// CHECK-LABEL: func.func @other_operand(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-1.500000e+00, 1.000000e+00, -2.000000e+00], [-2.500000e-01, 1.250000e+00, -2.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT]] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}2.000000e+00, -1.500000e+00, -5.000000e-01], [1.500000e+00, 7.500000e-01, -5.000000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG_2]], %[[CONSTANT_2]] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[MATMUL]], %[[MATMUL_2]] axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[CONCAT]] : tensor<4x3xf32>
// VALUES-LABEL: func.func @other_operand
// VALUES-NEXT: #0 = dense<{{\[\[}}-2.500000e-01, 1.250000e+00, -2.500000e-01], [-3.750000e+00, 5.750000e+00, -4.750000e+00], [5.000000e+00, 0.000000e+00, -1.500000e+00], [1.200000e+01, -1.500000e+00, -3.500000e+00]]> : tensor<4x3xf32>
func.func @other_operand(%x0: tensor<2x2xf32>, %x1: tensor<2x2xf32>) -> tensor<4x3xf32> {
  %a = graph.constant dense<[[-1.5, 1.0, -2.0], [-0.25, 1.25, -0.25]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = graph.constant dense<[[2.0, -1.5, -0.5], [1.5, 0.75, -0.5]]> : tensor<2x3xf32>
  %3 = graph.matmul %x1, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = graph.concat %1, %3 axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %4 : tensor<4x3xf32>
}

// Not: a weight that is an input.
// CHECK-LABEL: func.func @not_known(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-2.500000e-01, -1.000000e+00, 1.250000e+00], [1.750000e+00, 2.500000e-01, -7.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT]] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[MATMUL]], %[[MATMUL_2]] axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[CONCAT]] : tensor<4x3xf32>
// VALUES-LABEL: func.func @not_known
// VALUES-NEXT: #0 = dense<{{\[\[}}1.750000e+00, 2.500000e-01, -7.500000e-01], [4.750000e+00, -1.250000e+00, 2.500000e-01], [4.000000e+00, 5.000000e+00, 6.000000e+00], [1.400000e+01, 1.900000e+01, 2.400000e+01]]> : tensor<4x3xf32>
func.func @not_known(%x0: tensor<2x2xf32>, %x1: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %a = graph.constant dense<[[-0.25, -1.0, 1.25], [1.75, 0.25, -0.75]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.matmul %x0, %x1 : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = graph.concat %1, %2 axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %3 : tensor<4x3xf32>
}

// Not: integers.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xi32>
// CHECK-SAME: ) -> tensor<4x2xi32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT]] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT_2]] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[MATMUL]], %[[MATMUL_2]] axis 0 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<4x2xi32>
// CHECK-NEXT: return %[[CONCAT]] : tensor<4x2xi32>
// VALUES-LABEL: func.func @integers
// VALUES-NEXT: #0 = dense<{{\[\[}}3, 4], [11, 16], [3, 4], [11, 16]]> : tensor<4x2xi32>
func.func @integers(%x0: tensor<2x2xi32>) -> tensor<4x2xi32> {
  %a = graph.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %1 = graph.matmul %x0, %a : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %b = graph.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %3 = graph.matmul %x0, %b : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %4 = graph.concat %1, %3 axis 0 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<4x2xi32>
  return %4 : tensor<4x2xi32>
}

// Not: the left operand is stored transposed.
// CHECK-LABEL: func.func @transposed_left(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<4x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-2.000000e+00, -1.250000e+00, 1.500000e+00], [-5.000000e-01, 2.000000e+00, 0.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT]] {transpose_a} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.000000e+00, 5.000000e-01, 1.000000e+00], [-5.000000e-01, 0.000000e+00, 7.500000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[CONSTANT_2]] {transpose_a} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[MATMUL]], %[[MATMUL_2]] axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[CONCAT]] : tensor<4x3xf32>
// VALUES-LABEL: func.func @transposed_left
// VALUES-NEXT: #0 = dense<{{\[\[}}-1.000000e+00, 4.000000e+00, 0.000000e+00], [-3.500000e+00, 4.750000e+00, 1.500000e+00], [-1.000000e+00, 0.000000e+00, 1.500000e+00], [-5.000000e-01, 5.000000e-01, 3.250000e+00]]> : tensor<4x3xf32>
func.func @transposed_left(%x0: tensor<2x2xf32>) -> tensor<4x3xf32> {
  %a = graph.constant dense<[[-2.0, -1.25, 1.5], [-0.5, 2.0, 0.0]]> : tensor<2x3xf32>
  %1 = graph.matmul %x0, %a {transpose_a} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = graph.constant dense<[[1.0, 0.5, 1.0], [-0.5, 0.0, 0.75]]> : tensor<2x3xf32>
  %3 = graph.matmul %x0, %b {transpose_a} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = graph.concat %1, %3 axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %4 : tensor<4x3xf32>
}
