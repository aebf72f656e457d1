// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Attention: which keys a query sees, caps, 16-bit floats.
// NOTE: checks by tools/update-lit-checks

// Query i sees keys up to i.
// CHECK-LABEL: func.func @causal
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.500000e+00], [1.02342033], [0.836440742]]]]> : tensor<1x1x3x1xf32>
func.func @causal() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[1.5], [-0.25], [1.5]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[1.25], [2.0], [-2.0]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[1.5], [0.5], [0.0]]]]> : tensor<1x1x3x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// The last query sees all keys.
// CHECK-LABEL: func.func @causal_more_keys
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.250000e+00], [-1.04430366]]]]> : tensor<1x1x2x1xf32>
func.func @causal_more_keys() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[1.25], [2.0]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.0], [-1.75], [1.0], [-1.25]]]]> : tensor<1x1x4x1xf32>
  %v = graph.constant dense<[[[[-1.25], [-1.25], [-1.25], [1.75]]]]> : tensor<1x1x4x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// The first queries see no key.
// CHECK-LABEL: func.func @causal_more_queries
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0xFFC00000], [-7.500000e-01], [0.732203841]]]]> : tensor<1x1x3x1xf32>
func.func @causal_more_queries() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[-0.5], [-1.75], [-1.25]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[-0.5], [-0.75]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-0.75], [2.0]]]]> : tensor<1x1x2x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// CHECK-LABEL: func.func @causal_more_queries_zero
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [-1.000000e+00], [-1.24061596]]]]> : tensor<1x1x3x1xf32>
func.func @causal_more_queries_zero() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[1.5], [0.25], [2.0]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[-0.75], [-1.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-1.0], [-1.75]]]]> : tensor<1x1x2x1xf32>
  %0 = graph.attention %q, %k, %v {causal, masked_zero, scale = 0.5 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.470647484]]], {{\[\[}}[1.11028862]]]]> : tensor<2x1x1x1xf32>
func.func @lengths() -> tensor<2x1x1x1xf32> {
  %q = graph.constant dense<[[[[2.0]]], [[[-1.25]]]]> : tensor<2x1x1x1xf32>
  %k = graph.constant dense<[[[[-0.25], [-1.25], [2.0]]], [[[-1.5], [0.0], [2.0]]]]> : tensor<2x1x3x1xf32>
  %v = graph.constant dense<[[[[0.0], [1.75], [1.75]]], [[[1.25], [1.0], [0.25]]]]> : tensor<2x1x3x1xf32>
  %n = graph.constant dense<[2, 3]> : tensor<2xi64>
  %0 = graph.attention %q, %k, %v lengths %n {scale = 0.5 : f64} : (tensor<2x1x1x1xf32>, tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>, tensor<2xi64>) -> tensor<2x1x1x1xf32>
  return %0 : tensor<2x1x1x1xf32>
}

// CHECK-LABEL: func.func @lengths_of_i32
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.750000e+00]]], {{\[\[}}[-6.250000e-01]]]]> : tensor<2x1x1x1xf32>
func.func @lengths_of_i32() -> tensor<2x1x1x1xf32> {
  %q = graph.constant dense<[[[[0.25]]], [[[1.5]]]]> : tensor<2x1x1x1xf32>
  %k = graph.constant dense<[[[[-0.25], [2.0], [1.5]]], [[[-0.5], [-0.5], [1.0]]]]> : tensor<2x1x3x1xf32>
  %v = graph.constant dense<[[[[1.75], [-1.75], [-1.75]]], [[[-1.0], [-0.25], [-1.5]]]]> : tensor<2x1x3x1xf32>
  %n = graph.constant dense<[1, 2]> : tensor<2xi32>
  %0 = graph.attention %q, %k, %v lengths %n {scale = 0.5 : f64} : (tensor<2x1x1x1xf32>, tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>, tensor<2xi32>) -> tensor<2x1x1x1xf32>
  return %0 : tensor<2x1x1x1xf32>
}

