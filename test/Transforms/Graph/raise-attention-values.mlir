// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-attention))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-attention))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Spellings of attention: what is recognised computes what the model did. Scales and masks.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @plain() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01, 1.250000e+00], [-2.000000e+00, 1.250000e+00]], {{\[\[}}-2.500000e-01, 0.000000e+00], [5.000000e-01, -1.000000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, -2.000000e+00], [-1.000000e+00, -5.000000e-01], [2.500000e-01, -5.000000e-01]], {{\[\[}}-1.500000e+00, -2.000000e+00], [-2.000000e+00, -2.000000e+00], [-1.500000e+00, 2.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.250000e+00, 7.500000e-01], [1.000000e+00, -1.250000e+00], [-1.000000e+00, -2.500000e-01]], {{\[\[}}-1.000000e+00, 2.000000e+00], [-1.250000e+00, 1.750000e+00], [1.250000e+00, 1.500000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @plain
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.67331022, -0.159157619], [0.847546816, -1.17346609]], {{\[\[}}-0.372288644, 1.750000e+00], [-1.08540905, 1.88656378]]]]> : tensor<1x2x2x2xf32>
func.func @plain() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[0.75, 1.25], [-2.0, 1.25]], [[-0.25, 0.0], [0.5, -1.0]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[2.0, -2.0], [-1.0, -0.5], [0.25, -0.5]], [[-1.5, -2.0], [-2.0, -2.0], [-1.5, 2.0]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-1.25, 0.75], [1.0, -1.25], [-1.0, -0.25]], [[-1.0, 2.0], [-1.25, 1.75], [1.25, 1.5]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %4 = graph.softmax %3 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %5 = graph.matmul %4, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %5 : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func.func @divided() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00, -5.000000e-01], [5.000000e-01, 0.000000e+00]], {{\[\[}}7.500000e-01, 7.500000e-01], [7.500000e-01, -1.750000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, 2.500000e-01], [1.750000e+00, -1.000000e+00], [-5.000000e-01, 1.500000e+00]], {{\[\[}}-1.250000e+00, -1.750000e+00], [-5.000000e-01, 7.500000e-01], [-1.500000e+00, 1.500000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, -1.250000e+00], [2.500000e-01, 1.750000e+00], [1.750000e+00, 1.500000e+00]], {{\[\[}}-7.500000e-01, -2.000000e+00], [1.250000e+00, 1.000000e+00], [1.250000e+00, -2.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 2.500000e-01 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @divided
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.832643091, 1.00102496], [0.28607142, 0.571517229]], {{\[\[}}0.81468141, -0.798989832], [0.0121827647, -1.28416836]]]]> : tensor<1x2x2x2xf32>
func.func @divided() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[-1.75, -0.5], [0.5, 0.0]], [[0.75, 0.75], [0.75, -1.75]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[2.0, 0.25], [1.75, -1.0], [-0.5, 1.5]], [[-1.25, -1.75], [-0.5, 0.75], [-1.5, 1.5]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-0.75, -1.25], [0.25, 1.75], [1.75, 1.5]], [[-0.75, -2.0], [1.25, 1.0], [1.25, -2.0]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %c4 = graph.constant dense<4.0> : tensor<f32>
  %5 = graph.binary div %3, %c4 : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %6 = graph.softmax %5 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %7 = graph.matmul %6, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %7 : tensor<1x2x2x2xf32>
}

// A factor of the query is the scale.
// CHECK-LABEL: func.func @scaled_query() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, 0.000000e+00], [-7.500000e-01, -2.500000e-01]], {{\[\[}}1.750000e+00, -1.250000e+00], [0.000000e+00, -7.500000e-01]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, 1.250000e+00], [-1.500000e+00, -7.500000e-01], [-1.500000e+00, -1.500000e+00]], {{\[\[}}-1.000000e+00, 7.500000e-01], [2.500000e-01, -2.500000e-01], [-1.500000e+00, 1.250000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, -1.000000e+00], [-1.750000e+00, -7.500000e-01], [-1.500000e+00, 1.250000e+00]], {{\[\[}}0.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00], [2.000000e+00, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @scaled_query
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.07570696, 0.0111769214], [-0.991227507, 0.0130248461]], {{\[\[}}-6.571450e-01, -0.0670031235], [0.0618348196, -0.252443343]]]]> : tensor<1x2x2x2xf32>
func.func @scaled_query() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[-2.0, 0.0], [-0.75, -0.25]], [[1.75, -1.25], [0.0, -0.75]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-0.75, 1.25], [-1.5, -0.75], [-1.5, -1.5]], [[-1.0, 0.75], [0.25, -0.25], [-1.5, 1.25]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[1.25, -1.0], [-1.75, -0.75], [-1.5, 1.25]], [[0.0, 0.0], [-1.0, 0.0], [2.0, -1.0]]]]> : tensor<1x2x3x2xf32>
  %c3 = graph.constant dense<0.5> : tensor<f32>
  %4 = graph.binary mul %q, %c3 : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %5 = graph.matmul %4, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %6 = graph.softmax %5 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %7 = graph.matmul %6, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %7 : tensor<1x2x2x2xf32>
}

