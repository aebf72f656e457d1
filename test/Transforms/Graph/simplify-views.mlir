// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// RUN: kiln-opt %s --kiln-simplify-graph | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Transposes, reshapes and slices that move nothing, and those that do.
// NOTE: checks by tools/update-lit-checks

// Only dims of 1 change places: a reshape.
// CHECK-LABEL: func.func @transpose_ones(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x4x1x5xf32>
// CHECK-SAME: ) -> (tensor<4x1x5x1xf32>, tensor<1x4x1x5xf32>, tensor<1x1x4x5xf32>) {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<1x4x1x5xf32>) -> tensor<4x1x5x1xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<1x4x1x5xf32>) -> tensor<1x1x4x5xf32>
// CHECK-NEXT: return %[[RESHAPE]], %[[ARG]], %[[RESHAPE_2]] : tensor<4x1x5x1xf32>, tensor<1x4x1x5xf32>, tensor<1x1x4x5xf32>
// VALUES-LABEL: func.func @transpose_ones
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]], {{\[\[}}[5.000000e+00], [6.000000e+00], [7.000000e+00], [8.000000e+00], [9.000000e+00]]], {{\[\[}}[1.000000e+01], [1.100000e+01], [1.200000e+01], [1.300000e+01], [1.400000e+01]]], {{\[\[}}[1.500000e+01], [1.600000e+01], [1.700000e+01], [1.800000e+01], [1.900000e+01]]]]> : tensor<4x1x5x1xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]], {{\[\[}}5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00]], {{\[\[}}1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01]], {{\[\[}}1.500000e+01, 1.600000e+01, 1.700000e+01, 1.800000e+01, 1.900000e+01]]]]> : tensor<1x4x1x5xf32>
// VALUES-NEXT: #2 = dense<{{\[\[}}{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01], [1.500000e+01, 1.600000e+01, 1.700000e+01, 1.800000e+01, 1.900000e+01]]]]> : tensor<1x1x4x5xf32>
func.func @transpose_ones(%x0: tensor<1x4x1x5xf32>)
    -> (tensor<4x1x5x1xf32>, tensor<1x4x1x5xf32>, tensor<1x1x4x5xf32>) {
  %0 = graph.transpose %x0 [1, 0, 3, 2] : (tensor<1x4x1x5xf32>) -> tensor<4x1x5x1xf32>
  %1 = graph.transpose %x0 [2, 1, 0, 3] : (tensor<1x4x1x5xf32>) -> tensor<1x4x1x5xf32>
  %2 = graph.transpose %x0 [0, 2, 1, 3] : (tensor<1x4x1x5xf32>) -> tensor<1x1x4x5xf32>
  return %0, %1, %2 : tensor<4x1x5x1xf32>, tensor<1x4x1x5xf32>, tensor<1x1x4x5xf32>
}

// One pair of longer dims changes places: it stays.
// CHECK-LABEL: func.func @transpose_real(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x4x1x5xf32>
// CHECK-SAME: ) -> tensor<1x5x1x4xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ARG]] [0, 3, 2, 1] : (tensor<1x4x1x5xf32>) -> tensor<1x5x1x4xf32>
// CHECK-NEXT: return %[[TRANSPOSE]] : tensor<1x5x1x4xf32>
// VALUES-LABEL: func.func @transpose_real
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00, 5.000000e+00, 1.000000e+01, 1.500000e+01]], {{\[\[}}1.000000e+00, 6.000000e+00, 1.100000e+01, 1.600000e+01]], {{\[\[}}2.000000e+00, 7.000000e+00, 1.200000e+01, 1.700000e+01]], {{\[\[}}3.000000e+00, 8.000000e+00, 1.300000e+01, 1.800000e+01]], {{\[\[}}4.000000e+00, 9.000000e+00, 1.400000e+01, 1.900000e+01]]]]> : tensor<1x5x1x4xf32>
func.func @transpose_real(%x0: tensor<1x4x1x5xf32>) -> tensor<1x5x1x4xf32> {
  %0 = graph.transpose %x0 [0, 3, 2, 1] : (tensor<1x4x1x5xf32>) -> tensor<1x5x1x4xf32>
  return %0 : tensor<1x5x1x4xf32>
}