// Below 0 there is no key, above T there are all.
// CHECK-LABEL: func.func @lengths_outside
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00]]], {{\[\[}}[0.000000e+00]]], {{\[\[}}[1.875000e+00]]]]> : tensor<3x1x1x1xf32>
func.func @lengths_outside() -> tensor<3x1x1x1xf32> {
  %q = graph.constant dense<[[[[0.0]]], [[[0.25]]], [[[2.0]]]]> : tensor<3x1x1x1xf32>
  %k = graph.constant dense<[[[[1.0], [-1.0]]], [[[1.25], [1.25]]], [[[0.75], [0.75]]]]> : tensor<3x1x2x1xf32>
  %v = graph.constant dense<[[[[-0.75], [1.0]]], [[[-1.5], [0.5]]], [[[1.75], [2.0]]]]> : tensor<3x1x2x1xf32>
  %n = graph.constant dense<[-1, 0, 9]> : tensor<3xi64>
  %0 = graph.attention %q, %k, %v lengths %n {masked_zero, scale = 0.5 : f64} : (tensor<3x1x1x1xf32>, tensor<3x1x2x1xf32>, tensor<3x1x2x1xf32>, tensor<3xi64>) -> tensor<3x1x1x1xf32>
  return %0 : tensor<3x1x1x1xf32>
}

// What lies behind the length does not matter, NaN neither.
// CHECK-LABEL: func.func @lengths_hide_nan
// CHECK-NEXT: #0 = dense<3.40733337> : tensor<1x1x1x1xf32>
func.func @lengths_hide_nan() -> tensor<1x1x1x1xf32> {
  %q = graph.constant dense<[[[[-0.75]]]]> : tensor<1x1x1x1xf32>
  %k = graph.constant dense<[[[[1.0], [2.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[3.0], [4.0], [0x7F800000]]]]> : tensor<1x1x3x1xf32>
  %n = graph.constant dense<[2]> : tensor<1xi64>
  %0 = graph.attention %q, %k, %v lengths %n {scale = 0.5 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}

// A key at minus infinity has the weight 0 and reaches the result, unless the mask hides it.
// CHECK-LABEL: func.func @mask_shows_nan
// CHECK-NEXT: #0 = dense<0x7FC00000> : tensor<1x1x2x1xf32>
func.func @mask_shows_nan() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[-0.75], [0.5]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[1.0], [2.0], [-1.0]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[3.0], [4.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %m = graph.constant dense<[[[[0.0, 0.0, 0xFF800000]]]]> : tensor<1x1x1x3xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// Of a NaN key and value; the second query sees them, and of nothing but hidden keys there is no mean.
// CHECK-LABEL: func.func @mask_hides_nan
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}3.40733337], [0x7FC00000], [0xFFC00000]]]]> : tensor<1x1x3x1xf32>
func.func @mask_hides_nan() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[-0.75], [0.5], [0.25]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[1.0], [2.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[3.0], [4.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %m = graph.constant dense<[[[[0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0], [0xFF800000, 0xFF800000, 0xFF800000]]]]> : tensor<1x1x3x3xf32>
  %0 = graph.attention %q, %k, %v mask %m {mask_hides, scale = 0.5 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// CHECK-LABEL: func.func @causal_hides_nan
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}3.000000e+00], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
func.func @causal_hides_nan() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[-0.75], [0.5]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[1.0], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[3.0], [4.0]]]]> : tensor<1x1x2x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// CHECK-LABEL: func.func @causal_lengths
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.500000e+00], [1.500000e+00]]], {{\[\[}}[0.913355886], [1.06587076]]]]> : tensor<2x1x2x1xf32>
func.func @causal_lengths() -> tensor<2x1x2x1xf32> {
  %q = graph.constant dense<[[[[-0.5], [1.0]]], [[[-1.25], [-1.5]]]]> : tensor<2x1x2x1xf32>
  %k = graph.constant dense<[[[[-2.0], [-0.25], [-1.25]]], [[[-0.75], [1.75], [1.25]]]]> : tensor<2x1x3x1xf32>
  %v = graph.constant dense<[[[[1.5], [0.5], [-1.75]]], [[[1.0], [0.5], [1.75]]]]> : tensor<2x1x3x1xf32>
  %n = graph.constant dense<[1, 3]> : tensor<2xi64>
  %0 = graph.attention %q, %k, %v lengths %n {causal, scale = 0.5 : f64} : (tensor<2x1x2x1xf32>, tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
  return %0 : tensor<2x1x2x1xf32>
}

// The queries are the last positions of each length.
// CHECK-LABEL: func.func @from_length
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}5.000000e-01], [-0.0389457941]]], {{\[\[}}[-0.625193477], [-0.264027476]]]]> : tensor<2x1x2x1xf32>
func.func @from_length() -> tensor<2x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.0], [-1.5]]], [[[0.5], [-0.25]]]]> : tensor<2x1x2x1xf32>
  %k = graph.constant dense<[[[[0.75], [-0.5], [-0.75], [-1.5]]], [[[2.0], [1.0], [-0.25], [-1.25]]]]> : tensor<2x1x4x1xf32>
  %v = graph.constant dense<[[[[0.5], [-0.25], [0.5], [-1.75]]], [[[-1.25], [1.0], [-1.75], [0.75]]]]> : tensor<2x1x4x1xf32>
  %n = graph.constant dense<[2, 4]> : tensor<2xi64>
  %0 = graph.attention %q, %k, %v lengths %n {causal, from_length, scale = 0.5 : f64} : (tensor<2x1x2x1xf32>, tensor<2x1x4x1xf32>, tensor<2x1x4x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
  return %0 : tensor<2x1x2x1xf32>
}

