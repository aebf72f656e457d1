// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | FileCheck %s
// Rows of a key and a value in their caches, and the query that is rotated beside them.

// All three by one kernel, in the order of the program; attention behind it.
// CHECK-LABEL: func.func @main
// CHECK: %{{.*}}:3 = graph.kernel "kv_write" ({{.*}}) : ({{.*}}) -> (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>)
// CHECK-COUNT-2: graph.rope
// CHECK-COUNT-2: graph.kv_write
// CHECK-NOT: graph.kernel "kv_write"
// CHECK: graph.kernel "attention"
// CHECK-NOT: graph.kernel
func.func @main(%q: tensor<2x4x1x8xf32>, %k: tensor<2x2x1x8xf32>, %v: tensor<2x2x1x8xf32>, %c: tensor<2x1x1x4xf32>, %s: tensor<2x1x1x4xf32>, %x: tensor<2x2x6x8xf32>, %y: tensor<2x2x6x8xf32>, %i: tensor<2xi64>, %n: tensor<2xi64>) -> (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) {
  %rq = graph.rope %q, %c, %s : (tensor<2x4x1x8xf32>, tensor<2x1x1x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x4x1x8xf32>
  %rk = graph.rope %k, %c, %s : (tensor<2x2x1x8xf32>, tensor<2x1x1x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x2x1x8xf32>
  %wk = graph.kv_write %x, %rk starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %wv = graph.kv_write %y, %v starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %a = graph.attention %rq, %wk, %wv {scale = 0.5 : f64} : (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x1x8xf32>
  return %a, %wk, %wv : tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>
}

// -----

// A view of the first result stands in front of the last write: it moves behind the kernel.
// CHECK-LABEL: func.func @main
// CHECK: %{{.*}}:3 = graph.kernel "kv_write" ({{.*}}) : ({{.*}}) -> (tensor<2x1x4x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>)
// CHECK: graph.kernel "attention"
// CHECK: graph.transpose
// CHECK-NOT: graph.kernel "kv_write"
func.func @main(%q: tensor<2x1x4x8xf32>, %k: tensor<2x2x1x8xf32>, %v: tensor<2x2x1x8xf32>, %c: tensor<2x1x1x4xf32>, %s: tensor<2x1x1x4xf32>, %x: tensor<2x2x6x8xf32>, %y: tensor<2x2x6x8xf32>, %i: tensor<2xi64>, %n: tensor<2xi64>) -> (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) {
  %rq = graph.rope %q, %c, %s : (tensor<2x1x4x8xf32>, tensor<2x1x1x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x1x4x8xf32>
  %tq = graph.transpose %rq [0, 2, 1, 3] : (tensor<2x1x4x8xf32>) -> tensor<2x4x1x8xf32>
  %rk = graph.rope %k, %c, %s : (tensor<2x2x1x8xf32>, tensor<2x1x1x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x2x1x8xf32>
  %wk = graph.kv_write %x, %rk starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %wv = graph.kv_write %y, %v starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %a = graph.attention %tq, %wk, %wv {scale = 0.5 : f64} : (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x1x8xf32>
  return %a, %wk, %wv : tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>
}

// -----

// Without a rotation, both rows.
// CHECK-LABEL: func.func @main
// CHECK: %{{.*}}:2 = graph.kernel "kv_write" ({{.*}}) : ({{.*}}) -> (tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>)
// CHECK: graph.kernel "attention"
// CHECK-NOT: graph.kernel
func.func @main(%q: tensor<2x4x1x8xf32>, %k: tensor<2x2x1x8xf32>, %v: tensor<2x2x1x8xf32>, %c: tensor<2x1x1x4xf32>, %s: tensor<2x1x1x4xf32>, %x: tensor<2x2x6x8xf32>, %y: tensor<2x2x6x8xf32>, %i: tensor<2xi64>, %n: tensor<2xi64>) -> (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) {
  %wk = graph.kv_write %x, %k starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %wv = graph.kv_write %y, %v starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %a = graph.attention %q, %wk, %wv {scale = 0.5 : f64} : (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x1x8xf32>
  return %a, %wk, %wv : tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>
}

// -----

// Not: the first cache is read in front of the second write.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "kv_write" ({{.*}}) : ({{.*}}) -> tensor<2x2x6x8xf32>
// CHECK: graph.kernel "pointwise"
// CHECK: graph.kernel "kv_write" ({{.*}}) : ({{.*}}) -> tensor<2x2x6x8xf32>
func.func @main(%q: tensor<2x4x1x8xf32>, %k: tensor<2x2x1x8xf32>, %v: tensor<2x2x1x8xf32>, %c: tensor<2x1x1x4xf32>, %s: tensor<2x1x1x4xf32>, %x: tensor<2x2x6x8xf32>, %y: tensor<2x2x6x8xf32>, %i: tensor<2xi64>, %n: tensor<2xi64>) -> (tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) {
  %wk = graph.kv_write %x, %k starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %z = graph.unary exp %wk : (tensor<2x2x6x8xf32>) -> tensor<2x2x6x8xf32>
  %wv = graph.kv_write %z, %v starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  return %wk, %wv : tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>
}

// -----

// Not: rows at other positions.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "kv_write" ({{.*}}) : ({{.*}}) -> tensor<2x2x6x8xf32>
// CHECK: graph.kernel "kv_write" ({{.*}}) : ({{.*}}) -> tensor<2x2x6x8xf32>
func.func @main(%q: tensor<2x4x1x8xf32>, %k: tensor<2x2x1x8xf32>, %v: tensor<2x2x1x8xf32>, %c: tensor<2x1x1x4xf32>, %s: tensor<2x1x1x4xf32>, %x: tensor<2x2x6x8xf32>, %y: tensor<2x2x6x8xf32>, %i: tensor<2xi64>, %n: tensor<2xi64>, %j: tensor<2xi64>) -> (tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) {
  %wk = graph.kv_write %x, %k starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %wv = graph.kv_write %y, %v starts %j counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  return %wk, %wv : tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>
}

// -----

// Not: a query that is rotated by other angles.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise" ({{.*}}) : ({{.*}}) -> tensor<2x4x1x8xf32>
// CHECK: %{{.*}}:2 = graph.kernel "kv_write"
func.func @main(%q: tensor<2x4x1x8xf32>, %k: tensor<2x2x1x8xf32>, %v: tensor<2x2x1x8xf32>, %c: tensor<2x1x1x4xf32>, %s: tensor<2x1x1x4xf32>, %x: tensor<2x2x6x8xf32>, %y: tensor<2x2x6x8xf32>, %i: tensor<2xi64>, %n: tensor<2xi64>, %d: tensor<2x1x1x4xf32>) -> (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) {
  %rq = graph.rope %q, %d, %s : (tensor<2x4x1x8xf32>, tensor<2x1x1x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x4x1x8xf32>
  %rk = graph.rope %k, %c, %s : (tensor<2x2x1x8xf32>, tensor<2x1x1x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x2x1x8xf32>
  %wk = graph.kv_write %x, %rk starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %wv = graph.kv_write %y, %v starts %i counts %n axis 2 : (tensor<2x2x6x8xf32>, tensor<2x2x1x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x6x8xf32>
  %a = graph.attention %rq, %wk, %wv {scale = 0.5 : f64} : (tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x1x8xf32>
  return %a, %wk, %wv : tensor<2x4x1x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>
}

// -----

// Not: rotations that nothing is written beside.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise" ({{.*}}) : ({{.*}}) -> tensor<2x4x1x8xf32>
// CHECK: graph.kernel "pointwise" ({{.*}}) : ({{.*}}) -> tensor<2x2x1x8xf32>
func.func @main(%q: tensor<2x4x1x8xf32>, %k: tensor<2x2x1x8xf32>, %v: tensor<2x2x1x8xf32>, %c: tensor<2x1x1x4xf32>, %s: tensor<2x1x1x4xf32>, %x: tensor<2x2x6x8xf32>, %y: tensor<2x2x6x8xf32>, %i: tensor<2xi64>, %n: tensor<2xi64>) -> (tensor<2x4x1x8xf32>, tensor<2x2x1x8xf32>) {
  %rq = graph.rope %q, %c, %s : (tensor<2x4x1x8xf32>, tensor<2x1x1x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x4x1x8xf32>
  %rk = graph.rope %k, %c, %s : (tensor<2x2x1x8xf32>, tensor<2x1x1x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x2x1x8xf32>
  return %rq, %rk : tensor<2x4x1x8xf32>, tensor<2x2x1x8xf32>
}
