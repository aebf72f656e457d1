// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Attention: heads, values, masks.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @plain
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.773975431, -0.735489189], [-0.547229826, 0.984700858]]]]> : tensor<1x1x2x2xf32>
func.func @plain() -> tensor<1x1x2x2xf32> {
  %q = graph.constant dense<[[[[2.0, 0.5], [0.75, 1.75]]]]> : tensor<1x1x2x2xf32>
  %k = graph.constant dense<[[[[0.25, 1.25], [1.5, -1.25], [-2.0, -0.75]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[-1.0, 1.5], [1.75, -2.0], [0.0, 1.25]]]]> : tensor<1x1x3x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x2x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}

// CHECK-LABEL: func.func @heads
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.537684202, 1.6773895], [0.375931978, 1.77444077]], {{\[\[}}-0.0234298743, 1.27342987], [0.0817056968, 1.16829431]]]]> : tensor<1x2x2x2xf32>
func.func @heads() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[-1.5, 1.25], [-1.5, -0.25]], [[1.25, -0.75], [-0.75, -1.0]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[1.0, -1.0], [2.0, -0.25]], [[0.0, 0.0], [0.25, 0.25]]]]> : tensor<1x2x2x2xf32>
  %v = graph.constant dense<[[[[0.0, 2.0], [1.25, 1.25]], [[0.75, 0.5], [-0.75, 2.0]]]]> : tensor<1x2x2x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// Query heads 0 and 1 read key head 0, heads 2 and 3 head 1.
// CHECK-LABEL: func.func @shared_heads
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.873630821, 0.374543607]], {{\[\[}}1.12946379, 0.459821254]], {{\[\[}}-0.757809937, -0.484380096]], {{\[\[}}-0.896552979, -0.206894055]]]]> : tensor<1x4x1x2xf32>
func.func @shared_heads() -> tensor<1x4x1x2xf32> {
  %q = graph.constant dense<[[[[-0.25, -1.25]], [[1.5, -1.5]], [[1.5, 0.5]], [[-1.75, -2.0]]]]> : tensor<1x4x1x2xf32>
  %k = graph.constant dense<[[[[-0.25, -2.0], [-1.5, 0.0]], [[2.0, -0.25], [1.25, 1.75]]]]> : tensor<1x2x2x2xf32>
  %v = graph.constant dense<[[[[1.25, 0.5], [-0.25, 0.0]], [[-1.0, 0.0], [-0.5, -1.0]]]]> : tensor<1x2x2x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x4x1x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x1x2xf32>
  return %0 : tensor<1x4x1x2xf32>
}

// CHECK-LABEL: func.func @one_key_head
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.111350067, -1.22054946]], {{\[\[}}0.246094063, -0.277341515]], {{\[\[}}0.22276476, -0.440646619]]]]> : tensor<1x3x1x2xf32>
func.func @one_key_head() -> tensor<1x3x1x2xf32> {
  %q = graph.constant dense<[[[[2.0, -2.0]], [[-1.75, -1.25]], [[2.0, 0.75]]]]> : tensor<1x3x1x2xf32>
  %k = graph.constant dense<[[[[1.5, -1.25], [1.0, -0.5]]]]> : tensor<1x1x2x2xf32>
  %v = graph.constant dense<[[[[0.0, -2.0], [0.5, 1.5]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x3x1x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x3x1x2xf32>
  return %0 : tensor<1x3x1x2xf32>
}

// CHECK-LABEL: func.func @batches
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.04684067, -0.310594052]]], {{\[\[}}[0.200376719, 0.0999529138]]]]> : tensor<2x1x1x2xf32>
func.func @batches() -> tensor<2x1x1x2xf32> {
  %q = graph.constant dense<[[[[0.75, -1.5]]], [[[0.25, -1.0]]]]> : tensor<2x1x1x2xf32>
  %k = graph.constant dense<[[[[2.0, 1.5], [-1.25, 0.0]]], [[[1.75, 1.5], [1.0, 0.5]]]]> : tensor<2x1x2x2xf32>
  %v = graph.constant dense<[[[[-2.0, 1.0], [0.0, -1.75]]], [[[-1.0, 0.25], [1.0, 0.0]]]]> : tensor<2x1x2x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<2x1x1x2xf32>, tensor<2x1x2x2xf32>, tensor<2x1x2x2xf32>) -> tensor<2x1x1x2xf32>
  return %0 : tensor<2x1x1x2xf32>
}