// A length below the number of queries: the first see nothing.
// CHECK-LABEL: func.func @from_length_short
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.500000e+00], [-0.327073634]]]]> : tensor<1x1x3x1xf32>
func.func @from_length_short() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[-0.5], [-2.0], [1.0]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[0.75], [1.25], [1.75], [1.0]]]]> : tensor<1x1x4x1xf32>
  %v = graph.constant dense<[[[[1.5], [-1.75], [1.75], [1.75]]]]> : tensor<1x1x4x1xf32>
  %n = graph.constant dense<[2]> : tensor<1xi64>
  %0 = graph.attention %q, %k, %v lengths %n {causal, from_length, masked_zero, scale = 0.5 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1xi64>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// All of them.
// CHECK-LABEL: func.func @mask_causal_lengths
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.287247121], [0.558550894]], {{\[\[}}0.421976566], [0.6937384]]]]> : tensor<1x2x2x1xf32>
func.func @mask_causal_lengths() -> tensor<1x2x2x1xf32> {
  %q = graph.constant dense<[[[[0.75], [1.25]], [[1.0], [1.5]]]]> : tensor<1x2x2x1xf32>
  %k = graph.constant dense<[[[[1.75], [0.0], [1.25]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[1.75], [-0.75], [-2.0]]]]> : tensor<1x1x3x1xf32>
  %m = graph.constant dense<[[[[0.0, 1.0, 0.0]]]]> : tensor<1x1x1x3xf32>
  %n = graph.constant dense<[2]> : tensor<1xi64>
  %0 = graph.attention %q, %k, %v mask %m lengths %n {causal, scale = 0.5 : f64} : (tensor<1x2x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x1x3xf32>, tensor<1xi64>) -> tensor<1x2x2x1xf32>
  return %0 : tensor<1x2x2x1xf32>
}

// CHECK-LABEL: func.func @softcap
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.856962442, -0.475017399], [0.0926931723, -0.407993257]]]]> : tensor<1x1x2x2xf32>
func.func @softcap() -> tensor<1x1x2x2xf32> {
  %q = graph.constant dense<[[[[-1.5, -2.0], [-0.25, -2.0]]]]> : tensor<1x1x2x2xf32>
  %k = graph.constant dense<[[[[-1.0, -1.0], [1.0, -1.0], [2.0, -1.25]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[2.0, 0.25], [-1.0, -2.0], [-0.75, 0.5]]]]> : tensor<1x1x3x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 2.0 : f64, softcap = 1.5 : f64} : (tensor<1x1x2x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}

