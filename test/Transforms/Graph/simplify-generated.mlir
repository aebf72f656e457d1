// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Slices, concats and running sums of what iotas, fills and dims decide.

#n = #graph.shape<[n] -> [n]>
#m = #graph.shape<[m] -> [m]>
#nm = #graph.shape<[m, n] -> [n + m]>
#next = #graph.shape<[m, n] -> [n + m + 1]>
#column = #graph.shape<[n] -> [n, 1]>
#square = #graph.shape<[m, n] -> [n, n + m + 1]>
#mask = #graph.shape<[m, n] -> [n, n + m]>
#old = #graph.shape<[m, n] -> [n, m]>
#new = #graph.shape<[n] -> [n, n]>
#cube = #graph.shape<[m, n] -> [2, n + m, n + m]>
#flat = #graph.shape<[m, n] -> [2, n + m]>
#up = #graph.shape<[m, n] -> [1, n + m, 1]>
#along = #graph.shape<[m, n] -> [1, 1, n + m]>

graph.symbol @n in [1, 8]
graph.symbol @m in [0, 8]

// A causal mask with a column too many.
// CHECK-LABEL: func.func @slice_of_mask(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xf32, #shape>
// CHECK-SAME: ) -> tensor<?x?xi1, #shape1> {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?x1xi64, #shape2>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape3>
// CHECK-NEXT: %[[GREATER:[^ ,:)]+]] = graph.compare greater %[[IOTA_2]], %[[IOTA]] : (tensor<?xi64, #shape3>, tensor<?x1xi64, #shape2>) -> tensor<?x?xi1, #shape1>
// CHECK-NEXT: return %[[GREATER]] : tensor<?x?xi1, #shape1>
func.func @slice_of_mask(%x: tensor<?xf32, #n>) -> tensor<?x?xi1, #mask> {
  %0 = graph.iota axis 0 : tensor<?xi64, #next>
  %1 = graph.iota axis 0 : tensor<?x1xi64, #column>
  %2 = graph.compare greater %0, %1 : (tensor<?xi64, #next>, tensor<?x1xi64, #column>) -> tensor<?x?xi1, #square>
  %3 = graph.slice %2 starts <[] -> [0, 0]> steps [1, 1] : (tensor<?x?xi1, #square>) -> tensor<?x?xi1, #mask>
  return %3 : tensor<?x?xi1, #mask>
}

// Positions behind a past, and every other one backwards.
// CHECK-LABEL: func.func @slice_of_positions() -> (tensor<?xi32, #shape>, tensor<?xi64, #shape>) {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 {start = 3.000000e+00 : f64, step = 2.000000e+00 : f64} : tensor<?xi64, #shape>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA]], %[[DIMS]] : (tensor<?xi64, #shape>, tensor<i64>) -> tensor<?xi64, #shape>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ADD]] : (tensor<?xi64, #shape>) -> tensor<?xi32, #shape>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 0 {start = 1.500000e+01 : f64, step = -2.000000e+00 : f64} : tensor<?xi64, #shape>
// CHECK-NEXT: return %[[CAST]], %[[IOTA_2]] : tensor<?xi32, #shape>, tensor<?xi64, #shape>
func.func @slice_of_positions() -> (tensor<?xi32, #n>, tensor<?xi64, #n>) {
  %0 = graph.iota axis 0 {start = 3.0, step = 2.0} : tensor<?xi32, #nm>
  %1 = graph.slice %0 starts #m steps [1] : (tensor<?xi32, #nm>) -> tensor<?xi32, #n>
  %2 = graph.iota axis 0 : tensor<16xi64>
  %3 = graph.slice %2 starts <[] -> [15]> steps [-2] : (tensor<16xi64>) -> tensor<?xi64, #n>
  return %1, %3 : tensor<?xi32, #n>, tensor<?xi64, #n>
}

// Zeros for the past, and a mask of new rows.
// CHECK-LABEL: func.func @concat_of_masks() -> tensor<?x?xf32, #shape1> {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?x1xi64, #shape2>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<?x?xf32, #shape1>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape3>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape5 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA_2]], %[[DIMS]] : (tensor<?xi64, #shape3>, tensor<i64>) -> tensor<?xi64, #shape3>
// CHECK-NEXT: %[[GREATER:[^ ,:)]+]] = graph.compare greater %[[ADD]], %[[IOTA]] : (tensor<?xi64, #shape3>, tensor<?x1xi64, #shape2>) -> tensor<?x?xi1, #shape1>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[GREATER]] : (tensor<?x?xi1, #shape1>) -> tensor<?x?xf32, #shape1>
// CHECK-NEXT: %[[IOTA_3:[^ ,:)]+]] = graph.iota axis 1 : tensor<1x?xi64, #shape6>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape7 : tensor<i64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA_3]], %[[DIMS_2]] : (tensor<1x?xi64, #shape6>, tensor<i64>) -> tensor<1x?xi1, #shape6>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[FILL]], %[[CAST]] : (tensor<1x?xi1, #shape6>, tensor<?x?xf32, #shape1>, tensor<?x?xf32, #shape1>) -> tensor<?x?xf32, #shape1>
// CHECK-NEXT: return %[[SELECT]] : tensor<?x?xf32, #shape1>
func.func @concat_of_masks() -> tensor<?x?xf32, #mask> {
  %0 = graph.fill 0.0 : f32 : tensor<?x?xf32, #old>
  %1 = graph.iota axis 0 : tensor<?xi64, #n>
  %2 = graph.iota axis 0 : tensor<?x1xi64, #column>
  %3 = graph.compare greater %1, %2 : (tensor<?xi64, #n>, tensor<?x1xi64, #column>) -> tensor<?x?xi1, #new>
  %4 = graph.cast %3 : (tensor<?x?xi1, #new>) -> tensor<?x?xf32, #new>
  %5 = graph.concat %0, %4 axis 1 : (tensor<?x?xf32, #old>, tensor<?x?xf32, #new>) -> tensor<?x?xf32, #mask>
  return %5 : tensor<?x?xf32, #mask>
}

// Equal numbers are one fill.
// CHECK-LABEL: func.func @concat_of_ones() -> tensor<?xi64, #shape3> {
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 1 : i64 : tensor<?xi64, #shape3>
// CHECK-NEXT: return %[[FILL]] : tensor<?xi64, #shape3>
func.func @concat_of_ones() -> tensor<?xi64, #nm> {
  %0 = graph.fill 1 : i64 : tensor<?xi64, #m>
  %1 = graph.fill 1 : i64 : tensor<?xi64, #n>
  %2 = graph.concat %0, %1 axis 0 : (tensor<?xi64, #m>, tensor<?xi64, #n>) -> tensor<?xi64, #nm>
  return %2 : tensor<?xi64, #nm>
}

// CumSum of ones, and backwards without the element itself.
// CHECK-LABEL: func.func @running_sums() -> (tensor<2x?xi64, #shape8>, tensor<2x?xf32, #shape8>) {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 1 {start = 1.000000e+00 : f64} : tensor<1x?xi64, #shape6>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[IOTA]] : (tensor<1x?xi64, #shape6>) -> tensor<2x?xi64, #shape8>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 1 {step = -3.000000e+00 : f64} : tensor<1x?xf32, #shape6>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape9 : tensor<i64>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[DIMS]] : (tensor<i64>) -> tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA_2]], %[[CAST]] : (tensor<1x?xf32, #shape6>, tensor<f32>) -> tensor<1x?xf32, #shape6>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = graph.broadcast %[[ADD]] : (tensor<1x?xf32, #shape6>) -> tensor<2x?xf32, #shape8>
// CHECK-NEXT: return %[[BROADCAST]], %[[BROADCAST_2]] : tensor<2x?xi64, #shape8>, tensor<2x?xf32, #shape8>
func.func @running_sums() -> (tensor<2x?xi64, #flat>, tensor<2x?xf32, #flat>) {
  %0 = graph.fill 1 : i64 : tensor<2x?xi64, #flat>
  %1 = graph.reshape %0 : (tensor<2x?xi64, #flat>) -> tensor<2x?x1xi64, #graph.shape<[m, n] -> [2, n + m, 1]>>
  %2 = graph.iota axis 1 : tensor<1x?x1xi32, #up>
  %3 = graph.iota axis 2 : tensor<1x1x?xi32, #along>
  %4 = graph.compare less_equal %2, %3 : (tensor<1x?x1xi32, #up>, tensor<1x1x?xi32, #along>) -> tensor<1x?x?xi1, #graph.shape<[m, n] -> [1, n + m, n + m]>>
  %5 = graph.constant dense<0> : tensor<i64>
  %6 = graph.select %4, %1, %5 : (tensor<1x?x?xi1, #graph.shape<[m, n] -> [1, n + m, n + m]>>, tensor<2x?x1xi64, #graph.shape<[m, n] -> [2, n + m, 1]>>, tensor<i64>) -> tensor<2x?x?xi64, #cube>
  %7 = graph.reduce sum %6 axes [1] : (tensor<2x?x?xi64, #cube>) -> tensor<2x?xi64, #flat>
  %8 = graph.fill 3.0 : f32 : tensor<2x?x1xf32, #graph.shape<[m, n] -> [2, n + m, 1]>>
  %9 = graph.compare less %3, %2 : (tensor<1x1x?xi32, #along>, tensor<1x?x1xi32, #up>) -> tensor<1x?x?xi1, #graph.shape<[m, n] -> [1, n + m, n + m]>>
  %10 = graph.constant dense<0.0> : tensor<f32>
  %11 = graph.select %9, %8, %10 : (tensor<1x?x?xi1, #graph.shape<[m, n] -> [1, n + m, n + m]>>, tensor<2x?x1xf32, #graph.shape<[m, n] -> [2, n + m, 1]>>, tensor<f32>) -> tensor<2x?x?xf32, #cube>
  %12 = graph.reduce sum %11 axes [1] : (tensor<2x?x?xf32, #cube>) -> tensor<2x?xf32, #flat>
  return %7, %12 : tensor<2x?xi64, #flat>, tensor<2x?xf32, #flat>
}

// Not: sums of a third, which are rounded; of an input's numbers; and of other numbers where the condition is false.
// CHECK-LABEL: func.func @other_sums(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x?x1xf32, #shape10>
// CHECK-SAME: ) -> (tensor<2x?xf32, #shape8>, tensor<2x?xf32, #shape8>, tensor<2x?xi64, #shape8>) {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 1 : tensor<1x?x1xi32, #shape11>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x?xi32, #shape12>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[IOTA]], %[[IOTA_2]] : (tensor<1x?x1xi32, #shape11>, tensor<1x1x?xi32, #shape12>) -> tensor<1x?x?xi1, #shape13>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.333333343 : f32 : tensor<2x?x1xf32, #shape10>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS_EQUAL]], %[[FILL]], %[[CONSTANT]] : (tensor<1x?x?xi1, #shape13>, tensor<2x?x1xf32, #shape10>, tensor<f32>) -> tensor<2x?x?xf32, #shape14>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT]] axes [1] : (tensor<2x?x?xf32, #shape14>) -> tensor<2x?xf32, #shape8>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[LESS_EQUAL]], %[[ARG]], %[[CONSTANT]] : (tensor<1x?x?xi1, #shape13>, tensor<2x?x1xf32, #shape10>, tensor<f32>) -> tensor<2x?x?xf32, #shape14>
// CHECK-NEXT: %[[SUM_2:[^ ,:)]+]] = graph.reduce sum %[[SELECT_2]] axes [1] : (tensor<2x?x?xf32, #shape14>) -> tensor<2x?xf32, #shape8>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 1 : i64 : tensor<2x?x1xi64, #shape10>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<2> : tensor<i64>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[LESS_EQUAL]], %[[FILL_2]], %[[CONSTANT_2]] : (tensor<1x?x?xi1, #shape13>, tensor<2x?x1xi64, #shape10>, tensor<i64>) -> tensor<2x?x?xi64, #shape14>
// CHECK-NEXT: %[[SUM_3:[^ ,:)]+]] = graph.reduce sum %[[SELECT_3]] axes [1] : (tensor<2x?x?xi64, #shape14>) -> tensor<2x?xi64, #shape8>
// CHECK-NEXT: return %[[SUM]], %[[SUM_2]], %[[SUM_3]] : tensor<2x?xf32, #shape8>, tensor<2x?xf32, #shape8>, tensor<2x?xi64, #shape8>
func.func @other_sums(%x: tensor<2x?x1xf32, #graph.shape<[m, n] -> [2, n + m, 1]>>) -> (tensor<2x?xf32, #flat>, tensor<2x?xf32, #flat>, tensor<2x?xi64, #flat>) {
  %2 = graph.iota axis 1 : tensor<1x?x1xi32, #up>
  %3 = graph.iota axis 2 : tensor<1x1x?xi32, #along>
  %4 = graph.compare less_equal %2, %3 : (tensor<1x?x1xi32, #up>, tensor<1x1x?xi32, #along>) -> tensor<1x?x?xi1, #graph.shape<[m, n] -> [1, n + m, n + m]>>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %third = graph.fill 0.333333343 : f32 : tensor<2x?x1xf32, #graph.shape<[m, n] -> [2, n + m, 1]>>
  %5 = graph.select %4, %third, %zero : (tensor<1x?x?xi1, #graph.shape<[m, n] -> [1, n + m, n + m]>>, tensor<2x?x1xf32, #graph.shape<[m, n] -> [2, n + m, 1]>>, tensor<f32>) -> tensor<2x?x?xf32, #cube>
  %6 = graph.reduce sum %5 axes [1] : (tensor<2x?x?xf32, #cube>) -> tensor<2x?xf32, #flat>
  %7 = graph.select %4, %x, %zero : (tensor<1x?x?xi1, #graph.shape<[m, n] -> [1, n + m, n + m]>>, tensor<2x?x1xf32, #graph.shape<[m, n] -> [2, n + m, 1]>>, tensor<f32>) -> tensor<2x?x?xf32, #cube>
  %8 = graph.reduce sum %7 axes [1] : (tensor<2x?x?xf32, #cube>) -> tensor<2x?xf32, #flat>
  %ones = graph.fill 1 : i64 : tensor<2x?x1xi64, #graph.shape<[m, n] -> [2, n + m, 1]>>
  %two = graph.constant dense<2> : tensor<i64>
  %9 = graph.select %4, %ones, %two : (tensor<1x?x?xi1, #graph.shape<[m, n] -> [1, n + m, n + m]>>, tensor<2x?x1xi64, #graph.shape<[m, n] -> [2, n + m, 1]>>, tensor<i64>) -> tensor<2x?x?xi64, #cube>
  %10 = graph.reduce sum %9 axes [1] : (tensor<2x?x?xi64, #cube>) -> tensor<2x?xi64, #flat>
  return %6, %8, %10 : tensor<2x?xf32, #flat>, tensor<2x?xf32, #flat>, tensor<2x?xi64, #flat>
}

// The largest of positions behind a past.
// CHECK-LABEL: func.func @largest() -> tensor<i64> {
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape15 : tensor<i64>
// CHECK-NEXT: return %[[DIMS]] : tensor<i64>
func.func @largest() -> tensor<i64> {
  %0 = graph.iota axis 1 {start = 2.0, step = 3.0} : tensor<1x?xi64, #graph.shape<[n] -> [1, n]>>
  %1 = graph.dims #m : tensor<i64>
  %2 = graph.binary add %0, %1 : (tensor<1x?xi64, #graph.shape<[n] -> [1, n]>>, tensor<i64>) -> tensor<1x?xi64, #graph.shape<[n] -> [1, n]>>
  %3 = graph.reduce max %2 axes [0, 1] : (tensor<1x?xi64, #graph.shape<[n] -> [1, n]>>) -> tensor<i64>
  return %3 : tensor<i64>
}

// Not: of none, of positions that fall, and the smallest.
// CHECK-LABEL: func.func @other_positions() -> (tensor<i64>, tensor<i64>, tensor<i64>) {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape7>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[IOTA]] axes [0] : (tensor<?xi64, #shape7>) -> tensor<i64>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 0 {step = -1.000000e+00 : f64} : tensor<?xi64, #shape>
// CHECK-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.reduce max %[[IOTA_2]] axes [0] : (tensor<?xi64, #shape>) -> tensor<i64>
// CHECK-NEXT: %[[IOTA_3:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.reduce min %[[IOTA_3]] axes [0] : (tensor<?xi64, #shape>) -> tensor<i64>
// CHECK-NEXT: return %[[MAX]], %[[MAX_2]], %[[MIN]] : tensor<i64>, tensor<i64>, tensor<i64>
func.func @other_positions() -> (tensor<i64>, tensor<i64>, tensor<i64>) {
  %0 = graph.iota axis 0 : tensor<?xi64, #m>
  %1 = graph.reduce max %0 axes [0] : (tensor<?xi64, #m>) -> tensor<i64>
  %2 = graph.iota axis 0 {step = -1.0} : tensor<?xi64, #n>
  %3 = graph.reduce max %2 axes [0] : (tensor<?xi64, #n>) -> tensor<i64>
  %4 = graph.iota axis 0 : tensor<?xi64, #n>
  %5 = graph.reduce min %4 axes [0] : (tensor<?xi64, #n>) -> tensor<i64>
  return %1, %3, %5 : tensor<i64>, tensor<i64>, tensor<i64>
}

// Not: a position that is 0 for all elements, as an iota of one element is.
// CHECK-LABEL: func.func @one_position() -> tensor<2x?xi64, #shape8> {
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 1 : i64 : tensor<2x?x?xi64, #shape14>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 1 : tensor<1x1x1xi32>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x?xi32, #shape12>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA]], %[[IOTA_2]] : (tensor<1x1x1xi32>, tensor<1x1x?xi32, #shape12>) -> tensor<1x1x?xi1, #shape12>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[FILL]], %[[CONSTANT]] : (tensor<1x1x?xi1, #shape12>, tensor<2x?x?xi64, #shape14>, tensor<i64>) -> tensor<2x?x?xi64, #shape14>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT]] axes [1] : (tensor<2x?x?xi64, #shape14>) -> tensor<2x?xi64, #shape8>
// CHECK-NEXT: return %[[SUM]] : tensor<2x?xi64, #shape8>
func.func @one_position() -> tensor<2x?xi64, #flat> {
  %ones = graph.fill 1 : i64 : tensor<2x?x?xi64, #cube>
  %0 = graph.iota axis 1 : tensor<1x1x1xi32>
  %1 = graph.iota axis 2 : tensor<1x1x?xi32, #along>
  %2 = graph.compare less %0, %1 : (tensor<1x1x1xi32>, tensor<1x1x?xi32, #along>) -> tensor<1x1x?xi1, #along>
  %zero = graph.constant dense<0> : tensor<i64>
  %3 = graph.select %2, %ones, %zero : (tensor<1x1x?xi1, #along>, tensor<2x?x?xi64, #cube>, tensor<i64>) -> tensor<2x?x?xi64, #cube>
  %4 = graph.reduce sum %3 axes [1] : (tensor<2x?x?xi64, #cube>) -> tensor<2x?xi64, #flat>
  return %4 : tensor<2x?xi64, #flat>
}

// Not: parts of an input, dims that are known, steps that are no whole numbers, and more parts than four.
// CHECK-LABEL: func.func @not(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xf32, #shape3>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?xf32, #shape7>
// CHECK-SAME: ) -> (tensor<?xf32, #shape>, tensor<?xf32, #shape3>, tensor<4xi64>, tensor<?xf32, #shape>, tensor<?xi64, #shape16>) {
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[ARG]] starts #shape7 steps [1] : (tensor<?xf32, #shape3>) -> tensor<?xf32, #shape>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<?xf32, #shape>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[ARG_2]], %[[FILL]] axis 0 : (tensor<?xf32, #shape7>, tensor<?xf32, #shape>) -> tensor<?xf32, #shape3>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<8xi64>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[IOTA]] starts #shape17 steps [1] : (tensor<8xi64>) -> tensor<4xi64>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 0 {step = 2.500000e-01 : f64} : tensor<?xf32, #shape3>
// CHECK-NEXT: %[[SLICE_3:[^ ,:)]+]] = graph.slice %[[IOTA_2]] starts #shape7 steps [1] : (tensor<?xf32, #shape3>) -> tensor<?xf32, #shape>
// CHECK-NEXT: %[[IOTA_3:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[IOTA_3]], %[[IOTA_3]], %[[IOTA_3]], %[[IOTA_3]], %[[IOTA_3]] axis 0 : (tensor<?xi64, #shape>, tensor<?xi64, #shape>, tensor<?xi64, #shape>, tensor<?xi64, #shape>, tensor<?xi64, #shape>) -> tensor<?xi64, #shape16>
// CHECK-NEXT: return %[[SLICE]], %[[CONCAT]], %[[SLICE_2]], %[[SLICE_3]], %[[CONCAT_2]] : tensor<?xf32, #shape>, tensor<?xf32, #shape3>, tensor<4xi64>, tensor<?xf32, #shape>, tensor<?xi64, #shape16>
func.func @not(%x: tensor<?xf32, #nm>, %y: tensor<?xf32, #m>) -> (tensor<?xf32, #n>, tensor<?xf32, #nm>, tensor<4xi64>, tensor<?xf32, #n>, tensor<?xi64, #graph.shape<[n] -> [5 * n]>>) {
  %0 = graph.slice %x starts #m steps [1] : (tensor<?xf32, #nm>) -> tensor<?xf32, #n>
  %1 = graph.fill 0.0 : f32 : tensor<?xf32, #n>
  %2 = graph.concat %y, %1 axis 0 : (tensor<?xf32, #m>, tensor<?xf32, #n>) -> tensor<?xf32, #nm>
  %3 = graph.iota axis 0 : tensor<8xi64>
  %4 = graph.slice %3 starts <[] -> [4]> steps [1] : (tensor<8xi64>) -> tensor<4xi64>
  %5 = graph.iota axis 0 {step = 0.25} : tensor<?xf32, #nm>
  %6 = graph.slice %5 starts #m steps [1] : (tensor<?xf32, #nm>) -> tensor<?xf32, #n>
  %7 = graph.iota axis 0 : tensor<?xi64, #n>
  %8 = graph.concat %7, %7, %7, %7, %7 axis 0 : (tensor<?xi64, #n>, tensor<?xi64, #n>, tensor<?xi64, #n>, tensor<?xi64, #n>, tensor<?xi64, #n>) -> tensor<?xi64, #graph.shape<[n] -> [5 * n]>>
  return %0, %2, %4, %6, %8 : tensor<?xf32, #n>, tensor<?xf32, #nm>, tensor<4xi64>, tensor<?xf32, #n>, tensor<?xi64, #graph.shape<[n] -> [5 * n]>>
}
