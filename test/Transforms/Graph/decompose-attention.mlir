// RUN: kiln-opt %s --split-input-file --kiln-decompose-attention=targets=native,sm_86 --remarks-filter='kiln-decompose-attention' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-decompose-attention=targets=native | FileCheck %s --check-prefix=HOST

// A host holds heads of any size.
// HOST-COUNT-5: graph.attention
// HOST-NOT: graph.softmax

// A head of a size that a block of threads holds stays.
// CHECK-LABEL: func.func @held
// CHECK-NEXT: graph.attention
func.func @held(%q: tensor<1x2x8x64xf32>) -> tensor<1x2x8x64xf32> {
  %0 = graph.attention %q, %q, %q {scale = 1.0 : f64} : (tensor<1x2x8x64xf32>, tensor<1x2x8x64xf32>, tensor<1x2x8x64xf32>) -> tensor<1x2x8x64xf32>
  return %0 : tensor<1x2x8x64xf32>
}

// -----

// A wider one is products and a softmax; query heads that share a key head are rows.
// CHECK-LABEL: func.func @wide
// CHECK: %[[Q:.*]] = graph.reshape %arg0 : (tensor<1x4x8x300xf32>) -> tensor<1x2x16x300xf32>
// CHECK: %[[P:.*]] = graph.matmul %[[Q]], %arg1 {transpose_b} : {{.*}} -> tensor<1x2x16x9xf32>
// CHECK: %[[R:.*]] = graph.reshape %[[P]] : {{.*}} -> tensor<1x4x8x9xf32>
// CHECK: %[[S:.*]] = graph.binary mul %[[R]]
// CHECK: %[[W:.*]] = graph.softmax %[[S]] axis 3
// CHECK: %[[ROWS:.*]] = graph.reshape %[[W]] : {{.*}} -> tensor<1x2x16x9xf32>
// CHECK: graph.matmul %[[ROWS]], %arg1
// CHECK-NOT: graph.attention
// REMARK: [Passed] attention {{.*}}computed as two products and a softmax
func.func @wide(%q: tensor<1x4x8x300xf32>, %k: tensor<1x2x9x300xf32>) -> tensor<1x4x8x300xf32> {
  %0 = graph.attention %q, %k, %k {scale = 0.5 : f64} : (tensor<1x4x8x300xf32>, tensor<1x2x9x300xf32>, tensor<1x2x9x300xf32>) -> tensor<1x4x8x300xf32>
  return %0 : tensor<1x4x8x300xf32>
}

// -----

// 16 bits: scores are f32, weights of the operands' type. Behind its length a sequence's
// values are zero, and a query that sees nothing has zeros.
// CHECK-LABEL: func.func @lengths
// CHECK: %[[END:.*]] = graph.binary max
// CHECK: %[[SEEN:.*]] = graph.compare less %{{.*}}, %[[END]]
// CHECK: graph.matmul {{.*}} {result_element = f32, transpose_b} : {{.*}} -> tensor<2x1x8x9xf32>
// CHECK: %[[SCORES:.*]] = graph.select %[[SEEN]], %{{.*}}, %{{.*}} : {{.*}} -> tensor<2x1x8x9xf32>
// CHECK: %[[W:.*]] = graph.softmax %[[SCORES]] axis 3
// CHECK: %[[KEYS:.*]] = graph.reshape %[[SEEN]] : (tensor<2x1x1x9xi1>) -> tensor<2x1x9x1xi1>
// CHECK: %[[V:.*]] = graph.select %[[KEYS]], %arg1
// CHECK: %[[N:.*]] = graph.cast %[[W]] : (tensor<2x1x8x9xf32>) -> tensor<2x1x8x9xbf16>
// CHECK: %[[Y:.*]] = graph.matmul %[[N]], %[[V]]
// CHECK: %[[MAX:.*]] = graph.reduce max %[[SCORES]] axes [3] {keep_dims}
// CHECK: %[[EMPTY:.*]] = graph.compare equal %[[MAX]]
// CHECK: graph.select %[[EMPTY]], %{{.*}}, %[[Y]]
func.func @lengths(%q: tensor<2x1x8x320xbf16>, %k: tensor<2x1x9x320xbf16>, %n: tensor<2xi64>) -> tensor<2x1x8x320xbf16> {
  %0 = graph.attention %q, %k, %k lengths %n {masked_zero, scale = 0.5 : f64} : (tensor<2x1x8x320xbf16>, tensor<2x1x9x320xbf16>, tensor<2x1x9x320xbf16>, tensor<2xi64>) -> tensor<2x1x8x320xbf16>
  return %0 : tensor<2x1x8x320xbf16>
}