// Factors of query and key multiply.
// CHECK-LABEL: func.func @scaled_both() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, -2.000000e+00], [-7.500000e-01, 1.750000e+00]], {{\[\[}}1.500000e+00, -1.750000e+00], [1.500000e+00, 1.500000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.500000e-01, -5.000000e-01], [2.000000e+00, 2.000000e+00], [7.500000e-01, -5.000000e-01]], {{\[\[}}-1.250000e+00, 1.750000e+00], [-1.000000e+00, 2.500000e-01], [7.500000e-01, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, 1.000000e+00], [-1.250000e+00, 7.500000e-01], [2.000000e+00, 7.500000e-01]], {{\[\[}}5.000000e-01, -2.500000e-01], [2.000000e+00, -1.250000e+00], [-5.000000e-01, 5.000000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 2.500000e-01 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @scaled_both
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.42783615, 0.834872543], [-0.406482637, 0.816016436]], {{\[\[}}0.118872344, 0.0618718192], [0.57722193, -0.27505827]]]]> : tensor<1x2x2x2xf32>
func.func @scaled_both() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[1.25, -2.0], [-0.75, 1.75]], [[1.5, -1.75], [1.5, 1.5]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-0.25, -0.5], [2.0, 2.0], [0.75, -0.5]], [[-1.25, 1.75], [-1.0, 0.25], [0.75, -1.0]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-0.75, 1.0], [-1.25, 0.75], [2.0, 0.75]], [[0.5, -0.25], [2.0, -1.25], [-0.5, 0.5]]]]> : tensor<1x2x3x2xf32>
  %c3 = graph.constant dense<0.5> : tensor<f32>
  %4 = graph.binary mul %q, %c3 : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %5 = graph.binary mul %k, %c3 : (tensor<1x2x3x2xf32>, tensor<f32>) -> tensor<1x2x3x2xf32>
  %6 = graph.matmul %4, %5 {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %7 = graph.softmax %6 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %8 = graph.matmul %7, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %8 : tensor<1x2x2x2xf32>
}