// CHECK-LABEL: func.func @transpose_undone(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>
// CHECK-SAME: ) -> tensor<2x3x4xf32> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x3x4xf32>
// VALUES-LABEL: func.func @transpose_undone
// VALUES-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00], [8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]], {{\[\[}}1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [1.600000e+01, 1.700000e+01, 1.800000e+01, 1.900000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01]]]> : tensor<2x3x4xf32>
func.func @transpose_undone(%x0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = graph.transpose %x0 [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = graph.transpose %0 [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @transpose_composed(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>
// CHECK-SAME: ) -> tensor<3x4x2xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ARG]] [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: return %[[TRANSPOSE]] : tensor<3x4x2xf32>
// VALUES-LABEL: func.func @transpose_composed
// VALUES-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.200000e+01], [1.000000e+00, 1.300000e+01], [2.000000e+00, 1.400000e+01], [3.000000e+00, 1.500000e+01]], {{\[\[}}4.000000e+00, 1.600000e+01], [5.000000e+00, 1.700000e+01], [6.000000e+00, 1.800000e+01], [7.000000e+00, 1.900000e+01]], {{\[\[}}8.000000e+00, 2.000000e+01], [9.000000e+00, 2.100000e+01], [1.000000e+01, 2.200000e+01], [1.100000e+01, 2.300000e+01]]]> : tensor<3x4x2xf32>
func.func @transpose_composed(%x0: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %0 = graph.transpose %x0 [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = graph.transpose %0 [2, 0, 1] : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// The last shape counts.
// CHECK-LABEL: func.func @reshape_composed(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x6xf32>
// CHECK-SAME: ) -> (tensor<12xf32>, tensor<2x6xf32>) {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<2x6xf32>) -> tensor<12xf32>
// CHECK-NEXT: return %[[RESHAPE]], %[[ARG]] : tensor<12xf32>, tensor<2x6xf32>
// VALUES-LABEL: func.func @reshape_composed
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]> : tensor<12xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]]> : tensor<2x6xf32>
func.func @reshape_composed(%x0: tensor<2x6xf32>) -> (tensor<12xf32>, tensor<2x6xf32>) {
  %0 = graph.reshape %x0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = graph.reshape %0 : (tensor<3x4xf32>) -> tensor<12xf32>
  %2 = graph.reshape %x0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %3 = graph.reshape %2 : (tensor<3x4xf32>) -> tensor<2x6xf32>
  return %1, %3 : tensor<12xf32>, tensor<2x6xf32>
}

// A constant is written in its shape; a splat, too.
// CHECK-LABEL: func.func @reshape_of_constants() -> (tensor<2x2xi64>, tensor<4x1xf32>, tensor<1xi32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi64>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<7.000000e+00> : tensor<4x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<3> : tensor<1xi32>
// CHECK-NEXT: return %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] : tensor<2x2xi64>, tensor<4x1xf32>, tensor<1xi32>
// VALUES-LABEL: func.func @reshape_of_constants
// VALUES-NEXT: #0 = dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi64>
// VALUES-NEXT: #1 = dense<7.000000e+00> : tensor<4x1xf32>
// VALUES-NEXT: #2 = dense<3> : tensor<1xi32>
func.func @reshape_of_constants() -> (tensor<2x2xi64>, tensor<4x1xf32>, tensor<1xi32>) {
  %c = graph.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %e = graph.constant dense<[7.0, 7.0, 7.0, 7.0]> : tensor<4xf32>
  %2 = graph.reshape %c : (tensor<4xi64>) -> tensor<2x2xi64>
  %3 = graph.reshape %e : (tensor<4xf32>) -> tensor<4x1xf32>
  %s = graph.constant dense<3> : tensor<i32>
  %5 = graph.reshape %s : (tensor<i32>) -> tensor<1xi32>
  return %2, %3, %5 : tensor<2x2xi64>, tensor<4x1xf32>, tensor<1xi32>
}

// Merged, transposed and split as it was: the transpose alone.
// CHECK-LABEL: func.func @merged_split(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>
// CHECK-SAME: ) -> tensor<4x2x3xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ARG]] [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return %[[TRANSPOSE]] : tensor<4x2x3xf32>
// VALUES-LABEL: func.func @merged_split
// VALUES-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 4.000000e+00, 8.000000e+00], [1.200000e+01, 1.600000e+01, 2.000000e+01]], {{\[\[}}1.000000e+00, 5.000000e+00, 9.000000e+00], [1.300000e+01, 1.700000e+01, 2.100000e+01]], {{\[\[}}2.000000e+00, 6.000000e+00, 1.000000e+01], [1.400000e+01, 1.800000e+01, 2.200000e+01]], {{\[\[}}3.000000e+00, 7.000000e+00, 1.100000e+01], [1.500000e+01, 1.900000e+01, 2.300000e+01]]]> : tensor<4x2x3xf32>
func.func @merged_split(%x0: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = graph.reshape %x0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %2 = graph.reshape %1 : (tensor<4x6xf32>) -> tensor<4x2x3xf32>
  return %2 : tensor<4x2x3xf32>
}

// Two groups at once.
// CHECK-LABEL: func.func @merged_split_both(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4x5xf32>
// CHECK-SAME: ) -> tensor<4x5x2x3xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ARG]] [2, 3, 0, 1] : (tensor<2x3x4x5xf32>) -> tensor<4x5x2x3xf32>
// CHECK-NEXT: return %[[TRANSPOSE]] : tensor<4x5x2x3xf32>
// VALUES-LABEL: func.func @merged_split_both
// VALUES-NEXT: #0 = dense<"0x000000000000A04100002042000070420000A0420000C8420000803F0000A84100002442000074420000A2420000CA42000000400000B04100002842000078420000A4420000CC42000040400000B84100002C4200007C420000A6420000CE42000080400000C04100003042000080420000A8420000D0420000A0400000C84100003442000082420000AA420000D2420000C0400000D04100003842000084420000AC420000D4420000E0400000D84100003C42000086420000AE420000D642000000410000E04100004042000088420000B0420000D842000010410000E8410000444200008A420000B2420000DA42000020410000F0410000484200008C420000B4420000DC42000030410000F84100004C4200008E420000B6420000DE42000040410000004200005042000090420000B8420000E042000050410000044200005442000092420000BA420000E242000060410000084200005842000094420000BC420000E4420000704100000C4200005C42000096420000BE420000E642000080410000104200006042000098420000C0420000E84200008841000014420000644200009A420000C2420000EA4200009041000018420000684200009C420000C4420000EC420000984100001C4200006C4200009E420000C6420000EE42"> : tensor<4x5x2x3xf32>
func.func @merged_split_both(%x0: tensor<2x3x4x5xf32>) -> tensor<4x5x2x3xf32> {
  %0 = graph.reshape %x0 : (tensor<2x3x4x5xf32>) -> tensor<6x20xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<6x20xf32>) -> tensor<20x6xf32>
  %2 = graph.reshape %1 : (tensor<20x6xf32>) -> tensor<4x5x2x3xf32>
  return %2 : tensor<4x5x2x3xf32>
}

// A group in the middle, the others by themselves.
// CHECK-LABEL: func.func @merged_split_middle(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4x5xf32>
// CHECK-SAME: ) -> tensor<3x4x5x2xf32> {
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[ARG]] [1, 2, 3, 0] : (tensor<2x3x4x5xf32>) -> tensor<3x4x5x2xf32>
// CHECK-NEXT: return %[[TRANSPOSE]] : tensor<3x4x5x2xf32>
// VALUES-LABEL: func.func @merged_split_middle
// VALUES-NEXT: #0 = dense<"0x00000000000070420000803F0000744200000040000078420000404000007C4200008040000080420000A040000082420000C040000084420000E0400000864200000041000088420000104100008A420000204100008C420000304100008E42000040410000904200005041000092420000604100009442000070410000964200008041000098420000884100009A420000904100009C420000984100009E420000A0410000A0420000A8410000A2420000B0410000A4420000B8410000A6420000C0410000A8420000C8410000AA420000D0410000AC420000D8410000AE420000E0410000B0420000E8410000B2420000F0410000B4420000F8410000B642000000420000B842000004420000BA42000008420000BC4200000C420000BE42000010420000C042000014420000C242000018420000C44200001C420000C642000020420000C842000024420000CA42000028420000CC4200002C420000CE42000030420000D042000034420000D242000038420000D44200003C420000D642000040420000D842000044420000DA42000048420000DC4200004C420000DE42000050420000E042000054420000E242000058420000E44200005C420000E642000060420000E842000064420000EA42000068420000EC4200006C420000EE42"> : tensor<3x4x5x2xf32>
func.func @merged_split_middle(%x0: tensor<2x3x4x5xf32>) -> tensor<3x4x5x2xf32> {
  %0 = graph.reshape %x0 : (tensor<2x3x4x5xf32>) -> tensor<2x12x5xf32>
  %1 = graph.transpose %0 [1, 2, 0] : (tensor<2x12x5xf32>) -> tensor<12x5x2xf32>
  %2 = graph.reshape %1 : (tensor<12x5x2xf32>) -> tensor<3x4x5x2xf32>
  return %2 : tensor<3x4x5x2xf32>
}

// Not split again.
// CHECK-LABEL: func.func @merged_kept(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x4xf32>
// CHECK-SAME: ) -> tensor<4x6xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE]] [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: return %[[TRANSPOSE]] : tensor<4x6xf32>
// VALUES-LABEL: func.func @merged_kept
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 4.000000e+00, 8.000000e+00, 1.200000e+01, 1.600000e+01, 2.000000e+01], [1.000000e+00, 5.000000e+00, 9.000000e+00, 1.300000e+01, 1.700000e+01, 2.100000e+01], [2.000000e+00, 6.000000e+00, 1.000000e+01, 1.400000e+01, 1.800000e+01, 2.200000e+01], [3.000000e+00, 7.000000e+00, 1.100000e+01, 1.500000e+01, 1.900000e+01, 2.300000e+01]]> : tensor<4x6xf32>
func.func @merged_kept(%x0: tensor<2x3x4xf32>) -> tensor<4x6xf32> {
  %0 = graph.reshape %x0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// Split at another place than merged.
// CHECK-LABEL: func.func @split_elsewhere(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x6x4xf32>
// CHECK-SAME: ) -> tensor<4x6x2xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<2x6x4xf32>) -> tensor<12x4xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE]] [1, 0] : (tensor<12x4xf32>) -> tensor<4x12xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE]] : (tensor<4x12xf32>) -> tensor<4x6x2xf32>
// CHECK-NEXT: return %[[RESHAPE_2]] : tensor<4x6x2xf32>
// VALUES-LABEL: func.func @split_elsewhere
// VALUES-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 4.000000e+00], [8.000000e+00, 1.200000e+01], [1.600000e+01, 2.000000e+01], [2.400000e+01, 2.800000e+01], [3.200000e+01, 3.600000e+01], [4.000000e+01, 4.400000e+01]], {{\[\[}}1.000000e+00, 5.000000e+00], [9.000000e+00, 1.300000e+01], [1.700000e+01, 2.100000e+01], [2.500000e+01, 2.900000e+01], [3.300000e+01, 3.700000e+01], [4.100000e+01, 4.500000e+01]], {{\[\[}}2.000000e+00, 6.000000e+00], [1.000000e+01, 1.400000e+01], [1.800000e+01, 2.200000e+01], [2.600000e+01, 3.000000e+01], [3.400000e+01, 3.800000e+01], [4.200000e+01, 4.600000e+01]], {{\[\[}}3.000000e+00, 7.000000e+00], [1.100000e+01, 1.500000e+01], [1.900000e+01, 2.300000e+01], [2.700000e+01, 3.100000e+01], [3.500000e+01, 3.900000e+01], [4.300000e+01, 4.700000e+01]]]> : tensor<4x6x2xf32>
func.func @split_elsewhere(%x0: tensor<2x6x4xf32>) -> tensor<4x6x2xf32> {
  %0 = graph.reshape %x0 : (tensor<2x6x4xf32>) -> tensor<12x4xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<12x4xf32>) -> tensor<4x12xf32>
  %2 = graph.reshape %1 : (tensor<4x12xf32>) -> tensor<4x6x2xf32>
  return %2 : tensor<4x6x2xf32>
}