// The cap does not touch the mask.
// CHECK-LABEL: func.func @softcap_before_mask
// CHECK-NEXT: #0 = dense<-1.99840105> : tensor<1x1x1x1xf32>
func.func @softcap_before_mask() -> tensor<1x1x1x1xf32> {
  %q = graph.constant dense<[[[[-1.75]]]]> : tensor<1x1x1x1xf32>
  %k = graph.constant dense<[[[[-1.5], [-1.75], [0.75]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[-1.75], [-2.0], [-0.25]]]]> : tensor<1x1x3x1xf32>
  %m = graph.constant dense<[[[[0.0, 5.0, 0xFF800000]]]]> : tensor<1x1x1x3xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64, softcap = 1.0 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}

// CHECK-LABEL: func.func @half
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-5.047610e-02, -3.085940e-01], [-3.967290e-01, 5.691530e-02]]]]> : tensor<1x1x2x2xf16>
func.func @half() -> tensor<1x1x2x2xf16> {
  %q = graph.constant dense<[[[[-0.75, 0.25], [1.75, 1.5]]]]> : tensor<1x1x2x2xf16>
  %k = graph.constant dense<[[[[0.25, 0.5], [1.25, -0.25], [0.75, -1.25]]]]> : tensor<1x1x3x2xf16>
  %v = graph.constant dense<[[[[0.5, -1.0], [-1.25, 1.0], [0.25, -0.5]]]]> : tensor<1x1x3x2xf16>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x2x2xf16>, tensor<1x1x3x2xf16>, tensor<1x1x3x2xf16>) -> tensor<1x1x2x2xf16>
  return %0 : tensor<1x1x2x2xf16>
}

// CHECK-LABEL: func.func @brain
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.656250e+00, -7.968750e-01]], {{\[\[}}-7.929680e-01, -1.445310e-01]]]]> : tensor<1x2x1x2xbf16>
func.func @brain() -> tensor<1x2x1x2xbf16> {
  %q = graph.constant dense<[[[[-2.0, -1.0]], [[1.25, -0.25]]]]> : tensor<1x2x1x2xbf16>
  %k = graph.constant dense<[[[[2.0, 1.75], [1.5, -2.0], [-2.0, 0.25]]]]> : tensor<1x1x3x2xbf16>
  %v = graph.constant dense<[[[[-0.75, 1.5], [-0.75, -1.5], [-1.75, -0.75]]]]> : tensor<1x1x3x2xbf16>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x2x1x2xbf16>, tensor<1x1x3x2xbf16>, tensor<1x1x3x2xbf16>) -> tensor<1x2x1x2xbf16>
  return %0 : tensor<1x2x1x2xbf16>
}

// Scores of 90000 are beyond f16, weights are not.
// CHECK-LABEL: func.func @overflowing_scores
// CHECK-NEXT: #0 = dense<5.000000e-01> : tensor<1x1x1x1xf16>
func.func @overflowing_scores() -> tensor<1x1x1x1xf16> {
  %q = graph.constant dense<[[[[300.0]]]]> : tensor<1x1x1x1xf16>
  %k = graph.constant dense<[[[[300.0], [-300.0]]]]> : tensor<1x1x2x1xf16>
  %v = graph.constant dense<[[[[0.5], [-1.5]]]]> : tensor<1x1x2x1xf16>
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<1x1x1x1xf16>, tensor<1x1x2x1xf16>, tensor<1x1x2x1xf16>) -> tensor<1x1x1x1xf16>
  return %0 : tensor<1x1x1x1xf16>
}

// CHECK-LABEL: func.func @no_keys
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<1x1x1x2xf32>
func.func @no_keys() -> tensor<1x1x1x2xf32> {
  %q = graph.constant dense<[[[[1.25, -0.75]]]]> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<> : tensor<1x1x0x2xf32>
  %v = graph.constant dense<> : tensor<1x1x0x2xf32>
  %0 = graph.attention %q, %k, %v {masked_zero, scale = 0.5 : f64} : (tensor<1x1x1x2xf32>, tensor<1x1x0x2xf32>, tensor<1x1x0x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}