// -----

// Queries see different keys: a sum over those that each sees.
// CHECK-LABEL: func.func @causal
// CHECK: %[[SEEN:.*]] = graph.compare less_equal
// CHECK: graph.matmul
// CHECK: graph.softmax
// CHECK-NOT: graph.matmul
// CHECK: %[[PARTS:.*]] = graph.select %{{.*}}, %{{.*}}, %{{.*}} -> tensor<1x2x1x8x8x300xf32>
// CHECK: graph.reduce sum %[[PARTS]] axes [4]
func.func @causal(%q: tensor<1x2x8x300xf32>) -> tensor<1x2x8x300xf32> {
  %0 = graph.attention %q, %q, %q {causal, scale = 0.5 : f64} : (tensor<1x2x8x300xf32>, tensor<1x2x8x300xf32>, tensor<1x2x8x300xf32>) -> tensor<1x2x8x300xf32>
  return %0 : tensor<1x2x8x300xf32>
}

// -----

// The size of a head is not known.
// CHECK-LABEL: func.func @symbolic
// CHECK-NOT: graph.attention
// CHECK: graph.softmax
graph.symbol @d in [1, 64]
func.func @symbolic(%q: tensor<1x2x8x?xf32, #graph.shape<[d] -> [1, 2, 8, d]>>) -> tensor<1x2x8x?xf32, #graph.shape<[d] -> [1, 2, 8, d]>> {
  %0 = graph.attention %q, %q, %q {scale = 1.0 : f64} : (tensor<1x2x8x?xf32, #graph.shape<[d] -> [1, 2, 8, d]>>, tensor<1x2x8x?xf32, #graph.shape<[d] -> [1, 2, 8, d]>>, tensor<1x2x8x?xf32, #graph.shape<[d] -> [1, 2, 8, d]>>) -> tensor<1x2x8x?xf32, #graph.shape<[d] -> [1, 2, 8, d]>>
  return %0 : tensor<1x2x8x?xf32, #graph.shape<[d] -> [1, 2, 8, d]>>
}

// -----

// A cap, and weights that are NaN count as 0.
// CHECK-LABEL: func.func @capped
// CHECK: %[[P:.*]] = graph.matmul
// CHECK: %[[D:.*]] = graph.binary mul %[[P]]
// CHECK: %[[T:.*]] = graph.unary tanh %[[D]]
// CHECK: %[[S:.*]] = graph.binary mul %[[T]]
// CHECK: %[[W:.*]] = graph.softmax %[[S]]
// CHECK: %[[N:.*]] = graph.unary is_nan %[[W]]
// CHECK: %[[P:.*]] = graph.select %[[N]], %{{.*}}, %[[W]]
// CHECK: graph.matmul %[[P]]
func.func @capped(%q: tensor<1x2x8x300xf32>) -> tensor<1x2x8x300xf32> {
  %0 = graph.attention %q, %q, %q {nan_zero, scale = 0.5 : f64, softcap = 30.0 : f64} : (tensor<1x2x8x300xf32>, tensor<1x2x8x300xf32>, tensor<1x2x8x300xf32>) -> tensor<1x2x8x300xf32>
  return %0 : tensor<1x2x8x300xf32>
}