// The transpose splits a dim that the model did not have.
// CHECK-LABEL: func.func @split_in_half(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<6x4xf32>
// CHECK-SAME: ) -> tensor<2x12xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE]] [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE]] : (tensor<2x4x3xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: return %[[RESHAPE_2]] : tensor<2x12xf32>
// VALUES-LABEL: func.func @split_in_half
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 4.000000e+00, 8.000000e+00, 1.000000e+00, 5.000000e+00, 9.000000e+00, 2.000000e+00, 6.000000e+00, 1.000000e+01, 3.000000e+00, 7.000000e+00, 1.100000e+01], [1.200000e+01, 1.600000e+01, 2.000000e+01, 1.300000e+01, 1.700000e+01, 2.100000e+01, 1.400000e+01, 1.800000e+01, 2.200000e+01, 1.500000e+01, 1.900000e+01, 2.300000e+01]]> : tensor<2x12xf32>
func.func @split_in_half(%x0: tensor<6x4xf32>) -> tensor<2x12xf32> {
  %0 = graph.reshape %x0 : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %1 = graph.transpose %0 [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %2 = graph.reshape %1 : (tensor<2x4x3xf32>) -> tensor<2x12xf32>
  return %2 : tensor<2x12xf32>
}

// A dim of 1 leaves a choice: it stays.
// CHECK-LABEL: func.func @merged_with_ones(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x1x3x4xf32>
// CHECK-SAME: ) -> tensor<4x2x1x3xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<2x1x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE]] [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE]] : (tensor<4x6xf32>) -> tensor<4x2x1x3xf32>
// CHECK-NEXT: return %[[RESHAPE_2]] : tensor<4x2x1x3xf32>
// VALUES-LABEL: func.func @merged_with_ones
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00, 4.000000e+00, 8.000000e+00]], {{\[\[}}1.200000e+01, 1.600000e+01, 2.000000e+01]]], {{\[\[}}[1.000000e+00, 5.000000e+00, 9.000000e+00]], {{\[\[}}1.300000e+01, 1.700000e+01, 2.100000e+01]]], {{\[\[}}[2.000000e+00, 6.000000e+00, 1.000000e+01]], {{\[\[}}1.400000e+01, 1.800000e+01, 2.200000e+01]]], {{\[\[}}[3.000000e+00, 7.000000e+00, 1.100000e+01]], {{\[\[}}1.500000e+01, 1.900000e+01, 2.300000e+01]]]]> : tensor<4x2x1x3xf32>
func.func @merged_with_ones(%x0: tensor<2x1x3x4xf32>) -> tensor<4x2x1x3xf32> {
  %0 = graph.reshape %x0 : (tensor<2x1x3x4xf32>) -> tensor<6x4xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %2 = graph.reshape %1 : (tensor<4x6xf32>) -> tensor<4x2x1x3xf32>
  return %2 : tensor<4x2x1x3xf32>
}

