// RUN: kiln-opt %s --verify-roundtrip | FileCheck %s

// CHECK-DAG: #[[$IDS:.*]] = #graph.shape<[batch, seq] -> [batch, seq]>
// CHECK-DAG: #[[$FLAT:.*]] = #graph.shape<[batch, seq] -> [batch * seq]>
// CHECK-DAG: #[[$STARTS:.*]] = #graph.shape<[] -> [1, 2]>
// CHECK-DAG: #[[$MIDDLE:.*]] = #graph.shape<[seq] -> [(seq ceildiv 2), 0]>
// CHECK-DAG: #[[$HALF:.*]] = #graph.shape<[seq] -> [(seq floordiv 2), 2]>

!ids = tensor<?x?xi64, #graph.shape<[batch, seq] -> [batch, seq]>>
!flat = tensor<?xi64, #graph.shape<[batch, seq] -> [batch * seq]>>
!row = tensor<?x2xf32, #graph.shape<[seq] -> [seq, 2]>>
!half = tensor<?x2xf32, #graph.shape<[seq] -> [seq floordiv 2, 2]>>

// CHECK-LABEL: func.func @views
func.func @views(%ids: !ids, %x: tensor<2x3xf32>, %row: !row) {
  // CHECK: graph.reshape %{{.*}} : (tensor<?x?xi64, #[[$IDS]]>) -> tensor<?xi64, #[[$FLAT]]>
  %0 = graph.reshape %ids : (!ids) -> !flat
  // CHECK: graph.transpose %{{.*}} [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = graph.transpose %x [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: graph.broadcast %{{.*}} : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %2 = graph.broadcast %x : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  // CHECK: graph.slice %{{.*}} starts #[[$STARTS]] steps [1, -2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %3 = graph.slice %x starts <[] -> [1, 2]> steps [1, -2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  // CHECK: graph.slice %{{.*}} starts #[[$MIDDLE]] steps [1, 1] : {{.*}} -> tensor<?x2xf32, #[[$HALF]]>
  %4 = graph.slice %row starts <[seq] -> [seq ceildiv 2, 0]> steps [1, 1] : (!row) -> !half
  return
}

// CHECK-LABEL: func.func @joins
func.func @joins(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>, %ids: !ids) {
  // CHECK: graph.concat %{{.*}}, %{{.*}} axis 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %0 = graph.concat %x, %y axis 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  // CHECK: graph.gather %{{.*}}, %{{.*}} axis 0 : (tensor<2x3xf32>, tensor<?x?xi64, #[[$IDS]]>) -> tensor<?x?x3xf32, #{{.*}}>
  %1 = graph.gather %x, %ids axis 0 : (tensor<2x3xf32>, !ids) -> tensor<?x?x3xf32, #graph.shape<[batch, seq] -> [batch, seq, 3]>>
  return
}

// CHECK-LABEL: func.func @updates
func.func @updates(%x: tensor<2x5x3xf32>, %i: tensor<2x4x1xi64>, %j: tensor<2x4x3xi32>, %u: tensor<2x4x3xf32>) {
  // CHECK: graph.scatter %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x5x3xf32>, tensor<2x4x1xi64>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  %0 = graph.scatter %x, %i, %u : (tensor<2x5x3xf32>, tensor<2x4x1xi64>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  // CHECK: graph.scatter %{{.*}}, %{{.*}}, %{{.*}} combine max : (tensor<2x5x3xf32>, tensor<2x4x3xi32>, tensor<2x4x3xf32>)
  %1 = graph.scatter %x, %j, %u combine max : (tensor<2x5x3xf32>, tensor<2x4x3xi32>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  return
}

// CHECK-LABEL: func.func @generators
func.func @generators() {
  // CHECK: graph.fill 1.000000e+00 : f32 : tensor<2x3xf32>
  %0 = graph.fill 1.0 : f32 : tensor<2x3xf32>
  // CHECK: graph.fill true : tensor<2xi1>
  %1 = graph.fill true : tensor<2xi1>
  // CHECK: graph.iota axis 0 : tensor<4xi64>
  %2 = graph.iota axis 0 : tensor<4xi64>
  // CHECK: graph.iota axis 0 {start = 1.000000e+00 : f64, step = -2.000000e+00 : f64} : tensor<4xf32>
  %3 = graph.iota axis 0 {start = 1.0 : f64, step = -2.0 : f64} : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @panels
func.func @panels(%x: tensor<3x5xf32>) {
  // CHECK: graph.pack %{{.*}} width 2 : (tensor<3x5xf32>) -> tensor<3x3x2xf32>
  %0 = graph.pack %x width 2 : (tensor<3x5xf32>) -> tensor<3x3x2xf32>
  // CHECK: graph.unpack %{{.*}} : (tensor<3x3x2xf32>) -> tensor<3x5xf32>
  %1 = graph.unpack %0 : (tensor<3x3x2xf32>) -> tensor<3x5xf32>
  return
}
