// RUN: kiln-opt %s --split-input-file --kiln-build-plan=memory-limit=700 --verify-diagnostics

// Two tensors of 256 bytes and nothing else: 512 fit.
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<64xf32>) -> tensor<64xf32> {
    %1 = graph.unary exp %a : (tensor<64xf32>) -> tensor<64xf32>
    graph.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// The limit counts what any dims need, and the message names who needs them.
#s = #graph.shape<[n] -> [n, 64]>
graph.symbol @n in [1, 2]
// expected-error@below {{KILN-E0302: memory plan: some of the dims need up to 1024 bytes; largest contributors: 512 bytes of input 'x', 512 bytes of output 'y'; expected at most 700 bytes, found 1024; fix: narrow the envelope with --dims, or raise --memory-limit}}
func.func @main(%x: tensor<?x64xf32, #s> {graph.name = "x"}) -> (tensor<?x64xf32, #s> {graph.name = "y"}) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %1 = graph.unary exp %a : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %1 : tensor<?x64xf32, #s>
  }
  return %0 : tensor<?x64xf32, #s>
}
