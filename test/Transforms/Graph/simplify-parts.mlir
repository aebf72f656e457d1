// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// RUN: kiln-opt %s --kiln-simplify-graph | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Slices of concats, and gathers of one index.
// NOTE: checks by tools/update-lit-checks

// Slices of one part each: the first, the middle, the last.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x3xi32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2x1xi32>
// CHECK-SAME: ) -> (tensor<2x2xi32>, tensor<2x3xi32>, tensor<1x2xi32>, tensor<1x1xi32>) {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ARG_2]] starts #shape steps [1, 1] : (tensor<2x3xi32>) -> tensor<1x2xi32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[ARG_3]] starts #shape1 steps [1, 1] : (tensor<2x1xi32>) -> tensor<1x1xi32>
// CHECK-NEXT: return %[[ARG]], %[[ARG_2]], %[[SLICE]], %[[SLICE_2]] : tensor<2x2xi32>, tensor<2x3xi32>, tensor<1x2xi32>, tensor<1x1xi32>
// VALUES-LABEL: func.func @parts
// VALUES-NEXT: #0 = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi32>
// VALUES-NEXT: #1 = dense<{{\[\[}}1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
// VALUES-NEXT: #2 = dense<{{\[\[}}2, 3]]> : tensor<1x2xi32>
// VALUES-NEXT: #3 = dense<3> : tensor<1x1xi32>
func.func @parts(%x0: tensor<2x2xi32>, %x1: tensor<2x3xi32>, %x2: tensor<2x1xi32>)
    -> (tensor<2x2xi32>, tensor<2x3xi32>, tensor<1x2xi32>, tensor<1x1xi32>) {
  %0 = graph.concat %x0, %x1, %x2 axis 1 : (tensor<2x2xi32>, tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x6xi32>
  %1 = graph.slice %0 starts <[] -> [0, 0]> steps [1, 1] : (tensor<2x6xi32>) -> tensor<2x2xi32>
  %2 = graph.slice %0 starts <[] -> [0, 2]> steps [1, 1] : (tensor<2x6xi32>) -> tensor<2x3xi32>
  %3 = graph.slice %0 starts <[] -> [0, 3]> steps [1, 1] : (tensor<2x6xi32>) -> tensor<1x2xi32>
  %4 = graph.slice %0 starts <[] -> [1, 5]> steps [1, 1] : (tensor<2x6xi32>) -> tensor<1x1xi32>
  return %1, %2, %3, %4 : tensor<2x2xi32>, tensor<2x3xi32>, tensor<1x2xi32>, tensor<1x1xi32>
}

// A slice over the boundary of two parts.
// CHECK-LABEL: func.func @across(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x3xi32>
// CHECK-SAME: ) -> tensor<2x2xi32> {
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[ARG]], %[[ARG_2]] axis 1 : (tensor<2x2xi32>, tensor<2x3xi32>) -> tensor<2x5xi32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[CONCAT]] starts #shape steps [1, 1] : (tensor<2x5xi32>) -> tensor<2x2xi32>
// CHECK-NEXT: return %[[SLICE]] : tensor<2x2xi32>
// VALUES-LABEL: func.func @across
// VALUES-NEXT: #0 = dense<{{\[\[}}1, 1], [3, 4]]> : tensor<2x2xi32>
func.func @across(%x0: tensor<2x2xi32>, %x1: tensor<2x3xi32>) -> tensor<2x2xi32> {
  %0 = graph.concat %x0, %x1 axis 1 : (tensor<2x2xi32>, tensor<2x3xi32>) -> tensor<2x5xi32>
  %1 = graph.slice %0 starts <[] -> [0, 1]> steps [1, 1] : (tensor<2x5xi32>) -> tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// By any step, along the axis and along others.
// CHECK-LABEL: func.func @by_two(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x2xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x4xi32>
// CHECK-SAME: ) -> (tensor<4x2xi32>, tensor<2x2xi32>) {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ARG_2]] starts #shape2 steps [1, 2] : (tensor<4x4xi32>) -> tensor<4x2xi32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[ARG_2]] starts #shape3 steps [-2, 1] : (tensor<4x4xi32>) -> tensor<2x2xi32>
// CHECK-NEXT: return %[[SLICE]], %[[SLICE_2]] : tensor<4x2xi32>, tensor<2x2xi32>
// VALUES-LABEL: func.func @by_two
// VALUES-NEXT: #0 = dense<{{\[\[}}1, 3], [5, 7], [9, 11], [13, 15]]> : tensor<4x2xi32>
// VALUES-NEXT: #1 = dense<{{\[\[}}13, 14], [5, 6]]> : tensor<2x2xi32>
func.func @by_two(%x0: tensor<4x2xi32>, %x1: tensor<4x4xi32>) -> (tensor<4x2xi32>, tensor<2x2xi32>) {
  %0 = graph.concat %x0, %x1 axis 1 : (tensor<4x2xi32>, tensor<4x4xi32>) -> tensor<4x6xi32>
  %1 = graph.slice %0 starts <[] -> [0, 2]> steps [1, 2] : (tensor<4x6xi32>) -> tensor<4x2xi32>
  %2 = graph.slice %0 starts <[] -> [3, 2]> steps [-2, 1] : (tensor<4x6xi32>) -> tensor<2x2xi32>
  return %1, %2 : tensor<4x2xi32>, tensor<2x2xi32>
}

// A part without elements is passed over.
// CHECK-LABEL: func.func @empty_part(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<0xi32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2xi32>
// CHECK-SAME: ) -> tensor<2xi32> {
// CHECK-NEXT: return %[[ARG_3]] : tensor<2xi32>
// VALUES-LABEL: func.func @empty_part
// VALUES-NEXT: #0 = dense<[2, 3]> : tensor<2xi32>
func.func @empty_part(%x0: tensor<2xi32>, %x1: tensor<0xi32>, %x2: tensor<2xi32>) -> tensor<2xi32> {
  %0 = graph.concat %x0, %x1, %x2 axis 0 : (tensor<2xi32>, tensor<0xi32>, tensor<2xi32>) -> tensor<4xi32>
  %1 = graph.slice %0 starts <[] -> [2]> steps [1] : (tensor<4xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// A part that is a concat itself.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<3xi32>
// CHECK-SAME: ) -> tensor<2xi32> {
// CHECK-NEXT: return %[[ARG_2]] : tensor<2xi32>
// VALUES-LABEL: func.func @nested
// VALUES-NEXT: #0 = dense<[1, 2]> : tensor<2xi32>
func.func @nested(%x0: tensor<1xi32>, %x1: tensor<2xi32>, %x2: tensor<3xi32>) -> tensor<2xi32> {
  %0 = graph.concat %x0, %x1 axis 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %1 = graph.concat %0, %x2 axis 0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<6xi32>
  %2 = graph.slice %1 starts <[] -> [1]> steps [1] : (tensor<6xi32>) -> tensor<2xi32>
  return %2 : tensor<2xi32>
}

// A concat of one.
// CHECK-LABEL: func.func @one(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf16>
// CHECK-SAME: ) -> tensor<3xf16> {
// CHECK-NEXT: return %[[ARG]] : tensor<3xf16>
// VALUES-LABEL: func.func @one
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf16>
func.func @one(%x0: tensor<3xf16>) -> tensor<3xf16> {
  %0 = graph.concat %x0 axis 0 : (tensor<3xf16>) -> tensor<3xf16>
  return %0 : tensor<3xf16>
}

// The concat stays where it is used as a whole.
// CHECK-LABEL: func.func @still_joined(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xi32>
// CHECK-SAME: ) -> (tensor<2xi32>, tensor<4xi32>) {
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[ARG]], %[[ARG_2]] axis 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
// CHECK-NEXT: return %[[ARG]], %[[CONCAT]] : tensor<2xi32>, tensor<4xi32>
// VALUES-LABEL: func.func @still_joined
// VALUES-NEXT: #0 = dense<[0, 1]> : tensor<2xi32>
// VALUES-NEXT: #1 = dense<[0, 1, 1, 2]> : tensor<4xi32>
func.func @still_joined(%x0: tensor<2xi32>, %x1: tensor<2xi32>) -> (tensor<2xi32>, tensor<4xi32>) {
  %0 = graph.concat %x0, %x1 axis 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  %1 = graph.slice %0 starts <[] -> [0]> steps [1] : (tensor<4xi32>) -> tensor<2xi32>
  return %1, %0 : tensor<2xi32>, tensor<4xi32>
}

// One index: a slice, without the dim for a scalar.
// CHECK-LABEL: func.func @gather_scalar(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xi32>
// CHECK-SAME: ) -> (tensor<4xi32>, tensor<3x1xi32>, tensor<1x1x4xi32>) {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape1 steps [1, 1] : (tensor<3x4xi32>) -> tensor<1x4xi32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[SLICE]] : (tensor<1x4xi32>) -> tensor<4xi32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape4 steps [1, 1] : (tensor<3x4xi32>) -> tensor<3x1xi32>
// CHECK-NEXT: %[[SLICE_3:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape5 steps [1, 1] : (tensor<3x4xi32>) -> tensor<1x4xi32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[SLICE_3]] : (tensor<1x4xi32>) -> tensor<1x1x4xi32>
// CHECK-NEXT: return %[[RESHAPE]], %[[SLICE_2]], %[[RESHAPE_2]] : tensor<4xi32>, tensor<3x1xi32>, tensor<1x1x4xi32>
// VALUES-LABEL: func.func @gather_scalar
// VALUES-NEXT: #0 = dense<[4, 5, 6, 7]> : tensor<4xi32>
// VALUES-NEXT: #1 = dense<{{\[\[}}3], [7], [11]]> : tensor<3x1xi32>
// VALUES-NEXT: #2 = dense<{{\[\[}}[8, 9, 10, 11]]]> : tensor<1x1x4xi32>
func.func @gather_scalar(%x0: tensor<3x4xi32>) -> (tensor<4xi32>, tensor<3x1xi32>, tensor<1x1x4xi32>) {
  %c0 = graph.constant dense<1> : tensor<i64>
  %1 = graph.gather %x0, %c0 axis 0 : (tensor<3x4xi32>, tensor<i64>) -> tensor<4xi32>
  %c2 = graph.constant dense<[3]> : tensor<1xi64>
  %3 = graph.gather %x0, %c2 axis 1 : (tensor<3x4xi32>, tensor<1xi64>) -> tensor<3x1xi32>
  %c4 = graph.constant dense<[[2]]> : tensor<1x1xi32>
  %5 = graph.gather %x0, %c4 axis 0 : (tensor<3x4xi32>, tensor<1x1xi32>) -> tensor<1x1x4xi32>
  return %1, %3, %5 : tensor<4xi32>, tensor<3x1xi32>, tensor<1x1x4xi32>
}

// The dim is known: so is the place.
// CHECK-LABEL: func.func @gather_from_the_end(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xi32>
// CHECK-SAME: ) -> (tensor<4xi32>, tensor<3xi32>) {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape5 steps [1, 1] : (tensor<3x4xi32>) -> tensor<1x4xi32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[SLICE]] : (tensor<1x4xi32>) -> tensor<4xi32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape2 steps [1, 1] : (tensor<3x4xi32>) -> tensor<3x1xi32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[SLICE_2]] : (tensor<3x1xi32>) -> tensor<3xi32>
// CHECK-NEXT: return %[[RESHAPE]], %[[RESHAPE_2]] : tensor<4xi32>, tensor<3xi32>
// VALUES-LABEL: func.func @gather_from_the_end
// VALUES-NEXT: #0 = dense<[8, 9, 10, 11]> : tensor<4xi32>
// VALUES-NEXT: #1 = dense<[0, 4, 8]> : tensor<3xi32>
func.func @gather_from_the_end(%x0: tensor<3x4xi32>) -> (tensor<4xi32>, tensor<3xi32>) {
  %c0 = graph.constant dense<-1> : tensor<i64>
  %1 = graph.gather %x0, %c0 axis 0 : (tensor<3x4xi32>, tensor<i64>) -> tensor<4xi32>
  %c2 = graph.constant dense<-4> : tensor<i64>
  %3 = graph.gather %x0, %c2 axis 1 : (tensor<3x4xi32>, tensor<i64>) -> tensor<3xi32>
  return %1, %3 : tensor<4xi32>, tensor<3xi32>
}

// Out of range a gather takes the nearest, a slice must not: it stays.
// CHECK-LABEL: func.func @gather_outside(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x4xi32>
// CHECK-SAME: ) -> (tensor<4xi32>, tensor<3xi32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<3> : tensor<i64>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[ARG]], %[[CONSTANT]] axis 0 : (tensor<3x4xi32>, tensor<i64>) -> tensor<4xi32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<-5> : tensor<i64>
// CHECK-NEXT: %[[GATHER_2:[^ ,:)]+]] = graph.gather %[[ARG]], %[[CONSTANT_2]] axis 1 : (tensor<3x4xi32>, tensor<i64>) -> tensor<3xi32>
// CHECK-NEXT: return %[[GATHER]], %[[GATHER_2]] : tensor<4xi32>, tensor<3xi32>
// VALUES-LABEL: func.func @gather_outside
// VALUES-NEXT: #0 = dense<[8, 9, 10, 11]> : tensor<4xi32>
// VALUES-NEXT: #1 = dense<[0, 4, 8]> : tensor<3xi32>
func.func @gather_outside(%x0: tensor<3x4xi32>) -> (tensor<4xi32>, tensor<3xi32>) {
  %c0 = graph.constant dense<3> : tensor<i64>
  %1 = graph.gather %x0, %c0 axis 0 : (tensor<3x4xi32>, tensor<i64>) -> tensor<4xi32>
  %c2 = graph.constant dense<-5> : tensor<i64>
  %3 = graph.gather %x0, %c2 axis 1 : (tensor<3x4xi32>, tensor<i64>) -> tensor<3xi32>
  return %1, %3 : tensor<4xi32>, tensor<3xi32>
}

// Two indices stay a gather.
// CHECK-LABEL: func.func @gather_two(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xi32>
// CHECK-SAME: ) -> tensor<2xi32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0> : tensor<2xi64>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[ARG]], %[[CONSTANT]] axis 0 : (tensor<3xi32>, tensor<2xi64>) -> tensor<2xi32>
// CHECK-NEXT: return %[[GATHER]] : tensor<2xi32>
// VALUES-LABEL: func.func @gather_two
// VALUES-NEXT: #0 = dense<0> : tensor<2xi32>
func.func @gather_two(%x0: tensor<3xi32>) -> tensor<2xi32> {
  %c0 = graph.constant dense<[0, 0]> : tensor<2xi64>
  %1 = graph.gather %x0, %c0 axis 0 : (tensor<3xi32>, tensor<2xi64>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// A gather of one becomes a slice, the slice reads the part.
// CHECK-LABEL: func.func @gather_of_concat(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xi32>
// CHECK-SAME: ) -> tensor<i32> {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ARG_2]] starts #shape6 steps [1] : (tensor<2xi32>) -> tensor<1xi32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[SLICE]] : (tensor<1xi32>) -> tensor<i32>
// CHECK-NEXT: return %[[RESHAPE]] : tensor<i32>
// VALUES-LABEL: func.func @gather_of_concat
// VALUES-NEXT: #0 = dense<1> : tensor<i32>
func.func @gather_of_concat(%x0: tensor<2xi32>, %x1: tensor<2xi32>) -> tensor<i32> {
  %0 = graph.concat %x0, %x1 axis 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  %c1 = graph.constant dense<2> : tensor<i64>
  %2 = graph.gather %0, %c1 axis 0 : (tensor<4xi32>, tensor<i64>) -> tensor<i32>
  return %2 : tensor<i32>
}