// A key that is stored [D, T] is read through a transpose.
// CHECK-LABEL: func.func @stored_transposed() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01, -1.750000e+00], [-1.500000e+00, 7.500000e-01]], {{\[\[}}1.500000e+00, 5.000000e-01], [1.750000e+00, -5.000000e-01]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, 1.250000e+00, -2.000000e+00], [-1.250000e+00, -1.250000e+00, -5.000000e-01]], {{\[\[}}-1.500000e+00, 1.250000e+00, 1.500000e+00], [-5.000000e-01, -2.000000e+00, 1.000000e+00]]]]> : tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00, 5.000000e-01], [-1.500000e+00, 1.750000e+00], [7.500000e-01, 2.000000e+00]], {{\[\[}}5.000000e-01, 1.000000e+00], [-5.000000e-01, 1.250000e+00], [-1.750000e+00, -1.500000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[CONSTANT_2]] [0, 1, 3, 2] : (tensor<1x2x2x3xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[TRANSPOSE]], %[[CONSTANT_3]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @stored_transposed
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.50230026, 1.53098607], [5.409410e-01, 1.87894785]], {{\[\[}}-1.57435679, -1.12468147], [-0.817281603, 0.545010149]]]]> : tensor<1x2x2x2xf32>
func.func @stored_transposed() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[0.75, -1.75], [-1.5, 0.75]], [[1.5, 0.5], [1.75, -0.5]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-0.75, 1.25, -2.0], [-1.25, -1.25, -0.5]], [[-1.5, 1.25, 1.5], [-0.5, -2.0, 1.0]]]]> : tensor<1x2x2x3xf32>
  %v = graph.constant dense<[[[[-1.75, 0.5], [-1.5, 1.75], [0.75, 2.0]], [[0.5, 1.0], [-0.5, 1.25], [-1.75, -1.5]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.matmul %q, %k : (tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %4 = graph.softmax %3 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %5 = graph.matmul %4, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %5 : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func.func @mask_added() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 1.000000e+00], [0.000000e+00, 1.500000e+00]], {{\[\[}}2.000000e+00, -5.000000e-01], [-2.500000e-01, 2.500000e-01]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, 0.000000e+00], [5.000000e-01, 2.000000e+00], [1.000000e+00, -7.500000e-01]], {{\[\[}}-2.500000e-01, -5.000000e-01], [-1.500000e+00, -2.000000e+00], [1.250000e+00, -2.500000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, 5.000000e-01], [2.500000e-01, 1.750000e+00], [5.000000e-01, 1.750000e+00]], {{\[\[}}2.500000e-01, -7.500000e-01], [-7.500000e-01, 2.000000e+00], [2.500000e-01, -1.250000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -1.000000e+00, 0xFF800000]]]]> : tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[CONSTANT_4]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @mask_added
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.0189414211, 1.41382325], [0.130797073, 1.60099638]], {{\[\[}}0.189913347, -0.584761739], [-0.00683199149, -0.0437120236]]]]> : tensor<1x2x2x2xf32>
func.func @mask_added() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[-0.5, 1.0], [0.0, 1.5]], [[2.0, -0.5], [-0.25, 0.25]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[0.5, 0.0], [0.5, 2.0], [1.0, -0.75]], [[-0.25, -0.5], [-1.5, -2.0], [1.25, -0.25]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-0.75, 0.5], [0.25, 1.75], [0.5, 1.75]], [[0.25, -0.75], [-0.75, 2.0], [0.25, -1.25]]]]> : tensor<1x2x3x2xf32>
  %m = graph.constant dense<[[[[0.0, -1.0, 0xFF800000]]]]> : tensor<1x1x1x3xf32>
  %4 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %5 = graph.binary add %4, %m : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
  %6 = graph.softmax %5 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %7 = graph.matmul %6, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %7 : tensor<1x2x2x2xf32>
}

