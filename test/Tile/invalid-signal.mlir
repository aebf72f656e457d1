// RUN: kiln-opt %s -split-input-file -verify-diagnostics
// How tasks of several GPUs wait for each other.

tile.kernel @post_c1_host() -> (%b: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %e = arith.constant 1 : i32
  // expected-error @+1 {{(C1) expects a kernel that states its threads}}
  tile.post %e to %b [%t] : !tile.buffer<i32>
}

// -----
tile.kernel @post_c1_none() -> (%b: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32} {
  %e = arith.constant 1 : i32
  // expected-error @+1 {{(C1) expects 1 to 32 flags, found 0}}
  "tile.post"(%e, %t) : (i32, index) -> ()
}

// -----
tile.kernel @post_c1_type() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32} {
  %e = arith.constant 1 : i32
  // expected-error @+1 {{(C1) expects buffers of i32, found '!tile.buffer<f32>'}}
  tile.post %e to %b [%t] : !tile.buffer<f32>
}

// -----
tile.kernel @await_c1_count(%a: !tile.buffer<i32>) -> (%b: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 64} {
  %e = arith.constant 1 : i32
  // expected-error @+1 {{(C1) expects 1 to 32 flags, found 33}}
  tile.await %e in %b[%t] count 33 unless %a : !tile.buffer<i32>, !tile.buffer<i32>
}

// -----
tile.kernel @await_c1_abort(%a: !tile.buffer<i64>) -> (%b: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 64} {
  %e = arith.constant 1 : i32
  // expected-error @+1 {{(C1) expects buffers of i32, found '!tile.buffer<i64>'}}
  tile.await %e in %b[%t] count 2 unless %a : !tile.buffer<i32>, !tile.buffer<i64>
}

// -----
tile.kernel @await_c2(%a: !tile.buffer<i32>) -> (%b: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 64} {
  %e = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %t step %c1 {
    // expected-error @+1 {{(C2) stands in a loop of smaller thread groups}}
    tile.await %e in %b[%i] count 2 unless %a : !tile.buffer<i32>, !tile.buffer<i32>
  } {tile.team = 32 : i64}
}

// -----
tile.kernel @post_c2() -> (%b: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 64} {
  %e = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %t step %c1 {
    // expected-error @+1 {{(C2) stands in a loop of smaller thread groups}}
    tile.post %e to %b [%i] : !tile.buffer<i32>
  } {tile.team = 32 : i64}
}
