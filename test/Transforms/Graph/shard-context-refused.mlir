// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-shard-context
// Models of which no attention can be divided among context-parallel ranks, and why.

// expected-error-re @below {{KILN-E0209{{.*}}no attention can be divided among 2 context-parallel ranks; it has no attention that Kiln recognizes}}
module {
func.func @main(%x: tensor<1x32x4xf32>) -> tensor<1x32x4xf32> {
  %0 = graph.unary tanh %x : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  return %0 : tensor<1x32x4xf32>
}
}

// -----

// expected-error-re @below {{KILN-E0209{{.*}}a sequence has at most 16 rows}}
module {
graph.symbol @S in [1, 16]
func.func @main(%q: tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>> {
  %a = graph.attention %q, %q, %q {scale = 1.0 : f64} : (tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  return %a : tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
}
}

// -----

// expected-error-re @below {{KILN-E0209{{.*}}lengths end its keys, and cannot say where a rank's queries stand as well}}
module {
func.func @main(%q: tensor<1x2x32x4xf32>, %n: tensor<1xi64>) -> tensor<1x2x32x4xf32> {
  %a = graph.attention %q, %q, %q lengths %n {causal, scale = 1.0 : f64} : (tensor<1x2x32x4xf32>, tensor<1x2x32x4xf32>, tensor<1x2x32x4xf32>, tensor<1xi64>) -> tensor<1x2x32x4xf32>
  return %a : tensor<1x2x32x4xf32>
}
}