// A scale behind the mask scales the mask, too.
// CHECK-LABEL: func.func @mask_then_scale() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00, 1.250000e+00], [-2.000000e+00, -1.500000e+00]], {{\[\[}}7.500000e-01, -5.000000e-01], [-7.500000e-01, -1.750000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.250000e+00, 1.500000e+00], [1.500000e+00, 1.500000e+00], [2.500000e-01, -1.500000e+00]], {{\[\[}}-7.500000e-01, 0.000000e+00], [2.000000e+00, -1.000000e+00], [2.500000e-01, 0.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 2.500000e-01], [7.500000e-01, -1.750000e+00], [2.000000e+00, 1.500000e+00]], {{\[\[}}1.250000e+00, -1.000000e+00], [-2.500000e-01, -2.500000e-01], [-7.500000e-01, -2.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -1.000000e+00, 2.000000e+00]]]]> : tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT_4]], %[[CONSTANT_5]] : (tensor<1x1x1x3xf32>, tensor<f32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[MUL]] {scale = 5.000000e-01 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @mask_then_scale
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.871199309, -0.874976038], [1.69846106, 1.29744744]], {{\[\[}}-0.316888899, -1.32453227], [-8.292870e-02, -1.43670917]]]]> : tensor<1x2x2x2xf32>
func.func @mask_then_scale() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[1.5, 1.25], [-2.0, -1.5]], [[0.75, -0.5], [-0.75, -1.75]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-1.25, 1.5], [1.5, 1.5], [0.25, -1.5]], [[-0.75, 0.0], [2.0, -1.0], [0.25, 0.0]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[0.0, 0.25], [0.75, -1.75], [2.0, 1.5]], [[1.25, -1.0], [-0.25, -0.25], [-0.75, -2.0]]]]> : tensor<1x2x3x2xf32>
  %m = graph.constant dense<[[[[0.0, -1.0, 2.0]]]]> : tensor<1x1x1x3xf32>
  %4 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %5 = graph.binary add %4, %m : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
  %c6 = graph.constant dense<0.5> : tensor<f32>
  %7 = graph.binary mul %5, %c6 : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %8 = graph.softmax %7 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %9 = graph.matmul %8, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %9 : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func.func @two_masks() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00, -2.000000e+00], [1.000000e+00, -1.250000e+00]], {{\[\[}}5.000000e-01, -7.500000e-01], [-1.000000e+00, 1.750000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 1.750000e+00], [-1.250000e+00, 0.000000e+00], [-7.500000e-01, -2.500000e-01]], {{\[\[}}-2.000000e+00, 7.500000e-01], [-7.500000e-01, 1.500000e+00], [-1.250000e+00, -7.500000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, 1.250000e+00], [2.500000e-01, -5.000000e-01], [1.750000e+00, 5.000000e-01]], {{\[\[}}2.000000e+00, 1.000000e+00], [2.500000e-01, 0.000000e+00], [-1.250000e+00, 7.500000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -1.000000e+00, 2.000000e+00]]]]> : tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 5.000000e-01], [1.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[CONSTANT_4]], %[[CONSTANT_5]] : (tensor<1x1x1x3xf32>, tensor<2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[ADD]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @two_masks
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.69461715, 0.473088026], [1.49874437, 0.523805261]], {{\[\[}}-1.16446316, 0.740322172], [1.55184031, 8.647480e-01]]]]> : tensor<1x2x2x2xf32>
func.func @two_masks() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[1.0, -2.0], [1.0, -1.25]], [[0.5, -0.75], [-1.0, 1.75]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[0.0, 1.75], [-1.25, 0.0], [-0.75, -0.25]], [[-2.0, 0.75], [-0.75, 1.5], [-1.25, -0.75]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-2.0, 1.25], [0.25, -0.5], [1.75, 0.5]], [[2.0, 1.0], [0.25, 0.0], [-1.25, 0.75]]]]> : tensor<1x2x3x2xf32>
  %m = graph.constant dense<[[[[0.0, -1.0, 2.0]]]]> : tensor<1x1x1x3xf32>
  %n = graph.constant dense<[[0.0, 1.0, 0.5], [1.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %5 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %6 = graph.binary add %5, %m : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
  %7 = graph.binary add %6, %n : (tensor<1x2x2x3xf32>, tensor<2x3xf32>) -> tensor<1x2x2x3xf32>
  %8 = graph.softmax %7 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %9 = graph.matmul %8, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %9 : tensor<1x2x2x2xf32>
}

// Kept where the condition holds, elsewhere minus infinity.
// CHECK-LABEL: func.func @mask_selected() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, 7.500000e-01], [-2.500000e-01, -2.000000e+00]], {{\[\[}}1.000000e+00, -2.000000e+00], [1.250000e+00, -1.500000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, -1.250000e+00], [2.500000e-01, -1.250000e+00], [-1.000000e+00, -2.000000e+00]], {{\[\[}}2.000000e+00, -1.250000e+00], [-1.250000e+00, 5.000000e-01], [-1.500000e+00, 1.750000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, -7.500000e-01], [-5.000000e-01, -5.000000e-01], [1.000000e+00, -2.500000e-01]], {{\[\[}}-1.000000e+00, 7.500000e-01], [-1.500000e+00, 1.250000e+00], [-2.500000e-01, 1.750000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}true, false, true], [true, true, false]]> : tensor<2x3xi1>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[CONSTANT_4]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<2x3xi1>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[SELECT]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<2x3xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @mask_selected
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.1764462, -0.602892518], [0.483808875, -0.640544116]], {{\[\[}}-0.999943852, 0.750074863], [-1.00062239, 0.750622451]]]]> : tensor<1x2x2x2xf32>
func.func @mask_selected() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[1.25, 0.75], [-0.25, -2.0]], [[1.0, -2.0], [1.25, -1.5]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-0.75, -1.25], [0.25, -1.25], [-1.0, -2.0]], [[2.0, -1.25], [-1.25, 0.5], [-1.5, 1.75]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[1.25, -0.75], [-0.5, -0.5], [1.0, -0.25]], [[-1.0, 0.75], [-1.5, 1.25], [-0.25, 1.75]]]]> : tensor<1x2x3x2xf32>
  %c = graph.constant dense<[[true, false, true], [true, true, false]]> : tensor<2x3xi1>
  %4 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %low = graph.constant dense<0xFF800000> : tensor<f32>
  %6 = graph.select %c, %4, %low : (tensor<2x3xi1>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %7 = graph.softmax %6 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %8 = graph.matmul %7, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %8 : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func.func @mask_selected_finite() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, -5.000000e-01], [1.500000e+00, 1.000000e+00]], {{\[\[}}-2.000000e+00, -7.500000e-01], [-2.000000e+00, 1.500000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.500000e-01, -1.250000e+00], [1.000000e+00, 1.500000e+00], [-1.750000e+00, 0.000000e+00]], {{\[\[}}-5.000000e-01, 1.000000e+00], [1.750000e+00, 2.500000e-01], [1.000000e+00, -7.500000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01, 0.000000e+00], [1.000000e+00, -2.000000e+00], [-1.000000e+00, -2.000000e+00]], {{\[\[}}2.000000e+00, 2.500000e-01], [0.000000e+00, 0.000000e+00], [-2.000000e+00, 1.500000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}true, false, true], [false, false, false]]> : tensor<2x3xi1>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<-1.000000e+30> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[CONSTANT_4]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<2x3xi1>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[SELECT]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<2x3xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @mask_selected_finite
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.632231295, -1.41157007], [0.0833333358, -1.33333337]], {{\[\[}}1.37558043, 0.445131123], [0.000000e+00, 0.583333313]]]]> : tensor<1x2x2x2xf32>
func.func @mask_selected_finite() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[-1.0, -0.5], [1.5, 1.0]], [[-2.0, -0.75], [-2.0, 1.5]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-0.25, -1.25], [1.0, 1.5], [-1.75, 0.0]], [[-0.5, 1.0], [1.75, 0.25], [1.0, -0.75]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[0.25, 0.0], [1.0, -2.0], [-1.0, -2.0]], [[2.0, 0.25], [0.0, 0.0], [-2.0, 1.5]]]]> : tensor<1x2x3x2xf32>
  %c = graph.constant dense<[[true, false, true], [false, false, false]]> : tensor<2x3xi1>
  %4 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %low = graph.constant dense<-10000.0> : tensor<f32>
  %6 = graph.select %c, %4, %low : (tensor<2x3xi1>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %7 = graph.softmax %6 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %8 = graph.matmul %7, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %8 : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func.func @mask_selected_inverted() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00, -2.000000e+00], [5.000000e-01, 2.500000e-01]], {{\[\[}}-5.000000e-01, 0.000000e+00], [1.500000e+00, 5.000000e-01]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 1.000000e+00], [7.500000e-01, 0.000000e+00], [1.500000e+00, 2.500000e-01]], {{\[\[}}5.000000e-01, 0.000000e+00], [5.000000e-01, 5.000000e-01], [1.750000e+00, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 2.500000e-01], [-7.500000e-01, 7.500000e-01], [1.500000e+00, -1.250000e+00]], {{\[\[}}-2.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00], [1.000000e+00, 2.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {causal, scale = 1.000000e+00 : f64, window = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @mask_selected_inverted
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-7.500000e-01, 7.500000e-01], [1.500000e+00, -1.250000e+00]], {{\[\[}}0.000000e+00, 1.000000e+00], [1.000000e+00, 2.000000e+00]]]]> : tensor<1x2x2x2xf32>
func.func @mask_selected_inverted() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[1.5, -2.0], [0.5, 0.25]], [[-0.5, 0.0], [1.5, 0.5]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[0.0, 1.0], [0.75, 0.0], [1.5, 0.25]], [[0.5, 0.0], [0.5, 0.5], [1.75, -1.0]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-0.5, 0.25], [-0.75, 0.75], [1.5, -1.25]], [[-2.0, 2.0], [0.0, 1.0], [1.0, 2.0]]]]> : tensor<1x2x3x2xf32>
  %c = graph.constant dense<[[true, false, true], [true, true, false]]> : tensor<2x3xi1>
  %low = graph.constant dense<0xFF800000> : tensor<f32>
  %5 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %6 = graph.select %c, %low, %5 : (tensor<2x3xi1>, tensor<f32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %7 = graph.softmax %6 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %8 = graph.matmul %7, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %8 : tensor<1x2x2x2xf32>
}

