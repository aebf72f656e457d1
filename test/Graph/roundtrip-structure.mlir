// RUN: kiln-opt %s --verify-roundtrip | FileCheck %s

// CHECK-DAG: #[[$BOTH:.*]] = #graph.shape<[batch, seq] -> [batch, seq]>
// CHECK-DAG: #[[$SQUARE:.*]] = #graph.shape<[seq] -> [seq * seq]>

// CHECK: graph.symbol @batch in [1, 64]
graph.symbol @batch in [1, 64]
// CHECK: graph.symbol @seq in [0, 2147483647] {source = "seq len"}
graph.symbol @seq in [0, 2147483647] {source = "seq len"}
// CHECK: graph.weight @w : tensor<2x2xf32> {file = "m.data", hash = "ab", length = 16 : i64, offset = 64 : i64}
graph.weight @w : tensor<2x2xf32> {file = "m.data", offset = 64, length = 16, hash = "ab"}
// CHECK: graph.weight @packed : tensor<1x2x2xf32>
graph.weight @packed : tensor<1x2x2xf32>

// CHECK-LABEL: func.func @bake
func.func @bake() {
  // CHECK: %[[W:.*]] = graph.get_weight @w : tensor<2x2xf32>
  %0 = graph.get_weight @w : tensor<2x2xf32>
  %1 = graph.pack %0 width 2 : (tensor<2x2xf32>) -> tensor<1x2x2xf32>
  // CHECK: graph.set_weight @packed, %{{.*}} : tensor<1x2x2xf32>
  graph.set_weight @packed, %1 : tensor<1x2x2xf32>
  return
}

// CHECK: func.func @main(%{{.*}}: tensor<2xf32> {graph.name = "x"}) -> (tensor<2xf32> {graph.name = "y"})
func.func @main(%x: tensor<2xf32> {graph.name = "x"}) -> (tensor<2xf32> {graph.name = "y"}) {
  // CHECK: graph.constant dense<[1, 2]> : tensor<2xi64>
  %0 = graph.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: graph.constant dense<1.000000e+00> : tensor<4096xf32>
  %1 = graph.constant dense<1.0> : tensor<4096xf32>
  // CHECK: graph.dims #[[$BOTH]] : tensor<2xi64>
  %2 = graph.dims <[batch, seq] -> [batch, seq]> : tensor<2xi64>
  // CHECK: graph.dims #[[$SQUARE]] : tensor<i32>
  %3 = graph.dims <[seq] -> [seq * seq]> : tensor<i32>
  // CHECK: %[[K:.*]]:2 = graph.kernel "pointwise" (%[[A:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<2xf32>, tensor<2xi64>) -> (tensor<2xf32>, tensor<2xi64>) attributes {nodes = ["exp"]} {
  %4:2 = graph.kernel "pointwise" (%a = %x, %b = %0) : (tensor<2xf32>, tensor<2xi64>) -> (tensor<2xf32>, tensor<2xi64>)
      attributes {nodes = ["exp"]} {
    // CHECK-NEXT: %[[E:.*]] = graph.unary exp %[[A]]
    %5 = graph.unary exp %a : (tensor<2xf32>) -> tensor<2xf32>
    // CHECK-NEXT: graph.yield %[[E]], %{{.*}} : tensor<2xf32>, tensor<2xi64>
    graph.yield %5, %b : tensor<2xf32>, tensor<2xi64>
  }
  // CHECK: graph.kernel "row" () : () -> tensor<2xf32>
  %6 = graph.kernel "row" () : () -> tensor<2xf32> {
    %7 = graph.fill 0.0 : f32 : tensor<2xf32>
    graph.yield %7 : tensor<2xf32>
  }
  return %4#0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @collectives
func.func @collectives(%x: tensor<4x2xf32>) {
  // CHECK: graph.all_reduce sum %{{.*}} ranks 2 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = graph.all_reduce sum %x ranks 2 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  // CHECK: graph.all_gather %{{.*}} axis 1 ranks 2 : (tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = graph.all_gather %x axis 1 ranks 2 : (tensor<4x2xf32>) -> tensor<4x4xf32>
  // CHECK: graph.reduce_scatter max %{{.*}} axis 0 ranks 4 : (tensor<4x2xf32>) -> tensor<1x2xf32>
  %2 = graph.reduce_scatter max %x axis 0 ranks 4 : (tensor<4x2xf32>) -> tensor<1x2xf32>
  // CHECK: graph.all_to_all %{{.*}} axis 0 ranks 4 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %3 = graph.all_to_all %x axis 0 ranks 4 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}
