// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-lower-matrix-vector))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-lower-matrix-vector))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Products with one column as reductions compute what the products do.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @matrix(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x1xf32>
// CHECK-SAME: ) -> tensor<3x1xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG_2]] : (tensor<4x1xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[RESHAPE]] : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[MUL]] axes [1] {keep_dims} : (tensor<3x4xf32>) -> tensor<3x1xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<3x1xf32>
// VALUES-LABEL: func.func @matrix
// VALUES-NEXT: #0 = dense<{{\[\[}}2.000000e+01], [6.000000e+01], [1.000000e+02]]> : tensor<3x1xf32>
func.func @matrix(%x0: tensor<3x4xf32>, %x1: tensor<4x1xf32>) -> tensor<3x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<3x4xf32>, tensor<4x1xf32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// CHECK-LABEL: func.func @f64(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xf64>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x1xf64>
// CHECK-SAME: ) -> tensor<3x1xf64> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG_2]] : (tensor<4x1xf64>) -> tensor<1x4xf64>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[RESHAPE]] : (tensor<3x4xf64>, tensor<1x4xf64>) -> tensor<3x4xf64>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[MUL]] axes [1] {keep_dims} : (tensor<3x4xf64>) -> tensor<3x1xf64>
// CHECK-NEXT: return %[[SUM]] : tensor<3x1xf64>
// VALUES-LABEL: func.func @f64
// VALUES-NEXT: #0 = dense<{{\[\[}}2.000000e+01], [6.000000e+01], [1.000000e+02]]> : tensor<3x1xf64>
func.func @f64(%x0: tensor<3x4xf64>, %x1: tensor<4x1xf64>) -> tensor<3x1xf64> {
  %0 = graph.matmul %x0, %x1 : (tensor<3x4xf64>, tensor<4x1xf64>) -> tensor<3x1xf64>
  return %0 : tensor<3x1xf64>
}

// A row already.
// CHECK-LABEL: func.func @transposed_vector(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x4xf32>
// CHECK-SAME: ) -> tensor<3x1xf32> {
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[ARG_2]] : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[MUL]] axes [1] {keep_dims} : (tensor<3x4xf32>) -> tensor<3x1xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<3x1xf32>
// VALUES-LABEL: func.func @transposed_vector
// VALUES-NEXT: #0 = dense<{{\[\[}}2.000000e+01], [6.000000e+01], [1.000000e+02]]> : tensor<3x1xf32>
func.func @transposed_vector(%x0: tensor<3x4xf32>, %x1: tensor<1x4xf32>) -> tensor<3x1xf32> {
  %0 = graph.matmul %x0, %x1 {transpose_b} : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// CHECK-LABEL: func.func @batch_of_vectors(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x4x1xf32>
// CHECK-SAME: ) -> tensor<2x3x1xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG_2]] : (tensor<2x4x1xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[RESHAPE]] : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[MUL]] axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<2x3x1xf32>
// VALUES-LABEL: func.func @batch_of_vectors
// VALUES-NEXT: #0 = dense<{{\[\[}}[2.000000e+01], [6.000000e+01], [1.000000e+02]], {{\[\[}}3.560000e+02], [4.600000e+02], [5.640000e+02]]]> : tensor<2x3x1xf32>
func.func @batch_of_vectors(%x0: tensor<2x3x4xf32>, %x1: tensor<2x4x1xf32>) -> tensor<2x3x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x3x4xf32>, tensor<2x4x1xf32>) -> tensor<2x3x1xf32>
  return %0 : tensor<2x3x1xf32>
}

// One vector for all matrices.
// CHECK-LABEL: func.func @one_vector(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x1xf32>
// CHECK-SAME: ) -> tensor<2x3x1xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG_2]] : (tensor<4x1xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[RESHAPE]] : (tensor<2x3x4xf32>, tensor<1x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[MUL]] axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<2x3x1xf32>
// VALUES-LABEL: func.func @one_vector
// VALUES-NEXT: #0 = dense<{{\[\[}}[2.000000e+01], [6.000000e+01], [1.000000e+02]], {{\[\[}}1.400000e+02], [1.800000e+02], [2.200000e+02]]]> : tensor<2x3x1xf32>
func.func @one_vector(%x0: tensor<2x3x4xf32>, %x1: tensor<4x1xf32>) -> tensor<2x3x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x3x4xf32>, tensor<4x1xf32>) -> tensor<2x3x1xf32>
  return %0 : tensor<2x3x1xf32>
}

