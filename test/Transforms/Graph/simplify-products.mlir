// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// RUN: kiln-opt %s --kiln-simplify-graph | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Transposes in front of products, and what is computed from nothing.
// NOTE: checks by tools/update-lit-checks

// Both spellings of a transposed left operand.
// CHECK-LABEL: func.func @left(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x2xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {transpose_a} : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {transpose_a} : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]], %[[MATMUL_2]] : tensor<2x3xf32>, tensor<2x3xf32>
// VALUES-LABEL: func.func @left
// VALUES-NEXT: #0 = dense<{{\[\[}}9.600000e+01, 1.080000e+02, 1.200000e+02], [1.180000e+02, 1.340000e+02, 1.500000e+02]]> : tensor<2x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}9.600000e+01, 1.080000e+02, 1.200000e+02], [1.180000e+02, 1.340000e+02, 1.500000e+02]]> : tensor<2x3xf32>
func.func @left(%x0: tensor<4x2xf32>, %x1: tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = graph.transpose %x0 [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %1 = graph.matmul %0, %x1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %2 = graph.transpose %0 [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %3 = graph.matmul %2, %x1 {transpose_a} : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x2xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3x4xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {transpose_a, transpose_b} : (tensor<4x2xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<2x3xf32>
// VALUES-LABEL: func.func @both
// VALUES-NEXT: #0 = dense<{{\[\[}}4.000000e+01, 8.800000e+01, 1.360000e+02], [5.000000e+01, 1.140000e+02, 1.780000e+02]]> : tensor<2x3xf32>
func.func @both(%x0: tensor<4x2xf32>, %x1: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %0 = graph.transpose %x0 [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %1 = graph.transpose %x1 [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %2 = graph.matmul %0, %1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// The last two dims of more.
// CHECK-LABEL: func.func @batched(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x5x4xf32>
// CHECK-SAME: ) -> tensor<2x3x5xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {transpose_b} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<2x3x5xf32>
// VALUES-LABEL: func.func @batched
// VALUES-NEXT: #0 = dense<{{\[\[}}[2.000000e+01, 4.400000e+01, 6.800000e+01, 9.200000e+01, 1.160000e+02], [6.000000e+01, 1.480000e+02, 2.360000e+02, 3.240000e+02, 4.120000e+02], [1.000000e+02, 2.520000e+02, 4.040000e+02, 5.560000e+02, 7.080000e+02]], {{\[\[}}1.220000e+03, 1.436000e+03, 1.652000e+03, 1.868000e+03, 2.084000e+03], [1.580000e+03, 1.860000e+03, 2.140000e+03, 2.420000e+03, 2.700000e+03], [1.940000e+03, 2.284000e+03, 2.628000e+03, 2.972000e+03, 3.316000e+03]]]> : tensor<2x3x5xf32>
func.func @batched(%x0: tensor<2x3x4xf32>, %x1: tensor<2x5x4xf32>) -> tensor<2x3x5xf32> {
  %0 = graph.transpose %x1 [0, 2, 1] : (tensor<2x5x4xf32>) -> tensor<2x4x5xf32>
  %1 = graph.matmul %x0, %0 : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// result_element and tf32 are kept.
// CHECK-LABEL: func.func @attributes(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3x4xf16>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<3x4xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {result_element = f32, transpose_b} : (tensor<2x4xf16>, tensor<3x4xf16>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG_3]], %[[ARG_4]] {tf32, transpose_b} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]], %[[MATMUL_2]] : tensor<2x3xf32>, tensor<2x3xf32>
// VALUES-LABEL: func.func @attributes
// VALUES-NEXT: #0 = dense<{{\[\[}}2.000000e+01, 4.400000e+01, 6.800000e+01], [6.000000e+01, 1.480000e+02, 2.360000e+02]]> : tensor<2x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}6.800000e+01, 1.240000e+02, 1.800000e+02], [1.400000e+02, 2.600000e+02, 3.800000e+02]]> : tensor<2x3xf32>
func.func @attributes(%x0: tensor<2x4xf16>, %x1: tensor<3x4xf16>, %x2: tensor<2x4xf32>, %x3: tensor<3x4xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = graph.transpose %x1 [1, 0] : (tensor<3x4xf16>) -> tensor<4x3xf16>
  %1 = graph.matmul %x0, %0 {result_element = f32} : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3xf32>
  %2 = graph.transpose %x3 [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %3 = graph.matmul %x2, %2 {tf32} : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// Batches that change places, and dims of 1, are no flag.
// CHECK-LABEL: func.func @other_dims(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x2x5xf32>
// CHECK-SAME: ) -> tensor<2x3x5xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ARG_2]] [1, 0, 2] : (tensor<4x2x5xf32>) -> tensor<2x4x5xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[TRANSPOSE]] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<2x3x5xf32>
// VALUES-LABEL: func.func @other_dims
// VALUES-NEXT: #0 = dense<{{\[\[}}[1.460000e+02, 1.520000e+02, 1.580000e+02, 1.640000e+02, 1.700000e+02], [4.020000e+02, 4.240000e+02, 4.460000e+02, 4.680000e+02, 4.900000e+02], [6.580000e+02, 6.960000e+02, 7.340000e+02, 7.720000e+02, 8.100000e+02]], {{\[\[}}1.184000e+03, 1.238000e+03, 1.292000e+03, 1.346000e+03, 1.400000e+03], [1.520000e+03, 1.590000e+03, 1.660000e+03, 1.730000e+03, 1.800000e+03], [1.856000e+03, 1.942000e+03, 2.028000e+03, 2.114000e+03, 2.200000e+03]]]> : tensor<2x3x5xf32>
func.func @other_dims(%x0: tensor<2x3x4xf32>, %x1: tensor<4x2x5xf32>) -> tensor<2x3x5xf32> {
  %0 = graph.transpose %x1 [1, 0, 2] : (tensor<4x2x5xf32>) -> tensor<2x4x5xf32>
  %1 = graph.matmul %x0, %0 : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// A transpose that is used elsewhere stays there.
// CHECK-LABEL: func.func @shared_transpose(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3x4xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<4x3xf32>) {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ARG_2]] [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {transpose_b} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MATMUL]], %[[TRANSPOSE]] : tensor<2x3xf32>, tensor<4x3xf32>
// VALUES-LABEL: func.func @shared_transpose
// VALUES-NEXT: #0 = dense<{{\[\[}}2.000000e+01, 4.400000e+01, 6.800000e+01], [6.000000e+01, 1.480000e+02, 2.360000e+02]]> : tensor<2x3xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}1.000000e+00, 5.000000e+00, 9.000000e+00], [2.000000e+00, 6.000000e+00, 1.000000e+01], [3.000000e+00, 7.000000e+00, 1.100000e+01], [4.000000e+00, 8.000000e+00, 1.200000e+01]]> : tensor<4x3xf32>
func.func @shared_transpose(%x0: tensor<2x4xf32>, %x1: tensor<3x4xf32>) -> (tensor<2x3xf32>, tensor<4x3xf32>) {
  %0 = graph.transpose %x1 [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %1 = graph.matmul %x0, %0 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1, %0 : tensor<2x3xf32>, tensor<4x3xf32>
}

// What has no elements is a fill: of elementwise ops, views, sums and products.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<0x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3x0xi32>
// CHECK-SAME: ) -> (tensor<0x3xf32>, tensor<0x3xi32>, tensor<0xi32>, tensor<0x3xf32>, tensor<0x3xi1>) {
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<0x3xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0 : i32 : tensor<0x3xi32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0 : i32 : tensor<0xi32>
// CHECK-NEXT: %[[FILL_4:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<0x3xf32>
// CHECK-NEXT: %[[FILL_5:[^ ,:)]+]] = graph.fill false : tensor<0x3xi1>
// CHECK-NEXT: return %[[FILL]], %[[FILL_2]], %[[FILL_3]], %[[FILL_4]], %[[FILL_5]] : tensor<0x3xf32>, tensor<0x3xi32>, tensor<0xi32>, tensor<0x3xf32>, tensor<0x3xi1>
// VALUES-LABEL: func.func @empty
// VALUES-NEXT: #0 = dense<> : tensor<0x3xf32>
// VALUES-NEXT: #1 = dense<> : tensor<0x3xi32>
// VALUES-NEXT: #2 = dense<> : tensor<0xi32>
// VALUES-NEXT: #3 = dense<> : tensor<0x3xf32>
// VALUES-NEXT: #4 = dense<> : tensor<0x3xi1>
func.func @empty(%x0: tensor<0x3xf32>, %x1: tensor<3x0xi32>)
    -> (tensor<0x3xf32>, tensor<0x3xi32>, tensor<0xi32>, tensor<0x3xf32>, tensor<0x3xi1>) {
  %0 = graph.unary exp %x0 : (tensor<0x3xf32>) -> tensor<0x3xf32>
  %1 = graph.transpose %x1 [1, 0] : (tensor<3x0xi32>) -> tensor<0x3xi32>
  %2 = graph.reduce sum %x1 axes [0] : (tensor<3x0xi32>) -> tensor<0xi32>
  %3 = graph.softmax %x0 axis 1 : (tensor<0x3xf32>) -> tensor<0x3xf32>
  %4 = graph.compare less %x0, %x0 : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
  return %0, %1, %2, %3, %4 : tensor<0x3xf32>, tensor<0x3xi32>, tensor<0xi32>, tensor<0x3xf32>, tensor<0x3xi1>
}

// A sum over nothing has elements and stays.
// CHECK-LABEL: func.func @sum_of_nothing(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x0xf32>
// CHECK-SAME: ) -> (tensor<3xf32>, tensor<3xf32>) {
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[ARG]] axes [1] : (tensor<3x0xf32>) -> tensor<3xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ARG]] axes [1] : (tensor<3x0xf32>) -> tensor<3xf32>
// CHECK-NEXT: return %[[SUM]], %[[MAX]] : tensor<3xf32>, tensor<3xf32>
// VALUES-LABEL: func.func @sum_of_nothing
// VALUES-NEXT: #0 = dense<0.000000e+00> : tensor<3xf32>
// VALUES-NEXT: #1 = dense<0xFF800000> : tensor<3xf32>
func.func @sum_of_nothing(%x0: tensor<3x0xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = graph.reduce sum %x0 axes [1] : (tensor<3x0xf32>) -> tensor<3xf32>
  %1 = graph.reduce max %x0 axes [1] : (tensor<3x0xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// Sums of no products are zeros, in the type of the result.
// CHECK-LABEL: func.func @product_of_nothing(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x0xf16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<0x3xf16>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<0x2xi32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x2xi32>) {
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x3xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0 : i32 : tensor<2x2xi32>
// CHECK-NEXT: return %[[FILL]], %[[FILL_2]] : tensor<2x3xf32>, tensor<2x2xi32>
// VALUES-LABEL: func.func @product_of_nothing
// VALUES-NEXT: #0 = dense<0.000000e+00> : tensor<2x3xf32>
// VALUES-NEXT: #1 = dense<0> : tensor<2x2xi32>
func.func @product_of_nothing(%x0: tensor<2x0xf16>, %x1: tensor<0x3xf16>, %x2: tensor<0x2xi32>)
    -> (tensor<2x3xf32>, tensor<2x2xi32>) {
  %0 = graph.matmul %x0, %x1 {result_element = f32} : (tensor<2x0xf16>, tensor<0x3xf16>) -> tensor<2x3xf32>
  %1 = graph.matmul %x2, %x2 {transpose_a} : (tensor<0x2xi32>, tensor<0x2xi32>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x2xi32>
}

// Joined with something it has elements.
// CHECK-LABEL: func.func @concat_of_nothing(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<0x2xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2xf32>
// CHECK-SAME: ) -> (tensor<1x2xf32>, tensor<0x2xf32>) {
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[ARG]], %[[ARG_2]] axis 0 : (tensor<0x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<0x2xf32>
// CHECK-NEXT: return %[[CONCAT]], %[[FILL]] : tensor<1x2xf32>, tensor<0x2xf32>
// VALUES-LABEL: func.func @concat_of_nothing
// VALUES-NEXT: #0 = dense<{{\[\[}}1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// VALUES-NEXT: #1 = dense<> : tensor<0x2xf32>
func.func @concat_of_nothing(%x0: tensor<0x2xf32>, %x1: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<0x2xf32>) {
  %0 = graph.concat %x0, %x1 axis 0 : (tensor<0x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %1 = graph.concat %x0, %x0 axis 0 : (tensor<0x2xf32>, tensor<0x2xf32>) -> tensor<0x2xf32>
  return %0, %1 : tensor<1x2xf32>, tensor<0x2xf32>
}

// Ops nobody uses go, whatever they compute.
// CHECK-LABEL: func.func @unused(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xf32>
// CHECK-SAME: ) -> tensor<2x2xf32> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x2xf32>
// VALUES-LABEL: func.func @unused
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
func.func @unused(%x0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = graph.matmul %x0, %x0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = graph.softmax %x0 axis 1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %x0 : tensor<2x2xf32>
}
