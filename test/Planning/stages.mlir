// RUN: kiln-opt %s --split-input-file --kiln-build-plan=stages=2 --kiln-verify-plan --mlir-print-local-scope | FileCheck %s

#s = #graph.shape<[n] -> [n, 64]>

// Two weights for each stage. What depends on no weight (the exponential) is computed by
// all ranks, what stage 1 reads of stage 0 is handed to it, and the output is broadcast. The other
// value of stage 0 stays there.
// CHECK: plan.program stages 2
// CHECK-DAG: plan.buffer @[[X:.*]] in @input {{.*}} source "x"
// CHECK-DAG: plan.buffer @[[Y:.*]] in @output {{.*}} source "y"
// CHECK: plan.launch @pointwise reads [@[[X]]] writes [@[[E:[a-z0-9]+]]] grid
// CHECK-NOT: stage
// CHECK: plan.launch @pointwise reads [@[[X]], @{{.*}}] writes [@[[A:[a-z0-9]+]]] {{.*}} stage 0
// CHECK-NEXT: plan.launch @pointwise reads [@[[A]], @{{.*}}] writes [@[[B:[a-z0-9]+]]] {{.*}} stage 0
// CHECK-NEXT: plan.collective permute from @[[B]] to @[[B]] element i8 outer <[] -> [1]> inner <[n] -> [256 * n]> {{.*}} stage 0 takers 1
// CHECK-NEXT: plan.launch @pointwise reads [@[[B]], @{{.*}}] writes [@[[C:[a-z0-9]+]]] {{.*}} stage 1
// CHECK-NEXT: plan.launch @pointwise reads [@[[C]], @{{.*}}] writes [@[[D:[a-z0-9]+]]] {{.*}} stage 1
// CHECK-NEXT: plan.launch @pointwise reads [@[[D]], @[[E]]] writes [@[[Y]]] {{.*}} stage 1
// CHECK-NEXT: plan.collective broadcast from @[[Y]] to @[[Y]] {{.*}} stage 1
graph.symbol @n in [1, 8]
graph.weight @w0 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w3 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @main(%x: tensor<?x64xf32, #s> {graph.name = "x"}) -> (tensor<?x64xf32, #s> {graph.name = "y"}) {
  %w0 = graph.get_weight @w0 : tensor<64xf32>
  %w1 = graph.get_weight @w1 : tensor<64xf32>
  %w2 = graph.get_weight @w2 : tensor<64xf32>
  %w3 = graph.get_weight @w3 : tensor<64xf32>
  %e = graph.kernel "pointwise" (%a = %x) : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %10 = graph.unary exp %a : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %10 : tensor<?x64xf32, #s>
  }
  %k0 = graph.kernel "pointwise" (%a = %x, %b = %w0) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %11 = graph.binary mul %a, %b : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %11 : tensor<?x64xf32, #s>
  }
  %k1 = graph.kernel "pointwise" (%a = %k0, %b = %w1) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %12 = graph.binary mul %a, %b : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %12 : tensor<?x64xf32, #s>
  }
  %k2 = graph.kernel "pointwise" (%a = %k1, %b = %w2) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %13 = graph.binary mul %a, %b : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %13 : tensor<?x64xf32, #s>
  }
  %k3 = graph.kernel "pointwise" (%a = %k2, %b = %w3) : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s> {
    %14 = graph.binary mul %a, %b : (tensor<?x64xf32, #s>, tensor<64xf32>) -> tensor<?x64xf32, #s>
    graph.yield %14 : tensor<?x64xf32, #s>
  }
  %y = graph.kernel "pointwise" (%a = %k3, %b = %e) : (tensor<?x64xf32, #s>, tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %15 = graph.binary add %a, %b : (tensor<?x64xf32, #s>, tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %15 : tensor<?x64xf32, #s>
  }
  return %y : tensor<?x64xf32, #s>
}

// -----

#state = #graph.shape<[capacity, rows] -> [rows, capacity, 64]>
#new = #graph.shape<[rows] -> [rows, 1, 64]>
#row = #graph.shape<[rows] -> [rows]>