// CHECK-LABEL: func.func @one_by_one(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x1xf32>
// CHECK-SAME: ) -> tensor<1x1xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG_2]] : (tensor<4x1xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[RESHAPE]] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[MUL]] axes [1] {keep_dims} : (tensor<1x4xf32>) -> tensor<1x1xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<1x1xf32>
// VALUES-LABEL: func.func @one_by_one
// VALUES-NEXT: #0 = dense<2.000000e+01> : tensor<1x1xf32>
func.func @one_by_one(%x0: tensor<1x4xf32>, %x1: tensor<4x1xf32>) -> tensor<1x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// CHECK-LABEL: func.func @k_of_one(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x1xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x1xf32>
// CHECK-SAME: ) -> tensor<3x1xf32> {
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[ARG_2]] : (tensor<3x1xf32>, tensor<1x1xf32>) -> tensor<3x1xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[MUL]] axes [1] {keep_dims} : (tensor<3x1xf32>) -> tensor<3x1xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<3x1xf32>
// VALUES-LABEL: func.func @k_of_one
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00], [1.000000e+00], [2.000000e+00]]> : tensor<3x1xf32>
func.func @k_of_one(%x0: tensor<3x1xf32>, %x1: tensor<1x1xf32>) -> tensor<3x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<3x1xf32>, tensor<1x1xf32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// Not: two columns.
// CHECK-LABEL: func.func @two_columns(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x2xf32>
// CHECK-SAME: ) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<3x2xf32>
// VALUES-LABEL: func.func @two_columns
// VALUES-NEXT: #0 = dense<{{\[\[}}3.400000e+01, 4.000000e+01], [9.800000e+01, 1.200000e+02], [1.620000e+02, 2.000000e+02]]> : tensor<3x2xf32>
func.func @two_columns(%x0: tensor<3x4xf32>, %x1: tensor<4x2xf32>) -> tensor<3x2xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// Not: rows are not contiguous.
// CHECK-LABEL: func.func @transposed_matrix(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x1xf32>
// CHECK-SAME: ) -> tensor<3x1xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {transpose_a} : (tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<3x1xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<3x1xf32>
// VALUES-LABEL: func.func @transposed_matrix
// VALUES-NEXT: #0 = dense<{{\[\[}}6.000000e+01], [7.000000e+01], [8.000000e+01]]> : tensor<3x1xf32>
func.func @transposed_matrix(%x0: tensor<4x3xf32>, %x1: tensor<4x1xf32>) -> tensor<3x1xf32> {
  %0 = graph.matmul %x0, %x1 {transpose_a} : (tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// Not: one matrix for several vectors is a product.
// CHECK-LABEL: func.func @one_matrix(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x4x1xf32>
// CHECK-SAME: ) -> tensor<2x3x1xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] : (tensor<3x4xf32>, tensor<2x4x1xf32>) -> tensor<2x3x1xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<2x3x1xf32>
// VALUES-LABEL: func.func @one_matrix
// VALUES-NEXT: #0 = dense<{{\[\[}}[2.000000e+01], [6.000000e+01], [1.000000e+02]], {{\[\[}}4.400000e+01], [1.480000e+02], [2.520000e+02]]]> : tensor<2x3x1xf32>
func.func @one_matrix(%x0: tensor<3x4xf32>, %x1: tensor<2x4x1xf32>) -> tensor<2x3x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<3x4xf32>, tensor<2x4x1xf32>) -> tensor<2x3x1xf32>
  return %0 : tensor<2x3x1xf32>
}

// Not: sums of f16 are rounded once.
// CHECK-LABEL: func.func @half(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xf16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x1xf16>
// CHECK-SAME: ) -> (tensor<3x1xf16>, tensor<3x1xf32>) {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] : (tensor<3x4xf16>, tensor<4x1xf16>) -> tensor<3x1xf16>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {result_element = f32} : (tensor<3x4xf16>, tensor<4x1xf16>) -> tensor<3x1xf32>
// CHECK-NEXT: return %[[MATMUL]], %[[MATMUL_2]] : tensor<3x1xf16>, tensor<3x1xf32>
// VALUES-LABEL: func.func @half
// VALUES-NEXT: #0 = dense<{{\[\[}}2.000000e+01], [6.000000e+01], [1.000000e+02]]> : tensor<3x1xf16>
// VALUES-NEXT: #1 = dense<{{\[\[}}2.000000e+01], [6.000000e+01], [1.000000e+02]]> : tensor<3x1xf32>
func.func @half(%x0: tensor<3x4xf16>, %x1: tensor<4x1xf16>) -> (tensor<3x1xf16>, tensor<3x1xf32>) {
  %0 = graph.matmul %x0, %x1 : (tensor<3x4xf16>, tensor<4x1xf16>) -> tensor<3x1xf16>
  %1 = graph.matmul %x0, %x1 {result_element = f32} : (tensor<3x4xf16>, tensor<4x1xf16>) -> tensor<3x1xf32>
  return %0, %1 : tensor<3x1xf16>, tensor<3x1xf32>
}

// Not: integers.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x1xi32>
// CHECK-SAME: ) -> tensor<3x1xi32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] : (tensor<3x4xi32>, tensor<4x1xi32>) -> tensor<3x1xi32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<3x1xi32>
// VALUES-LABEL: func.func @integers
// VALUES-NEXT: #0 = dense<{{\[\[}}20], [60], [100]]> : tensor<3x1xi32>
func.func @integers(%x0: tensor<3x4xi32>, %x1: tensor<4x1xi32>) -> tensor<3x1xi32> {
  %0 = graph.matmul %x0, %x1 : (tensor<3x4xi32>, tensor<4x1xi32>) -> tensor<3x1xi32>
  return %0 : tensor<3x1xi32>
}
