// RUN: kiln-opt %s --split-input-file --kiln-emit-collectives | FileCheck %s

// One program per type, number of elements and ranks, on GPUs alone.
// CHECK-LABEL: func.func @main
// CHECK: graph.all_reduce sum %arg0 ranks 2 {code = @all_reduce_0}
// CHECK: graph.all_reduce sum %{{.*}} ranks 2 {code = @all_reduce_0}
// CHECK: graph.all_reduce sum %arg1 ranks 2 {code = @all_reduce_1}
// CHECK: module @"x86-64-v3"
// CHECK-NOT: tile.kernel
// CHECK: module @sm_80
// CHECK: tile.kernel @all_reduce_0(%[[FROM:.*]]: !tile.buffer<f32>, %[[ABORT:.*]]: !tile.buffer<i32>) -> (%[[TO:.*]]: !tile.buffer<f32>, %[[STATE:.*]]: !tile.buffer<i32>, %[[STAGING:.*]]: !tile.buffer<f32>, %[[FLAGS:.*]]: !tile.buffer<i32>, %[[S0:.*]]: !tile.buffer<f32>, %[[S1:.*]]: !tile.buffer<f32>, %[[F0:.*]]: !tile.buffer<i32>, %[[F1:.*]]: !tile.buffer<i32>)
// CHECK-DAG: %[[IN:.*]] = tile.view %[[FROM]]
// CHECK-DAG: %[[OUT:.*]] = tile.view %[[TO]]
// CHECK-DAG: %[[WORDS:.*]] = tile.view %[[STATE]]
// CHECK-DAG: %[[MINE:.*]] = tile.view %[[STAGING]]
// CHECK-DAG: %[[TO0:.*]] = tile.view %[[S0]]
// CHECK-DAG: %[[TO1:.*]] = tile.view %[[S1]]
// CHECK: %[[OWN:.*]] = tile.load %[[IN]]{{.*}} masked [0]{{.*}} -> !tile.frag<1024xf32>
// CHECK: tile.store %[[OWN]], %[[TO0]][%[[REGION:.*]], %[[RANK:.*]], %{{.*}}]
// CHECK: tile.store %[[OWN]], %[[TO1]][%[[REGION]], %[[RANK]], %{{.*}}]
// CHECK: tile.post %[[EPOCH:.*]] to %[[F0]], %[[F1]][
// CHECK: tile.await %[[EPOCH]] in %[[FLAGS]][{{.*}}] count 2 unless %[[ABORT]]
// CHECK: tile.load %[[MINE]][%[[REGION]],
// CHECK: tile.load %[[MINE]][%[[REGION]],
// CHECK: arith.addf
// CHECK: tile.store %{{.*}}, %[[OUT]]{{.*}} masked [0]
// CHECK: tile.store %[[EPOCH]], %[[WORDS]]
// CHECK-NOT: tile.post
// CHECK: tile.kernel @all_reduce_1
// CHECK: tile.load {{.*}} -> !tile.frag<2048xbf16>
// CHECK: tile.convert {{.*}} -> <2048xf32>
// CHECK: tile.convert {{.*}} -> <2048xbf16>
module attributes {graph.ranks = 2} {
  func.func @main(%arg0: tensor<4x300xf32>, %arg1: tensor<4x300xbf16>) -> (tensor<4x300xf32>, tensor<4x300xbf16>) {
    %0 = graph.all_reduce sum %arg0 ranks 2 : (tensor<4x300xf32>) -> tensor<4x300xf32>
    %1 = graph.all_reduce sum %0 ranks 2 : (tensor<4x300xf32>) -> tensor<4x300xf32>
    %2 = graph.all_reduce sum %arg1 ranks 2 : (tensor<4x300xbf16>) -> tensor<4x300xbf16>
    return %1, %2 : tensor<4x300xf32>, tensor<4x300xbf16>
  }
  module @"x86-64-v3" {}
  module @sm_80 {}
}

// -----

// More than one shot takes at some dims: a second program, with two rounds.
// CHECK-LABEL: func.func @main
// CHECK: ranks 4 {code = @all_reduce_0, split_code = @all_reduce_0_split}
// CHECK: tile.kernel @all_reduce_0(
// CHECK-COUNT-1: tile.post
// CHECK-NOT: tile.post
// CHECK: tile.kernel @all_reduce_0_split(
// CHECK-COUNT-4: masked [0]
// CHECK-COUNT-1: tile.post
// CHECK: tile.await
// CHECK-COUNT-3: arith.addf
// CHECK-COUNT-1: tile.post
// CHECK: tile.await
// CHECK-COUNT-4: masked [0]
#s = #graph.shape<[n] -> [n, 300]>
module attributes {graph.ranks = 4} {
  graph.symbol @n in [1, 1000]
  func.func @main(%x: tensor<?x300xf32, #s>) -> tensor<?x300xf32, #s> {
    %0 = graph.all_reduce sum %x ranks 4 : (tensor<?x300xf32, #s>) -> tensor<?x300xf32, #s>
    return %0 : tensor<?x300xf32, #s>
  }
  module @sm_80 {}
}

// -----

// No sum, too many ranks, no float, another collective: the host or NCCL.
// CHECK-LABEL: func.func @main
// CHECK-NOT: code
// CHECK: module @sm_80
// CHECK-NOT: tile.kernel
module attributes {graph.ranks = 16} {
  func.func @main(%x: tensor<16xf32>, %y: tensor<16xi32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xi32>, tensor<256xf32>) {
    %0 = graph.all_reduce max %x ranks 16 : (tensor<16xf32>) -> tensor<16xf32>
    %1 = graph.all_reduce sum %x ranks 16 : (tensor<16xf32>) -> tensor<16xf32>
    %2 = graph.all_reduce sum %y ranks 16 : (tensor<16xi32>) -> tensor<16xi32>
    %3 = graph.all_gather %x axis 0 ranks 16 : (tensor<16xf32>) -> tensor<256xf32>
    return %0, %1, %2, %3 : tensor<16xf32>, tensor<16xf32>, tensor<16xi32>, tensor<256xf32>
  }
  module @sm_80 {}
}

// -----

// Hosts alone need none.
// CHECK-LABEL: func.func @main
// CHECK-NOT: code
module attributes {graph.ranks = 2} {
  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
    %0 = graph.all_reduce sum %x ranks 2 : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  module @"x86-64-v3" {}
}