// A slice of everything is nothing.
// CHECK-LABEL: func.func @slice_whole(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xf32>
// CHECK-SAME: ) -> tensor<3x4xf32> {
// CHECK-NEXT: return %[[ARG]] : tensor<3x4xf32>
// VALUES-LABEL: func.func @slice_whole
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00], [8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]]> : tensor<3x4xf32>
func.func @slice_whole(%x0: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = graph.slice %x0 starts <[] -> [0, 0]> steps [1, 1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Backwards it is something.
// CHECK-LABEL: func.func @slice_reversed(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> tensor<3xf32> {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape steps [-1] : (tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<3xf32>
// VALUES-LABEL: func.func @slice_reversed
// VALUES-NEXT: #0 = dense<[2.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<3xf32>
func.func @slice_reversed(%x0: tensor<3xf32>) -> tensor<3xf32> {
  %0 = graph.slice %x0 starts <[] -> [2]> steps [-1] : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Rows of (positions * heads) are normed as rows of heads.
// CHECK-LABEL: func.func @norm_between_reshapes(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4xf32>
// CHECK-SAME: ) -> (tensor<2x3x2x4xf32>, tensor<6x2x4xf32>) {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<2x3x8xf32>) -> tensor<2x3x2x4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[RESHAPE]] scale %[[ARG_2]] axis 3 {epsilon = 1.000000e-05 : f64} : (tensor<2x3x2x4xf32>, tensor<4xf32>) -> tensor<2x3x2x4xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<2x3x8xf32>) -> tensor<6x2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[RESHAPE_2]] scale %[[ARG_2]] bias %[[ARG_2]] axis 2 {epsilon = 1.000000e-05 : f64} : (tensor<6x2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<6x2x4xf32>
// CHECK-NEXT: return %[[RMS_NORM]], %[[LAYER_NORM]] : tensor<2x3x2x4xf32>, tensor<6x2x4xf32>
// VALUES-LABEL: func.func @norm_between_reshapes
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00, 1.0690434, 3.20713043, 6.41426086], [0.712696552, 1.78174138, 3.20713449, 4.98887587]], {{\[\[}}0.836333334, 1.881750e+00, 3.136250e+00, 4.59983349], [0.885856151, 1.91935492, 3.10049653, 4.42928076]], {{\[\[}}0.912425518, 1.93890417, 3.07943606, 4.33402109], [0.92897737, 1.95085239, 3.06562519, 4.27329588]]], {{\[\[}}[0.940273165, 1.95890236, 3.0558877, 4.23122931], [0.948471605, 1.96469116, 3.04865861, 4.20037413]], {{\[\[}}0.954692363, 1.96905291, 3.04308176, 4.17677879], [0.959573626, 1.97245693, 3.0386498, 4.1581521]], {{\[\[}}0.963505804, 1.97518694, 3.03504348, 4.14307499], [0.966741144, 1.9774251, 3.0320518, 4.13062143]]]]> : tensor<2x3x2x4xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}[-0.341635406, 1.1055764, 4.34163523, 9.36654186], [-0.341635406, 1.1055764, 4.34163523, 9.36654186]], {{\[\[}}-0.341635406, 1.1055764, 4.34163523, 9.36654186], [-0.341635406, 1.1055764, 4.34163523, 9.36654186]], {{\[\[}}-0.341635406, 1.1055764, 4.34163523, 9.36654186], [-0.341635406, 1.1055764, 4.34163523, 9.36654186]], {{\[\[}}-0.341635406, 1.1055764, 4.34163523, 9.36654186], [-0.341635406, 1.1055764, 4.34163523, 9.36654186]], {{\[\[}}-0.341635406, 1.1055764, 4.34163523, 9.36654186], [-0.341635406, 1.1055764, 4.34163523, 9.36654186]], {{\[\[}}-0.341635406, 1.1055764, 4.34163523, 9.36654186], [-0.341635406, 1.1055764, 4.34163523, 9.36654186]]]> : tensor<6x2x4xf32>
func.func @norm_between_reshapes(%x0: tensor<2x3x8xf32>, %x1: tensor<4xf32>)
    -> (tensor<2x3x2x4xf32>, tensor<6x2x4xf32>) {
  %0 = graph.reshape %x0 : (tensor<2x3x8xf32>) -> tensor<2x6x4xf32>
  %1 = graph.rms_norm %0 scale %x1 axis 2 {epsilon = 1.0e-05} : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  %2 = graph.reshape %1 : (tensor<2x6x4xf32>) -> tensor<2x3x2x4xf32>
  %3 = graph.reshape %x0 : (tensor<2x3x8xf32>) -> tensor<12x4xf32>
  %4 = graph.layer_norm %3 scale %x1 bias %x1 axis 1 {epsilon = 1.0e-05} : (tensor<12x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<12x4xf32>
  %5 = graph.reshape %4 : (tensor<12x4xf32>) -> tensor<6x2x4xf32>
  return %2, %5 : tensor<2x3x2x4xf32>, tensor<6x2x4xf32>
}

// The second reshape splits what is normed; a norm that others read; rows that nobody has joined.
// CHECK-LABEL: func.func @norm_stays(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<6x4xf32>
// CHECK-SAME: ) -> (tensor<2x12x2xf32>, tensor<2x6x4xf32>, tensor<2x3x2x4xf32>, tensor<3x2x4xf32>) {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<2x3x8xf32>) -> tensor<2x6x4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[RESHAPE]] scale %[[ARG_2]] axis 2 {epsilon = 1.000000e-05 : f64} : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[RMS_NORM]] : (tensor<2x6x4xf32>) -> tensor<2x12x2xf32>
// CHECK-NEXT: %[[RMS_NORM_2:[^ ,:)]+]] = graph.rms_norm %[[RESHAPE]] scale %[[ARG_2]] axis 2 {epsilon = 1.000000e-04 : f64} : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[RMS_NORM_2]] : (tensor<2x6x4xf32>) -> tensor<2x3x2x4xf32>
// CHECK-NEXT: %[[RMS_NORM_3:[^ ,:)]+]] = graph.rms_norm %[[ARG_3]] scale %[[ARG_2]] axis 1 {epsilon = 1.000000e-05 : f64} : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[RMS_NORM_3]] : (tensor<6x4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT: return %[[RESHAPE_2]], %[[RMS_NORM_2]], %[[RESHAPE_3]], %[[RESHAPE_4]] : tensor<2x12x2xf32>, tensor<2x6x4xf32>, tensor<2x3x2x4xf32>, tensor<3x2x4xf32>
// VALUES-LABEL: func.func @norm_stays
// VALUES-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.0690434], [3.20713043, 6.41426086], [0.712696552, 1.78174138], [3.20713449, 4.98887587], [0.836333334, 1.881750e+00], [3.136250e+00, 4.59983349], [0.885856151, 1.91935492], [3.10049653, 4.42928076], [0.912425518, 1.93890417], [3.07943606, 4.33402109], [0.92897737, 1.95085239], [3.06562519, 4.27329588]], {{\[\[}}0.940273165, 1.95890236], [3.0558877, 4.23122931], [0.948471605, 1.96469116], [3.04865861, 4.20037413], [0.954692363, 1.96905291], [3.04308176, 4.17677879], [0.959573626, 1.97245693], [3.0386498, 4.1581521], [0.963505804, 1.97518694], [3.03504348, 4.14307499], [0.966741144, 1.9774251], [3.0320518, 4.13062143]]]> : tensor<2x12x2xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}[0.000000e+00, 1.06902969, 3.20708919, 6.41417837], [0.712695538, 1.78173876, 3.20712972, 4.98886871], [0.836332917, 1.88174915, 3.13624859, 4.5998311], [0.885855913, 1.91935456, 3.10049582, 4.429280e+00], [0.912425398, 1.93890393, 3.07943559, 4.33402061], [0.928977251, 1.95085227, 3.06562495, 4.2732954]], {{\[\[}}0.940273046, 1.95890224, 3.05588746, 4.23122883], [0.948471546, 1.96469104, 3.04865861, 4.20037413], [0.954692304, 1.96905291, 3.04308176, 4.17677879], [0.959573566, 1.97245681, 3.0386498, 4.1581521], [0.963505804, 1.97518694, 3.03504324, 4.14307499], [0.966741144, 1.9774251, 3.0320518, 4.13062143]]]> : tensor<2x6x4xf32>
// VALUES-NEXT: #2 = dense<{{\[\[}}{{\[\[}}0.000000e+00, 1.06902969, 3.20708919, 6.41417837], [0.712695538, 1.78173876, 3.20712972, 4.98886871]], {{\[\[}}0.836332917, 1.88174915, 3.13624859, 4.5998311], [0.885855913, 1.91935456, 3.10049582, 4.429280e+00]], {{\[\[}}0.912425398, 1.93890393, 3.07943559, 4.33402061], [0.928977251, 1.95085227, 3.06562495, 4.2732954]]], {{\[\[}}[0.940273046, 1.95890224, 3.05588746, 4.23122883], [0.948471546, 1.96469104, 3.04865861, 4.20037413]], {{\[\[}}0.954692304, 1.96905291, 3.04308176, 4.17677879], [0.959573566, 1.97245681, 3.0386498, 4.1581521]], {{\[\[}}0.963505804, 1.97518694, 3.03504324, 4.14307499], [0.966741144, 1.9774251, 3.0320518, 4.13062143]]]]> : tensor<2x3x2x4xf32>
// VALUES-NEXT: #3 = dense<{{\[\[}}[0.544330835, 1.63299251, 3.26598501, 5.44330835], [0.791256487, 1.8462652, 3.16502595, 4.74753904]], {{\[\[}}0.865484595, 1.90406621, 3.11574459, 4.50051975], [0.900885224, 1.93046832, 3.08874941, 4.37572813]], {{\[\[}}0.921563446, 1.94552279, 3.07187796, 4.30062914], [0.935112476, 1.95523524, 3.0603683, 4.25051117]]]> : tensor<3x2x4xf32>
func.func @norm_stays(%x0: tensor<2x3x8xf32>, %x1: tensor<4xf32>, %x2: tensor<6x4xf32>)
    -> (tensor<2x12x2xf32>, tensor<2x6x4xf32>, tensor<2x3x2x4xf32>, tensor<3x2x4xf32>) {
  %0 = graph.reshape %x0 : (tensor<2x3x8xf32>) -> tensor<2x6x4xf32>
  %1 = graph.rms_norm %0 scale %x1 axis 2 {epsilon = 1.0e-05} : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  %2 = graph.reshape %1 : (tensor<2x6x4xf32>) -> tensor<2x12x2xf32>
  %3 = graph.rms_norm %0 scale %x1 axis 2 {epsilon = 1.0e-04} : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  %4 = graph.reshape %3 : (tensor<2x6x4xf32>) -> tensor<2x3x2x4xf32>
  %5 = graph.rms_norm %x2 scale %x1 axis 1 {epsilon = 1.0e-05} : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %6 = graph.reshape %5 : (tensor<6x4xf32>) -> tensor<3x2x4xf32>
  return %2, %3, %4, %6 : tensor<2x12x2xf32>, tensor<2x6x4xf32>, tensor<2x3x2x4xf32>, tensor<3x2x4xf32>
}