// Each stage has the cache that it writes, at one place; lengths, which no weight decides,
// are on all ranks.
// CHECK: plan.arena @state state size <[capacity, rows] -> [256 * capacity * rows + {{.*}}]>
// CHECK: plan.buffer @[[C1:.*]] in @state {{.*}} live[0, 6] stage 1 type {{.*}} source "cache1"
// CHECK: plan.buffer @[[C0:.*]] in @state {{.*}} live[0, 6] stage 0 type {{.*}} source "cache0"
// CHECK: plan.buffer @[[L:.*]] in @state {{.*}} live[0, 6] above [@[[C1]], @[[C0]]] type {{.*}} source "lengths"
// CHECK: plan.launch @kv_write reads [@[[C0]], {{.*}} stage 0
// CHECK: plan.launch @kv_write reads [@[[C1]], {{.*}} stage 1
// CHECK: plan.copy @{{.*}} to @[[L]]
// CHECK-NOT: stage
graph.symbol @capacity in [1, 64]
graph.symbol @rows in [1, 4]
graph.weight @w0 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @main(%n: tensor<?x1x64xf32, #new> {graph.name = "new"}, %c: tensor<?xi64, #row> {graph.name = "counts"}, %l: tensor<?xi64, #row> {graph.state = "lengths"}, %s: tensor<?x?x64xf32, #state> {graph.state = "cache0"}, %t: tensor<?x?x64xf32, #state> {graph.state = "cache1"})
    -> (tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x?x64xf32, #state> {graph.state = "cache0"}, tensor<?x?x64xf32, #state> {graph.state = "cache1"}) {
  %w0 = graph.get_weight @w0 : tensor<64xf32>
  %w1 = graph.get_weight @w1 : tensor<64xf32>
  %0 = graph.kernel "pointwise" (%a = %n, %b = %w0) : (tensor<?x1x64xf32, #new>, tensor<64xf32>) -> tensor<?x1x64xf32, #new> {
    %10 = graph.binary mul %a, %b : (tensor<?x1x64xf32, #new>, tensor<64xf32>) -> tensor<?x1x64xf32, #new>
    graph.yield %10 : tensor<?x1x64xf32, #new>
  }
  %1 = graph.kernel "kv_write" (%s0 = %s, %n0 = %0, %l0 = %l, %c0 = %c) : (tensor<?x?x64xf32, #state>, tensor<?x1x64xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x64xf32, #state> {
    %11 = graph.kv_write %s0, %n0 starts %l0 counts %c0 axis 1 : (tensor<?x?x64xf32, #state>, tensor<?x1x64xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x64xf32, #state>
    graph.yield %11 : tensor<?x?x64xf32, #state>
  }
  %2 = graph.kernel "pointwise" (%a = %0, %b = %w1) : (tensor<?x1x64xf32, #new>, tensor<64xf32>) -> tensor<?x1x64xf32, #new> {
    %12 = graph.binary mul %a, %b : (tensor<?x1x64xf32, #new>, tensor<64xf32>) -> tensor<?x1x64xf32, #new>
    graph.yield %12 : tensor<?x1x64xf32, #new>
  }
  %3 = graph.kernel "kv_write" (%s0 = %t, %n0 = %2, %l0 = %l, %c0 = %c) : (tensor<?x?x64xf32, #state>, tensor<?x1x64xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x64xf32, #state> {
    %13 = graph.kv_write %s0, %n0 starts %l0 counts %c0 axis 1 : (tensor<?x?x64xf32, #state>, tensor<?x1x64xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x64xf32, #state>
    graph.yield %13 : tensor<?x?x64xf32, #state>
  }
  %4 = graph.kernel "pointwise" (%l0 = %l, %c0 = %c) : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row> {
    %14 = graph.binary add %l0, %c0 : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
    graph.yield %14 : tensor<?xi64, #row>
  }
  return %4, %1, %3 : tensor<?xi64, #row>, tensor<?x?x64xf32, #state>, tensor<?x?x64xf32, #state>
}