// Values wider than keys.
// CHECK-LABEL: func.func @wide_values
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.450635433, 0.605626165, -1.22186923], [-0.133162618, 0.570351422, -1.39824295]]]]> : tensor<1x1x2x3xf32>
func.func @wide_values() -> tensor<1x1x2x3xf32> {
  %q = graph.constant dense<[[[[0.5], [1.5]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.75], [-0.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[0.5, 0.5, -1.75], [-1.75, 0.75, -0.5]]]]> : tensor<1x1x2x3xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  return %0 : tensor<1x1x2x3xf32>
}

// CHECK-LABEL: func.func @narrow_values
// CHECK-NEXT: #0 = dense<0.235537425> : tensor<1x1x1x1xf32>
func.func @narrow_values() -> tensor<1x1x1x1xf32> {
  %q = graph.constant dense<[[[[0.5, -0.75, -1.25]]]]> : tensor<1x1x1x3xf32>
  %k = graph.constant dense<[[[[-1.5, -0.5, 1.25], [-0.5, -0.5, 0.25]]]]> : tensor<1x1x2x3xf32>
  %v = graph.constant dense<[[[[2.0], [-0.5]]]]> : tensor<1x1x2x1xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x1x3xf32>, tensor<1x1x2x3xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}

// One key has weight 1: the result is its value.
// CHECK-LABEL: func.func @one_key
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}7.500000e-01, 2.000000e+00], [7.500000e-01, 2.000000e+00]]]]> : tensor<1x1x2x2xf32>
func.func @one_key() -> tensor<1x1x2x2xf32> {
  %q = graph.constant dense<[[[[0.5, -0.25], [0.5, -0.25]]]]> : tensor<1x1x2x2xf32>
  %k = graph.constant dense<[[[[0.5, 0.25]]]]> : tensor<1x1x1x2xf32>
  %v = graph.constant dense<[[[[0.75, 2.0]]]]> : tensor<1x1x1x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x2x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}

// All keys weigh alike.
// CHECK-LABEL: func.func @scale_zero
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.875000e-01, -5.000000e-01]]]]> : tensor<1x1x1x2xf32>
func.func @scale_zero() -> tensor<1x1x1x2xf32> {
  %q = graph.constant dense<[[[[-1.5, 0.25]]]]> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<[[[[-0.25, -0.5], [-1.0, -2.0], [-0.5, 1.5], [-1.75, -0.5]]]]> : tensor<1x1x4x2xf32>
  %v = graph.constant dense<[[[[2.0, 2.0], [-1.25, -2.0], [0.75, -2.0], [-0.75, 0.0]]]]> : tensor<1x1x4x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.0 : f64} : (tensor<1x1x1x2xf32>, tensor<1x1x4x2xf32>, tensor<1x1x4x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// CHECK-LABEL: func.func @negative_scale
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.99808776, 0.498087764]]]]> : tensor<1x1x1x2xf32>
func.func @negative_scale() -> tensor<1x1x1x2xf32> {
  %q = graph.constant dense<[[[[1.5, -1.75]]]]> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<[[[[0.75, 0.25], [-1.5, 1.5]]]]> : tensor<1x1x2x2xf32>
  %v = graph.constant dense<[[[[1.5, 0.0], [2.0, 0.5]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v {scale = -1.0 : f64} : (tensor<1x1x1x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// One mask for all queries and heads.
// CHECK-LABEL: func.func @mask_row
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-5.436870e-01], [-0.554599702]], {{\[\[}}-0.474316329], [-0.411570042]]]]> : tensor<1x2x2x1xf32>
func.func @mask_row() -> tensor<1x2x2x1xf32> {
  %q = graph.constant dense<[[[[1.75], [2.0]], [[0.25], [-1.0]]]]> : tensor<1x2x2x1xf32>
  %k = graph.constant dense<[[[[-1.5], [0.25], [-1.25]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[1.0], [1.75], [-1.0]]]]> : tensor<1x1x3x1xf32>
  %m = graph.constant dense<[[[[0.0, 0xFF800000, 1.0]]]]> : tensor<1x1x1x3xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x2x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x1xf32>
  return %0 : tensor<1x2x2x1xf32>
}

// CHECK-LABEL: func.func @mask_full
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.82194197], [2.000000e+00]]]]> : tensor<1x1x2x1xf32>
func.func @mask_full() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.25], [-2.0]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[-1.25], [-0.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[1.75], [2.0]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[0.5, -0.5], [0xFF800000, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// CHECK-LABEL: func.func @mask_per_head
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-5.000000e-01]], {{\[\[}}1.000000e+00]]]]> : tensor<1x2x1x1xf32>
func.func @mask_per_head() -> tensor<1x2x1x1xf32> {
  %q = graph.constant dense<[[[[0.5]], [[0.25]]]]> : tensor<1x2x1x1xf32>
  %k = graph.constant dense<[[[[0.25], [-1.75]], [[-0.5], [2.0]]]]> : tensor<1x2x2x1xf32>
  %v = graph.constant dense<[[[[-0.5], [-1.25]], [[-1.0], [1.0]]]]> : tensor<1x2x2x1xf32>
  %m = graph.constant dense<[[[[0.0, 0xFF800000]], [[0xFF800000, 0.0]]]]> : tensor<1x2x1x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x2x1x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x1x2xf32>) -> tensor<1x2x1x1xf32>
  return %0 : tensor<1x2x1x1xf32>
}

