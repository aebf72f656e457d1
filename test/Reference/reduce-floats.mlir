// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Each reduction over the last, the first, the outer, the middle and all dims.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @sum
// CHECK-NEXT: #0 = dense<[3.500000e+00, 8.250000e+00]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}2.000000e+00, 6.000000e+00, 3.750000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[-1.000000e+00, 3.000000e+00, 7.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[-3.000000e+00, -1.500000e+00]], {{\[\[}}6.000000e+00, 7.500000e+00]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<1.175000e+01> : tensor<f16>
func.func @sum() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce sum %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce sum %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce sum %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce sum %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce sum %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @mean
// CHECK-NEXT: #0 = dense<[1.16666663, 2.750000e+00]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}1.000000e+00, 3.000000e+00, 1.875000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[-2.500000e-01, 7.500000e-01, 1.750000e+00]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[-1.000000e+00, -5.000000e-01]], {{\[\[}}2.000000e+00, 2.500000e+00]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<1.958010e+00> : tensor<f16>
func.func @mean() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce mean %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce mean %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce mean %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce mean %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce mean %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @max
// CHECK-NEXT: #0 = dense<[4.000000e+00, 8.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}1.500000e+00, 8.000000e+00, 4.000000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[1.500000e+00, 2.500000e+00, 3.500000e+00]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[0.000000e+00, 5.000000e-01]], {{\[\[}}3.000000e+00, 3.500000e+00]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<8.000000e+00> : tensor<f16>
func.func @max() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce max %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce max %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce max %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce max %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce max %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @min
// CHECK-NEXT: #0 = dense<[-2.000000e+00, -2.500000e-01]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}5.000000e-01, -2.000000e+00, -2.500000e-01]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[-2.000000e+00, -1.000000e+00, 0.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[-2.000000e+00, -1.500000e+00]], {{\[\[}}1.000000e+00, 1.500000e+00]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<-2.000000e+00> : tensor<f16>
func.func @min() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce min %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce min %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce min %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce min %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce min %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @prod
// CHECK-NEXT: #0 = dense<[-1.200000e+01, -1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}7.500000e-01, -1.600000e+01, -1.000000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[2.700000e+01, 1.375000e+02, 4.095000e+02]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[6.000000e+00, 1.312500e+01]], {{\[\[}}1.200000e+02, 1.608750e+02]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<1.200000e+01> : tensor<f16>
func.func @prod() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce prod %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce prod %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]], [[4.0, 4.5], [5.0, 5.5], [6.0, 6.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce prod %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce prod %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce prod %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @l1
// CHECK-NEXT: #0 = dense<[7.500000e+00, 8.750000e+00]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}2.000000e+00, 1.000000e+01, 4.250000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[6.000000e+00, 6.000000e+00, 7.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[3.000000e+00, 2.500000e+00]], {{\[\[}}6.000000e+00, 7.500000e+00]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<1.625000e+01> : tensor<f16>
func.func @l1() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce l1 %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce l1 %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce l1 %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce l1 %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce l1 %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @l2
// CHECK-NEXT: #0 = dense<[4.71699047, 8.0195074]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}1.58113885, 8.24621105, 4.00780487]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[3.08220696, 3.39116502, 4.63680935]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[2.23606801, 1.65831244]], {{\[\[}}3.7416575, 4.55521679]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<9.304680e+00> : tensor<f16>
func.func @l2() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce l2 %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce l2 %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce l2 %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce l2 %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce l2 %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @sum_square
// CHECK-NEXT: #0 = dense<[2.225000e+01, 6.431250e+01]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}2.500000e+00, 6.800000e+01, 1.606250e+01]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[9.500000e+00, 1.150000e+01, 2.150000e+01]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[5.000000e+00, 2.750000e+00]], {{\[\[}}1.400000e+01, 2.075000e+01]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<8.656250e+01> : tensor<f16>
func.func @sum_square() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce sum_square %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce sum_square %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce sum_square %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce sum_square %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce sum_square %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @log_sum
// CHECK-NEXT: #0 = dense<[1.25276291, 2.11021328]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}0.693147182, 1.79175949, 1.32175589]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[2.39789534, 2.70805025, 2.94443893]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[1.79175949, 2.01490307]], {{\[\[}}2.70805025, 2.80336046]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<2.462890e+00> : tensor<f16>
func.func @log_sum() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce log_sum %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce log_sum %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]], [[4.0, 4.5], [5.0, 5.5], [6.0, 6.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce log_sum %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce log_sum %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce log_sum %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}

// CHECK-LABEL: func.func @log_sum_exp
// CHECK-NEXT: #0 = dense<[4.08117771, 8.00081443]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}1.81326163, 8.00004577, 4.01416349]]> : tensor<1x3xf32>
// CHECK-NEXT: #2 = dense<[2.02266431, 3.02266431, 4.02266455]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<{{\[\[}}[0.407605976, 0.907605946]], {{\[\[}}3.40760589, 3.90760589]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: #4 = dense<8.023430e+00> : tensor<f16>
func.func @log_sum_exp() -> (tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.reduce log_sum_exp %x axes [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = graph.reduce log_sum_exp %x axes [0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %y = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %4 = graph.reduce log_sum_exp %y axes [0, 2] : (tensor<2x3x2xf32>) -> tensor<3xf32>
  %5 = graph.reduce log_sum_exp %y axes [1] {keep_dims} : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %h = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %7 = graph.reduce log_sum_exp %h axes [0, 1] : (tensor<2x3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %7 : tensor<2xf32>, tensor<1x3xf32>, tensor<3xf32>, tensor<2x1x2xf32>, tensor<f16>
}
