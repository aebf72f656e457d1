// RUN: kiln-opt %s --kiln-build-plan --verify-diagnostics
// Dims whose memory cannot be bounded, since no one says their range.

#s = #graph.shape<[n] -> [n, 64]>
// expected-error@below {{KILN-E0202: invalid-dims.mlir:6:1: func.func: a dim uses an undeclared symbol; expected graph.symbol @n, found none}}
func.func @main(%x: tensor<?x64xf32, #s> {graph.name = "x"}) -> (tensor<?x64xf32, #s> {graph.name = "y"}) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s> {
    %1 = graph.unary exp %a : (tensor<?x64xf32, #s>) -> tensor<?x64xf32, #s>
    graph.yield %1 : tensor<?x64xf32, #s>
  }
  return %0 : tensor<?x64xf32, #s>
}
