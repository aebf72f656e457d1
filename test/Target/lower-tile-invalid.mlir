// RUN: kiln-opt --kiln-lower-tile %s -verify-diagnostics

tile.kernel @call() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  // expected-error @+2 {{KILN-E0403: kernel 'call': an op that has no meaning on the host; found cf.assert}}
  %true = arith.constant true
  cf.assert %true, "no"
}