// A mask of f32 beside f16.
// CHECK-LABEL: func.func @mask_of_f32
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.940430e+00, 9.409170e-01]]]]> : tensor<1x1x1x2xf16>
func.func @mask_of_f32() -> tensor<1x1x1x2xf16> {
  %q = graph.constant dense<[[[[-2.0, 2.0]]]]> : tensor<1x1x1x2xf16>
  %k = graph.constant dense<[[[[1.5, 0.25], [-0.25, 1.0], [0.25, 0.0]]]]> : tensor<1x1x3x2xf16>
  %v = graph.constant dense<[[[[-0.75, -0.25], [1.0, -2.0], [-2.0, 1.0]]]]> : tensor<1x1x3x2xf16>
  %m = graph.constant dense<[[[[0.0, -1.0e+30, 2.0]]]]> : tensor<1x1x1x3xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x1x1x2xf16>, tensor<1x1x3x2xf16>, tensor<1x1x3x2xf16>, tensor<1x1x1x3xf32>) -> tensor<1x1x1x2xf16>
  return %0 : tensor<1x1x1x2xf16>
}

// A number for all changes nothing.
// CHECK-LABEL: func.func @mask_scalar
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.14824295], [-0.359454811]]]]> : tensor<1x1x2x1xf32>
func.func @mask_scalar() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[-0.5], [1.25]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[-2.0], [1.75]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-1.5], [-0.25]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<2.0> : tensor<f32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<f32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// Nothing is left: NaN.
// CHECK-LABEL: func.func @all_masked
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0xFFC00000], [-0.91829431]]]]> : tensor<1x1x2x1xf32>
func.func @all_masked() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[2.0], [-1.75]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.75], [1.0]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-0.25], [-1.75]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[0xFF800000, 0xFF800000], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// CHECK-LABEL: func.func @all_masked_zero
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [-1.40427542]]]]> : tensor<1x1x2x1xf32>
func.func @all_masked_zero() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.0], [-0.25]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[1.5], [0.75]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-0.75], [-2.0]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[0xFF800000, 0xFF800000], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {masked_zero, scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// CHECK-LABEL: func.func @all_masked_nan_zero
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [0.416500151]]]]> : tensor<1x1x2x1xf32>
func.func @all_masked_nan_zero() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.5], [-1.0]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.75], [1.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-0.5], [1.75]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[0xFF800000, 0xFF800000], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {nan_zero, scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// NaN in a score makes a row of NaN.
// CHECK-LABEL: func.func @score_nan
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0x7FC00000], [1.875000e+00]]]]> : tensor<1x1x2x1xf32>
func.func @score_nan() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.0], [0.25]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[1.25], [1.25]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[1.75], [2.0]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[0x7FC00000, 0.0], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// CHECK-LABEL: func.func @score_nan_zero
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<1x1x2x1xf32>
func.func @score_nan_zero() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[-1.5], [-0.25]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[1.75], [-0.75]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-2.0], [0.25]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[0x7FC00000, 0.0], [0x7F800000, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {nan_zero, scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// A large finite number on all keys: they weigh alike.
// CHECK-LABEL: func.func @finite_mask
// CHECK-NEXT: #0 = dense<-5.000000e-01> : tensor<1x1x1x1xf32>
func.func @finite_mask() -> tensor<1x1x1x1xf32> {
  %q = graph.constant dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>
  %k = graph.constant dense<[[[[1.0], [1.25]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[0.5], [-1.5]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[-1.0e+30, -1.0e+30]]]]> : tensor<1x1x1x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}
