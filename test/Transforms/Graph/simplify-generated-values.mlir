// RUN: kiln-opt %s --kiln-test-evaluate=dims=n:3,m:2 -o /dev/null | FileCheck %s --check-prefix=BEFORE
// RUN: kiln-opt %s --kiln-simplify-graph | kiln-opt --kiln-test-evaluate=dims=n:3,m:2 -o /dev/null | FileCheck %s --check-prefix=AFTER
// The values of simplify-generated.mlir, before simplification and after it.
// NOTE: checks by tools/update-lit-checks

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
// BEFORE-LABEL: func.func @slice_of_mask
// BEFORE-NEXT: #0 = dense<{{\[\[}}false, true, true, true, true], [false, false, true, true, true], [false, false, false, true, true]]> : tensor<3x5xi1>
// AFTER-LABEL: func.func @slice_of_mask
// AFTER-NEXT: #0 = dense<{{\[\[}}false, true, true, true, true], [false, false, true, true, true], [false, false, false, true, true]]> : tensor<3x5xi1>
func.func @slice_of_mask(%x: tensor<?xf32, #n>) -> tensor<?x?xi1, #mask> {
  %0 = graph.iota axis 0 : tensor<?xi64, #next>
  %1 = graph.iota axis 0 : tensor<?x1xi64, #column>
  %2 = graph.compare greater %0, %1 : (tensor<?xi64, #next>, tensor<?x1xi64, #column>) -> tensor<?x?xi1, #square>
  %3 = graph.slice %2 starts <[] -> [0, 0]> steps [1, 1] : (tensor<?x?xi1, #square>) -> tensor<?x?xi1, #mask>
  return %3 : tensor<?x?xi1, #mask>
}

// Positions behind a past, and every other one backwards.
// BEFORE-LABEL: func.func @slice_of_positions
// BEFORE-NEXT: #0 = dense<[7, 9, 11]> : tensor<3xi32>
// BEFORE-NEXT: #1 = dense<[15, 13, 11]> : tensor<3xi64>
// AFTER-LABEL: func.func @slice_of_positions
// AFTER-NEXT: #0 = dense<[7, 9, 11]> : tensor<3xi32>
// AFTER-NEXT: #1 = dense<[15, 13, 11]> : tensor<3xi64>
func.func @slice_of_positions() -> (tensor<?xi32, #n>, tensor<?xi64, #n>) {
  %0 = graph.iota axis 0 {start = 3.0, step = 2.0} : tensor<?xi32, #nm>
  %1 = graph.slice %0 starts #m steps [1] : (tensor<?xi32, #nm>) -> tensor<?xi32, #n>
  %2 = graph.iota axis 0 : tensor<16xi64>
  %3 = graph.slice %2 starts <[] -> [15]> steps [-2] : (tensor<16xi64>) -> tensor<?xi64, #n>
  return %1, %3 : tensor<?xi32, #n>, tensor<?xi64, #n>
}

// Zeros for the past, and a mask of new rows.
// BEFORE-LABEL: func.func @concat_of_masks
// BEFORE-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<3x5xf32>
// AFTER-LABEL: func.func @concat_of_masks
// AFTER-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<3x5xf32>
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
// BEFORE-LABEL: func.func @concat_of_ones
// BEFORE-NEXT: #0 = dense<1> : tensor<5xi64>
// AFTER-LABEL: func.func @concat_of_ones
// AFTER-NEXT: #0 = dense<1> : tensor<5xi64>
func.func @concat_of_ones() -> tensor<?xi64, #nm> {
  %0 = graph.fill 1 : i64 : tensor<?xi64, #m>
  %1 = graph.fill 1 : i64 : tensor<?xi64, #n>
  %2 = graph.concat %0, %1 axis 0 : (tensor<?xi64, #m>, tensor<?xi64, #n>) -> tensor<?xi64, #nm>
  return %2 : tensor<?xi64, #nm>
}

// CumSum of ones, and backwards without the element itself.
// BEFORE-LABEL: func.func @running_sums
// BEFORE-NEXT: #0 = dense<{{\[\[}}1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]> : tensor<2x5xi64>
// BEFORE-NEXT: #1 = dense<{{\[\[}}1.200000e+01, 9.000000e+00, 6.000000e+00, 3.000000e+00, 0.000000e+00], [1.200000e+01, 9.000000e+00, 6.000000e+00, 3.000000e+00, 0.000000e+00]]> : tensor<2x5xf32>
// AFTER-LABEL: func.func @running_sums
// AFTER-NEXT: #0 = dense<{{\[\[}}1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]> : tensor<2x5xi64>
// AFTER-NEXT: #1 = dense<{{\[\[}}1.200000e+01, 9.000000e+00, 6.000000e+00, 3.000000e+00, 0.000000e+00], [1.200000e+01, 9.000000e+00, 6.000000e+00, 3.000000e+00, 0.000000e+00]]> : tensor<2x5xf32>
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

// The largest of positions behind a past.
// BEFORE-LABEL: func.func @largest
// BEFORE-NEXT: #0 = dense<10> : tensor<i64>
// AFTER-LABEL: func.func @largest
// AFTER-NEXT: #0 = dense<10> : tensor<i64>
func.func @largest() -> tensor<i64> {
  %0 = graph.iota axis 1 {start = 2.0, step = 3.0} : tensor<1x?xi64, #graph.shape<[n] -> [1, n]>>
  %1 = graph.dims #m : tensor<i64>
  %2 = graph.binary add %0, %1 : (tensor<1x?xi64, #graph.shape<[n] -> [1, n]>>, tensor<i64>) -> tensor<1x?xi64, #graph.shape<[n] -> [1, n]>>
  %3 = graph.reduce max %2 axes [0, 1] : (tensor<1x?xi64, #graph.shape<[n] -> [1, n]>>) -> tensor<i64>
  return %3 : tensor<i64>
}