// Positions compared.
// CHECK-LABEL: func.func @causal_iotas() -> tensor<1x2x3x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, -1.000000e+00], [2.000000e+00, -2.500000e-01], [-5.000000e-01, -1.000000e+00]], {{\[\[}}-2.000000e+00, -2.000000e+00], [2.000000e+00, -2.000000e+00], [-1.500000e+00, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, 1.500000e+00], [-7.500000e-01, -1.500000e+00], [-5.000000e-01, 7.500000e-01]], {{\[\[}}-2.500000e-01, -1.000000e+00], [-1.500000e+00, -1.750000e+00], [0.000000e+00, -1.250000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01, 7.500000e-01], [-5.000000e-01, 0.000000e+00], [-2.000000e+00, 2.500000e-01]], {{\[\[}}-1.250000e+00, -2.500000e-01], [-1.750000e+00, -1.000000e+00], [-2.500000e-01, 0.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {causal, scale = 1.000000e+00 : f64} : (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x3x2xf32>
// VALUES-LABEL: func.func @causal_iotas
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}2.500000e-01, 7.500000e-01], [-0.332974911, 0.167025104], [-0.584571958, 0.057041917]], {{\[\[}}-1.250000e+00, -2.500000e-01], [-1.3844707, -0.451706052], [-1.63374209, -0.895933628]]]]> : tensor<1x2x3x2xf32>
func.func @causal_iotas() -> tensor<1x2x3x2xf32> {
  %q = graph.constant dense<[[[[-2.0, -1.0], [2.0, -0.25], [-0.5, -1.0]], [[-2.0, -2.0], [2.0, -2.0], [-1.5, -1.0]]]]> : tensor<1x2x3x2xf32>
  %k = graph.constant dense<[[[[-1.0, 1.5], [-0.75, -1.5], [-0.5, 0.75]], [[-0.25, -1.0], [-1.5, -1.75], [0.0, -1.25]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[0.25, 0.75], [-0.5, 0.0], [-2.0, 0.25]], [[-1.25, -0.25], [-1.75, -1.0], [-0.25, 0.0]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.iota axis 0 : tensor<3x1xi64>
  %4 = graph.iota axis 1 : tensor<1x3xi64>
  %5 = graph.compare less_equal %4, %3 : (tensor<1x3xi64>, tensor<3x1xi64>) -> tensor<3x3xi1>
  %6 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x3xf32>
  %low = graph.constant dense<0xFF800000> : tensor<f32>
  %8 = graph.select %5, %6, %low : (tensor<3x3xi1>, tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %9 = graph.softmax %8 axis 3 : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %10 = graph.matmul %9, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
  return %10 : tensor<1x2x3x2xf32>
}

// CHECK-LABEL: func.func @causal_constant() -> tensor<1x2x3x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, 1.750000e+00], [-2.500000e-01, -1.250000e+00], [-1.250000e+00, 1.000000e+00]], {{\[\[}}-2.500000e-01, -1.000000e+00], [-2.500000e-01, -1.250000e+00], [-1.500000e+00, -7.500000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, -1.750000e+00], [2.500000e-01, 1.750000e+00], [-2.500000e-01, -5.000000e-01]], {{\[\[}}2.500000e-01, -1.500000e+00], [7.500000e-01, -2.000000e+00], [2.500000e-01, -1.750000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, -1.250000e+00], [1.000000e+00, -2.500000e-01], [-2.500000e-01, 5.000000e-01]], {{\[\[}}-1.750000e+00, 2.000000e+00], [0.000000e+00, 1.750000e+00], [1.000000e+00, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {causal, scale = 1.000000e+00 : f64} : (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x3x2xf32>
// VALUES-LABEL: func.func @causal_constant
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-2.000000e+00, -1.250000e+00], [-1.94262791, -1.23087597], [0.786466896, -0.129783601]], {{\[\[}}-1.750000e+00, 2.000000e+00], [-0.660696149, 1.84438515], [-0.187926754, 0.689999163]]]]> : tensor<1x2x3x2xf32>
func.func @causal_constant() -> tensor<1x2x3x2xf32> {
  %q = graph.constant dense<[[[[-2.0, 1.75], [-0.25, -1.25], [-1.25, 1.0]], [[-0.25, -1.0], [-0.25, -1.25], [-1.5, -0.75]]]]> : tensor<1x2x3x2xf32>
  %k = graph.constant dense<[[[[2.0, -1.75], [0.25, 1.75], [-0.25, -0.5]], [[0.25, -1.5], [0.75, -2.0], [0.25, -1.75]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-2.0, -1.25], [1.0, -0.25], [-0.25, 0.5]], [[-1.75, 2.0], [0.0, 1.75], [1.0, -1.0]]]]> : tensor<1x2x3x2xf32>
  %m = graph.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %4 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x3xf32>
  %5 = graph.binary add %4, %m : (tensor<1x2x3x3xf32>, tensor<3x3xf32>) -> tensor<1x2x3x3xf32>
  %6 = graph.softmax %5 axis 3 : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %7 = graph.matmul %6, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
  return %7 : tensor<1x2x3x2xf32>
}
